//! Simple ko: the one stone that just took one stone may not be taken back at once.

use super::board::Board;
use crate::bits::Bits;
use crate::color::Color;
use crate::log::Change;

impl<const W: usize> Board<W> {
    /// The point that simple ko forbids after an action with these changes of stones: the point of
    /// the one stone it took, if its own stone stands alone with that point as its one liberty.
    #[inline]
    pub(super) fn ko_after(&self, changes: &[Change]) -> Option<u16> {
        let &[put, taken] = changes else { return None };
        let head = self.head_of(put.point());
        let is_alone = self.length[head] == 1;
        (is_alone && self.atari.contains(head)).then_some(taken.point() as u16)
    }

    /// The points where `color` may play under simple ko.
    #[must_use]
    #[inline]
    pub fn legal(&self, color: Color, suicide: bool) -> Bits<W> {
        let mut legal = self.legal_before_ko(color, suicide);
        if let Some(point) = self.ko {
            legal.remove(point as usize);
        }
        legal
    }
}
