//! Monte-Carlo tree search: with random playouts, and with an evaluator of your own.
//!
//! `cargo run --release --example search`

use std::convert::Infallible;
use std::error::Error;

use sixplane::search::{
    Cache, Evaluations, Evaluator, Leaves, Search, Selection, Settings, run_with_evaluator,
};
use sixplane::{Color, Game, Gomoku};

/// Prefers the middle of the board and calls every position even. A network would stand here.
struct Middle;

impl Evaluator for Middle {
    type Error = Infallible;

    fn evaluate(&mut self, leaves: Leaves) -> Result<Evaluations, Infallible> {
        let (rows, cols) = (leaves.size.rows(), leaves.size.cols());
        let logit = |point: usize| {
            let down = (point / cols) as f32 - (rows - 1) as f32 / 2.0;
            let right = (point % cols) as f32 - (cols - 1) as f32 / 2.0;
            -0.3 * (down * down + right * right)
        };
        let mut of_one: Vec<f32> = (0..rows * cols).map(logit).collect();
        of_one.push(0.0); // the pass, which Gomoku does not allow
        Ok(Evaluations { logits: of_one.repeat(leaves.count), values: vec![0.0; leaves.count] })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let game = Gomoku::from_text(
        "
        . . . . . . .
        . . O . . . .
        . . X X X . .
        . . . O . . .
        . . . . . . .",
        Color::White,
    )?;
    let name = |action| Gomoku::NOTATION.name(game.size(), action);

    let settings = Settings { simulations: 4000, ..Settings::default() };
    let mut search = Search::new(&game, settings, 1)?;
    search.run(&mut || false)?; // the closure may stop it
    let report = search.report();
    let best = report.best.expect("the game goes on");
    println!("playouts:  {} {:+.2}", name(best), report.value);

    let settings =
        Settings { selection: Selection::Puct, c: 1.25, simulations: 400, ..Settings::default() };
    let mut searches = vec![Search::new(&game, settings, 1)?]; // any number of games share the calls
    run_with_evaluator(&mut searches, &mut Middle, &mut Cache::new(0)?, &mut || false)?;
    let report = searches[0].report();
    let best = report.best.expect("the game goes on");
    println!("evaluator: {} {:+.2}", name(best), report.value);
    Ok(())
}

#[test]
fn it_runs() {
    main().expect("the example runs");
}
