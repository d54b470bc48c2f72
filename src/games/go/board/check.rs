//! The slow, plain check of everything that the fast path keeps.

use super::{Board, EMPTY};
use crate::bits::Bits;
use crate::color::Color;
use crate::games::go::liberties::Liberties;
use crate::zobrist;

impl<const W: usize> Board<W> {
    /// The slow, plain check of everything the fast path keeps.
    pub(in crate::games::go) fn assert_valid(&self) {
        assert!((self.stones[0] & self.stones[1]).is_empty());
        for color in Color::ALL {
            let own = self.stones(color);
            for point in own {
                let chain = self.layout.frame.fill(Bits::point(point), own);
                let liberties = self.layout.frame.neighbors_in(chain, self.empty());
                let head = self.head_of(point);
                assert_eq!(self.color_at(point), color.index() as u8);
                assert_eq!(self.chain_stones(head), chain, "ring of the chain at {point}");
                assert_eq!(self.length.as_flattened()[head] as usize, chain.count());
                assert_eq!(self.atari.contains(point), liberties.count() == 1, "atari at {point}");
                let mut pseudo = Liberties::NONE;
                chain.iter().for_each(|stone| pseudo.add(self.liberties_at(stone)));
                assert_eq!(self.chain.as_flattened()[head].liberties, pseudo);
                let key = chain.iter().fold(0, |key, stone| key ^ zobrist::stone(color, stone));
                assert_eq!(self.chain_key(head), key);
            }
        }
        assert!((self.atari & self.empty()).is_empty());
        assert!(self.empty().iter().all(|point| self.color_at(point) == EMPTY));
    }
}
