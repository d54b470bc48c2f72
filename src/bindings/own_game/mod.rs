//! A game whose rules are a Python class: `sixplane.OwnGame`.
//!
//! The state, with planes, log and undo, is that of every game. Of the rules nothing is done here: Python is
//! asked what an action changes, who may play where then, and whether the game is over (`rules`).
//!
//! An action cannot fail, but Python can. A game whose rules fail is over, and keeps the error for the
//! binding that made the call, which puts back what was before ([`Failure`], `guarded` in `any_game`).

mod rules;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;

pub(super) use rules::{PyOwnRules, Rules};

use crate::color::Color;
use crate::exact::{Exact, Unsolvable};
use crate::game::{Access, Game};
use crate::geometry::{Action, BoardSize};
use crate::notation::Notation;
use crate::playout::Playouts;
use crate::record::sgf::{Node, SgfError, SgfWarning, Writer};
use crate::record::{RecordRules, Start};
use crate::setup::{Setup, SetupError};
use crate::state::State;
use crate::symmetry::Symmetry;
use rules::{Judged, Turn};

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

/// A game in play by the rules of a Python class.
#[derive(Debug)]
pub(super) struct OwnGame {
    pub(super) rules: Rules,
    state: State,
    judged: Judged,
    /// What comes of an action that a batch is about to play.
    prepared: Option<(Action, Box<Turn>)>,
    pub(super) failure: Arc<Failure>,
}

impl OwnGame {
    /// Ends the game by an error of its rules.
    fn fail(&mut self, error: PyErr) {
        self.failure.set(error);
        self.judged = Judged::FAILED;
    }

    /// An error if so long a game should have ended.
    fn check_length(&self) -> PyResult<()> {
        let (state, points) = (&self.state, self.state.size().points() as u32);
        let is_limited = state.max_moves().is_some() || self.rules.may_repeat();
        if is_limited || state.moves() < MOST_PER_POINT * points {
            return Ok(());
        }
        Err(self.rules.endless(state))
    }

    fn what_comes_of(&self, action: Action) -> PyResult<Turn> {
        self.check_length()?;
        self.rules.ask_one(&self.state, Some(action))
    }
}

impl Game for OwnGame {
    type Rules = Rules;

    const NAME: &'static str = "own";

    const NOTATION: Notation = Notation { skips_i: false, row_one_at_top: false };

    /// Errors of the rules are left for the caller: the game is over then.
    fn from_setup(rules: Rules, setup: Setup, max_moves: Option<u32>) -> Result<Self, SetupError> {
        setup.check()?;
        // The rules may have no such board.
        Self::starting_position(&rules, setup.size())?;
        let (state, judged) = (State::new(setup, max_moves), Judged::default());
        let mut game = Self { rules, state, judged, prepared: None, failure: Arc::default() };
        game.restart();
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

    fn apply(&mut self, action: Action) {
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

    fn rebuild(&mut self) {
        self.prepared = None;
        match self.rules.ask_one(&self.state, None) {
            Ok(turn) => {
                self.state.write_legal(turn.legal);
                self.judged = turn.judged;
            }
            Err(error) => self.fail(error),
        }
    }

    fn reason(&self, _point: usize) -> &'static str {
        self.rules.reason()
    }

    #[inline]
    fn may_pass(&self) -> bool {
        self.judged.may_pass
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

    fn prepare(games: &mut [Self], action: impl Fn(usize) -> Option<Action>) {
        let mut meant = Vec::new();
        for (index, game) in games.iter_mut().enumerate() {
            game.prepared = None;
            if let Some(action) = action(index) {
                match game.check_length() {
                    Ok(()) => meant.push((index, action)),
                    // Said when it is played.
                    Err(_) => return,
                }
            }
        }
        let Some(&(first, _)) = meant.first() else { return };
        // Games of a batch may differ in their rules' options, and then each asks for itself.
        let rules = games[first].rules.clone();
        meant.retain(|&(index, _)| games[index].rules == rules);
        let asked: Vec<_> =
            meant.iter().map(|&(index, action)| (&games[index].state, Some(action))).collect();
        let turns = rules.ask(&asked);
        let failed = turns.as_ref().is_err();
        let turns = turns.unwrap_or_else(|error| {
            games[first].failure.set(error);
            vec![Turn::FAILED; meant.len()]
        });
        debug_assert!(failed || turns.len() == meant.len());
        for ((index, action), turn) in meant.into_iter().zip(turns) {
            games[index].prepared = Some((action, Box::new(turn)));
        }
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
            failure: Arc::clone(&self.failure),
        }
    }

    /// Keeps its own failure.
    fn clone_from(&mut self, source: &Self) {
        self.rules.clone_from(&source.rules);
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

impl RecordRules for OwnGame {
    type Given = Rules;

    const GM: u32 = 1000;

    const DEFAULT_SIZE: (usize, usize) = (8, 8);

    /// A record does not hold rules that are written in Python: its reader gives them.
    fn write_rules(&self, _root: &mut Writer) {}

    fn read_rules(
        root: Node<'_>,
        start: &mut Start,
        given: &Rules,
        _warnings: &mut Vec<SgfWarning>,
    ) -> Result<Rules, SgfError> {
        if !given.is_some() {
            return Err(root.error(
                "the record of a game of someone's own: its class reads it, MyGame.from_sgf(text)",
            ));
        }
        // A record tells the stones that it starts with, unless there are none.
        start.stones.get_or_insert_default();
        start.turn.get_or_insert(Color::Black);
        Ok(given.clone())
    }
}
