//! What a game of Go keeps beside its planes: the board, superko and the areas, for boards of one
//! number of words.

use super::board::Board;
use super::rules::{KoRule, Rules};
use super::scoring::Reached;
use super::superko::Superko;
use crate::bits::Bits;
use crate::clone::clone_by_field;
use crate::color::{ByColor, Color};
use crate::geometry::{Action, BoardSize};
use crate::log::{Change, Step};
use crate::planes::read_bits;
use crate::prefetch::prefetch;
use crate::state::State;

#[derive(Debug)]
pub(super) struct Inner<const W: usize> {
    pub(super) board: Board<W>,
    suicide: bool,
    /// Present under the superko rules; then the board's ko point is not used.
    pub(super) superko: Option<Superko<W>>,
    /// Of this position or an earlier one that actions have led on from.
    reached: Reached<W>,
}

clone_by_field!(Inner<W> { board, suicide, superko, reached });

impl<const W: usize> Inner<W> {
    /// An empty board.
    pub(super) fn new(size: BoardSize, rules: Rules) -> Self {
        let board = Board::new(size);
        let has_superko = rules.ko != KoRule::Simple;
        Self {
            reached: Reached::new(&board, 0, 0),
            board,
            suicide: rules.suicide,
            superko: has_superko.then(|| Superko::new(size.points(), rules)),
        }
    }

    /// Bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + self.superko.as_ref().map_or(0, |superko| superko.history.bytes())
    }

    /// Asks for the memory that an action will need.
    pub(super) fn prefetch(&self, action: Action, turn: Color) {
        self.board.prefetch(action.index());
        if let Some(superko) = &self.superko {
            superko.history.prefetch(self.board.counts(), turn);
        }
        prefetch(&self.reached);
    }

    /// Plays a legal action on the board and the state and writes the invalid plane.
    pub(super) fn apply(&mut self, action: Action, state: &mut State) {
        let (color, point) = (state.turn(), action.index());
        let (is_play, before) = (point < state.size().points(), state.changes().len());
        let replies = state.play(action, |changes| {
            if is_play {
                self.board.play(point, color, changes);
            } else {
                self.board.pass();
            }
        });
        if let Some(superko) = &mut self.superko {
            superko.add(&replies.changes[before..]);
        }
        let legal = self.legal(replies.turn, replies.changes);
        replies.write_legal(legal);
    }

    /// Makes everything anew from the state, and writes the invalid plane.
    pub(super) fn rebuild(&mut self, state: &mut State) {
        if let Some(superko) = &mut self.superko {
            superko.start(state.setup());
            for (step, changes) in state.steps_with_changes() {
                match step {
                    Step::Action(_) => superko.add(changes),
                    Step::SetTurn(color) => superko.now.turn = color,
                }
            }
        }
        self.board.set_stones(
            Color::ALL.map(|color| read_bits(state.planes().plane_cells(color.into()))),
        );
        self.reached = Reached::new(&self.board, state.moves(), state.changes().len());
        let last = state.steps_with_changes().next_back();
        let is_start = last.is_none();
        self.board.ko = last.and_then(|(_, changes)| self.board.ko_after(changes));
        state.write_legal(self.legal(state.turn(), state.changes()));
        if is_start {
            // Playouts know simple ko alone. Where superko forbids more points, none of them stands for it.
            if let [point] = *state.setup().forbidden {
                self.board.ko = Some(point);
            }
            for i in 0..state.setup().forbidden.len() {
                let point = state.setup().forbidden[i] as usize;
                state.forbid(point);
            }
        }
    }

    /// Forgets simple ko and writes the invalid plane, after the player to play was set.
    pub(super) fn on_turn_changed(&mut self, state: &mut State) {
        self.board.ko = None;
        if let Some(superko) = &mut self.superko {
            superko.now.turn = state.turn();
        }
        state.write_legal(self.legal(state.turn(), state.changes()));
    }

    /// The legal points of the player to play, after these changes of stones since the start.
    #[inline]
    fn legal(&self, turn: Color, changes: &[Change]) -> Bits<W> {
        match &self.superko {
            None => self.board.legal(turn, self.suicide),
            Some(superko) => {
                let legal = self.board.legal_before_ko(turn, self.suicide);
                legal & !superko.forbidden(&self.board, changes, legal)
            }
        }
    }

    /// Whether the rules forbid a play at an empty point as suicide.
    pub(super) fn is_suicide(&self, point: usize, color: Color) -> bool {
        !self.board.legal_before_ko(color, self.suicide).contains(point)
    }

    /// Number of points of each color's area, found from what was found the last time.
    pub(super) fn update_areas(&mut self, state: &State) -> ByColor<usize> {
        self.reached.update(&self.board, state)
    }
}
