//! A game in play of any kind, as `sixplane.Game` holds it.

use std::any::Any;
use std::fmt::Display;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};

use pyo3::PyClass;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::convert;
use crate::color::Color;
use crate::error::{PlayError, UndoError};
use crate::game::Game;
use crate::geometry::Action;
use crate::notation::Notation;
use crate::players::selfplay;
use crate::playout::Playouts;
use crate::record::sgf::Node;
use crate::record::{Info, LeftOut};
use crate::state::State;
use crate::step::Step;

/// What every game in play has: the base class of `Go`, `Reversi` and `Gomoku`.
///
/// An action is `row * cols + col`, row 0 at the top; `rows * cols` is the pass. The class itself
/// makes no games: it is there for `isinstance` and for annotations.
#[pyclass(name = "Game", module = "sixplane", subclass)]
pub(super) struct PyGame {
    pub(super) game: Box<dyn AnyGame>,
}

/// A game that has a Python class. Its rules are options in Python.
pub(super) trait PythonGame: Playouts + Display + Hash {
    /// The class. It extends [`PyGame`], which holds the game.
    type Class: PyClass<BaseType = PyGame> + Default;

    /// Rows and columns of the board where nobody asks for others.
    const DEFAULT_SIDE: usize;

    /// The options that every set-up position takes, `max_moves` apart.
    const RULES: &'static [&'static str];

    /// How its records are read and written, if it has any.
    const RECORDS: Option<Records<Self>> = None;

    /// The default rules with these options: of [`PythonGame::RULES`], or written by
    /// [`PythonGame::write_rules`].
    fn read_rules(options: &Bound<'_, PyDict>) -> PyResult<Self::Rules>;

    /// Adds the options that make these rules.
    fn write_rules(rules: &Self::Rules, options: &Bound<'_, PyDict>) -> PyResult<()>;
}

/// A game and what was left out of the record that it was read from.
pub(super) type Followed = (Box<dyn AnyGame>, Option<LeftOut>);

/// Plays the main line of a record, with the rules that Python options give.
pub(super) type Follow = fn(Python<'_>, Node<'_>, Option<&Bound<'_, PyDict>>) -> PyResult<Followed>;

/// How the records of a game are read and written.
#[derive(Clone, Copy)]
pub(super) struct Records<G> {
    /// The number of the game in SGF (`GM`).
    pub(super) number: u32,
    pub(super) write: fn(&G, &Info) -> String,
    pub(super) follow: Follow,
}

/// What Python asks of a game in play. The methods that [`Game`] has as well do the same.
pub(super) trait AnyGame: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn boxed_clone(&self) -> Box<dyn AnyGame>;
    /// A Python object of the game's class.
    fn into_object(self: Box<Self>, py: Python<'_>) -> PyResult<Bound<'_, PyGame>>;
    fn is_equal(&self, other: &dyn AnyGame) -> bool;
    fn hash_code(&self) -> u64;
    fn to_text(&self) -> String;
    fn name(&self) -> &'static str;
    fn notation(&self) -> Notation;
    fn state(&self) -> &State;
    fn score(&self) -> f64;
    fn ended_by(&self) -> Option<&'static str>;
    fn legal_actions(&self) -> Vec<Action>;
    fn write_action_mask(&self, mask: &mut [i8]);
    fn play(&mut self, action: Action) -> Result<(), PlayError>;
    fn take(&mut self, step: Step) -> Result<(), PlayError>;
    fn undo(&mut self) -> Result<(), UndoError>;
    fn resign(&mut self, color: Color) -> Result<(), PlayError>;
    fn start(&self) -> Box<dyn AnyGame>;
    /// Adds the options that make the game's rules.
    fn write_rules(&self, options: &Bound<'_, PyDict>) -> PyResult<()>;
    /// The game as SGF; `None` if its records cannot be written.
    fn to_sgf(&self, info: &Info) -> Option<String>;
    fn may_be_endless(&self) -> bool;
    /// Random games from this one on; see [`selfplay::play_games`].
    fn play_games(
        &self,
        first: u64,
        count: usize,
        seed: u64,
        threads: usize,
    ) -> Vec<Box<dyn AnyGame>>;
}

impl<G: PythonGame> AnyGame for G {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn boxed_clone(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }

    fn into_object(self: Box<Self>, py: Python<'_>) -> PyResult<Bound<'_, PyGame>> {
        Ok(Bound::new(py, object::<G>(self))?.into_super())
    }

    fn is_equal(&self, other: &dyn AnyGame) -> bool {
        other.as_any().downcast_ref() == Some(self)
    }

    fn hash_code(&self) -> u64 {
        BuildHasherDefault::<DefaultHasher>::default().hash_one(self)
    }

    fn to_text(&self) -> String {
        self.to_string()
    }

    fn name(&self) -> &'static str {
        G::NAME
    }

    fn notation(&self) -> Notation {
        G::NOTATION
    }

    fn state(&self) -> &State {
        Game::state(self)
    }

    fn score(&self) -> f64 {
        Game::score(self)
    }

    fn ended_by(&self) -> Option<&'static str> {
        Game::ended_by(self)
    }

    fn legal_actions(&self) -> Vec<Action> {
        Game::legal_actions(self)
    }

    fn write_action_mask(&self, mask: &mut [i8]) {
        Game::write_action_mask(self, mask);
    }

    fn play(&mut self, action: Action) -> Result<(), PlayError> {
        Game::play(self, action)
    }

    fn take(&mut self, step: Step) -> Result<(), PlayError> {
        Game::take(self, step)
    }

    fn undo(&mut self) -> Result<(), UndoError> {
        Game::undo(self)
    }

    fn resign(&mut self, color: Color) -> Result<(), PlayError> {
        Game::resign(self, color)
    }

    fn start(&self) -> Box<dyn AnyGame> {
        Box::new(Game::start(self))
    }

    fn write_rules(&self, options: &Bound<'_, PyDict>) -> PyResult<()> {
        G::write_rules(self.rules(), options)
    }

    fn to_sgf(&self, info: &Info) -> Option<String> {
        Some((G::RECORDS?.write)(self, info))
    }

    fn may_be_endless(&self) -> bool {
        Playouts::may_be_endless(self)
    }

    fn play_games(
        &self,
        first: u64,
        count: usize,
        seed: u64,
        threads: usize,
    ) -> Vec<Box<dyn AnyGame>> {
        let games = selfplay::play_games(self, first, count, seed, Some(threads));
        games.into_iter().map(|game| Box::new(game) as Box<dyn AnyGame>).collect()
    }
}

/// What makes a Python object of this game's class.
pub(super) fn object<G: PythonGame>(game: Box<G>) -> PyClassInitializer<G::Class> {
    PyClassInitializer::from(PyGame { game }).add_subclass(G::Class::default())
}

/// The game of an object of its own class.
pub(super) fn game_in<'a, G: PythonGame>(object: &'a PyRef<'_, G::Class>) -> &'a G {
    // Nothing else makes such objects than `object`.
    object.as_super().game.as_any().downcast_ref().expect("a game of this class")
}

/// A copy of the game that a Python object is, which must be one of this kind.
pub(super) fn copy_of<G: PythonGame>(value: &Bound<'_, PyAny>) -> PyResult<G> {
    if let Ok(object) = value.cast::<PyGame>() {
        if let Some(game) = object.try_borrow()?.game.as_any().downcast_ref::<G>() {
            return Ok(game.clone());
        }
    }
    let (name, found) = (G::NAME, convert::type_name(value));
    Err(PyTypeError::new_err(format!("a game of {name} is needed, not {found}")))
}
