//! Reversi in a record: game 2, which has no rules to tell.

use super::rules::{RecordRules, Start};
use super::sgf::{Node, SgfError, Writer};
use crate::color::ByColor;
use crate::games::reversi::{Reversi, ReversiRules};
use crate::geometry::BoardSize;

impl RecordRules for Reversi {
    type Given = ();

    const GM: u32 = 2;

    const DEFAULT_SIDE: usize = 8;

    const OMITS_FORCED_PASSES: bool = true;

    fn usual_stones(size: BoardSize) -> ByColor<Vec<u16>> {
        Self::starting_discs(size)
    }

    fn write_rules(&self, _root: &mut Writer) {}

    fn read_rules(
        _root: Node<'_>,
        _start: &mut Start,
        _given: &(),
    ) -> Result<ReversiRules, SgfError> {
        Ok(ReversiRules)
    }
}
