//! One game of Go: actions, the board, the six planes, the score, the record.
//!
//! `cargo run --example play`

use std::error::Error;

use sixplane::players::random::RandomPlayer;
use sixplane::record::{Info, Recorded};
use sixplane::{Action, Game, Go, Plane};

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = Go::new(5)?;
    let middle = Action::new(2 * 5 + 2); // row * cols + col, row 0 at the top
    game.play(middle)?;
    println!("{game}");

    // An illegal action names its reason and changes nothing.
    let refused = game.play(middle).expect_err("a stone is there");
    println!("again: {refused}");
    let invalid = game.state().planes().plane(Plane::Invalid).sum();
    println!("points that White may not play: {invalid}");

    let mut player = RandomPlayer::new(1);
    while !game.is_over() {
        game.play(player.select_action(&game))?;
    }
    println!("{game}");
    println!("{:?} by {:?}, score {:+}", game.outcome(), game.ending(), game.score());
    println!("{}", game.to_sgf(&Info::default()));
    Ok(())
}

#[test]
fn it_runs() {
    main().expect("the example runs");
}
