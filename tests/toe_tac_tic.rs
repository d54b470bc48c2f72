//! Toe-tac-tic on `trait Game`: the guide to adding a game, kept true.
//!
//! `docs/adding-a-game.md` quotes this file. Nothing of sixplane knows this game, and self-play and
//! all laws run on it.

use crate::laws;

use std::hash::{Hash, Hasher};

use sixplane::Change;
use sixplane::bits::Bits;
use sixplane::game::Access;
use sixplane::record::{Info, RecordRules, Recorded};
use sixplane::{
    Action, BoardSize, Color, Exact, Game, Notation, Outcome, Plane, PlayError, Playouts, Setup,
    SetupError, State,
};

// guide: the game
/// A game of toe-tac-tic in play.
#[derive(Clone, Debug)]
pub struct ToeTacTic {
    state: State,
    empty: Bits<1>,
    winner: Option<Color>,
}

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

impl ToeTacTic {
    fn has_line(&self, color: Color) -> bool {
        let owns = |&point: &usize| self.state.planes().stone(point) == Some(color);
        LINES.iter().any(|line| line.iter().all(owns))
    }
}
// end

// guide: the trait
impl Game for ToeTacTic {
    type Rules = ();

    const NAME: &'static str = "toe-tac-tic";

    const NOTATION: Notation = Notation { skips_i: false, row_one_at_top: true };

    fn from_setup(_rules: (), setup: Setup, max_moves: Option<u32>) -> Result<Self, SetupError> {
        if (setup.size().rows(), setup.size().cols()) != (3, 3) {
            return Err(SetupError::new("toe-tac-tic is played on a 3x3 board"));
        }
        let state = State::new(setup, max_moves);
        let mut game = Self { state, empty: Bits::EMPTY, winner: None };
        game.restart();
        Ok(game)
    }

    fn rules(&self) -> &() {
        &()
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn state_mut(&mut self, _access: Access) -> &mut State {
        &mut self.state
    }

    fn apply(&mut self, action: Action) {
        let color = self.state.turn();
        self.state.play(action, |changes| changes.push(Change::new(color, action.index())));
        self.empty.remove(action.index());
        self.state.write_legal(self.empty);
        if self.has_line(color) {
            self.winner = Some(color.opponent());
        }
    }

    fn rebuild(&mut self) {
        self.empty = Bits::EMPTY;
        for point in (0..9).filter(|&point| self.state.planes().stone(point).is_none()) {
            self.empty.insert(point);
        }
        self.winner = Color::ALL.into_iter().find(|&color| self.has_line(color.opponent()));
        self.state.write_legal(self.empty);
    }

    fn reason(&self, _point: usize) -> &'static str {
        "occupied"
    }

    fn may_pass(&self) -> bool {
        false
    }

    fn ending_rule(&self) -> Option<&'static str> {
        let is_full = self.empty.is_empty().then_some("full");
        if self.winner.is_some() { Some("line") } else { is_full }
    }

    fn score(&self) -> f64 {
        self.winner.map_or(0.0, |color| f64::from(Outcome::Win(color).sign()))
    }
}
// end

// guide: playouts
impl Playouts for ToeTacTic {}

impl Exact for ToeTacTic {}
// end

// guide: the record
impl RecordRules for ToeTacTic {
    type Given = ();

    const GM: u32 = 1000;

    const DEFAULT_SIZE: (usize, usize) = (3, 3);
}
// end

// guide: equality
impl PartialEq for ToeTacTic {
    fn eq(&self, other: &Self) -> bool {
        self.same_game(other)
    }
}

impl Eq for ToeTacTic {}

impl Hash for ToeTacTic {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.state.hash_history(hasher);
    }
}
// end

// guide: the laws
fn start() -> ToeTacTic {
    ToeTacTic::with_rules(BoardSize::square(3).unwrap(), (), None).unwrap()
}

laws::laws_of_every_game!(|| vec![start()]);
// end

#[test]
fn three_in_a_row_lose() {
    let mut game = start();
    for action in [4, 0, 2, 1, 6] {
        game.play(Action::new(action)).unwrap();
    }
    assert_eq!(game.outcome(), Some(Outcome::Win(Color::White)));
    assert_eq!(
        ToeTacTic::NOTATION.draw(game.state().planes(), None).lines().nth(1),
        Some(" 1 O O X 1")
    );
    assert_eq!(game.state().planes().plane(Plane::Done).sum(), 9);
}

#[test]
fn a_record_gives_the_game_back() {
    let mut game = start();
    for action in [4, 0, 2] {
        game.play(Action::new(action)).unwrap();
        let text = game.to_sgf(&Info::default());
        assert!(text.contains("GM[1000]"), "{text}");
        assert_eq!(ToeTacTic::from_sgf(&text, &(), None).unwrap(), game);
    }
    game.resign(Color::White).unwrap();
    let text = game.to_sgf(&Info::default());
    assert_eq!(ToeTacTic::from_sgf(&text, &(), None).unwrap(), game);
    assert!(ToeTacTic::from_sgf("(;GM[4]SZ[3])", &(), None).is_err(), "a record of Gomoku");
}

#[test]
fn nobody_passes() {
    let mut game = start();
    let pass = game.size().pass();
    assert_eq!(game.play(pass), Err(PlayError::PassNotAllowed));
}

/// Known counts of sequences, games that are over counting no more: 9!/(9 - n)! until the first
/// line can be made.
#[test]
fn perft_is_as_known() {
    fn perft(game: &ToeTacTic, depth: usize) -> u64 {
        if depth == 0 {
            return 1;
        }
        let play = |action| {
            let mut next = game.clone();
            next.play_unchecked(action);
            perft(&next, depth - 1)
        };
        game.legal_actions().into_iter().map(play).sum()
    }
    let counts: Vec<u64> = (1..=9).map(|depth| perft(&start(), depth)).collect();
    assert_eq!(counts, [9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872]);
}

#[test]
fn the_guide_quotes_this_file() {
    let source = include_str!("toe_tac_tic.rs");
    let guide = include_str!("../docs/adding-a-game.md");
    let mut quoted = 0;
    for part in source.split("// guide: ").skip(1) {
        let Some((text, _)) = part.split_once("// end\n") else { continue };
        let (_, code) = text.split_once('\n').expect("a name, then code");
        assert!(guide.contains(code.trim_end()), "the guide does not quote:\n{code}");
        quoted += 1;
    }
    assert_eq!(quoted, 6);
}
