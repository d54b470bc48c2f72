//! Reversi in a record: game 2, which has no rules to tell.

use super::rules::RecordRules;
use crate::color::ByColor;
use crate::games::reversi::Reversi;
use crate::geometry::BoardSize;

impl RecordRules for Reversi {
    type Given = ();

    const GM: u32 = 2;

    const DEFAULT_SIZE: (usize, usize) = (8, 8);

    const OMITS_FORCED_PASSES: bool = true;

    // Edax, OthelloTk and others read no other points.
    const NAMES_POINTS: bool = true;

    fn usual_stones(size: BoardSize) -> ByColor<Vec<u16>> {
        Self::starting_discs(size)
    }
}
