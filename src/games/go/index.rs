//! The index of a game of Go in play: the inner board and superko, behind one door for all sizes.

use std::any::Any;
use std::fmt::Debug;

use super::board::Board;
use super::eyes::EyeRule;
use super::playout::Scratch;
use super::reach::Reach;
use super::rules::{KoRule, Rules};
use super::superko::Superko;
use crate::bits::Bits;
use crate::color::{ByColor, Color};
use crate::geometry::{Action, BoardSize};
use crate::planes::read_bits;
use crate::prefetch::prefetch;
use crate::random::RandomStream;
use crate::state::{LegalWriter, State};
use crate::step::{Change, Step};
use crate::with_words;

/// What Go asks of its index. One implementation for each number of words.
pub(super) trait Index: Any + Debug + Send + Sync {
    fn boxed_clone(&self) -> Box<dyn Index>;
    /// Copies another index into this one's memory; `false`, and nothing is done, if that is of
    /// another size.
    fn copy_from(&mut self, other: &dyn Index) -> bool;
    fn as_any(&self) -> &dyn Any;
    /// Bytes that it takes.
    fn bytes(&self) -> usize;
    /// The areas after random play on a copy of the board: see [`Scratch::playout`].
    fn playout(
        &self,
        state: &State,
        max_moves: usize,
        scratch: &mut Scratch,
        rng: &mut RandomStream,
        played: Option<&mut Vec<Action>>,
    ) -> ByColor<usize>;
    /// What experience says of legal actions: see [`Board::write_heuristic_values`].
    fn write_heuristic_values(&self, state: &State, actions: &[Action], values: &mut [f32]);
    /// Asks for the memory that an action will need.
    fn prefetch(&self, action: Action, turn: Color);
    /// Plays a legal action on the board and the state and writes the invalid plane.
    fn apply(&mut self, action: Action, state: &mut State);
    /// Makes everything anew from the state, and writes the invalid plane.
    fn rebuild(&mut self, state: &mut State);
    /// Forgets simple ko and writes the invalid plane, after the player to play was set.
    fn on_turn_changed(&mut self, state: &mut State);
    /// Whether a play at an empty point would leave its own stone or chain without liberties.
    fn is_suicide(&self, point: usize, color: Color) -> bool;
    fn is_eye(&self, point: usize, color: Color, rule: EyeRule) -> bool;
    /// Number of points of each color's area.
    fn areas(&self) -> ByColor<usize>;
    /// The same, found from what was found the last time.
    fn update_areas(&mut self, state: &State) -> ByColor<usize>;
    /// Calls with every point of an area and its color.
    fn each_area_point(&self, visit: &mut dyn FnMut(usize, Color));
    /// The head of the chain at a point.
    fn chain_at(&self, point: usize) -> Option<usize>;
    /// A stone of a chain without liberties, which no position of a game has.
    fn strangled(&self) -> Option<usize>;
    /// Number of liberties of the chain with this head.
    fn num_liberties(&self, head: usize) -> usize;
    #[cfg(test)]
    fn narrow_superko_keys(&mut self, bits: u32);
    #[cfg(test)]
    fn assert_valid(&self);
}

/// An index for a board.
pub(super) fn new_index(size: BoardSize, rules: Rules) -> Box<dyn Index> {
    with_words!(size, W => Box::new(Sized::<W>::new(size, rules)))
}

#[derive(Debug)]
struct Sized<const W: usize> {
    board: Board<W>,
    suicide: bool,
    /// Present under the superko rules; then the board's ko point is not used.
    superko: Option<Superko<W>>,
    /// Of this position or one that actions have led on from.
    reach: Reach<W>,
}

impl<const W: usize> Clone for Sized<W> {
    fn clone(&self) -> Self {
        Self { board: self.board.clone(), superko: self.superko.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        self.board.clone_from(&source.board);
        self.suicide = source.suicide;
        self.superko.clone_from(&source.superko);
        self.reach = source.reach;
    }
}

impl<const W: usize> Sized<W> {
    fn new(size: BoardSize, rules: Rules) -> Self {
        let superko = |situational| Some(Superko::new(size.points(), situational, rules.suicide));
        let board = Board::new(size);
        Self {
            reach: Reach::new(&board, 0, 0),
            board,
            suicide: rules.suicide,
            superko: match rules.ko {
                KoRule::Simple => None,
                KoRule::Positional => superko(false),
                KoRule::Situational => superko(true),
            },
        }
    }

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

    /// The ko point of a position whose last action made these changes: the one stone it took,
    /// if the stone it put stands alone in atari.
    fn ko_after(&self, changes: &[Change]) -> Option<usize> {
        let &[put, taken] = changes else { return None };
        let head = self.board.chain_at(put.point())?;
        let alone = self.board.chain_stones(head).count() == 1;
        (alone && self.board.atari().contains(head)).then(|| taken.point())
    }
}

impl<const W: usize> Index for Sized<W> {
    fn boxed_clone(&self) -> Box<dyn Index> {
        Box::new(self.clone())
    }

    fn copy_from(&mut self, other: &dyn Index) -> bool {
        let other = other.as_any().downcast_ref::<Self>();
        other.map(|other| self.clone_from(other)).is_some()
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.superko.as_ref().map_or(0, Superko::bytes)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn playout(
        &self,
        state: &State,
        max_moves: usize,
        scratch: &mut Scratch,
        rng: &mut RandomStream,
        played: Option<&mut Vec<Action>>,
    ) -> ByColor<usize> {
        let (turn, passed) = (state.turn(), state.passed());
        let [black, white] = match played {
            None => scratch.playout(&self.board, turn, passed, max_moves, rng, |_| ()),
            Some(played) => {
                let note = |action| played.push(action);
                scratch.playout(&self.board, turn, passed, max_moves, rng, note)
            }
        };
        ByColor { black: black.count(), white: white.count() }
    }

    fn write_heuristic_values(&self, state: &State, actions: &[Action], values: &mut [f32]) {
        let last = state.actions().next_back();
        self.board.write_heuristic_values(state.turn(), last, actions, values);
    }

    fn prefetch(&self, action: Action, turn: Color) {
        self.board.prefetch(action.index());
        if let Some(superko) = &self.superko {
            superko.prefetch(self.board.counts(), turn);
        }
        prefetch(&self.reach);
    }

    #[inline]
    fn apply(&mut self, action: Action, state: &mut State) {
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
            let (key, turn, changed) = (writer.key, writer.turn, writer.changes.len());
            let counts = self.board.counts();
            if is_play {
                superko.note_stone(color, point);
                superko.note_position(key, counts, turn, changed);
            } else {
                superko.note_pass(key, counts, turn, changed);
            }
        }
        self.write_legal(writer);
    }

    fn rebuild(&mut self, state: &mut State) {
        let setup = state.setup();
        if let Some(superko) = &mut self.superko {
            superko.clear();
            let (mut key, mut stones) = (0, [Bits::<W>::EMPTY; 2]);
            for color in Color::ALL {
                for &point in &setup.stones[color] {
                    superko.note_stone(color, point as usize);
                    stones[color.index()].insert(point as usize);
                    key ^= crate::zobrist::stone(color, point as usize);
                }
            }
            superko.note_position(key, stones.map(|of| of.count()), setup.turn, 0);
            let (mut turn, mut changed) = (setup.turn, 0);
            for (step, changes) in state.steps_with_changes() {
                let action = match step {
                    Step::SetTurn(color) => {
                        turn = color;
                        continue;
                    }
                    Step::Action(action) => action,
                };
                if action == state.size().pass() {
                    turn = turn.opponent();
                    superko.note_pass(key, stones.map(|of| of.count()), turn, changed);
                    continue;
                }
                superko.note_stone(turn, action.index());
                for change in changes {
                    key ^= crate::zobrist::stone(change.color(), change.point());
                    stones[change.color().index()].toggle(change.point());
                }
                turn = turn.opponent();
                changed += changes.len();
                superko.note_position(key, stones.map(|of| of.count()), turn, changed);
            }
        }
        self.board.set_stones(
            Color::ALL.map(|color| read_bits(state.planes().plane_cells(color.into()))),
        );
        self.reach = Reach::new(&self.board, state.moves(), state.changes().len());
        let ko =
            state.steps_with_changes().next_back().and_then(|(_, changes)| self.ko_after(changes));
        self.board.set_ko(if self.superko.is_none() { ko } else { None });
        self.write_legal(state.legal_writer());
        if state.steps_with_changes().next().is_none() {
            for i in 0..state.setup().forbidden.len() {
                let point = state.setup().forbidden[i] as usize;
                state.forbid(point);
            }
        }
    }

    fn on_turn_changed(&mut self, state: &mut State) {
        self.board.set_ko(None);
        self.write_legal(state.legal_writer());
    }

    fn is_suicide(&self, point: usize, color: Color) -> bool {
        !self.board.legal_before_ko(color, self.suicide).contains(point)
    }

    fn is_eye(&self, point: usize, color: Color, rule: EyeRule) -> bool {
        self.board.is_eye(point, color, rule)
    }

    fn areas(&self) -> ByColor<usize> {
        let [black, white] = self.board.areas();
        ByColor { black: black.count(), white: white.count() }
    }

    fn update_areas(&mut self, state: &State) -> ByColor<usize> {
        let [black, white] = self.reach.update(&self.board, state.moves(), state.changes());
        let [blacks, whites] = self.board.counts();
        ByColor { black: blacks + black, white: whites + white }
    }

    fn each_area_point(&self, visit: &mut dyn FnMut(usize, Color)) {
        let areas: [Bits<W>; 2] = self.board.areas();
        for color in Color::ALL {
            areas[color.index()].iter().for_each(|point| visit(point, color));
        }
    }

    fn chain_at(&self, point: usize) -> Option<usize> {
        self.board.chain_at(point)
    }

    fn strangled(&self) -> Option<usize> {
        self.board.strangled()
    }

    fn num_liberties(&self, head: usize) -> usize {
        self.board.chain_liberties(head).count()
    }

    #[cfg(test)]
    fn assert_valid(&self) {
        self.board.assert_valid();
    }

    #[cfg(test)]
    fn narrow_superko_keys(&mut self, bits: u32) {
        if let Some(superko) = &mut self.superko {
            superko.narrow_keys(bits);
        }
    }
}
