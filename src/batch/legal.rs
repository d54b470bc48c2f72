//! The legal actions of all games of a batch, side by side: what drawing and checking read, so
//! that neither has to visit the games themselves.

use std::ops::{Deref, DerefMut};

use rand::RngExt;

use super::draws::Draws;
use crate::game::Game;
use crate::geometry::{Action, BoardSize};
use crate::select::select_among;
use crate::workers::Split;

/// One row of bits a game: its points, then the pass. No bit is set when the game is over. The
/// bits are owned, or borrowed from those of all games.
#[derive(Clone, Debug)]
pub(super) struct LegalActions<B = Vec<u64>> {
    /// Words a row.
    words: usize,
    bits: B,
}

impl LegalActions {
    pub(super) fn new<'a, G: Game>(
        size: BoardSize,
        games: impl ExactSizeIterator<Item = &'a G>,
    ) -> Self {
        let words = size.num_actions().div_ceil(64);
        let mut legal = Self { words, bits: vec![0; words * games.len()] };
        for (i, game) in games.enumerate() {
            legal.note(i, game);
        }
        legal
    }

    /// All rows by reference.
    pub(super) fn as_mut(&mut self) -> LegalActions<&mut [u64]> {
        LegalActions { words: self.words, bits: &mut self.bits }
    }
}

impl<B: Deref<Target = [u64]>> LegalActions<B> {
    /// Whether a game may play an action. Any number may be asked.
    #[inline]
    pub(super) fn contains(&self, index: usize, action: i64) -> bool {
        contains(self.row(index), action)
    }

    /// A uniformly random legal action of a game; `None` when it is over.
    #[inline]
    pub(super) fn draw(&self, index: usize, draws: &mut Draws) -> Option<Action> {
        draw(self.row(index), draws)
    }

    fn row(&self, index: usize) -> &[u64] {
        &self.bits[index * self.words..][..self.words]
    }
}

impl<B: DerefMut<Target = [u64]>> LegalActions<B> {
    /// Notes where a game stands now.
    #[inline]
    pub(super) fn note(&mut self, index: usize, game: &impl Game) {
        let row = &mut self.bits[index * self.words..][..self.words];
        let pass = game.size().points();
        row.copy_from_slice(&game.state().legal().0[..self.words]);
        let may_pass = !game.is_over() && game.may_pass();
        row[pass >> 6] |= u64::from(may_pass) << (pass & 63);
    }
}

impl Split for LegalActions<&mut [u64]> {
    fn split_at(self, items: usize) -> (Self, Self) {
        let words = self.words;
        let (bits, after) = self.bits.split_at_mut(items * words);
        (Self { words, bits }, Self { words, bits: after })
    }
}

#[inline]
fn contains(row: &[u64], action: i64) -> bool {
    // Of a negative number, the word is beyond all rows.
    row.get((action >> 6) as usize).is_some_and(|word| word >> (action & 63) & 1 == 1)
}

#[inline]
fn draw(row: &[u64], draws: &mut Draws) -> Option<Action> {
    // A loop over a known number of words becomes straight code.
    macro_rules! draw_from {
        ($($words:literal)*) => {
            match row.len() {
                $($words => draw_from::<$words>(row.first_chunk()?, draws),)*
                _ => None,
            }
        };
    }
    draw_from!(1 2 3 4 5 6 7 8 9 10)
}

#[inline]
fn draw_from<const W: usize>(row: &[u64; W], draws: &mut Draws) -> Option<Action> {
    let count: u32 = row.iter().map(|word| word.count_ones()).sum();
    if count == 0 {
        return None;
    }
    let rank = draws.next().random_range(0..count);
    Some(Action::new(select_among(row, rank)))
}
