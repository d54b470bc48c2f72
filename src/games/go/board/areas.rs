//! The areas of a board, found anew.

use super::Board;
use crate::bits::Bits;

impl<const W: usize> Board<W> {
    /// Points that only this color's stones reach through empty points, stones included, for
    /// Black and White.
    #[must_use]
    pub fn areas(&self) -> [Bits<W>; 2] {
        let reached = self.reached();
        [self.stones[0] | (reached[0] & !reached[1]), self.stones[1] | (reached[1] & !reached[0])]
    }

    /// Empty points from which a way through empty points leads to a stone of Black, of White.
    pub(in crate::games::go) fn reached(&self) -> [Bits<W>; 2] {
        let (frame, empty) = (&self.layout.frame, self.empty());
        self.stones.map(|stones| frame.fill(frame.neighbors_in(stones, empty), empty))
    }
}
