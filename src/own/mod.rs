//! Games of a crate of your own, which Python takes as it takes the games of sixplane.
//!
//! Such a crate has the rules alone ([`OwnRules`]): who may play where, what a play changes, when the game is over
//! and with what score. Planes, history, undo, batches and searches are those of the sixplane that is installed.
//! It asks the rules by C functions in a table (`table`), as two libraries that were compiled apart share no types
//! of Rust; neither copies anything but stones, and no lock of the interpreter is held.
//!
//! | question | file |
//! |---|---|
//! | What do rules see and say? | `position`; which options they have: `options` |
//! | What crosses between two libraries? | `table` |
//! | How do rules become C functions? | `calls`; a module of Python hands them out: `bindings/crate_module.rs` |
//! | How are the functions of another library called? | `foreign`, for a board `judge`, and what goes wrong: `fault` |
//!
//! A game whose rules look at more than the position, such as the history, implements [`Game`](crate::Game).

#[doc(hidden)]
pub mod calls;
#[cfg(any(feature = "python", test))]
mod fault;
#[cfg(any(feature = "python", test))]
mod foreign;
#[cfg(any(feature = "python", test))]
mod judge;
mod options;
mod position;
#[doc(hidden)]
pub mod table;
#[cfg(test)]
mod tests;

#[cfg(feature = "python")]
pub(crate) use fault::RulesError;
#[cfg(feature = "python")]
pub(crate) use foreign::{Foreign, TableError};
#[cfg(feature = "python")]
pub(crate) use judge::{Board, Judge, Judged, Stones};
pub use options::{Look, Options, Value};
pub use position::{Position, Standing};
#[cfg(feature = "python")]
pub(crate) use table::CAPSULE;

use crate::bits::Bits;
use crate::color::ByColor;
use crate::geometry::BoardSize;
use crate::setup::SetupError;

/// The rules of a game, whose boards have at most `64 * W` points.
///
/// They look at the position that they are given and at nothing else. With [`python_game!`](crate::python_game)
/// they become a class of games in Python.
///
/// ```
/// use sixplane::bits::Bits;
/// use sixplane::own::{Options, OwnRules, Position, Standing};
/// use sixplane::{BoardSize, SetupError};
///
/// /// Players fill a board; whoever puts the last stone wins.
/// struct Fill {
///     points: usize,
/// }
///
/// impl OwnRules<1> for Fill {
///     const DEFAULT_SIZE: (usize, usize) = (3, 3);
///
///     fn new(size: BoardSize, _options: &Options) -> Result<Self, SetupError> {
///         Ok(Self { points: size.points() })
///     }
///
///     fn legal(&self, position: &Position<1>) -> Bits<1> {
///         !position.taken() // points beyond the board are left out
///     }
///
///     fn ending(&self, position: &Position<1>) -> Standing {
///         if position.taken().count() < self.points {
///             return Standing::GOES_ON;
///         }
///         Standing::won("full", position.turn.opponent())
///     }
/// }
///
/// let size = BoardSize::square(3)?;
/// let rules = Fill::new(size, &Options::default())?;
/// let mut position = Position::start(&rules.setup());
/// rules.play(&mut position, 4);
/// assert!(position.own.contains(4) && !rules.legal(&position).contains(4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait OwnRules<const W: usize>: Sized + Send + Sync + 'static {
    /// Rows and columns of the board where nobody asks for others.
    const DEFAULT_SIZE: (usize, usize);

    /// The options and the value of each where nobody gives another.
    const OPTIONS: &'static [(&'static str, Value)] = &[];

    /// The name of the game in words; empty: that of the type.
    const TITLE: &'static str = "";

    /// The rules in a few sentences, which `help` shows.
    const ABOUT: &'static str = "";

    /// The words that [`OwnRules::ending`] uses.
    const ENDINGS: &'static [&'static str] = &["full", "line"];

    /// Why an empty point may not be played, in a word.
    const FORBIDDEN: &'static str = "forbidden";

    /// How many of the board's symmetries the rules keep: 8 for all, 2 for the reflection left to right, 1 for none.
    const SYMMETRIES: usize = 8;

    /// Whether a player may ever pass.
    const HAS_PASS: bool = false;

    /// Whether a position may come again, so that games may never end.
    const MAY_REPEAT: bool = false;

    /// Whether the score counts points or stones.
    const COUNTS_POINTS: bool = false;

    /// How the board looks.
    const LOOK: Look = Look::Squares;

    /// The rules on a board of this size, with these options.
    ///
    /// # Errors
    /// [`SetupError`] if there is no such board.
    fn new(size: BoardSize, options: &Options) -> Result<Self, SetupError>;

    /// The stones at the start; else none.
    fn setup(&self) -> ByColor<Bits<W>> {
        ByColor::default()
    }

    /// Where the player to play may play. Points beyond the board are left out.
    fn legal(&self, position: &Position<W>) -> Bits<W>;

    /// Changes the stones as a play on a point does: unless the rules say otherwise, a stone is put there. Whose
    /// turn it is then is not for the rules to say.
    #[inline]
    fn play(&self, position: &mut Position<W>, point: usize) {
        position.own.insert(point);
    }

    /// Whether the player to play may pass, if the game has a pass.
    #[inline]
    fn may_pass(&self, _position: &Position<W>) -> bool {
        Self::HAS_PASS
    }

    /// Whether the game is over, and the score.
    fn ending(&self, position: &Position<W>) -> Standing;
}

/// Makes a Python module of the rules of a crate: `python_game!(ConnectFour)`.
///
/// Each type implements [`OwnRules`] and becomes a class of this name, a subclass of `sixplane.OwnGame`. The module
/// has the name of the crate, which is a `cdylib` with the feature `python-game` of sixplane; `maturin build` packs
/// it. Without that feature the macro does no more than to look whether the types have rules.
///
/// ```
/// use sixplane::bits::Bits;
/// use sixplane::own::{Options, OwnRules, Position, Standing};
/// use sixplane::{BoardSize, SetupError};
///
/// struct Fill(usize);
///
/// impl OwnRules<1> for Fill {
///     const DEFAULT_SIZE: (usize, usize) = (3, 3);
///
///     fn new(size: BoardSize, _options: &Options) -> Result<Self, SetupError> {
///         Ok(Self(size.points()))
///     }
///
///     fn legal(&self, position: &Position<1>) -> Bits<1> {
///         !position.taken()
///     }
///
///     fn ending(&self, position: &Position<1>) -> Standing {
///         let is_full = position.taken().count() == self.0;
///         if is_full { Standing::draw("full") } else { Standing::GOES_ON }
///     }
/// }
///
/// sixplane::python_game!(Fill);
/// ```
#[macro_export]
macro_rules! python_game {
    ($($Rules:ident),+ $(,)?) => {
        const _: fn() = || {
            $(let _ = $crate::own::calls::table_of(::std::marker::PhantomData::<$Rules>, stringify!($Rules));)+
        };
        $crate::__python_module!($($Rules),+);
    };
}

/// The function that Python calls when it imports the module.
#[cfg(feature = "python-game")]
#[doc(hidden)]
#[macro_export]
macro_rules! __python_module {
    ($($Rules:ident),+) => {
        #[cfg(panic = "abort")]
        compile_error!("python_game! needs panic = \"unwind\": a panic of the rules would end the interpreter");

        const _: () = {
            #[allow(unsafe_code, reason = "Python finds the function by this name alone, which has the crate's in it")]
            #[unsafe(export_name = concat!("PyInit_", env!("CARGO_CRATE_NAME")))]
            extern "C" fn init() -> *mut $crate::crate_module::Object {
                $crate::crate_module::init(concat!(env!("CARGO_CRATE_NAME"), "\0"), || {
                    vec![$(
                        $crate::own::calls::table_of(::std::marker::PhantomData::<$Rules>, stringify!($Rules))
                    ),+]
                })
            }
        };
    };
}

/// Without the feature `python-game` there is no such function.
#[cfg(not(feature = "python-game"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __python_module {
    ($($Rules:ident),+) => {};
}
