//! The game of `examples/connect_four.rs` keeps the laws of every game.

use crate::laws;

#[allow(dead_code)] // its `main`
#[path = "../examples/connect_four.rs"]
mod example;

use example::ConnectFour;
use sixplane::{Action, BoardSize, Color, Game, Outcome};

fn start() -> ConnectFour {
    ConnectFour::with_rules(BoardSize::new(6, 7).unwrap(), (), None).unwrap()
}

laws::laws_of_every_game!(|| vec![start()]);

#[test]
fn discs_lie_on_others_and_four_in_a_line_win() {
    let mut game = start();
    let columns = |game: &ConnectFour| -> Vec<usize> {
        game.legal_actions().iter().map(|action| action.index()).collect()
    };
    assert_eq!(columns(&game), [35, 36, 37, 38, 39, 40, 41]);
    // A diagonal from A1 to D4.
    for action in [35, 36, 29, 37, 30, 38, 23, 31, 24, 41] {
        game.play(Action::new(action)).unwrap();
    }
    assert!(!game.is_over());
    game.play(Action::new(17)).unwrap();
    assert_eq!(game.outcome(), Some(Outcome::Win(Color::Black)));
}
