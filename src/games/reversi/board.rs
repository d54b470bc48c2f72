//! The inner board: discs as two sets of bits, where a player may play and what a play flips.
//!
//! Knows neither planes nor the course of play.

// What is compiled twice must be part of the function that asks for it: see avx2.rs.
#![allow(clippy::inline_always)]

use std::fmt::Debug;

use crate::bits::Bits;
use crate::color::Color;

/// The lines of a board of one size.
pub(super) trait Shape<const W: usize>: Copy + Debug + Send + Sync + 'static {
    /// Where a player may play: the empty points at the ends of runs of enemy discs from own ones.
    fn legal(&self, own: Bits<W>, other: Bits<W>) -> Bits<W>;

    /// The enemy discs that a play at an empty point flips.
    fn flips(&self, own: Bits<W>, other: Bits<W>, point: usize) -> Bits<W>;

    /// All points.
    fn board(&self) -> Bits<W>;

    /// The points of the first and the last row and column.
    fn edges(&self) -> Bits<W>;

    /// The four corners.
    fn corners(&self) -> Bits<W>;

    /// The points and those to their left and right.
    fn sideways(&self, points: Bits<W>) -> Bits<W>;

    /// The points and those above and below them.
    fn up_and_down(&self, points: Bits<W>) -> Bits<W>;
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

    #[inline]
    pub(super) fn shape(&self) -> &S {
        &self.shape
    }

    pub(super) fn set_discs(&mut self, discs: [Bits<W>; 2]) {
        self.discs = discs;
    }

    #[inline]
    pub(super) fn discs(&self, color: Color) -> Bits<W> {
        self.discs[color.index()]
    }

    /// Where a player may play.
    #[inline(always)]
    pub(super) fn legal(&self, color: Color) -> Bits<W> {
        self.shape.legal(self.discs[color.index()], self.discs[color.opponent().index()])
    }

    /// Puts a disc on an empty point and returns what it flips.
    #[inline(always)]
    pub(super) fn play(&mut self, color: Color, point: usize) -> Bits<W> {
        let (own, other) = (color.index(), color.opponent().index());
        let (mine, theirs) = (self.discs[own], self.discs[other]);
        let flips = self.shape.flips(mine, theirs, point);
        self.discs[own] = mine | flips | Bits::point(point);
        self.discs[other] = theirs ^ flips;
        flips
    }

    /// Counts the sequences of `depth` actions, and the games that end before.
    #[inline(always)]
    pub(super) fn perft(&self, turn: Color, depth: u32) -> Perft {
        let (own, other) = (self.discs[turn.index()], self.discs[turn.opponent().index()]);
        let mut perft = Perft::default();
        // Positions with the plays not yet tried. A stack instead of recursion, so that the whole
        // is one function, compiled at once for the processor that asks.
        let mut stack: Vec<Open<W>> = Vec::with_capacity(depth as usize);
        let mut next = Some((own, other, depth));
        loop {
            while let Some((own, other, depth)) = next.take() {
                if depth == 0 {
                    perft.sequences += 1;
                    break;
                }
                let legal = self.shape.legal(own, other);
                if legal.is_empty() {
                    if self.shape.legal(other, own).is_empty() {
                        perft.finished += 1;
                    } else {
                        next = Some((other, own, depth - 1));
                    }
                } else if depth == 1 {
                    perft.sequences += legal.count() as u64;
                } else {
                    stack.push(Open { own, other, untried: legal, depth });
                }
            }
            let Some(open) = stack.last_mut() else { return perft };
            let Some(point) = open.untried.first() else {
                stack.pop();
                continue;
            };
            open.untried.remove(point);
            let flips = self.shape.flips(open.own, open.other, point);
            let played = open.own | flips | Bits::point(point);
            next = Some((open.other ^ flips, played, open.depth - 1));
        }
    }
}

/// A position with plays not yet tried.
struct Open<const W: usize> {
    own: Bits<W>,
    other: Bits<W>,
    untried: Bits<W>,
    depth: u32,
}

/// How many ways there are to go on: [`Reversi::perft`](super::Reversi::perft).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// Sequences of actions of the length asked for, passes included.
    pub sequences: u64,
    /// Shorter ones, after which the game is over.
    pub finished: u64,
}
