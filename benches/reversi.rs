//! Speed of Reversi: replayed games, perft, clones. `cargo bench --features bench --bench reversi`

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use sixplane::players::random::RandomPlayer;
use sixplane::{Action, Game, Reversi};

const GAMES: u64 = 1_000;

fn main() {
    let moves: usize = recorded(8).iter().map(Vec::len).sum();
    println!("8x8 recorded random games: {GAMES}, {moves} actions");
    divan::main();
}

fn prototype(side: usize) -> Reversi {
    Reversi::new(side).expect("a board size")
}

/// Distinct games of random legal actions.
fn recorded(side: usize) -> Vec<Vec<Action>> {
    (0..GAMES)
        .map(|seed| {
            let (mut player, mut game) = (RandomPlayer::new(seed), prototype(side));
            while !game.is_over() {
                game.play_unchecked(player.select_action(&game));
            }
            game.state().actions().collect()
        })
        .collect()
}

/// Plays every game whole: play, mask and six planes at every step, in a rotating set of games.
#[divan::bench(args = [6, 8, 10, 16], sample_count = 20)]
fn step(bencher: Bencher, side: usize) {
    let games = recorded(side);
    let moves: usize = games.iter().map(Vec::len).sum();
    let mut boards = vec![prototype(side); 16];
    bencher.counter(ItemsCount::new(moves)).bench_local(|| {
        for (i, game) in games.iter().enumerate() {
            let board = &mut boards[i % 16];
            board.restart();
            for &action in game {
                board.play(action).expect("a recorded game is legal");
                black_box(board.state().planes().cells());
            }
        }
    });
}

/// Leaves counted from the start of 8x8.
#[divan::bench(args = [9, 11], sample_count = 5, sample_size = 1)]
fn perft(bencher: Bencher, depth: u32) {
    let game = prototype(8);
    let leaves = if depth == 9 { 3_005_288_u64 } else { 212_258_216 };
    bencher.counter(ItemsCount::new(leaves)).bench_local(|| {
        assert_eq!(black_box(&game).perft(depth).sequences, leaves);
    });
}

/// The whole game with planes and history, half-way.
#[divan::bench]
fn clone_game(bencher: Bencher) {
    let game = &recorded(8)[0];
    let half = game[..game.len() / 2].iter().copied();
    let game = prototype(8).replay(half).expect("a recorded game is legal");
    bencher.bench_local(|| black_box(&game).clone());
}
