//! What a record needs to know of a game: its number, its usual start and its rules.

use super::sgf::{Node, SgfError, SgfWarning, Writer};
use crate::color::{ByColor, Color};
use crate::game::Game;
use crate::geometry::BoardSize;

/// The starting position of a record, as far as the record tells it.
///
/// ```
/// use sixplane::record::sgf::Collection;
/// use sixplane::record::{RecordRules, Start};
/// use sixplane::{BoardSize, ByColor, Color, Go};
///
/// let record = Collection::from_text("(;SZ[9]HA[2]AB[cg][gc])")?;
/// let stones = Some(ByColor { black: vec![24, 56], white: vec![] });
/// let mut start = Start { size: BoardSize::square(9)?, stones, turn: None };
/// let mut warnings = Vec::new();
/// let given = Default::default();
/// let rules = Go::read_rules(record.first_game(), &mut start, &given, &mut warnings)?;
/// assert_eq!((rules.handicap, start.turn, warnings), (2, Some(Color::White), vec![]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The size of the board.
    pub size: BoardSize,
    /// Points with stones, ascending, if the record sets up any.
    pub stones: Option<ByColor<Vec<u16>>>,
    /// The player to play first: as set, else that of the first move, if there is one.
    pub turn: Option<Color>,
}

/// A game whose rules a record can hold, which makes it [`Recorded`](super::Recorded).
///
/// ```
/// use sixplane::record::RecordRules;
/// use sixplane::{Go, Gomoku, Reversi};
///
/// assert_eq!((Go::GM, Reversi::GM, Gomoku::GM), (1, 2, 4));
/// assert_eq!((Go::DEFAULT_SIZE, Go::default_size(&Default::default())), ((19, 19), (19, 19)));
/// assert!(Reversi::OMITS_FORCED_PASSES);
/// ```
///
/// A game without options needs no more than a type, a number and a size. Another one writes its rules and
/// reads them, too; it does not compile without.
pub trait RecordRules: Game {
    /// Rules that the caller of a reader gives, which go before what the record says.
    type Given: Default + Sync;

    /// The number of the game (`GM`). The list of SGF ends at 40; a game that is not in it takes a
    /// number of its own, from 1000 on.
    const GM: u32;

    /// Rows and columns of a record without a size (`SZ`).
    const DEFAULT_SIZE: (usize, usize);

    /// The same where rules that are given know another.
    #[must_use]
    fn default_size(_given: &Self::Given) -> (usize, usize) {
        Self::DEFAULT_SIZE
    }

    /// Whether records leave out a pass where nothing else is legal: then a player who plays
    /// twice in a row does so because the other one passed.
    const OMITS_FORCED_PASSES: bool = false;

    /// Whether records name points as the board does, in small letters, and passes by a word. Two
    /// letters are read as well.
    const NAMES_POINTS: bool = false;

    /// The words for the pass in records that name points, that one first which is written. The others are those of
    /// Edax, xboard and others.
    const PASSES: &'static [&'static str] = &["PA", "pass", "ps", "@@@@", "--"];

    /// The words in place of a move by which its player resigns.
    const RESIGNATIONS: &'static [&'static str] = &[];

    /// The stones of a starting position that a record need not set up.
    #[must_use]
    fn usual_stones(_size: BoardSize) -> ByColor<Vec<u16>> {
        ByColor::default()
    }

    /// Writes the rules into the root node.
    fn write_rules(&self, _root: &mut Writer) {
        const { assert!(size_of::<Self::Rules>() == 0, "rules must be written to be read") }
    }

    /// The rules of the record with this root node. What they say of the start goes into `start`,
    /// unless it is told there. What is no rule is left out, and warned of.
    ///
    /// # Errors
    /// [`SgfError`] if the record asks for rules that the game does not have.
    fn read_rules(
        _root: Node<'_>,
        _start: &mut Start,
        _given: &Self::Given,
        _warnings: &mut Vec<SgfWarning>,
    ) -> Result<Self::Rules, SgfError> {
        const { assert!(size_of::<Self::Rules>() == 0, "rules must be read from the record") }
        Ok(Self::Rules::default())
    }
}
