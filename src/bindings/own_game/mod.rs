//! A game whose rules are a Python class, or a crate of its own: `sixplane.OwnGame`.
//!
//! The state, with planes, log and undo, is that of every game. Of the rules nothing is done here: they are asked
//! what an action changes, who may play where then, and whether the game is over. `rules` asks Python, and
//! `of_a_crate` the functions of another compiled module.
//!
//! An action cannot fail, but such rules can. So they are asked before anything is played ([`Game::prepare`]). A
//! game whose rules fail nevertheless, as in a search, is over, and keeps the error for the binding that made the
//! call ([`Failure`], `guarded` in `any_game`).

mod lock;
mod of_a_crate;
mod own_rules;
mod record;
mod rules;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;

pub(super) use of_a_crate::{PyCrateRules, read_crate};
pub(super) use own_rules::PyOwnRules;
pub(super) use record::Given;
pub(super) use rules::Rules;

use crate::exact::{Exact, Unsolvable};
use crate::game::{Access, Game};
use crate::geometry::{Action, BoardSize};
use crate::notation::Notation;
use crate::own::{Judge, RulesError, Stones};
use crate::planes::{Plane, read_bits};
use crate::playout::{Playouts, Scratch, limit, play_out};
use crate::random::RandomStream;
use crate::setup::{Setup, SetupError};
use crate::state::State;
use crate::symmetry::Symmetry;
use crate::with_words_for;
use rules::{Judged, Turn, passes, refusal};

/// Actions for each point of the board after which a game that never repeats must be over.
const MOST_PER_POINT: u32 = 100;

/// The first error of the rules in some games. Clones of a game share it; a copy over a game keeps that
/// game's own, so that what happens on the boards of a search or a batch is known to who began it.
#[derive(Debug, Default)]
pub(super) struct Failure {
    has_failed: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

impl Failure {
    fn set(&self, error: PyErr) {
        let mut first = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        // Dropped without the lock: to free an error may run Python code.
        let later = if first.is_none() { first.replace(error) } else { Some(error) };
        self.has_failed.store(true, Ordering::Release);
        drop(first);
        drop(later);
    }

    pub(super) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Acquire)
    }

    pub(super) fn take(&self) -> Option<PyErr> {
        if !self.has_failed() {
            return None;
        }
        self.has_failed.store(false, Ordering::Release);
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A game in play by such rules.
#[derive(Debug)]
pub(super) struct OwnGame {
    pub(super) rules: Rules,
    state: State,
    judged: Judged,
    /// What Python says of an action that is about to be played.
    prepared: Option<(Action, Box<Turn>)>,
    /// The rules of a crate for this board, and the stones as they see them.
    of_a_crate: Option<(Arc<Judge>, Stones)>,
    pub(super) failure: Arc<Failure>,
}

impl OwnGame {
    /// Ends the game by an error of its rules.
    #[cold]
    fn fail(&mut self, error: PyErr) {
        self.failure.set(error);
        self.judged = Judged::FAILED;
    }

    /// An error if so long a game should have ended.
    #[inline]
    fn check_length(&self) -> PyResult<()> {
        let points = self.state.size().points() as u32;
        if self.state.moves() < MOST_PER_POINT * points { Ok(()) } else { self.check_long() }
    }

    #[cold]
    fn check_long(&self) -> PyResult<()> {
        let may_go_on = self.state.max_moves().is_some() || self.rules.may_repeat();
        if may_go_on { Ok(()) } else { Err(self.rules.endless(&self.state)) }
    }

    /// Plays an action by the rules of a crate, which write so many words for a plane.
    #[inline]
    fn apply_of_a_crate<const W: usize>(&mut self, action: Action) {
        if let Err(error) = self.check_length() {
            self.state.play(action, |_| {});
            return self.fail(error);
        }
        let Self { rules, state, judged, of_a_crate: Some((judge, stones)), .. } = self else {
            return;
        };
        match judge.next_of::<W>(stones, state.turn(), passes(state) as u8, Some(action)) {
            Ok(next) => {
                let replies = state.play(action, |changes| next.add_changes(stones, changes));
                replies.change_legal(&next.legal);
                stones.write(next.stones);
                *judged = rules.judged(next.judged);
            }
            Err(error) => {
                state.play(action, |_| {});
                self.fail_by(&error, action);
            }
        }
    }

    /// Plays an action by the rules of Python.
    fn apply_of_python(&mut self, action: Action) {
        let prepared = self.prepared.take().filter(|&(meant, _)| meant == action);
        let turn = prepared.map_or_else(|| self.what_comes_of(action), |(_, turn)| Ok(*turn));
        let turn = turn.unwrap_or_else(|error| {
            self.fail(error);
            Turn::FAILED
        });
        let replies = self.state.play(action, |changes| changes.extend(&turn.changes));
        replies.write_legal(turn.legal);
        self.judged = turn.judged;
    }

    /// Ends the game by an error of a crate's rules. The stones are those before the action.
    #[cold]
    fn fail_by(&mut self, error: &RulesError, action: Action) {
        self.fail(self.rules.failed(&error.to_string(), Some((&self.state, true)), Some(action)));
    }

    /// What comes of an action that is played by the rules of Python.
    fn what_comes_of(&self, action: Action) -> PyResult<Turn> {
        self.check_length()?;
        self.rules.ask_one(&self.state, Some(action))
    }

    /// What the rules say of the position.
    fn judge_anew(&mut self) -> PyResult<()> {
        if let Some((judge, stones)) = &mut self.of_a_crate {
            let planes = self.state.planes();
            let (turn, passes) = (self.state.turn(), passes(&self.state) as u8);
            with_words_for!(judge.last_bit(), W => {
                let stones_of = |plane| read_bits::<W, u8>(planes.plane_cells(plane));
                stones.write([Plane::Black, Plane::White].map(stones_of));
                let next = judge.next_of::<W>(stones, turn, passes, None).map_err(|error| {
                    self.rules.failed(&error.to_string(), Some((&self.state, false)), None)
                })?;
                self.state.write_legal(next.legal);
                self.judged = self.rules.judged(next.judged);
            });
        } else {
            let turn = self.rules.ask_one(&self.state, None)?;
            self.state.write_legal(turn.legal);
            self.judged = turn.judged;
        }
        Ok(())
    }
}

impl Game for OwnGame {
    type Rules = Rules;

    const NAME: &'static str = "own";

    const NOTATION: Notation = Notation { skips_i: false, row_one_at_top: false };

    /// Errors of the rules are left for the caller: the game is over then.
    fn from_setup(rules: Rules, setup: Setup, max_moves: Option<u32>) -> Result<Self, SetupError> {
        setup.check()?;
        let size = setup.size();
        // The rules may have no such board, or fail.
        let (judge, failing) = match rules.setup(size).and_then(|_| rules.judge_of(size)) {
            Ok(judge) => (judge, None),
            Err(error) => match refusal(error) {
                Ok(why) => return Err(SetupError::new(why)),
                Err(error) => (None, Some(Rules::failing(&rules.class().games, error))),
            },
        };
        let mut game = Self {
            rules: failing.unwrap_or_else(|| rules.clone()),
            state: State::new(setup, max_moves),
            judged: Judged::default(),
            prepared: None,
            of_a_crate: judge.map(|judge| (judge, Stones::default())),
            failure: Arc::default(),
        };
        game.restart();
        game.rules = rules;
        Ok(game)
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    #[inline]
    fn state(&self) -> &State {
        &self.state
    }

    #[inline]
    fn state_mut(&mut self, _access: Access) -> &mut State {
        &mut self.state
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        match &self.of_a_crate {
            Some((judge, _)) => {
                with_words_for!(judge.last_bit(), W => self.apply_of_a_crate::<W>(action));
            }
            None => self.apply_of_python(action),
        }
    }

    fn rebuild(&mut self) {
        self.prepared = None;
        if let Err(error) = self.judge_anew() {
            self.fail(error);
        }
    }

    fn reason(&self, _point: usize) -> &'static str {
        self.rules.reason()
    }

    #[inline]
    fn may_pass(&self) -> bool {
        self.judged.may_pass()
    }

    #[inline]
    fn ending_rule(&self) -> Option<&'static str> {
        self.judged.ending
    }

    #[inline]
    fn score(&self) -> f64 {
        self.judged.score
    }

    const PREPARES: bool = true;

    fn prepare(games: &mut [Self], action: impl Fn(usize) -> Option<Action>) -> bool {
        let mut of_python = Vec::new();
        for (index, game) in games.iter_mut().enumerate() {
            game.prepared = None;
            let Some(action) = action(index).filter(|_| game.of_a_crate.is_none()) else {
                continue;
            };
            if let Err(error) = game.check_length() {
                game.failure.set(error);
                return false;
            }
            of_python.push((index, action));
        }
        // Games of a batch may differ in their rules.
        while let Some(&(first, _)) = of_python.first() {
            let rules = games[first].rules.clone();
            let (now, later): (Vec<_>, _) =
                of_python.into_iter().partition(|&(index, _)| games[index].rules == rules);
            of_python = later;
            let asked: Vec<_> =
                now.iter().map(|&(index, action)| (&games[index].state, Some(action))).collect();
            match rules.ask(&asked) {
                Ok(turns) => {
                    for ((index, action), turn) in now.into_iter().zip(turns) {
                        games[index].prepared = Some((action, Box::new(turn)));
                    }
                }
                Err(error) => {
                    games[first].failure.set(error);
                    return false;
                }
            }
        }
        true
    }

    #[inline]
    fn needs_preparing(&self) -> bool {
        self.of_a_crate.is_none()
    }

    #[inline]
    fn has_failed(&self) -> bool {
        self.failure.has_failed()
    }

    fn starting_position(rules: &Rules, size: BoardSize) -> Result<Setup, SetupError> {
        rules.setup(size).map_err(|error| SetupError::new(error.to_string()))
    }
}

impl Clone for OwnGame {
    fn clone(&self) -> Self {
        Self {
            rules: self.rules.clone(),
            state: self.state.clone(),
            judged: self.judged,
            prepared: None,
            of_a_crate: self.of_a_crate.clone(),
            failure: Arc::clone(&self.failure),
        }
    }

    /// Keeps its own failure.
    fn clone_from(&mut self, source: &Self) {
        // Counting who shares the rules would keep the threads of a search waiting for each other.
        if self.rules.is_that_of(&source.rules) && self.state.size() == source.state.size() {
            if let (Some((_, stones)), Some((_, other))) =
                (&mut self.of_a_crate, &source.of_a_crate)
            {
                *stones = *other;
            }
        } else {
            self.rules.clone_from(&source.rules);
            self.of_a_crate.clone_from(&source.of_a_crate);
        }
        self.state.clone_from(&source.state);
        self.judged = source.judged;
        self.prepared = None;
    }
}

impl PartialEq for OwnGame {
    fn eq(&self, other: &Self) -> bool {
        self.same_game(other)
    }
}

impl Eq for OwnGame {}

impl Hash for OwnGame {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.rules.hash(hasher);
        self.state.hash_history(hasher);
    }
}

impl fmt::Display for OwnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.state.actions().next_back();
        f.write_str(&Self::NOTATION.draw(self.state.planes(), last))
    }
}

impl Playouts for OwnGame {
    fn playout(
        &self,
        scratch: &mut Scratch<Self>,
        rng: &mut RandomStream,
        played: Option<&mut Vec<Action>>,
    ) -> f64 {
        let Some((judge, stones)) = &self.of_a_crate else {
            return play_out(self, scratch, rng, played);
        };
        if self.is_over() {
            return self.score();
        }
        let (turn, passes) = (self.turn(), passes(&self.state) as u8);
        judge.playout(stones, turn, passes, limit(self), rng, played).unwrap_or_else(|error| {
            self.failure.set(self.rules.failed(
                &error.to_string(),
                Some((&self.state, false)),
                None,
            ));
            0.0
        })
    }

    fn may_be_endless(&self) -> bool {
        self.rules.may_repeat() && self.state.max_moves().is_none()
    }

    fn num_symmetries(&self) -> usize {
        Symmetry::all(self.size()).count().min(self.rules.num_symmetries())
    }
}

impl Exact for OwnGame {
    fn check_solvable(&self) -> Result<(), Unsolvable> {
        Err(Unsolvable(format!("{} has no solver", self.rules.name())))
    }
}
