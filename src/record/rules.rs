//! What a record needs to know of a game: its number, its usual start and its rules.

use super::sgf::{Node, SgfError, Writer};
use crate::color::{ByColor, Color};
use crate::game::Game;
use crate::geometry::BoardSize;

/// The starting position of a record, as far as the record tells it.
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
pub trait RecordRules: Game {
    /// Rules that the caller of a reader gives, which go before what the record says.
    type Given: Default + Sync;

    /// The number of the game (`GM`).
    const GM: u32;

    /// Rows and columns of a record without a size (`SZ`).
    const DEFAULT_SIDE: usize;

    /// Whether records leave out a pass where nothing else is legal: then a player who plays
    /// twice in a row does so because the other one passed.
    const OMITS_FORCED_PASSES: bool = false;

    /// The stones of a starting position that a record need not set up.
    #[must_use]
    fn usual_stones(_size: BoardSize) -> ByColor<Vec<u16>> {
        ByColor::default()
    }

    /// Writes the rules into the root node.
    fn write_rules(&self, root: &mut Writer);

    /// The rules of the record with this root node. What they say of the start goes into `start`,
    /// unless it is told there.
    ///
    /// # Errors
    /// [`SgfError`] if the record asks for rules that the game does not have.
    fn read_rules(
        root: Node<'_>,
        start: &mut Start,
        given: &Self::Given,
    ) -> Result<Self::Rules, SgfError>;
}
