//! The rules of Hex in a record: game 11, `RU`, and moves with the names of points.

use super::rules::{RecordRules, Start};
use super::sgf::{Node, SgfError, SgfWarning, Writer};
use crate::game::Game;
use crate::games::hex::{Hex, HexRules};

/// Rules of Hex that the reader of a record gives; they go before what the record says.
///
/// ```
/// use sixplane::record::{GivenHexRules, Recorded};
/// use sixplane::{Game, Hex};
///
/// let given = GivenHexRules { swap: Some(true), ..GivenHexRules::default() };
/// let game = Hex::from_sgf("(;GM[11]SZ[11];B[a3])", &given, None)?;
/// assert!(game.may_pass());
/// # Ok::<(), sixplane::record::SgfError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GivenHexRules {
    /// Whether White may take over Black's first stone.
    pub swap: Option<bool>,
    /// The rules where neither the reader nor the record says one.
    pub usual: HexRules,
}

const SWAP: &str = "Swap";
const NO_SWAP: &str = "No swap";

impl RecordRules for Hex {
    type Given = GivenHexRules;

    const GM: u32 = 11;

    const DEFAULT_SIZE: (usize, usize) = (11, 11);

    const NAMES_POINTS: bool = true;

    const PASSES: &'static [&'static str] = &["swap-pieces", "swap"];

    const RESIGNATIONS: &'static [&'static str] = &["resign", "forfeit"];

    fn write_rules(&self, root: &mut Writer) {
        root.property("RU", [if self.rules().swap { SWAP } else { NO_SWAP }]);
    }

    fn read_rules(
        root: Node<'_>,
        start: &mut Start,
        given: &GivenHexRules,
        _warnings: &mut Vec<SgfWarning>,
    ) -> Result<HexRules, SgfError> {
        let text = root.find_info("RU").map(|property| property.value().simple_text());
        let said = text.and_then(|text| match text.trim() {
            text if text.eq_ignore_ascii_case(SWAP) => Some(true),
            text if text.eq_ignore_ascii_case(NO_SWAP) => Some(false),
            _ => None,
        });
        // Other programs write no rule, but the swap itself, perhaps in a variation.
        let is_swap = |node: Node<'_>| {
            node.find("W").is_some_and(|property| {
                let name = property.value().raw().trim();
                Self::PASSES.iter().any(|swap| swap.eq_ignore_ascii_case(name))
            })
        };
        // No other board has that rule. Where the record says that it has, its error comes from the game.
        let may_swap =
            || start.size.is_square() && (given.usual.swap || root.with_all_below().any(is_swap));
        let swap = given.swap.or(said).unwrap_or_else(may_swap);
        Ok(HexRules { swap })
    }
}
