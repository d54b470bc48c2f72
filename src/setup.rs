//! A starting position: stones, the player to play, and what planes can say of the play before.

use ndarray::{ArrayView3, Axis};
use thiserror::Error;

use crate::color::{ByColor, Color};
use crate::geometry::{BoardSize, SizeError};
use crate::planes::{Cell, NUM_PLANES, Plane};

/// The position a game starts from. A game's history begins with this board.
///
/// ```
/// use sixplane::{BoardSize, Color, Setup};
///
/// let setup = Setup::from_text("
///     X O .
///     X . .", Color::White)?;
/// assert_eq!(setup.size(), BoardSize::new(2, 3)?);
/// assert_eq!(setup.stones[Color::Black], [0, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    size: BoardSize,
    /// Points with a stone of each color, ascending.
    pub stones: ByColor<Vec<u16>>,
    /// The player to play.
    pub turn: Color,
    /// The action before was a pass.
    pub passed: bool,
    /// The game was over already.
    pub done: bool,
    /// Empty points that may not be played at once, for a reason older than this position.
    pub forbidden: Vec<u16>,
}

/// Why a position cannot be the start of a game.
///
/// ```
/// use sixplane::{Color, Setup};
///
/// let error = Setup::from_text("X ?", Color::Black).unwrap_err();
/// assert_eq!(error.to_string(), "'?' in row 1 of the text: allowed are X, O and .");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct SetupError(String);

impl SetupError {
    /// An error with this sentence.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl From<SizeError> for SetupError {
    fn from(error: SizeError) -> Self {
        Self(error.to_string())
    }
}

impl Setup {
    /// The empty board, Black to play.
    #[must_use]
    pub fn empty(size: BoardSize) -> Self {
        Self {
            size,
            stones: ByColor::default(),
            turn: Color::Black,
            passed: false,
            done: false,
            forbidden: Vec::new(),
        }
    }

    /// The size of the board.
    #[must_use]
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// A board with these points occupied.
    ///
    /// ```
    /// use sixplane::{BoardSize, ByColor, Color, Game, Go, Rules, Setup};
    ///
    /// let stones = ByColor { black: vec![0, 4], white: vec![1] };
    /// let setup = Setup::from_stones(BoardSize::square(3)?, &stones, Color::White)?;
    /// let game = Go::from_setup(Rules::default(), setup, None)?;
    /// assert_eq!(game.turn(), Color::White);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SetupError`] if a point is off the board or given twice.
    pub fn from_stones(
        size: BoardSize,
        stones: &ByColor<Vec<usize>>,
        turn: Color,
    ) -> Result<Self, SetupError> {
        let mut setup = Self { turn, ..Self::empty(size) };
        let mut taken = vec![false; size.points()];
        for color in Color::ALL {
            for &point in &stones[color] {
                let Some(taken) = taken.get_mut(point) else {
                    let stone = format!("{} stone at {point}", color.name());
                    return Err(off_board(&stone, size));
                };
                if std::mem::replace(taken, true) {
                    return Err(SetupError(format!("a stone is given twice at point {point}")));
                }
                setup.stones[color].push(point as u16);
            }
            setup.stones[color].sort_unstable();
        }
        Ok(setup)
    }

    /// That every point of it is on the board, none has two stones, and the stones ascend.
    ///
    /// # Errors
    /// [`SetupError`] if not.
    pub(crate) fn check(&self) -> Result<(), SetupError> {
        let stones = Color::ALL.map(|color| self.stones[color].iter().map(|&point| point.into()));
        let [black, white] = stones.map(Iterator::collect);
        if Self::from_stones(self.size, &ByColor { black, white }, self.turn)?.stones != self.stones
        {
            return Err(SetupError::new("the stones of a color are not in ascending order"));
        }
        let mut forbidden = self.forbidden.iter();
        match forbidden.find(|&&point| usize::from(point) >= self.size.points()) {
            None => Ok(()),
            Some(point) => Err(off_board(&format!("the point {point} is forbidden"), self.size)),
        }
    }

    /// A board drawn as rows of `X` (black), `O` (white) and `.`; spaces and empty lines are
    /// passed over.
    ///
    /// # Errors
    /// [`SetupError`] for another character, rows of different length or a size not allowed.
    pub fn from_text(text: &str, turn: Color) -> Result<Self, SetupError> {
        let mut stones = ByColor::<Vec<usize>>::default();
        let rows = text.lines().map(|line| line.split_whitespace().collect::<String>());
        let rows: Vec<_> = rows.filter(|row| !row.is_empty()).collect();
        let cols = rows.first().map_or(0, |row| row.chars().count());
        for (row, cells) in rows.iter().enumerate() {
            let (number, found) = (row + 1, cells.chars().count());
            if found != cols {
                return Err(SetupError(format!(
                    "row {number} of the text has {found} points, the first has {cols}"
                )));
            }
            for (col, cell) in cells.chars().enumerate() {
                match cell {
                    'X' | 'x' => stones.black.push(row * cols + col),
                    'O' | 'o' => stones.white.push(row * cols + col),
                    '.' => {}
                    other => {
                        return Err(SetupError(format!(
                            "{other:?} in row {number} of the text: allowed are X, O and ."
                        )));
                    }
                }
            }
        }
        Self::from_stones(BoardSize::new(rows.len(), cols)?, &stones, turn)
    }

    /// The position that six planes show, and the cells of their invalid plane.
    ///
    /// Whether the invalid plane is right, and what it forbids beyond the rules, is for the game
    /// to say: `forbidden` is empty here.
    ///
    /// ```
    /// use sixplane::{Color, Game, Go, Rules, Setup};
    ///
    /// let game = Go::from_text("X O\n. .", Color::Black)?;
    /// let (setup, invalid) = Setup::from_planes(&game.planes())?;
    /// assert_eq!(invalid, [true, true, false, false]);
    /// assert_eq!(Go::from_setup(Rules::default(), setup, None)?, game);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SetupError`] if the shape is not `(6, rows, cols)`, a cell is neither 0 nor 1, a point
    /// has two stones, or the turn, pass or done plane is not the same everywhere.
    pub fn from_planes<T: Cell>(
        planes: &ArrayView3<'_, T>,
    ) -> Result<(Self, Vec<bool>), SetupError> {
        let (count, rows, cols) = planes.dim();
        if count != NUM_PLANES {
            return Err(SetupError(format!(
                "planes of shape ({count}, {rows}, {cols}): the shape must be (6, rows, cols)"
            )));
        }
        let size = BoardSize::new(rows, cols)?;
        if planes.iter().any(|cell| !cell.is_zero_or_one()) {
            return Err(SetupError::new("planes hold a value that is neither 0 nor 1"));
        }
        let cells = |plane: Plane| {
            planes.index_axis_move(Axis(0), plane as usize).into_iter().map(|cell| cell.is_set())
        };
        let points = |plane: Plane| -> Vec<usize> {
            cells(plane).enumerate().filter_map(|(point, set)| set.then_some(point)).collect()
        };
        let whole = |plane: Plane, name: &str| match points(plane).len() {
            0 => Ok(false),
            count if count == size.points() => Ok(true),
            _ => Err(SetupError(format!("the {name} plane must be all 0 or all 1"))),
        };
        let stones = ByColor { black: points(Plane::Black), white: points(Plane::White) };
        if let Some(point) = stones.black.iter().find(|p| stones.white.contains(p)) {
            return Err(SetupError(format!("point {point} has a black and a white stone")));
        }
        let turn = if whole(Plane::Turn, "turn")? { Color::White } else { Color::Black };
        let mut setup = Self::from_stones(size, &stones, turn)?;
        setup.passed = whole(Plane::Pass, "pass")?;
        setup.done = whole(Plane::Done, "done")?;
        Ok((setup, cells(Plane::Invalid).collect()))
    }
}

/// The error of a point that the board does not have, said of `what`.
fn off_board(what: &str, size: BoardSize) -> SetupError {
    SetupError(format!("{what}: a point of a {size} board is 0 to {}", size.points() - 1))
}
