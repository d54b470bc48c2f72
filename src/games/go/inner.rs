//! What a game of Go keeps beside its planes: the board, superko and the areas, for boards of one
//! number of words.

use super::board::Board;
use super::history::Snapshot;
use super::rules::{KoRule, Rules};
use super::scoring::Reached;
use super::superko::Superko;
use crate::color::{ByColor, Color};
use crate::geometry::{Action, BoardSize};
use crate::planes::read_bits;
use crate::prefetch::prefetch;
use crate::state::{LegalWriter, State};
use crate::step::Step;
use crate::zobrist;

#[derive(Debug)]
pub(super) struct Inner<const W: usize> {
    pub(super) board: Board<W>,
    suicide: bool,
    /// Present under the superko rules; then the board's ko point is not used.
    pub(super) superko: Option<Superko<W>>,
    /// Of this position or an earlier one that actions have led on from.
    reached: Reached<W>,
}

impl<const W: usize> Clone for Inner<W> {
    fn clone(&self) -> Self {
        Self { board: self.board.clone(), superko: self.superko.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        self.board.clone_from(&source.board);
        self.suicide = source.suicide;
        self.superko.clone_from(&source.superko);
        self.reached = source.reached;
    }
}

impl<const W: usize> Inner<W> {
    /// An empty board.
    pub(super) fn new(size: BoardSize, rules: Rules) -> Self {
        let board = Board::new(size);
        let situational = rules.ko == KoRule::Situational;
        Self {
            reached: Reached::new(&board, 0, 0),
            board,
            suicide: rules.suicide,
            superko: (rules.ko != KoRule::Simple)
                .then(|| Superko::new(size.points(), situational, rules.suicide)),
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
        let is_play = point < state.size().points();
        let mut update = state.begin(action);
        if is_play {
            self.board.play(point, color, update.changes_mut());
        } else {
            self.board.pass();
        }
        let writer = update.end_turn();
        if let Some(superko) = &mut self.superko {
            let LegalWriter { key, turn, changes, .. } = writer;
            let (counts, changes) = (self.board.counts(), changes.len());
            let now = Snapshot { key, counts, turn, changes };
            if is_play {
                superko.add_stone(color, point);
                superko.add_position(now);
            } else {
                superko.add_pass(now);
            }
        }
        self.write_legal(writer);
    }

    /// Makes everything anew from the state, and writes the invalid plane.
    pub(super) fn rebuild(&mut self, state: &mut State) {
        if let Some(superko) = &mut self.superko {
            add_history(superko, state);
        }
        self.board.set_stones(
            Color::ALL.map(|color| read_bits(state.planes().plane_cells(color.into()))),
        );
        self.reached = Reached::new(&self.board, state.moves(), state.changes().len());
        let last = state.steps_with_changes().next_back();
        let is_start = last.is_none();
        self.board.ko = last.and_then(|(_, changes)| self.board.ko_after(changes));
        self.write_legal(state.legal_writer());
        if is_start {
            for i in 0..state.setup().forbidden.len() {
                let point = state.setup().forbidden[i] as usize;
                state.forbid(point);
            }
        }
    }

    /// Forgets simple ko and writes the invalid plane, after the player to play was set.
    pub(super) fn on_turn_changed(&mut self, state: &mut State) {
        self.board.ko = None;
        self.write_legal(state.legal_writer());
    }

    /// Writes which points are legal.
    #[inline]
    fn write_legal(&self, writer: LegalWriter<'_>) {
        let legal = match &self.superko {
            None => self.board.legal(writer.turn, self.suicide),
            Some(superko) => {
                let legal = self.board.legal_before_ko(writer.turn, self.suicide);
                legal & !superko.forbidden(&self.board, &writer, legal)
            }
        };
        writer.write(legal);
    }

    /// Whether a play at an empty point would leave its own stone or chain without liberties.
    pub(super) fn is_suicide(&self, point: usize, color: Color) -> bool {
        !self.board.legal_before_ko(color, self.suicide).contains(point)
    }

    /// Number of points of each color's area, found from what was found the last time.
    pub(super) fn update_areas(&mut self, state: &State) -> ByColor<usize> {
        self.reached.update(&self.board, state)
    }
}

/// Adds every position of a game to superko, from the start on.
fn add_history<const W: usize>(superko: &mut Superko<W>, state: &State) {
    superko.clear();
    let setup = state.setup();
    let mut now = Snapshot { key: 0, counts: [0; 2], turn: setup.turn, changes: 0 };
    for color in Color::ALL {
        for &point in &setup.stones[color] {
            superko.add_stone(color, point as usize);
            now.key ^= zobrist::stone(color, point as usize);
        }
        now.counts[color.index()] = setup.stones[color].len();
    }
    superko.add_position(now);
    for (step, changes) in state.steps_with_changes() {
        let action = match step {
            Step::Action(action) => action,
            Step::SetTurn(color) => {
                now.turn = color;
                continue;
            }
        };
        let color = now.turn;
        now.turn = color.opponent();
        let Some((_, taken)) = changes.split_first() else {
            superko.add_pass(now);
            continue;
        };
        now.key = changes.iter().fold(now.key, |key, &change| key ^ zobrist::change(change));
        now.counts[color.index()] += 1;
        for stone in taken {
            now.counts[stone.color().index()] -= 1;
        }
        now.changes += changes.len();
        superko.add_stone(color, action.index());
        superko.add_position(now);
    }
}
