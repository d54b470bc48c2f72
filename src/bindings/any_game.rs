//! One of the games, whichever it is: as `sixplane.Game` holds it, and what is made of games of a kind.

use std::any::Any;
use std::fmt::Display;
use std::hash::Hash;
use std::sync::Arc;

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use super::all_games as games;
use super::convert;
use super::convert::wrong_type;
use super::own_game::Failure;
use crate::batch::BatchError;
use crate::error::PlayError;
use crate::exact::Exact;
use crate::game::Game;
use crate::geometry::{Action, BoardSize};
use crate::notation::Notation;
use crate::playout::Playouts;
use crate::record::sgf::{Node, SgfWarning};
use crate::record::{Recorded, action_named, record_name, recorded_action};
use crate::state::State;

#[doc = stub!(Game)]
#[pyclass(name = "Game", module = "sixplane", subclass)]
pub(super) struct PyGame {
    pub(super) game: AnyGame,
}

/// A game that has a Python class. Its rules are options in Python.
pub(super) trait PythonGame:
    Playouts + Exact + Recorded + Display + Hash + Into<AnyGame>
{
    /// The class. It extends [`PyGame`], which holds the game.
    type Class: PyClass<BaseType = PyGame> + Default;

    /// Rows and columns of the board where nobody asks for others.
    const SIZE: (usize, usize) = Self::DEFAULT_SIZE;

    /// The options that every set-up position takes, `max_moves` apart.
    const RULES: &'static [&'static str];

    /// The options that go before what a record says, `max_moves` apart.
    const GIVEN: &'static [&'static str] = Self::RULES;

    /// Whether the rules can fail, since they are Python code: [`PythonGame::failure`] then tells.
    const MAY_FAIL: bool = false;

    /// The options given for a game of this class, if all of them are known.
    fn options<'py>(
        class: &Bound<'py, PyType>,
        given: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        convert::options(class.py(), given, Self::RULES)
    }

    /// The error of rules in Python that have no board of this size, as they raised it.
    fn check_size(_rules: &Self::Rules, _size: BoardSize) -> PyResult<()> {
        Ok(())
    }

    /// Where the first error of the rules is, in this game and its clones.
    fn failure(&self) -> Option<&Arc<Failure>> {
        None
    }

    /// The same game, whose errors and those of its clones are found there.
    #[must_use]
    fn with_failure(self, _failure: &Arc<Failure>) -> Self {
        self
    }

    /// A Python object of the game's class.
    fn into_object(self, py: Python<'_>) -> PyResult<Bound<'_, PyGame>> {
        Ok(Bound::new(py, object(self))?.into_super())
    }

    /// The default rules with these options: of [`PythonGame::RULES`], or written by
    /// [`PythonGame::write_options`].
    fn read_options(options: &Bound<'_, PyDict>) -> PyResult<Self::Rules>;

    /// Adds the options that make the game's rules.
    fn write_options(&self, options: &Bound<'_, PyDict>) -> PyResult<()>;

    /// What these options, of [`PythonGame::GIVEN`], say instead of a record, and the rules of this
    /// game where the record says nothing.
    fn given(options: &Bound<'_, PyDict>, usual: Option<&Self>) -> PyResult<Self::Given>;

    fn name(&self) -> &str {
        Self::NAME
    }

    /// Whether both are games of one Python class.
    fn is_of_class(&self, _other: &Self) -> bool {
        true
    }

    /// The number of its records (`GM`).
    fn number(&self) -> u32 {
        Self::GM
    }

    fn notation(&self) -> Notation {
        Self::NOTATION
    }

    fn action_named(&self, name: &str) -> Option<Action> {
        action_named::<Self>(self.size(), name)
    }

    fn record_name(&self, action: Action) -> String {
        record_name::<Self>(self.size(), action)
    }

    fn recorded_action(&self, name: &str) -> Option<Action> {
        recorded_action::<Self>(self.size(), name)
    }
}

/// A game and what is to be said of the record that it was read from.
pub(super) type Followed = (AnyGame, Vec<SgfWarning>);

/// Plays the line of a record through a node, with the rules that Python options give, and else with
/// those of a game.
pub(super) type Follow =
    fn(Python<'_>, Node<'_>, Option<&AnyGame>, Option<&Bound<'_, PyDict>>) -> PyResult<Followed>;

macro_rules! any_of {
    ($($module:ident: $Game:ident),*) => {
        /// What belongs to one of the games, whichever it is: the game, a batch, searches.
        #[derive(Clone, PartialEq, Hash)]
        pub(super) enum AnyOf<$($Game),*> {
            $($Game($Game)),*
        }

        /// A game in play.
        pub(super) type AnyGame = AnyOf<$(games::$module::$Game),*>;

        $(
            impl From<games::$module::$Game> for AnyGame {
                fn from(game: games::$module::$Game) -> Self {
                    Self::$Game(game)
                }
            }
        )*

        impl<$($Game: 'static),*> AnyOf<$($Game),*> {
            /// What it is, if it is of this type.
            pub(super) fn downcast_ref<T: 'static>(&self) -> Option<&T> {
                with_any!(self, |it| (it as &dyn Any).downcast_ref())
            }

            pub(super) fn downcast_mut<T: 'static>(&mut self) -> Option<&mut T> {
                with_any!(self, |it| (it as &mut dyn Any).downcast_mut())
            }

            pub(super) fn downcast<T: 'static>(self) -> Option<T> {
                with_any!(self, |it| (Box::new(it) as Box<dyn Any>).downcast().ok().map(|it| *it))
            }
        }

        /// `AnyOf<Held<Go>, Held<Gomoku>, ...>`.
        macro_rules! any_of_type {
            ($Held:ident) => {
                $crate::bindings::any_game::AnyOf<$($Held<$crate::bindings::all_games::$module::$Game>),*>
            };
        }
        pub(super) use any_of_type;

        /// An expression about what an [`AnyOf`] is, `with_any!(game, |game| game.score())`, whose
        /// type is the same for all games.
        macro_rules! with_any {
            ($any:expr, |$it:ident| $value:expr) => {
                match $any {
                    $($crate::bindings::any_game::AnyOf::$Game($it) => $value),*
                }
            };
        }
        pub(super) use with_any;

        /// An [`AnyOf`] made of another: `map_any!(game, |game| batch_of(game))`.
        macro_rules! map_any {
            ($any:expr, |$it:ident| $made:expr) => {
                match $any {
                    $($crate::bindings::any_game::AnyOf::$Game($it) => {
                        $crate::bindings::any_game::AnyOf::$Game($made)
                    })*
                }
            };
        }
        pub(super) use map_any;
    };
}
games::for_each_game_of_python!(any_of);

impl AnyGame {
    pub(super) fn state(&self) -> &State {
        with_any!(self, |game| game.state())
    }

    /// A Python object of the game's class.
    pub(super) fn into_object(self, py: Python<'_>) -> PyResult<Bound<'_, PyGame>> {
        with_any!(self, |game| object_of(py, game))
    }
}

/// What makes a Python object of this game's class.
pub(super) fn object<G: PythonGame>(game: G) -> PyClassInitializer<G::Class> {
    PyClassInitializer::from(PyGame { game: game.into() }).add_subclass(G::Class::default())
}

/// A Python object of this game's class.
pub(super) fn object_of<G: PythonGame>(py: Python<'_>, game: G) -> PyResult<Bound<'_, PyGame>> {
    game.into_object(py)
}

/// The game, or the error of its rules.
pub(super) fn checked<G: PythonGame>(game: G) -> PyResult<G> {
    game.failure().and_then(|failure| failure.take()).map_or(Ok(game), Err)
}

/// Plays an action, or says why it may not be played. If the rules of the game fail, it is what it was before.
pub(super) fn played<G: PythonGame>(
    game: &mut G,
    action: Action,
) -> PyResult<Result<(), PlayError>> {
    if let Err(error) = game.check(action) {
        return Ok(Err(error));
    }
    if G::PREPARES && !G::prepare(std::slice::from_mut(game), |_| Some(action)) {
        let failure = game.failure().and_then(|failure| failure.take());
        return Err(failure.unwrap_or_else(|| BatchError::Rules.into()));
    }
    game.play_unchecked(action);
    if let Some(error) = game.failure().and_then(|failure| failure.take()) {
        // The action is there to be taken back. What is wrong then is told when the game is played on.
        let _ = game.undo();
        game.failure().map(|failure| failure.take());
        return Err(error);
    }
    Ok(Ok(()))
}

/// Changes a game. If its rules fail, it is what it was before.
pub(super) fn guarded<G: PythonGame, T>(
    game: &mut G,
    change: impl FnOnce(&mut G) -> PyResult<T>,
) -> PyResult<T> {
    let before = G::MAY_FAIL.then(|| game.clone());
    let result = change(game);
    if let (Some(error), Some(before)) = (game.failure().and_then(|one| one.take()), before) {
        *game = before;
        return Err(error);
    }
    result
}

/// The game of an object of its own class.
pub(super) fn game_in<'a, G: PythonGame>(object: &'a PyRef<'_, G::Class>) -> &'a G {
    // Nothing else makes such objects than `object`.
    object.as_super().game.downcast_ref().expect("a game of this class")
}

/// A copy of the game that a Python object is, which must be one of this kind.
pub(super) fn copy_of<G: PythonGame>(value: &Bound<'_, PyAny>) -> PyResult<G> {
    if let Ok(object) = value.cast::<PyGame>() {
        if let Some(game) = object.try_borrow()?.game.downcast_ref::<G>() {
            return Ok(game.clone().with_failure(&Arc::default()));
        }
    }
    Err(wrong_type(&format!("a game of {} is needed", G::NAME), value))
}

/// A copy of the game that a Python object is, which must be of the class of another.
pub(super) fn copy_like<G: PythonGame>(value: &Bound<'_, PyAny>, other: &G) -> PyResult<G> {
    let game = copy_of::<G>(value)?;
    if game.is_of_class(other) {
        return Ok(game);
    }
    let again =
        if game.name() == other.name() { ", of the class before it was made again" } else { "" };
    Err(wrong_type(&format!("a game of {}{again} is needed", other.name()), value))
}
