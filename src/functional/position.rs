//! One position in bits: read from the cells of six planes, stepped, written back.

use super::error::PlanesError;
use super::rules::{captured, suicides};
use crate::bits::{Bits, Frame};
use crate::color::{ByColor, Color};
use crate::error::PlayError;
use crate::geometry::{Action, BoardSize, Point};
use crate::planes::{Cell, Plane, read_bits, write_bits};

/// Whose colors the planes of an answer show.
///
/// ```
/// use ndarray::Array3;
/// use sixplane::functional::{Form, next_state};
/// use sixplane::{Action, Game, Go};
///
/// let start = Go::new(3)?;
/// let [black_stones, white_stones] = [Form::Absolute, Form::Canonical].map(|form| {
///     let mut next = Array3::zeros((6, 3, 3));
///     next_state(&start.planes(), Action::new(4), form, next.view_mut()).expect("a legal action");
///     next[[0, 1, 1]]
/// });
/// assert_eq!((black_stones, white_stones), (1, 0)); // plane 0 is White's in the canonical form
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Black's stones in plane 0, whoever is to play.
    #[default]
    Absolute,
    /// Colors exchanged if White is to play, so that the side to play is Black.
    Canonical,
}

/// What six planes say, the invalid plane apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position<const W: usize> {
    pub stones: ByColor<Bits<W>>,
    pub turn: Color,
    pub passed: bool,
    pub done: bool,
    /// The point that may not be retaken at once. Not among the things read: planes mark it only
    /// in the invalid plane, like all that is forbidden.
    pub ko: Bits<W>,
}

/// The cells of one plane among those of six.
#[inline]
pub(super) fn plane<T>(size: BoardSize, cells: &[T], plane: Plane) -> &[T] {
    &cells[plane as usize * size.points()..][..size.points()]
}

impl<const W: usize> Position<W> {
    /// Reads the cells of six planes, which lie one after another. Turn, pass and done are those of
    /// the first cells of their planes.
    #[inline]
    pub fn read<T: Cell>(size: BoardSize, cells: &[T]) -> Result<Self, PlanesError> {
        let first = |which| plane(size, cells, which)[0].is_set();
        let stones = ByColor {
            black: read_bits(plane(size, cells, Plane::Black)),
            white: read_bits(plane(size, cells, Plane::White)),
        };
        if let Some(both) = (stones.black & stones.white).first() {
            let (row, col) = (both / size.cols(), both % size.cols());
            return Err(PlanesError::Overlap(Point { row, col }));
        }
        Ok(Self {
            stones,
            turn: if first(Plane::Turn) { Color::White } else { Color::Black },
            passed: first(Plane::Pass),
            done: first(Plane::Done),
            ko: Bits::EMPTY,
        })
    }

    /// Writes all cells of six planes.
    #[inline]
    pub fn write<T: Cell>(&self, frame: &Frame<W>, form: Form, cells: &mut [T]) {
        let (turn, swapped) = match form {
            Form::Absolute => (self.turn, false),
            Form::Canonical => (Color::Black, self.turn == Color::White),
        };
        let ByColor { black, white } = &self.stones;
        let (first, second) = if swapped { (white, black) } else { (black, white) };
        let whole = |value| if value { T::ONE } else { T::ZERO };

        let mut planes = cells.chunks_exact_mut(frame.size().points());
        let mut next = || planes.next().expect("six planes");
        write_bits(first, next());
        write_bits(second, next());
        next().fill(whole(turn == Color::White));
        write_bits(&self.invalid(frame), next());
        next().fill(whole(self.passed));
        next().fill(whole(self.done));
    }

    /// The stones of the player to play, and the other's.
    #[inline]
    fn own_and_enemy(&self) -> (Bits<W>, Bits<W>) {
        (self.stones[self.turn], self.stones[self.turn.opponent()])
    }

    /// Where the player to play may not play: occupied points, suicide, ko.
    #[inline]
    pub fn invalid(&self, frame: &Frame<W>) -> Bits<W> {
        let (own, enemy) = self.own_and_enemy();
        own | enemy | suicides(frame, own, enemy) | self.ko
    }

    /// Whether the player to play may take this action; `marked` says whether the invalid plane is
    /// set there.
    pub fn check(&self, frame: &Frame<W>, action: Action, marked: bool) -> Result<(), PlayError> {
        let (point, pass) = (action.index(), frame.size().pass());
        let (own, enemy) = self.own_and_enemy();
        if self.done {
            Err(PlayError::GameOver)
        } else if action > pass {
            Err(PlayError::OffBoard)
        } else if action != pass && (own | enemy).contains(point) {
            Err(PlayError::Occupied)
        } else if marked {
            let is_suicide = suicides(frame, own, enemy).contains(point);
            Err(PlayError::Forbidden(if is_suicide { "suicide" } else { "ko" }))
        } else {
            Ok(())
        }
    }

    /// The position after an action.
    ///
    /// Does not [`check`](Self::check) it: a stone without liberties would stay, one on a stone
    /// would make the planes overlap.
    #[inline]
    pub fn next(&self, frame: &Frame<W>, action: Action) -> Self {
        let (me, you) = (self.turn, self.turn.opponent());
        let mut next = Self { turn: you, passed: false, ko: Bits::EMPTY, ..*self };
        if action == frame.size().pass() {
            next.passed = true;
            next.done = self.passed;
            return next;
        }
        let placed = Bits::point(action.index());
        next.stones[me] |= placed;
        let beside = frame.dilate(placed, frame.board());
        let touched = beside & self.stones[you];
        let taken = captured(frame, touched, next.stones[me], self.stones[you]);
        next.stones[you] &= !taken;
        // One stone taken by one that stands among enemies alone may not be retaken at once.
        if touched == beside && taken.count() == 1 {
            next.ko = taken;
        }
        next
    }
}
