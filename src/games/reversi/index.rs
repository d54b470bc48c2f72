//! The index of a game of Reversi in play: the inner board, behind one door for all sizes.

// What is compiled twice must be part of the function that asks for it: see avx2.rs.
#![allow(clippy::inline_always)]

use std::any::Any;
use std::fmt::Debug;

use super::any_shape::AnyShape;
#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
use super::board::{Board, Perft, Shape};
use super::eight_by_eight::EightByEight;
use crate::bits::Bits;
use crate::color::Color;
use crate::geometry::{Action, BoardSize};
use crate::planes::read_bits;
use crate::state::{LegalWriter, State};
use crate::step::Change;
use crate::with_full_words;

/// What the player to play can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mobility {
    /// Play at some point.
    Play,
    /// Pass, for only the other player can play.
    Pass,
    /// Nothing, and neither can the other player: the game is over.
    None,
}

/// What Reversi asks of its index. One implementation for each shape.
pub(super) trait Index: Any + Debug + Send + Sync {
    fn boxed_clone(&self) -> Box<dyn Index>;
    /// Copies another index into this one's memory; `false`, and nothing is done, if that is of
    /// another shape. A box of its own at every reset would wander between threads: soon each
    /// would write next to what another reads.
    fn copy_from(&mut self, other: &dyn Index) -> bool;
    fn as_any(&self) -> &dyn Any;
    /// Plays a legal action on the board and the state and writes the invalid plane.
    fn apply(&mut self, action: Action, state: &mut State) -> Mobility;
    /// Reads the board from the state and writes the invalid plane.
    fn rebuild(&mut self, state: &mut State) -> Mobility;
    /// What a player could do if it were to play.
    fn mobility(&self, color: Color) -> Mobility;
    /// Number of discs.
    fn count(&self, color: Color) -> usize;
    fn perft(&self, turn: Color, depth: u32) -> Perft;
    /// Writes what is known of these legal actions of a player: a worth from -1 to 1 for each.
    fn write_heuristic_values(&self, color: Color, actions: &[Action], priors: &mut [f32]);
}

/// An index for a board.
pub(super) fn new_index(size: BoardSize) -> Box<dyn Index> {
    if (size.rows(), size.cols()) == (8, 8) {
        #[cfg(target_arch = "x86_64")]
        if let Some(board) = Avx2::new() {
            return Box::new(board);
        }
        return Box::new(Board::new(EightByEight));
    }
    with_full_words!(size, W => Box::new(Board::<W, _>::new(AnyShape::<W>::new(size))))
}

impl<const W: usize, S: Shape<W>> Board<W, S> {
    #[inline(always)]
    fn mobility_with(&self, legal: Bits<W>, color: Color) -> Mobility {
        if !legal.is_empty() {
            Mobility::Play
        } else if !self.legal(color.opponent()).is_empty() {
            Mobility::Pass
        } else {
            Mobility::None
        }
    }

    #[inline(always)]
    fn write_legal(&self, writer: LegalWriter<'_>) -> Mobility {
        let turn = writer.turn;
        let legal = self.legal(turn);
        writer.write(legal);
        self.mobility_with(legal, turn)
    }
}

impl<const W: usize, S: Shape<W>> Index for Board<W, S> {
    fn boxed_clone(&self) -> Box<dyn Index> {
        Box::new(*self)
    }

    fn copy_from(&mut self, other: &dyn Index) -> bool {
        let other = other.as_any().downcast_ref();
        other.map(|other| *self = *other).is_some()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    #[inline(always)]
    fn apply(&mut self, action: Action, state: &mut State) -> Mobility {
        let (color, point) = (state.turn(), action.index());
        let is_play = point < state.size().points();
        let flips = if is_play { self.play(color, point) } else { Bits::EMPTY };
        let mut update = state.begin(action);
        if is_play {
            update.add(Change::new(color, point));
        }
        for flipped in flips {
            update.add(Change::flip(flipped));
        }
        self.write_legal(update.end_turn())
    }

    fn rebuild(&mut self, state: &mut State) -> Mobility {
        self.set_discs(Color::ALL.map(|color| read_bits(state.planes().plane_cells(color.into()))));
        self.write_legal(state.legal_writer())
    }

    fn mobility(&self, color: Color) -> Mobility {
        self.mobility_with(self.legal(color), color)
    }

    fn count(&self, color: Color) -> usize {
        self.discs(color).count()
    }

    #[inline(always)]
    fn perft(&self, turn: Color, depth: u32) -> Perft {
        Board::perft(self, turn, depth)
    }

    #[inline(always)]
    fn write_heuristic_values(&self, color: Color, actions: &[Action], priors: &mut [f32]) {
        Board::write_heuristic_values(self, color, actions, priors);
    }
}
