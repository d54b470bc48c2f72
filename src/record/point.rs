//! How records spell points: two letters, column and row from the top left, or the name on the board.

use super::rules::RecordRules;
use super::sgf::{SgfError, Value};
use super::spelling::quoted;
use crate::geometry::{Action, BoardSize, Point};
use crate::notation::Notation;

/// Boards up to this side may write `tt` for the pass, as earlier versions of the format do.
const MAX_SIDE_WITH_TT: usize = 19;

/// The spelling of the points of a board.
#[derive(Clone, Copy)]
pub(super) struct Spelling {
    size: BoardSize,
    /// The names on the board, if records have them.
    names: Option<Notation>,
    /// The words for the pass there.
    passes: &'static [&'static str],
}

impl Spelling {
    pub(super) fn of<G: RecordRules>(size: BoardSize) -> Self {
        Self { size, names: G::NAMES_POINTS.then_some(G::NOTATION), passes: G::PASSES }
    }

    /// An action as records have it.
    pub(super) fn name(self, action: Action) -> String {
        let letter = |index: usize| char::from(b'a' + index as u8);
        match (self.size.point(action), self.names) {
            (Some(_), Some(names)) => names.name(self.size, action).to_ascii_lowercase(),
            (Some(Point { row, col }), None) => [letter(col), letter(row)].iter().collect(),
            (None, Some(_)) => self.passes[0].to_owned(),
            (None, None) => String::new(),
        }
    }

    /// The action that a text names; nothing is the pass.
    fn find(self, text: &str) -> Option<Action> {
        let Self { size, names, passes } = self;
        if text.is_empty() {
            return Some(size.pass());
        }
        let is_pass = || {
            let takes_tt = size.rows() <= MAX_SIDE_WITH_TT && size.cols() <= MAX_SIDE_WITH_TT;
            let is_named = |pass: &&str| pass.eq_ignore_ascii_case(text);
            takes_tt && text == "tt" || names.is_some() && passes.iter().any(is_named)
        };
        let point = self.point(text).and_then(|point| size.action(point));
        point.or_else(|| is_pass().then(|| size.pass()))
    }

    /// The action that a value names.
    pub(super) fn action(self, value: Value<'_>) -> Result<Action, SgfError> {
        self.find(value.raw().trim()).ok_or_else(|| self.off_board(value))
    }

    /// The rectangle of points that a value names: its first and last point. One point is a
    /// rectangle as well.
    pub(super) fn rectangle(self, value: Value<'_>) -> Result<(Point, Point), SgfError> {
        let raw = value.raw();
        let (one, two) = raw.split_once(':').unwrap_or((raw, raw));
        match (self.point(one.trim()), self.point(two.trim())) {
            (Some(one), Some(two)) => Ok((
                Point { row: one.row.min(two.row), col: one.col.min(two.col) },
                Point { row: one.row.max(two.row), col: one.col.max(two.col) },
            )),
            _ => Err(self.off_board(value)),
        }
    }

    fn point(self, text: &str) -> Option<Point> {
        let index = |letter: u8| letter.is_ascii_lowercase().then(|| usize::from(letter - b'a'));
        if let &[col, row] = text.as_bytes() {
            if let (Some(row), Some(col)) = (index(row), index(col)) {
                let point = Point { row, col };
                return self.size.action(point).map(|_| point);
            }
        }
        self.names?.point(self.size, text)
    }

    fn off_board(self, value: Value<'_>) -> SgfError {
        value.error(format!("{} is no point of the board, which is {}", quoted(value), self.size))
    }
}

/// An action as records of the game spell it.
///
/// ```
/// use sixplane::record::record_name;
/// use sixplane::{Action, BoardSize, Go, Reversi};
///
/// let size = BoardSize::square(8)?;
/// assert_eq!(record_name::<Go>(size, Action::new(37)), "fe");
/// assert_eq!(record_name::<Reversi>(size, Action::new(37)), "f5");
/// assert_eq!(record_name::<Reversi>(size, size.pass()), "PA");
/// # Ok::<(), sixplane::SizeError>(())
/// ```
#[must_use]
pub fn record_name<G: RecordRules>(size: BoardSize, action: Action) -> String {
    Spelling::of::<G>(size).name(action)
}

/// The action that a value of `B` or `W` names in records of the game; `None` if there is none.
///
/// ```
/// use sixplane::record::recorded_action;
/// use sixplane::{Action, BoardSize, Go, Reversi};
///
/// let size = BoardSize::square(8)?;
/// for name in ["fe", "f5", "F5"] {
///     assert_eq!(recorded_action::<Reversi>(size, name), Some(Action::new(37)));
/// }
/// assert_eq!(recorded_action::<Go>(size, ""), Some(size.pass()));
/// assert_eq!(recorded_action::<Go>(size, "F5"), None);
/// # Ok::<(), sixplane::SizeError>(())
/// ```
#[must_use]
pub fn recorded_action<G: RecordRules>(size: BoardSize, text: &str) -> Option<Action> {
    Spelling::of::<G>(size).find(text.trim())
}

/// The action with this name on the board or, where [records have names](RecordRules::NAMES_POINTS),
/// in records; `None` if there is none.
///
/// ```
/// use sixplane::record::action_named;
/// use sixplane::{BoardSize, Go, Reversi};
///
/// let size = BoardSize::square(8)?;
/// assert_eq!(action_named::<Reversi>(size, "F5"), action_named::<Reversi>(size, "fe"));
/// assert_eq!(action_named::<Reversi>(size, "@@@@"), Some(size.pass()));
/// assert_eq!(action_named::<Go>(size, "fe"), None);
/// # Ok::<(), sixplane::SizeError>(())
/// ```
#[must_use]
pub fn action_named<G: RecordRules>(size: BoardSize, name: &str) -> Option<Action> {
    let is_recorded = G::NAMES_POINTS && !name.trim().is_empty();
    let recorded = || is_recorded.then(|| recorded_action::<G>(size, name)).flatten();
    G::NOTATION.action(size, name).or_else(recorded)
}
