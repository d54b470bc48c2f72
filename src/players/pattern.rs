//! What a stone makes of one line of Gomoku: the vocabulary of threes and fours, by table.

use std::sync::OnceLock;

use crate::games::gomoku::GomokuRules;
use crate::geometry::BoardSize;

/// How many points of a line count on each side of the stone: a five reaches 4 points, and the next
/// one decides whether it is longer.
const REACH: usize = 5;

/// Points of a window, without the stone in its middle.
const WINDOW: u32 = 2 * REACH as u32;

/// The lines through a point: the row, the column, the falling and the rising diagonal.
const DIRECTIONS: [(usize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// A point of a window: nobody's yet. A window is a number of [`WINDOW`] such digits to the base 3.
const EMPTY: usize = 0;
/// A stone of the color that plays.
const OWN: usize = 1;
/// A stone of the other color, or beyond the edge.
const BLOCKED: usize = 2;

/// What a stone and its own color's stones make on one line; later is better.
///
/// Each is told by what one more stone of the color would make with this one: a four is one stone
/// short of five, a three one stone short of an open four, a two one stone short of a three. So
/// gaps count as in play: `XX.XX` is a four, `X.XX` a three.
///
/// ```
/// use sixplane::players::pattern::Pattern;
///
/// assert!(Pattern::OpenThree < Pattern::Four);
/// assert_eq!(Pattern::OpenThree.score(), 22); // two stones beside it, two open ends
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pattern {
    /// No five can come of it.
    #[default]
    Dead,
    /// A lone stone that can become five.
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
        [0, 2, 10 + 1 - 2, 10 + 2, 20 + 1 - 2, 20 + 2, 30 + 1 - 2, 30 + 2, 40][self as usize]
    }
}

/// The pattern of every window around a stone, for one rule of what wins.
pub struct Patterns(Vec<Pattern>);

impl Patterns {
    /// The table for these rules, made when it is first needed.
    #[must_use]
    pub fn of(rules: GomokuRules) -> &'static Self {
        static TABLES: [OnceLock<Patterns>; 2] = [const { OnceLock::new() }; 2];
        TABLES[usize::from(rules.exact_five)].get_or_init(|| Self::new(rules))
    }

    fn new(rules: GomokuRules) -> Self {
        let mut patterns = Self(vec![Pattern::Dead; 3usize.pow(WINDOW)]);
        // One more stone makes a larger number: from the largest down, those windows are known.
        for window in (0..patterns.0.len()).rev() {
            patterns.0[window] = patterns.classify(window, rules);
        }
        patterns
    }

    /// What a stone of a color would make on each of the four lines through every empty point;
    /// [`Pattern::Dead`] where a stone is. `own` and `other` are the stones of the color and of the
    /// other one as cells of a plane.
    #[must_use]
    pub fn of_points(&self, size: BoardSize, own: &[u8], other: &[u8]) -> Vec<[Pattern; 4]> {
        // The board with a margin around it, so that every window is whole.
        let width = size.cols() + 2 * REACH;
        let place =
            |point: usize| (point / size.cols() + REACH) * width + point % size.cols() + REACH;
        let mut digits = vec![BLOCKED; (size.rows() + 2 * REACH) * width];
        for point in 0..size.points() {
            digits[place(point)] = match (own[point], other[point]) {
                (0, 0) => EMPTY,
                (_, 0) => OWN,
                _ => BLOCKED,
            };
        }
        let pattern = |point: usize, (down, right): (usize, isize)| {
            let step = (down * width).wrapping_add_signed(right);
            let first = place(point) - REACH * step;
            let window = (0..=2 * REACH).filter(|&i| i != REACH);
            self.0[window.fold(0, |window, i| 3 * window + digits[first + i * step])]
        };
        let lines = |point| {
            let is_empty = digits[place(point)] == EMPTY;
            if is_empty { DIRECTIONS.map(|line| pattern(point, line)) } else { Default::default() }
        };
        (0..size.points()).map(lines).collect()
    }

    fn classify(&self, window: usize, rules: GomokuRules) -> Pattern {
        let digits: Vec<usize> = (0..WINDOW).rev().map(|i| window / 3usize.pow(i) % 3).collect();
        let is_own = |&&digit: &&usize| digit == OWN;
        let before = digits[..REACH].iter().rev().take_while(is_own).count();
        let after = digits[REACH..].iter().take_while(is_own).count();
        if rules.wins((before + 1 + after) as u32) {
            return Pattern::Five;
        }
        let empty = digits.iter().zip((0..WINDOW).rev()).filter(|&(&digit, _)| digit == EMPTY);
        let next: Vec<_> = empty.map(|(_, i)| self.0[window + OWN * 3usize.pow(i)]).collect();
        match next.iter().max().copied().unwrap_or_default() {
            Pattern::Five if next.iter().filter(|&&next| next == Pattern::Five).count() > 1 => {
                Pattern::OpenFour
            }
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
        for (line, freestyle, exact) in [
            ("XXX*XX", Pattern::Five, Pattern::Dead),
            ("OXXX.*XO", Pattern::Four, Pattern::Dead), // filling the gap makes six
            (".XXX*.X", Pattern::OpenFour, Pattern::Four), // one of the two points makes six
        ] {
            assert_eq!([pattern(line, false), pattern(line, true)], [freestyle, exact], "{line}");
        }
    }
}
