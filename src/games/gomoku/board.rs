//! The board as the solver of Gomoku sees it: stones by lines, put and taken back, with the windows of five points
//! that may still become a winning run.

use super::Gomoku;
use super::lines::{DIRECTIONS, through};
use crate::bits::Bits;
use crate::color::Color;
use crate::game::Game;
use crate::geometry::BoardSize;
use crate::zobrist;

/// A set of points.
pub(super) type Points = Bits<10>;

/// A line of the board: its first point, the distance to the next, and which bits of its words are points.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    first: i16,
    step: i16,
    points: u32,
}

/// The stones of both colors on every line.
#[derive(Debug, Default)]
pub(super) struct Board {
    size: Option<BoardSize>,
    exact_five: bool,
    lines: Vec<Line>,
    words: Vec<[u32; 2]>,
    /// For each color, the lines with three stones of it at least: on others no stone makes a four.
    full: [Bits<3>; 2],
    pub(super) empty: Points,
    /// The Zobrist key of the stones.
    pub(super) key: u64,
}

impl Board {
    /// Takes the position of a game that is not over.
    pub(super) fn read(&mut self, game: &Gomoku) {
        let (size, state) = (game.size(), game.state());
        if self.size != Some(size) {
            self.measure(size);
        }
        self.exact_five = game.rules().exact_five;
        self.words.clear();
        self.words.extend_from_slice(game.lines.words());
        (self.empty, self.key) = (*state.legal(), state.key());
        self.full = [Bits::EMPTY; 2];
        for line in 0..self.lines.len() {
            self.count(Color::Black, line);
            self.count(Color::White, line);
        }
    }

    #[inline]
    fn count(&mut self, color: Color, line: usize) {
        let full = &mut self.full[color.index()];
        if self.words[line][color.index()].count_ones() < 3 {
            full.remove(line);
        } else {
            full.insert(line);
        }
    }

    fn measure(&mut self, size: BoardSize) {
        let cols = size.cols() as i16;
        self.size = Some(size);
        self.lines.clear();
        self.lines.resize(3 * (size.rows() + size.cols()) - 2, Line::default());
        for point in 0..size.points() {
            for ((line, bit), step) in
                through(size, point).into_iter().zip([1, cols, cols + 1, 1 - cols])
            {
                let first = point as i16 - bit as i16 * step;
                let points = self.lines[line].points | 1 << bit;
                self.lines[line] = Line { first, step, points };
            }
        }
    }

    /// The lines through a point, and which bit of each it is.
    #[inline]
    fn through(&self, point: usize) -> [(usize, u32); DIRECTIONS] {
        // A default board has no points to ask for.
        self.size.map_or([(0, 0); DIRECTIONS], |size| through(size, point))
    }

    /// Puts a stone on an empty point, or takes it back from there.
    #[inline]
    pub(super) fn toggle(&mut self, color: Color, point: usize) {
        for (line, bit) in self.through(point) {
            self.words[line][color.index()] ^= 1 << bit;
            self.count(color, line);
        }
        self.empty.toggle(point);
        self.key ^= zobrist::stone(color, point);
    }

    #[inline]
    fn own_and_empty(&self, color: Color, line: usize) -> (u32, u32) {
        let words = &self.words[line];
        (words[color.index()], self.lines[line].points & !(words[0] | words[1]))
    }

    #[inline]
    fn add(&self, points: &mut Points, line: usize, mut bits: u32) {
        let Line { first, step, .. } = self.lines[line];
        while bits != 0 {
            points.insert((first + step * bits.trailing_zeros() as i16) as usize);
            bits &= bits - 1;
        }
    }

    /// The empty points where a stone wins at once.
    pub(super) fn fives(&self, color: Color) -> Points {
        self.fives_on(color, self.full[color.index()])
    }

    /// Those on the lines through a point.
    #[inline]
    pub(super) fn fives_through(&self, color: Color, point: usize) -> Points {
        let lines: Bits<3> = self.through(point).into_iter().map(|(line, _)| line).collect();
        self.fives_on(color, lines & self.full[color.index()])
    }

    /// Those on these lines.
    fn fives_on(&self, color: Color, lines: Bits<3>) -> Points {
        let mut points = Bits::EMPTY;
        for line in lines {
            let (own, empty) = self.own_and_empty(color, line);
            // Bit i of `left[k]`: at least k own stones in a row before it; of `right[k]` after it.
            let (mut left, mut right) = ([u32::MAX; 6], [u32::MAX; 6]);
            for k in 1..6 {
                left[k] = left[k - 1] & own << k;
                right[k] = right[k - 1] & own >> k;
            }
            let mut fives = 0;
            for k in 0..5 {
                let longer = if self.exact_five { left[k + 1] | right[5 - k] } else { 0 };
                fives |= left[k] & right[4 - k] & !longer;
            }
            self.add(&mut points, line, fives & empty);
        }
        points
    }

    /// The empty points of windows of five points without a stone of the opponent's and with `least` own stones at
    /// least, two or three. A winning run has such a window at its end: who has three, makes a four by a stone there.
    pub(super) fn windows(&self, color: Color, least: u32) -> Points {
        let (mut points, all) = (Bits::EMPTY, 0..self.lines.len());
        for line in if least == 2 { all.collect() } else { self.full[color.index()] } {
            let (own, empty) = self.own_and_empty(color, line);
            let (two, three) = two_and_three_of_five(own);
            let starts = five_in_a_row(own | empty) & if least == 2 { two } else { three };
            let pairs = starts | starts << 1;
            self.add(&mut points, line, (pairs | pairs << 2 | starts << 4) & empty);
        }
        points
    }

    /// Whether a color can still make five in a row anywhere.
    pub(super) fn may_win(&self, color: Color) -> bool {
        (0..self.lines.len()).any(|line| {
            let (own, empty) = self.own_and_empty(color, line);
            five_in_a_row(own | empty) != 0
        })
    }
}

/// Where five ones in a row begin.
#[inline]
fn five_in_a_row(bits: u32) -> u32 {
    let two = bits & bits >> 1;
    two & two >> 2 & bits >> 4
}

/// Where five bits begin of which two are ones at least, and where three: they are counted everywhere at once.
#[inline]
fn two_and_three_of_five(bits: u32) -> (u32, u32) {
    let sum = |a: u32, b: u32, c: u32| (a ^ b ^ c, a & b | c & (a | b));
    let (one, pair) = sum(bits, bits >> 1, bits >> 2);
    let (one, other_pair) = sum(one, bits >> 3, bits >> 4);
    (pair | other_pair, (pair | other_pair) & one | pair & other_pair)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::GomokuRules;
    use crate::players::random::RandomPlayer;

    /// The empty points of windows with at least two own stones, and with three, by the points of each.
    fn plain_windows(game: &Gomoku, color: Color) -> [Points; 2] {
        let (size, planes) = (game.size(), game.state().planes());
        let (rows, cols) = (size.rows() as i32, size.cols() as i32);
        let mut found = [Points::EMPTY; 2];
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
                let (last_row, last_col) = (row + 4 * down, col + 4 * right);
                if last_row >= rows || !(0..cols).contains(&last_col) {
                    continue;
                }
                let points = (0..5).map(|i| ((row + i * down) * cols + col + i * right) as usize);
                let stones = points.clone().map(|point| planes.stone(point));
                let own = stones.clone().filter(|&stone| stone == Some(color)).count();
                if own < 2 || stones.clone().any(|stone| stone == Some(color.opponent())) {
                    continue;
                }
                for point in points.filter(|&point| planes.stone(point).is_none()) {
                    found[0].insert(point);
                    if own >= 3 {
                        found[1].insert(point);
                    }
                }
            }
        }
        found
    }

    #[test]
    fn lines_have_the_fives_and_windows_of_the_points() {
        let (mut board, mut seen) = (Board::default(), [0; 3]);
        // Two games by each rule are enough on the largest board, where they are long.
        for seed in (0..40).filter(|seed| seed % 4 != 3 || *seed < 16) {
            let (rows, cols) = [(5, 5), (6, 5), (7, 9), (15, 15)][seed as usize % 4];
            let size = BoardSize::new(rows, cols).expect("a size");
            let rules = GomokuRules { exact_five: seed % 8 < 4 };
            let mut game = Gomoku::with_rules(size, rules, None).expect("rules");
            let mut player = RandomPlayer::new(seed);
            board.read(&game);
            while !game.is_over() {
                let mut fresh = Board::default();
                fresh.read(&game);
                for color in Color::ALL {
                    let wins = |&point: &usize| {
                        let runs = game.lines.runs_with(color, point);
                        runs.into_iter().any(|run| rules.wins(run))
                    };
                    let fives: Points = board.empty.iter().filter(wins).collect();
                    let windows = [2, 3].map(|least| board.windows(color, least));
                    assert_eq!((board.fives(color), fresh.fives(color)), (fives, fives), "{game}");
                    assert_eq!(windows, plain_windows(&game, color));
                    assert_eq!(windows, [2, 3].map(|least| fresh.windows(color, least)));
                    assert!(windows[1].is_empty() || game.lines.has_three());
                    let all = [fives, windows[0], windows[1]];
                    seen.iter_mut().zip(all).for_each(|(seen, points)| *seen += points.count());
                }
                let action = player.select_action(&game);
                board.toggle(game.turn(), action.index());
                game.play_unchecked(action);
            }
        }
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
    }
}
