//! The members that every game class has. Each is a line or two over [`super::game`].

use pyo3::PyClass;

use crate::search::Searchable;

/// A Python class around a game.
pub(super) trait GameClass: PyClass + Into<pyo3::PyClassInitializer<Self>> {
    type Game: Searchable;

    fn of(game: Self::Game) -> Self;

    fn game(&self) -> &Self::Game;
}

/// Makes a Python class around a game; what only this game has is listed last.
macro_rules! game_class {
    (
        $(#[$doc:meta])*
        $class:ident, $game:ty, $name:literal, $default_size:literal, { $($own:tt)* }
    ) => {
        $(#[$doc])*
        #[pyclass(name = $name, module = "sixplane", extends = PyGame)]
        #[derive(Clone)]
        pub(super) struct $class {
            pub(super) game: $game,
        }

        impl From<$game> for $class {
            fn from(game: $game) -> Self {
                Self { game }
            }
        }

        impl From<$class> for PyClassInitializer<$class> {
            fn from(class: $class) -> Self {
                PyClassInitializer::<PyGame>::from(PyGame).add_subclass(class)
            }
        }

        impl<'py> IntoPyObject<'py> for $class {
            type Target = Self;
            type Output = Bound<'py, Self>;
            type Error = PyErr;

            fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, Self>> {
                Bound::new(py, self)
            }
        }

        impl GameClass for $class {
            type Game = $game;

            fn of(game: $game) -> Self {
                Self { game }
            }

            fn game(&self) -> &$game {
                &self.game
            }
        }

        #[pymethods]
        impl $class {
            $($own)*

            /// A position drawn as rows of `X`, `O` and `.`; its history is that board alone.
            #[classmethod]
            #[pyo3(signature = (text, turn=None, **rules))]
            fn from_text(
                _cls: &Bound<'_, PyType>,
                text: &str,
                turn: Option<&Bound<'_, PyAny>>,
                rules: Option<&Bound<'_, PyDict>>,
            ) -> PyResult<Self> {
                Ok(game::from_text::<$game>(text, turn, rules)?.into())
            }

            /// A position with stones at these points; its history is that board alone.
            #[classmethod]
            #[pyo3(signature = (black, white, turn=None, size=None, **rules))]
            fn from_stones(
                _cls: &Bound<'_, PyType>,
                black: &Bound<'_, PyAny>,
                white: &Bound<'_, PyAny>,
                turn: Option<&Bound<'_, PyAny>>,
                size: Option<&Bound<'_, PyAny>>,
                rules: Option<&Bound<'_, PyDict>>,
            ) -> PyResult<Self> {
                let size = convert::size_or($default_size, size)?;
                Ok(game::from_stones::<$game>(black, white, turn, size, rules)?.into())
            }

            /// A game from six planes `(6, rows, cols)`; its history is that board alone.
            ///
            /// In Go an empty invalid point that no rule explains is forbidden for the next play only; under
            /// simple ko there can be one. The invalid plane of planes that say done may be computed as
            /// for any other position, or filled.
            ///
            /// Raises:
            ///     ValueError: no play leads to such planes.
            #[classmethod]
            #[pyo3(signature = (planes, **rules))]
            fn from_planes(
                _cls: &Bound<'_, PyType>,
                planes: &Bound<'_, PyAny>,
                rules: Option<&Bound<'_, PyDict>>,
            ) -> PyResult<Self> {
                Ok(game::from_planes::<$game>(planes, rules)?.into())
            }

            fn play(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
                game::play(&mut self.game, action)
            }

            fn undo(&mut self) -> PyResult<()> {
                Ok(self.game.undo()?)
            }

            #[pyo3(signature = (color=None))]
            fn resign(&mut self, py: Python<'_>, color: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
                game::resign(py, &mut self.game, color)
            }

            #[getter]
            fn planes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray3<u8>> {
                PyArray3::from_array(py, &self.game.planes())
            }

            #[getter]
            fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
                game::action_mask(py, &self.game)
            }

            #[getter]
            fn legal_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
                game::actions(py, self.game.legal_actions())
            }

            fn history_planes<'py>(&self, k: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray3<u8>>> {
                game::history_planes(&self.game, k)
            }

            #[getter]
            fn turn(&self) -> usize {
                self.game.turn().index()
            }

            fn set_turn(&mut self, color: &Bound<'_, PyAny>) -> PyResult<()> {
                game::set_turn(&mut self.game, color)
            }

            #[getter]
            fn is_over(&self) -> bool {
                self.game.is_over()
            }

            #[getter]
            fn is_truncated(&self) -> bool {
                game::is_truncated(&self.game)
            }

            #[getter]
            fn outcome(&self) -> Option<&'static str> {
                self.game.outcome().map(Outcome::name)
            }

            #[getter]
            fn reason(&self) -> Option<&'static str> {
                self.game.ended_by()
            }

            fn score(&self) -> f64 {
                self.game.score()
            }

            #[getter]
            fn move_number(&self) -> u32 {
                self.game.state().moves()
            }

            #[getter]
            fn last_action(&self) -> Option<usize> {
                self.game.state().actions().next_back().map(Action::index)
            }

            #[getter]
            fn actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
                game::actions(py, self.game.state().actions())
            }

            #[getter]
            fn rows(&self) -> usize {
                self.game.size().rows()
            }

            #[getter]
            fn cols(&self) -> usize {
                self.game.size().cols()
            }

            #[getter]
            fn num_actions(&self) -> usize {
                self.game.size().num_actions()
            }

            #[getter]
            fn max_moves(&self) -> Option<u32> {
                self.game.state().max_moves()
            }

            #[getter]
            fn hash(&self) -> u64 {
                self.game.state().hash()
            }

            fn copy(&self) -> Self {
                self.clone()
            }

            fn __copy__(&self) -> Self {
                self.clone()
            }

            fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
                self.clone()
            }

            fn __eq__(&self, other: &Self) -> bool {
                self.game == other.game
            }

            fn __hash__(&self) -> u64 {
                BuildHasherDefault::<DefaultHasher>::default().hash_one(&self.game)
            }

            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
                let game = &slf.try_borrow()?.game;
                let size = (game.size().rows(), game.size().cols());
                let state = pickle::dump(slf.py(), game)?;
                (slf.get_type(), (size,), state).into_pyobject(slf.py())
            }

            fn __setstate__(&mut self, state: &Bound<'_, PyAny>) -> PyResult<()> {
                self.game = pickle::load(state)?;
                Ok(())
            }

            fn replay(&self, actions: &Bound<'_, PyAny>) -> PyResult<Self> {
                Ok(game::replay(&self.game, actions)?.into())
            }

            fn action_to_name(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
                let action = convert::action(&self.game, action)?;
                Ok(<$game>::NOTATION.name(self.game.size(), action))
            }

            fn name_to_action(&self, text: &str) -> PyResult<usize> {
                game::name_to_action(&self.game, text)
            }

            #[pyo3(signature = (
                *, black_name=None, white_name=None, result=None, date=None, event=None,
                comments=None
            ))]
            fn to_sgf(
                &self,
                black_name: Option<String>,
                white_name: Option<String>,
                result: Option<String>,
                date: Option<String>,
                event: Option<String>,
                comments: Option<BTreeMap<usize, String>>,
            ) -> String {
                let details = Details { black_name, white_name, result, date, event, comments };
                record::to_sgf(&self.game, details)
            }

            /// The main line of the first game of an SGF text; `rules` go before what it says.
            ///
            /// It is played as far as the game can go. If the record goes on, with an illegal move or after
            /// the end of the game, an `SGFWarning` says what is left out.
            ///
            /// Args:
            ///     text: str, or bytes in the character set that they name.
            ///     strict: raise an `SGFError` instead of leaving anything out.
            ///     rules: of the game.
            ///
            /// Raises:
            ///     SGFError: the text is malformed, is the record of another game or of a start that the game
            ///         cannot have, or with `strict` has an illegal move; its `offset` is that of the fault.
            #[classmethod]
            #[pyo3(signature = (text, *, strict=false, **rules))]
            fn from_sgf(
                _cls: &Bound<'_, PyType>,
                text: &Bound<'_, PyAny>,
                strict: bool,
                rules: Option<&Bound<'_, PyDict>>,
            ) -> PyResult<Self> {
                Ok(record::from_sgf::<$game>(text, strict, rules)?.into())
            }

            #[pyo3(
                signature = (**options),
                text_signature = "($self, *, width=480, coordinates=True, footer=False, \
                                  invalid=False, liberties=False, heat=None, heat_text=False, \
                                  last=True, numbers=False, ownership=None, line=None, \
                                  animate=False, seconds=0.5, hold=3.0)"
            )]
            fn to_svg<'py>(
                slf: &Bound<'py, Self>,
                options: Option<&Bound<'py, PyDict>>,
            ) -> PyResult<Bound<'py, PyAny>> {
                picture::game_svg(slf, options)
            }

            fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                picture::game_svg(slf, None)
            }

            fn __str__(&self) -> String {
                self.game.to_string()
            }

            fn __repr__(&self) -> String {
                format!("<sixplane.{} {}>", $name, game::standing(&self.game))
            }
        }
    };
}

pub(super) use game_class;
