//! What a stone makes of one line of Gomoku: the vocabulary of threes and fours, by table.

use std::sync::OnceLock;

use crate::games::gomoku::GomokuRules;
use crate::geometry::BoardSize;

/// How far a line is seen from the stone: a run of five reaches 4 points, and the next one decides
/// whether it is longer.
const REACH: usize = 5;

/// Cells of a window without the stone in its middle.
const CELLS: u32 = 2 * REACH as u32;

/// Directions of lines: along rows, columns, falling and rising diagonals.
const DIRECTIONS: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// Keys of the cells on one side of a stone.
const SIDE: u32 = 3u32.pow(REACH as u32);

/// Keys of whole windows, the cell in the middle included.
const WINDOWS: u32 = 3 * SIDE * SIDE;

/// A cell of a line for the color that plays: one digit of the key of a window.
#[derive(Clone, Copy)]
enum Cell {
    /// Nobody's yet.
    Empty = 0,
    /// A stone of the color.
    Own = 1,
    /// A stone of the other color, or beyond the edge.
    Blocked = 2,
}

/// What a stone and its own color's stones make on one line; later is better.
///
/// Each is told by what one more stone of the color would make with this one: a four is one stone
/// short of five, a three one stone short of an open four, a two one stone short of a three. So
/// gaps count as in play: `XX.XX` is a four, `X.XX` a three.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pattern {
    /// No five can come of it.
    #[default]
    Dead,
    /// A lone stone with room for five.
    One,
    /// One stone makes a sleeping three of it.
    SleepingTwo,
    /// One stone makes an open three of it.
    OpenTwo,
    /// One stone makes a four of it, but no open one.
    SleepingThree,
    /// One stone makes an open four of it.
    OpenThree,
    /// One stone makes five, on one point only.
    Four,
    /// One stone makes five, on either of two points: it cannot be stopped.
    OpenFour,
    /// It wins.
    Five,
}

impl Pattern {
    /// What the line adds to the worth of a point: by the score table of the seed of this player,
    /// 10 for each stone that is there already, 1 for an open end, -2 for a closed one.
    #[must_use]
    pub fn score(self) -> u32 {
        match self {
            Self::Dead => 0,
            Self::One => 2,
            Self::SleepingTwo => 10 + 1 - 2,
            Self::OpenTwo => 10 + 2,
            Self::SleepingThree => 20 + 1 - 2,
            Self::OpenThree => 20 + 2,
            Self::Four => 30 + 1 - 2,
            Self::OpenFour => 30 + 2,
            Self::Five => 40,
        }
    }
}

/// The pattern of every window of `2 * REACH` cells around a stone, for one rule of what wins.
pub struct Patterns {
    table: Vec<Pattern>,
}

impl Patterns {
    /// The table for these rules, made when it is first needed.
    #[must_use]
    pub fn of(rules: GomokuRules) -> &'static Self {
        static FREESTYLE: OnceLock<Patterns> = OnceLock::new();
        static EXACT: OnceLock<Patterns> = OnceLock::new();
        let table = if rules.exact_five { &EXACT } else { &FREESTYLE };
        table.get_or_init(|| Self::new(rules))
    }

    fn new(rules: GomokuRules) -> Self {
        let mut patterns = Self { table: vec![Pattern::Dead; 3usize.pow(CELLS)] };
        // One more stone makes a window of a larger key: from the largest down, those are known.
        for key in (0..patterns.table.len()).rev() {
            patterns.table[key] = patterns.classify(key, rules);
        }
        patterns
    }

    /// What a stone of a color would make on each of the four lines through every empty point;
    /// of no meaning where a stone is. `own` and `other` are the stones of the color and of the
    /// other one as cells of a plane.
    #[must_use]
    pub fn of_points(&self, size: BoardSize, own: &[u8], other: &[u8]) -> Vec<[Pattern; 4]> {
        let mut found = vec![[Pattern::Dead; 4]; size.points()];
        let digit =
            |point: usize| u32::from((own[point] + 2 * other[point]).min(Cell::Blocked as u8));
        for (direction, &(down, right)) in DIRECTIONS.iter().enumerate() {
            for (start, length) in lines_of(size, (down, right)) {
                let step = (down * size.cols() as isize + right) as usize;
                // The last cells that were seen as digits, beyond the edge at first.
                let mut window = WINDOWS - 1;
                for ahead in 0..length + REACH {
                    let next = if ahead < length {
                        digit(start.wrapping_add(ahead * step))
                    } else {
                        Cell::Blocked as u32
                    };
                    window = (window * 3 + next) % WINDOWS;
                    if ahead >= REACH {
                        let point = start.wrapping_add((ahead - REACH) * step);
                        // The digit in the middle is left out.
                        let key = window / SIDE / 3 * SIDE + window % SIDE;
                        found[point][direction] = self.table[key as usize];
                    }
                }
            }
        }
        found
    }

    fn classify(&self, key: usize, rules: GomokuRules) -> Pattern {
        let cells: Vec<usize> = (0..CELLS).rev().map(|i| key / 3usize.pow(i) % 3).collect();
        let own = |&&cell: &&usize| cell == Cell::Own as usize;
        let before = cells[..REACH].iter().rev().take_while(own).count();
        let after = cells[REACH..].iter().take_while(own).count();
        if rules.wins((before + 1 + after) as u32) {
            return Pattern::Five;
        }
        let (mut best, mut fives) = (Pattern::Dead, 0);
        for (cell, place) in cells.iter().zip((0..CELLS).rev()) {
            if *cell == Cell::Empty as usize {
                let next = self.table[key + 3usize.pow(place)];
                fives += usize::from(next == Pattern::Five);
                best = best.max(next);
            }
        }
        match best {
            Pattern::Five if fives > 1 => Pattern::OpenFour,
            Pattern::Five => Pattern::Four,
            Pattern::OpenFour => Pattern::OpenThree,
            Pattern::Four => Pattern::SleepingThree,
            Pattern::OpenThree => Pattern::OpenTwo,
            Pattern::SleepingThree => Pattern::SleepingTwo,
            Pattern::OpenTwo | Pattern::SleepingTwo | Pattern::One => Pattern::One,
            Pattern::Dead => Pattern::Dead,
        }
    }
}

/// The first point and the number of points of every line in a direction.
fn lines_of(
    size: BoardSize,
    (down, right): (isize, isize),
) -> impl Iterator<Item = (usize, usize)> {
    let (rows, cols) = (size.rows() as isize, size.cols() as isize);
    let inside = move |row: isize, col: isize| (0..rows).contains(&row) && (0..cols).contains(&col);
    (0..rows).flat_map(move |row| (0..cols).map(move |col| (row, col))).filter_map(
        move |(row, col)| {
            let is_first = !inside(row - down, col - right);
            let length = (0..).take_while(|i| inside(row + i * down, col + i * right)).count();
            is_first.then_some(((row * cols + col) as usize, length))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pattern of the stone `*` in a drawn line, which is a diagonal of the board.
    fn pattern(line: &str, exact_five: bool) -> Pattern {
        let size = BoardSize::square(line.len()).unwrap();
        let mut planes = [vec![0; size.points()], vec![0; size.points()]];
        for (i, cell) in line.chars().enumerate() {
            match cell {
                'X' => planes[0][i * size.cols() + i] = 1,
                'O' => planes[1][i * size.cols() + i] = 1,
                _ => {}
            }
        }
        let patterns = Patterns::of(GomokuRules { exact_five });
        let stone = line.find('*').unwrap() * (size.cols() + 1);
        patterns.of_points(size, &planes[0], &planes[1])[stone][2]
    }

    #[test]
    fn patterns_have_the_names_of_the_field() {
        for (line, expected) in [
            ("..XX*XX..", Pattern::Five),
            (".OXX*XXO.", Pattern::Five),
            (".XXX*.", Pattern::OpenFour),
            ("X.XX*.X", Pattern::OpenFour), // two fives: X.XXX.X
            ("OXXX*.", Pattern::Four),
            ("XXX*.", Pattern::Four), // the edge closes as a stone does
            (".XX.*X.", Pattern::Four),
            ("..XX*..", Pattern::OpenThree),
            (".XX.*.", Pattern::OpenThree),
            ("OXX*..", Pattern::SleepingThree),
            ("O.XX*.O", Pattern::SleepingThree), // room for five, but never for an open four
            ("X.X.*", Pattern::SleepingThree),
            ("...X*...", Pattern::OpenTwo),
            (".X..*.", Pattern::OpenTwo),
            ("OX*...", Pattern::SleepingTwo),
            ("....*....", Pattern::One),
            ("OXX*.O", Pattern::Dead),
            ("O.*..O", Pattern::Dead),
        ] {
            assert_eq!(pattern(line, false), expected, "{line}");
        }
    }

    #[test]
    fn six_is_no_five_where_only_five_wins() {
        assert_eq!(pattern("XXX*XX", false), Pattern::Five);
        assert_eq!(pattern("XXX*XX", true), Pattern::Dead);
        // Filling the gap makes six.
        assert_eq!(pattern("OXXX.*XO", false), Pattern::Four);
        assert_eq!(pattern("OXXX.*XO", true), Pattern::Dead);
        // One of the two points makes six.
        assert_eq!(pattern(".XXX*.X", false), Pattern::OpenFour);
        assert_eq!(pattern(".XXX*.X", true), Pattern::Four);
    }
}
