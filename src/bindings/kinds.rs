//! The kinds of games: what Python can make of a game class before there is a game.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::all_games as games;
use super::any_game::{AnyGame, Follow, PyGame, PythonGame, checked};
use super::convert;
use super::record::follow;
use crate::geometry::BoardSize;
use crate::notation::Notation;
use crate::setup::Setup;

/// The options of a class of games, made of those given.
type MakeOptions =
    for<'py> fn(&Bound<'py, PyType>, Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyDict>>;

/// A kind of game, such as Go.
pub(super) struct Kind {
    pub(super) name: &'static str,
    /// Rows and columns of the board where nobody asks for others.
    pub(super) default_size: (usize, usize),
    /// The options that every set-up position takes, `max_moves` apart.
    pub(super) rules: &'static [&'static str],
    notation: Notation,
    /// The number of its records (`GM`).
    pub(super) number: u32,
    pub(super) follow: Follow,
    class: fn(Python<'_>) -> Bound<'_, PyType>,
    /// The options given for a game of this class, if all of them are known.
    pub(super) options: MakeOptions,
    /// Whether its rules are Python code, which belongs to the class.
    pub(super) is_own: bool,
    /// A game from a starting position, with the rules that these options make.
    pub(super) from_setup: fn(Setup, &Bound<'_, PyDict>) -> PyResult<AnyGame>,
    /// The same from planes.
    pub(super) from_planes: fn(&Bound<'_, PyAny>, &Bound<'_, PyDict>) -> PyResult<AnyGame>,
}

macro_rules! kinds {
    ($($module:ident: $Game:ident),*) => {
        /// One for each game there is.
        pub(super) static KINDS: &[Kind] = &[$(Kind::new::<games::$module::$Game>()),*];
    };
}
games::for_each_game_of_python!(kinds);

impl Kind {
    const fn new<G: PythonGame>() -> Self {
        Self {
            name: G::NAME,
            default_size: G::SIZE,
            rules: G::RULES,
            notation: G::NOTATION,
            number: G::GM,
            follow: follow::<G>,
            class: |py| py.get_type::<G::Class>(),
            options: G::options,
            is_own: G::MAY_FAIL,
            from_setup: |setup, options| {
                let max_moves = convert::max_moves_among(options)?;
                let rules = G::read_options(options)?;
                G::check_size(&rules, setup.size())?;
                Ok(checked(G::from_setup(rules, setup, max_moves)?)?.into())
            },
            from_planes: |planes, options| {
                let (rules, max_moves) =
                    (G::read_options(options)?, convert::max_moves_among(options)?);
                let planes = convert::planes_from_python(planes)?;
                let planes = planes.as_array();
                let (_, rows, cols) = planes.dim();
                G::check_size(&rules, BoardSize::new(rows, cols)?)?;
                Ok(checked(G::from_planes(rules, &planes, max_moves)?)?.into())
            },
        }
    }

    /// The kind whose games this class makes.
    ///
    /// # Errors
    /// `TypeError` for the base class of all games.
    pub(super) fn made_by(class: &Bound<'_, PyType>) -> PyResult<&'static Self> {
        let message = "this class makes no games: ask one such as sixplane.Go";
        let py = class.py();
        let kind = KINDS.iter().find(|kind| class.is_subclass(&(kind.class)(py)).unwrap_or(false));
        kind.ok_or_else(|| PyTypeError::new_err(message))
    }
}

/// Adds the class of every game to the module, and tells each what it is.
pub(super) fn add_classes(module: &Bound<'_, PyModule>) -> PyResult<()> {
    describe(&module.py().get_type::<PyGame>(), None)?;
    for kind in KINDS {
        let class = (kind.class)(module.py());
        describe(&class, Some(kind))?;
        module.add(class.name()?, class)?;
    }
    Ok(())
}

/// The base class, of no kind, is described by nothing.
fn describe(class: &Bound<'_, PyType>, kind: Option<&Kind>) -> PyResult<()> {
    let notation = kind.map(|kind| kind.notation);
    class.setattr("name", kind.map_or("", |kind| kind.name))?;
    class.setattr(
        "rule_names",
        PyTuple::new(class.py(), kind.map_or(&[][..], |kind| kind.rules))?,
    )?;
    match kind.map_or((0, 0), |kind| kind.default_size) {
        (rows, cols) if rows == cols => class.setattr("default_size", rows)?,
        size => class.setattr("default_size", size)?,
    }
    class.setattr("skips_i", notation.is_some_and(|notation| notation.skips_i))?;
    class.setattr("row_one_at_top", notation.is_some_and(|notation| notation.row_one_at_top))
}
