//! Connect Four on `trait Game`: a game of your own in a crate of your own.
//!
//!     cargo run --release --example connect_four
//!
//! It plays one game by search against random play, and then counts who wins a thousand random games.

use std::hash::{Hash, Hasher};

use sixplane::bits::Bits;
use sixplane::game::Access;
use sixplane::players::random::RandomPlayer;
use sixplane::players::selfplay::play_games;
use sixplane::search::{Search, Settings};
use sixplane::{
    Action, BoardSize, Change, Color, Exact, Game, Notation, Outcome, Playouts, Setup, SetupError,
    State,
};

/// Discs fall to the lowest empty point of a column; four in a line win.
#[derive(Clone, Debug)]
pub struct ConnectFour {
    state: State,
    winner: Option<Color>,
}

const ROWS: usize = 6;
const COLS: usize = 7;

impl ConnectFour {
    /// The lowest empty point of each column that is not full.
    fn open_points(&self) -> Bits<1> {
        let planes = self.state.planes();
        let lowest =
            |col| (0..ROWS).rev().map(|row| row * COLS + col).find(|&p| planes.stone(p).is_none());
        (0..COLS).filter_map(lowest).collect()
    }

    /// Whether the stone at a point is in a line of four.
    fn is_in_line(&self, point: usize) -> bool {
        let planes = self.state.planes();
        let color = planes.stone(point);
        let run = |down: isize, right: isize| {
            let (mut row, mut col, mut length) = (point / COLS, point % COLS, 0);
            loop {
                (row, col) = (row.wrapping_add_signed(down), col.wrapping_add_signed(right));
                if row >= ROWS || col >= COLS || planes.stone(row * COLS + col) != color {
                    return length;
                }
                length += 1;
            }
        };
        color.is_some()
            && [(0, 1), (1, 0), (1, 1), (1, -1)]
                .into_iter()
                .any(|(down, right)| run(down, right) + run(-down, -right) >= 3)
    }
}

impl Game for ConnectFour {
    type Rules = ();

    const NAME: &'static str = "connect-four";

    const NOTATION: Notation = Notation { skips_i: false, row_one_at_top: false };

    fn from_setup(_rules: (), setup: Setup, max_moves: Option<u32>) -> Result<Self, SetupError> {
        if (setup.size().rows(), setup.size().cols()) != (ROWS, COLS) {
            return Err(SetupError::new("Connect Four is played on a 6x7 board"));
        }
        let mut game = Self { state: State::new(setup, max_moves), winner: None };
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
        if self.is_in_line(action.index()) {
            self.winner = Some(color);
        }
        self.state.write_legal(self.open_points());
    }

    fn rebuild(&mut self) {
        let in_line = (0..ROWS * COLS).find(|&point| self.is_in_line(point));
        self.winner = in_line.and_then(|point| self.state.planes().stone(point));
        self.state.write_legal(self.open_points());
    }

    fn reason(&self, _point: usize) -> &'static str {
        "no_support"
    }

    fn may_pass(&self) -> bool {
        false
    }

    fn ending_rule(&self) -> Option<&'static str> {
        let is_full = self.open_points().is_empty().then_some("full");
        if self.winner.is_some() { Some("line") } else { is_full }
    }

    fn score(&self) -> f64 {
        self.winner.map_or(0.0, |color| f64::from(Outcome::Win(color).sign()))
    }
}

impl Playouts for ConnectFour {
    /// Discs fall, so the board may only be flipped left-right.
    fn num_symmetries(&self) -> usize {
        2
    }
}

impl Exact for ConnectFour {}

impl PartialEq for ConnectFour {
    fn eq(&self, other: &Self) -> bool {
        self.same_game(other)
    }
}

impl Eq for ConnectFour {}

impl Hash for ConnectFour {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.state.hash_history(hasher);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = ConnectFour::with_rules(BoardSize::new(ROWS, COLS)?, (), None)?;

    // One game: Black searches, White plays at random.
    let mut game = start.clone();
    let mut random = RandomPlayer::new(1);
    while !game.is_over() {
        let action = if game.turn() == Color::Black {
            let settings = Settings { simulations: 2000, ..Settings::default() };
            let mut search = Search::new(&game, settings, 1)?;
            search.run(&mut || false)?;
            search.report().best.ok_or("a running game has an action")?
        } else {
            random.select_action(&game)
        };
        game.play(action)?;
    }
    println!("{}", ConnectFour::NOTATION.draw(game.state().planes(), None));
    println!("{:?} after {} moves", game.outcome(), game.state().moves());

    // A thousand random games, on all cores.
    let games = play_games(&start, 0, 1000, 1, None);
    let wins =
        |color| games.iter().filter(|game| game.outcome() == Some(Outcome::Win(color))).count();
    println!("Black won {}, White {} of 1000", wins(Color::Black), wins(Color::White));
    Ok(())
}

#[test]
fn it_runs() {
    main().expect("the example runs");
}
