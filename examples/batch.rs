//! A thousand games of Reversi at once: planes and masks of all of them in one array each.
//!
//! `cargo run --release --example batch`

use std::error::Error;
use std::time::Instant;

use sixplane::batch::{GameBatch, StepOptions};
use sixplane::{Game, NUM_PLANES, Outcome, Reversi};

const GAMES: usize = 1024;
const STEPS: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let prototype = Reversi::new(8)?;
    let mut batch = GameBatch::new(&prototype, GAMES, 1, None);
    let size = batch.size();
    let mut planes = vec![0; GAMES * NUM_PLANES * size.points()]; // (B, 6, rows, cols)
    let mut masks = vec![0; GAMES * size.num_actions()]; // (B, A)

    let mut won = [0; 3];
    let begin = Instant::now();
    for _ in 0..STEPS {
        let actions = batch.sample(); // a random legal one in each game
        // Games that end start again in the same step.
        let step = batch.step(&actions, StepOptions::default(), None, &mut planes, &mut masks)?;
        for &game in &step.final_index {
            match step.results[game].outcome {
                Some(Outcome::Win(color)) => won[color as usize] += 1,
                _ => won[2] += 1,
            }
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!("{:.0} steps a second", (GAMES * STEPS) as f64 / seconds);
    println!("black won {}, white {}, drawn {}", won[0], won[1], won[2]);
    Ok(())
}

#[test]
fn it_runs() {
    main().expect("the example runs");
}
