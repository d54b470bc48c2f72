//! The kinds of games: what Python can make of a game class before there is a game.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::any_game::{AnyGame, Follow, PyGame, PythonGame};
use super::convert;
use super::held::{AnyBatch, Held};
use super::searches::{AnySearches, Searches};
use crate::games;
use crate::notation::Notation;
use crate::setup::Setup;

/// A kind of game, such as Go.
pub(super) struct Kind {
    pub(super) name: &'static str,
    /// Rows and columns of the board where nobody asks for others.
    pub(super) default_side: usize,
    /// The options that every set-up position takes, `max_moves` apart.
    pub(super) rules: &'static [&'static str],
    notation: Notation,
    /// The number of its records (`GM`) and how they are read, if it has any.
    pub(super) records: Option<(u32, Follow)>,
    class: fn(Python<'_>) -> Bound<'_, PyType>,
    /// A game from a starting position, with the rules that these options make.
    pub(super) from_setup: FromSetup,
    /// The same from planes.
    pub(super) from_planes: FromPlanes,
    /// See [`Held::boxed`].
    batch: NewBatch,
    pub(super) searches: fn() -> Box<dyn AnySearches>,
}

type FromSetup = fn(Setup, &Bound<'_, PyDict>) -> PyResult<Box<dyn AnyGame>>;

type FromPlanes = fn(&Bound<'_, PyAny>, &Bound<'_, PyDict>) -> PyResult<Box<dyn AnyGame>>;

type NewBatch =
    fn(&[Bound<'_, PyAny>], Option<usize>, u64, Option<usize>) -> PyResult<Box<dyn AnyBatch>>;

macro_rules! kinds {
    ($($module:ident: $Game:ident),*) => {
        /// One for each game there is.
        pub(super) static KINDS: &[Kind] = &[$(Kind::new::<games::$module::$Game>()),*];
    };
}
games::for_each_game!(kinds);

impl Kind {
    const fn new<G: PythonGame>() -> Self {
        Self {
            name: G::NAME,
            default_side: G::DEFAULT_SIDE,
            rules: G::RULES,
            notation: G::NOTATION,
            records: match G::RECORDS {
                Some(records) => Some((records.number, records.follow)),
                None => None,
            },
            class: |py| py.get_type::<G::Class>(),
            from_setup: from_setup::<G>,
            from_planes: from_planes::<G>,
            batch: Held::<G>::boxed,
            searches: Searches::<G>::boxed,
        }
    }

    /// The kind with this name.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.name == name)
    }

    /// The kind whose games are objects of this class.
    fn of_class(class: &Bound<'_, PyType>) -> Option<&'static Self> {
        KINDS.iter().find(|kind| (kind.class)(class.py()).is(class))
    }

    /// The kind whose games this class makes.
    ///
    /// # Errors
    /// `TypeError` for the base class of all games.
    pub(super) fn made_by(class: &Bound<'_, PyType>) -> PyResult<&'static Self> {
        let message = "this class makes no games: ask one such as sixplane.Go";
        Self::of_class(class).ok_or_else(|| PyTypeError::new_err(message))
    }

    /// The kind of a game; `None` if the value is no game.
    pub(super) fn of_value(value: &Bound<'_, PyAny>) -> Option<&'static Self> {
        Self::of_class(&value.get_type())
    }
}

/// Adds the class of every game to the module, and tells each what it is.
pub(super) fn add_classes(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let no_notation = Notation { skips_i: false, row_one_at_top: false };
    describe(&module.py().get_type::<PyGame>(), "", &[], 0, no_notation, false)?;
    for kind in KINDS {
        let class = (kind.class)(module.py());
        let Kind { name, rules, default_side, notation, records, .. } = kind;
        describe(&class, name, rules, *default_side, *notation, records.is_some())?;
        module.add(class.name()?, class)?;
    }
    Ok(())
}

fn describe(
    class: &Bound<'_, PyType>,
    name: &str,
    rules: &[&str],
    default_side: usize,
    notation: Notation,
    has_records: bool,
) -> PyResult<()> {
    class.setattr("name", name)?;
    class.setattr("rule_names", PyTuple::new(class.py(), rules)?)?;
    class.setattr("default_size", default_side)?;
    class.setattr("skips_i", notation.skips_i)?;
    class.setattr("row_one_at_top", notation.row_one_at_top)?;
    class.setattr("has_records", has_records)
}

/// `count` copies of the first game, or without a count, copies of these games.
pub(super) fn any_batch(
    games: &[Bound<'_, PyAny>],
    count: Option<usize>,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<Box<dyn AnyBatch>> {
    let first = games.first();
    let Some(kind) = first.and_then(Kind::of_value) else {
        let found = first.map_or("nothing".to_owned(), convert::type_name);
        return Err(PyTypeError::new_err(format!("a batch is made of games, not {found}")));
    };
    (kind.batch)(games, count, seed, threads)
}

fn from_setup<G: PythonGame>(
    setup: Setup,
    options: &Bound<'_, PyDict>,
) -> PyResult<Box<dyn AnyGame>> {
    let (rules, max_moves) = (G::read_rules(options)?, convert::max_moves_among(options)?);
    Ok(Box::new(G::from_setup(rules, setup, max_moves)?))
}

fn from_planes<G: PythonGame>(
    planes: &Bound<'_, PyAny>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Box<dyn AnyGame>> {
    let (rules, max_moves) = (G::read_rules(options)?, convert::max_moves_among(options)?);
    let planes = convert::planes_from_python(planes)?;
    Ok(Box::new(G::from_planes(rules, &planes.as_array(), max_moves)?))
}
