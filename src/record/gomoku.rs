//! The rules of Gomoku in a record: game 4, and `RU`.

use super::rules::{RecordRules, Start};
use super::sgf::{Node, SgfError, SgfWarning, Writer};
use crate::game::Game;
use crate::games::gomoku::{Gomoku, GomokuRules};

/// Rules of Gomoku that the reader of a record gives; they go before what the record says.
///
/// ```
/// use sixplane::record::{GivenGomokuRules, Recorded};
/// use sixplane::{Game, Gomoku};
///
/// let given = GivenGomokuRules { exact_five: Some(true), ..GivenGomokuRules::default() };
/// let game = Gomoku::from_sgf("(;GM[4]SZ[15];B[hh])", &given, None)?;
/// assert!(game.rules().exact_five);
/// # Ok::<(), sixplane::record::SgfError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GivenGomokuRules {
    /// Whether only runs of exactly five win.
    pub exact_five: Option<bool>,
    /// The rules where neither the reader nor the record says one.
    pub usual: GomokuRules,
}

const FREESTYLE: &str = "Freestyle";
const EXACT_FIVE: &str = "Standard";

impl RecordRules for Gomoku {
    type Given = GivenGomokuRules;

    const GM: u32 = 4;

    const DEFAULT_SIZE: (usize, usize) = (15, 15);

    fn write_rules(&self, root: &mut Writer) {
        root.property("RU", [if self.rules().exact_five { EXACT_FIVE } else { FREESTYLE }]);
    }

    fn read_rules(
        root: Node<'_>,
        _start: &mut Start,
        given: &GivenGomokuRules,
        _warnings: &mut Vec<SgfWarning>,
    ) -> Result<GomokuRules, SgfError> {
        let text = root.find_info("RU").map(|property| property.value().simple_text());
        let said = text.and_then(|text| match text.trim() {
            text if text.eq_ignore_ascii_case(EXACT_FIVE) => Some(true),
            text if text.eq_ignore_ascii_case(FREESTYLE) => Some(false),
            _ => None,
        });
        Ok(GomokuRules { exact_five: given.exact_five.or(said).unwrap_or(given.usual.exact_five) })
    }
}
