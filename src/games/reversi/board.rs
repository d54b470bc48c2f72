//! The inner board: discs as two sets of bits, where a player may play and what a play flips.
//!
//! Knows neither planes nor the course of play.

use std::fmt::Debug;

use crate::bits::Bits;
use crate::color::Color;

/// The lines of a board of one size.
pub(super) trait Shape<const W: usize>: Copy + Debug + Send + Sync + 'static {
    /// Where a player may play: the empty points at the ends of runs of enemy discs from own ones.
    fn legal(&self, own: Bits<W>, other: Bits<W>) -> Bits<W>;

    /// The enemy discs that a play at an empty point flips.
    fn flips(&self, own: Bits<W>, other: Bits<W>, point: usize) -> Bits<W>;
}

/// The discs of both players.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board<const W: usize, S> {
    shape: S,
    discs: [Bits<W>; 2],
}

impl<const W: usize, S: Shape<W>> Board<W, S> {
    pub(super) fn new(shape: S) -> Self {
        Self { shape, discs: [Bits::EMPTY; 2] }
    }

    pub(super) fn set_discs(&mut self, discs: [Bits<W>; 2]) {
        self.discs = discs;
    }

    pub(super) fn discs(&self, color: Color) -> Bits<W> {
        self.discs[color.index()]
    }

    /// Where a player may play.
    #[inline]
    pub(super) fn legal(&self, color: Color) -> Bits<W> {
        self.shape.legal(self.discs[color.index()], self.discs[color.opponent().index()])
    }

    /// Puts a disc on an empty point and returns what it flips.
    #[inline]
    pub(super) fn play(&mut self, color: Color, point: usize) -> Bits<W> {
        let (own, other) = (color.index(), color.opponent().index());
        let flips = self.shape.flips(self.discs[own], self.discs[other], point);
        self.discs[own] ^= flips;
        self.discs[other] ^= flips;
        self.discs[own].insert(point);
        flips
    }

    /// Counts the sequences of `depth` actions, and the games that end before.
    pub(super) fn perft(&self, turn: Color, depth: u32) -> Perft {
        let mut counts = Perft::default();
        let (own, other) = (self.discs[turn.index()], self.discs[turn.opponent().index()]);
        count(&self.shape, own, other, depth, &mut counts);
        counts
    }
}

fn count<const W: usize>(
    shape: &impl Shape<W>,
    own: Bits<W>,
    other: Bits<W>,
    depth: u32,
    counts: &mut Perft,
) {
    if depth == 0 {
        counts.sequences += 1;
        return;
    }
    let legal = shape.legal(own, other);
    if legal.is_empty() {
        if shape.legal(other, own).is_empty() {
            counts.finished += 1;
        } else {
            count(shape, other, own, depth - 1, counts);
        }
    } else if depth == 1 {
        counts.sequences += legal.count() as u64;
    } else {
        for point in legal {
            let flips = shape.flips(own, other, point);
            let played = own | flips | Bits::point(point);
            count(shape, other ^ flips, played, depth - 1, counts);
        }
    }
}

/// How many ways there are to go on: [`Reversi::perft`](super::Reversi::perft).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// Sequences of actions of the length asked for, passes included.
    pub sequences: u64,
    /// Shorter ones, after which the game is over.
    pub finished: u64,
}
