//! Sixplane's Go in the words of the naive one.

#![allow(dead_code)]

use crate::cases::Subject;
use crate::naive::{self, Board, Ko, Side};
use sixplane::{Action, BoardSize, ByColor, Color, EyeRule, Game, Go, KoRule, Komi, Rules, Setup};

/// The color of a side.
pub fn color(side: Side) -> Color {
    match side {
        Side::Black => Color::Black,
        Side::White => Color::White,
    }
}

/// The side of a color.
pub fn side(color: Color) -> Side {
    match color {
        Color::Black => Side::Black,
        Color::White => Side::White,
    }
}

/// The rules of a naive game as sixplane has them.
pub fn rules(naive: naive::Rules) -> Rules {
    let komi = f64::from(naive.half_komi) / 2.0;
    let ko = match naive.ko {
        Ko::Simple => KoRule::Simple,
        Ko::Positional => KoRule::Positional,
        Ko::Situational => KoRule::Situational,
    };
    Rules {
        komi: Komi::new(komi).expect("a possible komi"),
        ko,
        suicide: naive.suicide,
        handicap: 0,
    }
}

/// An empty board with these rules.
pub fn empty(naive: naive::Rules) -> Go {
    let size = BoardSize::new(naive.rows, naive.cols).expect("a possible size");
    Go::with_rules(size, rules(naive), None).expect("possible rules")
}

/// A position as a starting position.
pub fn set_up(naive: naive::Rules, board: &Board, turn: Side) -> Go {
    let size = BoardSize::new(naive.rows, naive.cols).expect("a possible size");
    let points = |side| (0..board.len()).filter(|&p| board[p] == Some(side)).collect();
    let stones = ByColor { black: points(Side::Black), white: points(Side::White) };
    let setup = Setup::from_stones(size, &stones, color(turn)).expect("possible stones");
    Go::from_setup(rules(naive), setup, None).expect("chains with liberties")
}

/// The stones of a game.
pub fn board(game: &Go) -> Board {
    let planes = game.state().planes();
    (0..game.size().points()).map(|point| planes.stone(point).map(side)).collect()
}

/// The six planes, one byte a cell.
pub fn planes(game: &Go) -> Vec<u8> {
    game.planes().iter().copied().collect()
}

/// The score in half points.
pub fn half_score(game: &Go) -> i32 {
    let twice = 2.0 * game.score();
    assert!(twice.fract() == 0.0 && twice.abs() < 10_000.0);
    #[allow(clippy::cast_possible_truncation)] // checked just above
    let halves = twice as i32;
    halves
}

/// The eye rule of a name.
pub fn eye_rule(name: &str) -> EyeRule {
    EyeRule::ALL.into_iter().find(|rule| rule.name() == name).expect("an eye rule")
}

/// The names of the eye rules.
pub const EYE_RULES: [&str; 3] = ["diagonal", "chain", "playout"];

impl Subject for Go {
    fn set_up(rules: naive::Rules, board: &Board, turn: Side) -> Go {
        set_up(rules, board, turn)
    }

    fn play(&mut self, action: usize) -> Result<(), String> {
        Game::play(self, Action::new(action)).map_err(|error| error.reason().to_owned())
    }

    fn reason(&self, action: usize) -> Option<String> {
        self.check(Action::new(action)).err().map(|error| error.reason().to_owned())
    }

    fn set_turn(&mut self, side: Side) {
        Game::set_turn(self, color(side)).expect("the game goes on");
    }

    fn board(&self) -> Board {
        board(self)
    }

    fn turn(&self) -> Side {
        side(Game::turn(self))
    }

    fn is_over(&self) -> bool {
        Game::is_over(self)
    }

    fn captures(&self) -> [usize; 2] {
        let taken = Go::captures(self);
        [taken[Color::Black], taken[Color::White]]
    }

    fn liberties_at(&self, point: usize) -> usize {
        let counts = Go::liberties(self);
        usize::try_from(*counts.iter().nth(point).expect("a point")).expect("a count")
    }

    fn is_eye(&self, point: usize, side: Side, rule: &str) -> bool {
        Go::is_eye(self, Action::new(point), color(side), eye_rule(rule))
    }

    fn owners(&self) -> Board {
        let owner = |&sign: &i8| match sign {
            1 => Some(Side::Black),
            -1 => Some(Side::White),
            _ => None,
        };
        self.ownership().iter().map(owner).collect()
    }

    fn areas(&self) -> (usize, usize) {
        let areas = Go::areas(self);
        (areas[Color::Black], areas[Color::White])
    }

    fn half_score(&self) -> i32 {
        half_score(self)
    }
}
