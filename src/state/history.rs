//! Boards of the last actions of a game.

use ndarray::Array3;

use super::State;
use crate::color::Color;
use crate::log::Step;
use crate::planes::Cell;
use crate::view::View;

impl State {
    /// The boards of the last `k` actions as planes `(2k + 1, rows, cols)`: stones of the player
    /// to play now and of the opponent, now, one action ago, and so on, then the turn plane.
    /// Zeros before the start.
    ///
    /// ```
    /// use sixplane::{Game, Go};
    ///
    /// let mut game = Go::new(3)?;
    /// game.play_at(1, 1)?;
    /// let planes = game.state().history_planes(2);
    /// assert_eq!(planes.shape(), [5, 3, 3]); // two boards of two planes each, and the turn
    /// assert_eq!(planes[[1, 1, 1]], 1); // now: the opponent's stone
    /// assert_eq!(planes[[3, 1, 1]], 0); // one action ago: none
    /// assert_eq!(planes[[4, 0, 0]], 1); // White is to play
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[allow(clippy::missing_panics_doc)] // It never does: the cells are made for the shape.
    pub fn history_planes(&self, k: usize) -> Array3<u8> {
        let size = self.size();
        let mut cells = vec![0; (2 * k + 1) * size.points()];
        self.write_history(k, &mut cells);
        let shape = (2 * k + 1, size.rows(), size.cols());
        Array3::from_shape_vec(shape, cells).expect("as many cells as the shape has")
    }

    /// Writes the six planes, or with `history`, the [`State::history_planes`] of so many boards, as a side
    /// sees them. Those of the history begin with the player to play, whose view is [`View::Player`].
    pub(crate) fn write_as_seen<T: Cell>(
        &self,
        view: View,
        history: Option<usize>,
        cells: &mut [T],
    ) {
        let Some(k) = history else {
            for (cell, &value) in cells.iter_mut().zip(self.planes.cells()) {
                *cell = if value == 0 { T::ZERO } else { T::ONE };
            }
            return view.orient(self.turn, cells);
        };
        self.write_history(k, cells);
        let points = self.size().points();
        view.orient_history(self.turn, &mut cells[..2 * k * points], points);
    }

    fn write_history<T: Cell>(&self, k: usize, cells: &mut [T]) {
        let points = self.size().points();
        let board = 2 * points;
        let (boards, turn) = cells[..(2 * k + 1) * points].split_at_mut(k * board);
        turn.fill(if self.turn == Color::White { T::ONE } else { T::ZERO });
        if k == 0 {
            return;
        }
        // The plane of a color among the two of a board: the player to play comes first.
        let plane = |color: Color| usize::from(color != self.turn) * points;
        let mut steps = self.steps_with_changes().rev();
        for color in Color::ALL {
            let stones = &self.planes.cells()[color.index() * points..][..points];
            for (cell, &stone) in boards[plane(color)..].iter_mut().zip(stones) {
                *cell = if stone == 0 { T::ZERO } else { T::ONE };
            }
        }
        for i in 1..k {
            boards.copy_within((i - 1) * board..i * board, i * board);
            loop {
                let Some((step, changes)) = steps.next() else {
                    boards[i * board..].fill(T::ZERO);
                    return;
                };
                for change in changes {
                    for color in Color::ALL.into_iter().filter(|&color| change.is_of(color)) {
                        let cell = &mut boards[i * board + plane(color) + change.point()];
                        *cell = if cell.is_set() { T::ZERO } else { T::ONE };
                    }
                }
                if matches!(step, Step::Action(_)) {
                    break;
                }
            }
        }
    }
}
