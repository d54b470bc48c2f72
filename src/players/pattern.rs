//! What a stone makes of one line of Gomoku: the vocabulary of threes and fours, by table.

use std::sync::OnceLock;

use crate::games::gomoku::GomokuRules;

/// How far a line is seen from the stone: a run of five reaches 4 points, and the next one decides
/// whether it is longer.
pub const REACH: usize = 5;

/// Cells of a window without the stone in its middle.
const CELLS: u32 = 2 * REACH as u32;

/// A cell of a line for the color that plays: one digit of the key of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
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

    /// The pattern of a stone between these cells, nearest last on the first side and first on the
    /// second, as they lie on the board.
    #[must_use]
    #[inline]
    pub fn get(&self, cells: impl IntoIterator<Item = Cell>) -> Pattern {
        self.table[cells.into_iter().fold(0, |key, cell| 3 * key + cell as usize)]
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The pattern of the stone `*` in a drawn line.
    fn pattern(line: &str, exact_five: bool) -> Pattern {
        let cells: Vec<char> = line.chars().collect();
        let stone = line.find('*').unwrap() as isize;
        let reach = REACH as isize;
        let places = (-reach..=reach).filter(|&step| step != 0);
        let cell = |step: isize| match usize::try_from(stone + step).ok().and_then(|i| cells.get(i))
        {
            Some('.') => Cell::Empty,
            Some('X') => Cell::Own,
            _ => Cell::Blocked,
        };
        Patterns::of(GomokuRules { exact_five }).get(places.map(cell))
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
