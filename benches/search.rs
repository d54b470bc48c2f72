//! Speed of search with rollouts: simulations a second. `cargo bench --features bench --bench search`

use divan::Bencher;
use divan::counter::ItemsCount;
use sixplane::playout::Scratch;
use sixplane::search::{Search, Settings};
use sixplane::{Exact, Game, Go, Gomoku, Playouts, RandomStream, Reversi};

const SIMULATIONS: u32 = 20_000;
const ROLLOUTS: u32 = 5_000;

fn main() {
    divan::main();
}

/// Searches the starting position from nothing, in the memory of the search before.
fn search<G: Playouts + Exact>(bencher: Bencher, game: &G, threads: usize) {
    let settings = Settings { simulations: SIMULATIONS, threads, ..Settings::default() };
    let mut search = Search::new(game, settings, 0).expect("memory");
    let mut seed = 0;
    bencher.counter(ItemsCount::new(SIMULATIONS)).bench_local(|| {
        seed += 1;
        search.restart(game, seed).expect("memory");
        search.run(&mut || false).expect("memory");
        search.report()
    });
}

/// What search adds its tree to: rollouts alone, from the same position.
#[divan::bench(args = [9, 19], sample_count = 20)]
fn go_rollouts(bencher: Bencher, side: usize) {
    let start = Go::new(side).expect("a board size");
    let (mut scratch, mut rng) = (Scratch::default(), RandomStream::new(1));
    bencher.counter(ItemsCount::new(ROLLOUTS)).bench_local(|| {
        let score = |_| start.playout(&mut scratch, &mut rng, None);
        (0..ROLLOUTS).map(score).sum::<f64>()
    });
}

#[divan::bench(args = [(9, 1), (9, 2), (13, 1), (19, 1), (19, 2)], sample_count = 20)]
fn go(bencher: Bencher, (side, threads): (usize, usize)) {
    search(bencher, &Go::new(side).expect("a board size"), threads);
}

#[divan::bench(args = [1, 2], sample_count = 20)]
fn reversi(bencher: Bencher, threads: usize) {
    search(bencher, &Reversi::new(8).expect("a board size"), threads);
}

#[divan::bench(args = [1, 2], sample_count = 20)]
fn gomoku(bencher: Bencher, threads: usize) {
    search(bencher, &Gomoku::new(15).expect("a board size"), threads);
}
