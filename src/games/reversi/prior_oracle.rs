//! The prior of a play by trying it out, point by point and line by line: slow and plain.

use super::prior::{
    ANCHORED, C_SQUARE, CORNER, LOST_CORNER, MOBILITY, OPEN_CORNER, POTENTIAL, X_SQUARE,
};
use super::*;
use crate::players::random::RandomPlayer;

const DIRECTIONS: [(isize, isize); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// A position as rows of discs.
struct Rows(Vec<Vec<Option<Color>>>);

impl Rows {
    fn of(game: &Reversi) -> Self {
        let (rows, cols) = (game.size().rows(), game.size().cols());
        let row =
            |row| (0..cols).map(move |col| game.state().planes().stone(row * cols + col)).collect();
        Self((0..rows).map(row).collect())
    }

    fn places(&self) -> impl Iterator<Item = (usize, usize)> {
        let cols = self.0[0].len();
        (0..self.0.len()).flat_map(move |row| (0..cols).map(move |col| (row, col)))
    }

    fn disc(&self, (row, col): (usize, usize)) -> Option<Color> {
        self.0[row][col]
    }

    /// The place some steps away, if the board has it.
    fn step(
        &self,
        (row, col): (usize, usize),
        (down, right): (isize, isize),
    ) -> Option<(usize, usize)> {
        let place = (row.checked_add_signed(down)?, col.checked_add_signed(right)?);
        (place.0 < self.0.len() && place.1 < self.0[0].len()).then_some(place)
    }

    fn may_play(&self, color: Color, place: (usize, usize)) -> bool {
        let flips = |&direction: &(isize, isize)| {
            let (mut at, mut passed) = (self.step(place, direction), 0);
            while let Some(next) = at.filter(|&at| self.disc(at) == Some(color.opponent())) {
                (at, passed) = (self.step(next, direction), passed + 1);
            }
            passed > 0 && at.is_some_and(|at| self.disc(at) == Some(color))
        };
        self.disc(place).is_none() && DIRECTIONS.iter().any(flips)
    }

    /// Empty places beside discs of a color.
    fn open(&self, color: Color) -> usize {
        let beside = |place| {
            let mut around = DIRECTIONS.iter().filter_map(|&step| self.step(place, step));
            around.any(|at| self.disc(at) == Some(color))
        };
        self.places().filter(|&place| self.disc(place).is_none() && beside(place)).count()
    }

    /// The corners, each with the directions along the edges from it.
    fn corners(&self) -> [((usize, usize), isize, isize); 4] {
        let (bottom, right) = (self.0.len() - 1, self.0[0].len() - 1);
        [((0, 0), 1, 1), ((0, right), 1, -1), ((bottom, 0), -1, 1), ((bottom, right), -1, -1)]
    }

    /// Discs on the edge, corners left out, that only discs of their color lead to from a corner.
    fn anchored(&self, color: Color) -> usize {
        let mut found = Vec::new();
        for (corner, down, right) in self.corners() {
            for direction in [(down, 0), (0, right)] {
                let mut at = corner;
                while self.disc(at) == Some(color) {
                    found.push(at);
                    let Some(next) = self.step(at, direction) else { break };
                    at = next;
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|&place| self.corners().iter().all(|&(corner, _, _)| corner != place));
        found.len()
    }
}

/// The worth of the position after a play to who has played, and a count of what came up.
fn plain(rows: &Rows, own: Color, seen: &mut [usize; 9]) -> f32 {
    let other = own.opponent();
    let plays = |color| rows.places().filter(|&place| rows.may_play(color, place)).count();
    let share =
        |own: usize, other: usize| (own as f32 - other as f32) / (own as f32 + other as f32 + 2.0);
    let (may, may_other) = (plays(own), plays(other));
    if may + may_other == 0 {
        let discs = |color| rows.places().filter(|&place| rows.disc(place) == Some(color)).count();
        seen[0] += 1;
        return (discs(own) as f32 - discs(other) as f32).clamp(-1.0, 1.0);
    }
    let mut worth = MOBILITY * share(may, may_other);
    worth += POTENTIAL * share(rows.open(other), rows.open(own));
    let mut note = |what: usize, weight: f32, own: usize, other: usize| {
        seen[what] += own;
        seen[what + 1] += other;
        worth += weight * (own as f32 - other as f32);
    };
    note(1, ANCHORED, rows.anchored(own), rows.anchored(other));
    let (mut x_squares, mut c_squares) = (Vec::new(), Vec::new());
    for (corner, down, right) in rows.corners() {
        let Some(color) = rows.disc(corner) else {
            x_squares.extend(rows.step(corner, (down, right)));
            c_squares.extend(rows.step(corner, (down, 0)));
            c_squares.extend(rows.step(corner, (0, right)));
            let may = |color| usize::from(rows.may_play(color, corner));
            note(3, LOST_CORNER, may(other), 0);
            note(4, OPEN_CORNER, may(own), 0);
            continue;
        };
        note(5, CORNER, usize::from(color == own), usize::from(color == other));
    }
    for (what, weight, places) in [(6, X_SQUARE, x_squares), (7, C_SQUARE, c_squares)] {
        let count = |color| places.iter().filter(|&&at| rows.disc(at) == Some(color)).count();
        note(what, weight, count(own), count(other));
    }
    worth.clamp(-1.0, 1.0)
}

#[test]
fn priors_are_what_trying_every_play_shows() {
    let mut seen = [0; 9];
    let mut passes = 0;
    for (rows, cols, games) in
        [(4, 4, 60), (4, 6, 30), (10, 4, 10), (6, 8, 10), (8, 8, 10), (16, 12, 1), (24, 24, 1)]
    {
        let start = Reversi::with_size(BoardSize::new(rows, cols).unwrap(), None).unwrap();
        for seed in 0..games {
            let (mut player, mut game) = (RandomPlayer::new(seed), start.clone());
            while !game.is_over() {
                let actions = game.legal_actions();
                let mut priors = vec![0.0; actions.len()];
                game.write_heuristic_values(&actions, &mut priors);
                passes += usize::from(game.may_pass());
                for (&action, prior) in actions.iter().zip(priors) {
                    let mut after = game.clone();
                    after.play(action).unwrap();
                    let expected = plain(&Rows::of(&after), game.turn(), &mut seen);
                    let picture = game.state().planes().view();
                    assert!((prior - expected).abs() < 1e-5, "{action:?} of {picture}: {prior}");
                }
                game.play(player.select_action(&game)).unwrap();
            }
        }
    }
    assert!(passes > 50 && seen.iter().all(|&count| count > 100), "{passes} {seen:?}");
}

#[test]
fn a_corner_looks_better_than_a_disc_beside_an_empty_one() {
    let game = Reversi::from_text(
        "
        . . . . . . . .
        . O . . . . . .
        . . O . . O . .
        . . . X O . . .
        . . . O X . . .
        . . X . . X . .
        . . . . . . . .
        . . . . . . . .",
        Color::Black,
    )
    .unwrap();
    let actions = game.legal_actions();
    let mut priors = vec![0.0; actions.len()];
    game.write_heuristic_values(&actions, &mut priors);
    let prior = |point| {
        priors[actions.iter().position(|&action| action == Action::new(point)).expect("legal")]
    };
    let (corner, x_square) = (prior(0), prior(8 + 6));
    assert!(x_square < corner, "{x_square} {corner}");
    assert!(actions.iter().all(|action| prior(action.index()) >= x_square), "{priors:?}");
}
