//! Arrays about the games of a batch, written into memory of the caller.

use super::{GAMES_A_TASK, GameBatch, View};
use crate::game::Game;
use crate::planes::{Cell, NUM_PLANES};

impl<G: Game> GameBatch<G> {
    /// Writes the planes of the games with these numbers (`None`: of all), one after another:
    /// `(count, 6, rows, cols)`, or with `history = k`, their
    /// [history planes](crate::state::State::history_planes), which are `(count, 2k + 1, rows, cols)`.
    /// `view` says whose side the planes at each place are seen from.
    ///
    /// ```
    /// use sixplane::batch::{GameBatch, View};
    /// use sixplane::{Game, Go};
    ///
    /// let mut batch = GameBatch::new(&Go::new(5)?, 3, 1, None);
    /// batch.play_random(&[1, 2, 3]);
    /// let mut planes = vec![0.0_f32; 2 * 17 * 25]; // of two games, with eight boards of history
    /// batch.write_planes(|_| View::Player, Some(8), Some(&[0, 2]), &mut planes);
    /// assert_eq!(planes[..50].iter().sum::<f32>(), 1.0); // one stone so far
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such game, or `cells` is shorter than their planes.
    pub fn write_planes<T: Cell + Send>(
        &self,
        view: impl Fn(usize) -> View + Send + Sync,
        history: Option<usize>,
        index: Option<&[usize]>,
        cells: &mut [T],
    ) {
        let count = history.map_or(NUM_PLANES, |k| 2 * k + 1);
        self.write_each(index, count * self.size().points(), cells, |place, game, cells| {
            game.state().write_as_seen(view(place), history, cells);
        });
    }

    /// Writes [`Game::write_ownership`] of the games with these numbers (`None`: of all), one after
    /// another: `(count, rows, cols)`.
    ///
    /// ```
    /// use sixplane::batch::GameBatch;
    /// use sixplane::{Game, Go};
    ///
    /// let mut game = Go::new(5)?;
    /// game.play_at(2, 2)?;
    /// let batch = GameBatch::new(&game, 3, 1, None);
    /// let mut owners = [0; 25];
    /// batch.write_ownership(Some(&[1]), &mut owners);
    /// assert_eq!(owners, [1; 25]); // all of the board is Black's
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such game, or `owners` is shorter than their boards.
    pub fn write_ownership(&self, index: Option<&[usize]>, owners: &mut [i8]) {
        self.write_each(index, self.size().points(), owners, |_, game, owners| {
            game.write_ownership(owners);
        });
    }

    /// Writes the score of each game from Black's view, `(B,)`.
    ///
    /// ```
    /// use sixplane::batch::GameBatch;
    /// use sixplane::{Game, Go};
    ///
    /// let batch = GameBatch::new(&Go::new(5)?, 2, 1, None);
    /// let mut scores = [0.0; 2];
    /// batch.write_scores(&mut scores);
    /// assert_eq!(scores, [-7.5; 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If `scores` is shorter than the batch.
    pub fn write_scores(&self, scores: &mut [f32]) {
        self.write_each(None, 1, scores, |_, game, score| score[0] = game.score() as f32);
    }

    /// Writes `each` numbers about each of the games with these numbers, one game after another; `write` is
    /// told the place of each.
    fn write_each<T: Send>(
        &self,
        index: Option<&[usize]>,
        each: usize,
        numbers: &mut [T],
        write: impl Fn(usize, &G, &mut [T]) + Sync,
    ) {
        let all: Vec<usize> = (0..self.len()).collect();
        let index = index.unwrap_or(&all);
        let length = self.threads.task_len(index.len(), GAMES_A_TASK);
        let numbers = numbers[..index.len() * each].chunks_mut(length * each);
        let tasks = index.chunks(length).zip(numbers).enumerate();
        self.threads.map(tasks, |(task, (index, numbers))| {
            let numbers = numbers.chunks_exact_mut(each);
            for ((place, &i), numbers) in (task * length..).zip(index).zip(numbers) {
                write(place, &self.games[i], numbers);
            }
        });
    }
}
