//! Speed of Gomoku: replayed games, clones. `cargo bench --features bench --bench gomoku`

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use sixplane::players::random::RandomPlayer;
use sixplane::{Action, Game, Gomoku};

const GAMES: u64 = 1_000;

fn main() {
    let moves: usize = recorded(15).iter().map(Vec::len).sum();
    println!("15x15 recorded random games: {GAMES}, {moves} actions");
    divan::main();
}

fn prototype(side: usize) -> Gomoku {
    Gomoku::new(side).expect("a board size")
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
#[divan::bench(args = [9, 15, 19, 25], sample_count = 20)]
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

/// The whole game with planes and history, half-way.
#[divan::bench]
fn clone_game(bencher: Bencher) {
    let game = &recorded(15)[0];
    let half = game[..game.len() / 2].iter().copied();
    let game = prototype(15).replay(half).expect("a recorded game is legal");
    bencher.bench_local(|| black_box(&game).clone());
}
