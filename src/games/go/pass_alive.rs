//! Unconditional life: chains that cannot be captured although their color always passes.
//!
//! D. B. Benson, Life in the Game of Go, Information Sciences 10 (1976). Programs call it pass-alive.

use super::board::Board;
use crate::bits::Bits;
use crate::color::Color;
use crate::morphology::groups;

impl<const W: usize> Board<W> {
    /// The points that are a color's whatever the opponent plays: its chains that live although it always passes,
    /// and the regions between them in which the opponent cannot have two eyes.
    ///
    /// A region, connected points without a stone of the color, is vital to a chain next to it if all its empty
    /// points are liberties of the chain: the opponent cannot fill it. With `suicide`, stones may leave the region
    /// again, so all its points must be next to the chain. Chains live together that have two vital regions each, if
    /// no other chain is next to these regions.
    ///
    /// ```
    /// use sixplane::games::go::Board;
    /// use sixplane::{BoardSize, Color};
    ///
    /// let mut board = Board::<1>::new(BoardSize::new(2, 4)?);
    /// // . X . X
    /// // X X X X
    /// for point in [1, 3, 4, 5, 6, 7] {
    ///     board.play(point, Color::Black, &mut Vec::new());
    /// }
    /// assert_eq!(board.pass_alive(Color::Black, false).count(), 8);
    /// assert_eq!(board.pass_alive(Color::White, false).count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pass_alive(&self, color: Color, suicide: bool) -> Bits<W> {
        let (frame, own, empty) = (self.frame(), self.stones(color), self.empty());
        let others = frame.board() & !own;
        let mut chains: Vec<_> =
            groups(frame, own).map(|chain| (chain, frame.dilate(chain, others))).collect();
        // Of each region the stones next to it, and the points that a chain must be next to.
        let fillable = if suicide { others } else { empty };
        let mut regions: Vec<_> = groups(frame, others)
            .map(|region| (frame.dilate(region, own), region & fillable))
            .collect();
        let mut alive = own;
        loop {
            regions.retain(|(border, _)| (*border & !alive).is_empty());
            chains.retain(|&(_, around)| {
                let is_vital = |points: Bits<W>| (points & !around).is_empty();
                regions.iter().filter(|&&(_, points)| is_vital(points)).nth(1).is_some()
            });
            let still = chains.iter().fold(Bits::EMPTY, |all, (chain, _)| all | *chain);
            if still == alive {
                break;
            }
            alive = still;
        }
        // An eye of the opponent is no point next to a chain that lives.
        let others = frame.board() & !alive;
        let inner = others & !frame.dilate(alive, others);
        let regions = groups(frame, others).filter(|region| (*region & inner).count() < 2);
        regions.fold(alive, |all, region| all | region)
    }
}
