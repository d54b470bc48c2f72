//! The inner board: discs as two sets of bits. It knows neither planes nor history.

use super::lines::Lines;
use crate::bits::Bits;
use crate::color::Color;
use crate::geometry::{Action, BoardSize};
use crate::log::Change;
use crate::planes::read_bits;
use crate::state::State;

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

/// How many ways there are to go on: [`Reversi::perft`](super::Reversi::perft).
///
/// ```
/// use sixplane::games::reversi::Perft;
/// use sixplane::{Game, Reversi};
///
/// assert_eq!(Reversi::new(8)?.perft(3), Perft { sequences: 56, finished: 0 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// Sequences of actions of the length asked for, passes included.
    pub sequences: u64,
    /// Shorter ones, after which the game is over.
    pub finished: u64,
}

/// The discs of both players on a board of at most `64 * W` points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board<const W: usize> {
    pub(super) lines: Lines<W>,
    discs: [Bits<W>; 2],
}

impl<const W: usize> Board<W> {
    /// A board without discs.
    pub(super) fn new(size: BoardSize) -> Self {
        Self { lines: Lines::new(size), discs: [Bits::EMPTY; 2] }
    }

    #[inline]
    pub(super) fn discs(&self, color: Color) -> Bits<W> {
        self.discs[color.index()]
    }

    /// Where a player may play.
    #[inline]
    pub(super) fn legal(&self, color: Color) -> Bits<W> {
        self.lines.legal(self.discs(color), self.discs(color.opponent()))
    }

    /// Puts a disc on an empty point and returns what it flips.
    #[inline]
    pub(super) fn play(&mut self, color: Color, point: usize) -> Bits<W> {
        let (own, other) = (self.discs(color), self.discs(color.opponent()));
        let flips = self.lines.flips(own, other, point);
        self.discs[color.index()] = own | flips | Bits::point(point);
        self.discs[color.opponent().index()] = other ^ flips;
        flips
    }

    /// Plays a legal action on the board and the state and writes the invalid plane.
    pub(super) fn apply(&mut self, action: Action, state: &mut State) -> Mobility {
        let (color, point) = (state.turn(), action.index());
        let is_play = point < state.size().points();
        let replies = state.play(action, |changes| {
            if is_play {
                changes.push(Change::new(color, point));
                let flips = self.play(color, point);
                flips.iter().for_each(|flipped| changes.push(Change::flip(flipped)));
            }
        });
        let (turn, legal) = (replies.turn, self.legal(replies.turn));
        replies.write_legal(legal);
        self.mobility_with(legal, turn)
    }

    /// Reads the discs from the state and writes the invalid plane.
    pub(super) fn rebuild(&mut self, state: &mut State) -> Mobility {
        self.discs = Color::ALL.map(|color| read_bits(state.planes().plane_cells(color.into())));
        let legal = self.legal(state.turn());
        state.write_legal(legal);
        self.mobility_with(legal, state.turn())
    }

    /// What a player could do if it were to play.
    pub(super) fn mobility(&self, color: Color) -> Mobility {
        self.mobility_with(self.legal(color), color)
    }

    #[inline]
    fn mobility_with(&self, legal: Bits<W>, color: Color) -> Mobility {
        if !legal.is_empty() {
            Mobility::Play
        } else if !self.legal(color.opponent()).is_empty() {
            Mobility::Pass
        } else {
            Mobility::None
        }
    }

    /// Counts the sequences of `depth` actions, and the games that end before.
    pub(super) fn perft(&self, turn: Color, depth: u32) -> Perft {
        if depth == 0 {
            return Perft { sequences: 1, finished: 0 };
        }
        let legal = self.legal(turn);
        match self.mobility_with(legal, turn) {
            Mobility::None => Perft { sequences: 0, finished: 1 },
            Mobility::Pass => self.perft(turn.opponent(), depth - 1),
            Mobility::Play if depth == 1 => Perft { sequences: legal.count() as u64, finished: 0 },
            Mobility::Play => legal.iter().fold(Perft::default(), |all, point| {
                let mut after = *self;
                after.play(turn, point);
                let Perft { sequences, finished } = after.perft(turn.opponent(), depth - 1);
                Perft { sequences: all.sequences + sequences, finished: all.finished + finished }
            }),
        }
    }
}
