//! Speed of Go: replayed games, playouts, clones. `cargo bench --features bench --bench go`

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sixplane::games::go::Board;
use sixplane::players::random::RandomPlayer;
use sixplane::{Action, BoardSize, Color, EyeRule, Game, Go, KoRule, Rules, with_words};

const GAMES: u64 = 1_000;
const PLAYOUTS: usize = 10_000;

fn main() {
    for side in [9, 19] {
        let size = BoardSize::square(side).expect("a board size");
        let mean = with_words!(size, W => {
            let (mut rng, total) = (Xoshiro256PlusPlus::seed_from_u64(1), PLAYOUTS);
            let lengths = (0..total).map(|_| playout::<W>(&Board::new(size), &mut rng));
            lengths.sum::<usize>() as f64 / total as f64
        });
        println!("{size} playouts: mean length {mean:.1} over {PLAYOUTS}");
        let games = recorded(size);
        let moves: usize = games.iter().map(Vec::len).sum();
        println!("{size} recorded random games: {GAMES}, {moves} moves");
    }
    divan::main();
}

fn prototype(size: BoardSize, ko: KoRule) -> Go {
    Go::with_rules(size, Rules { ko, ..Rules::default() }, None).expect("no handicap")
}

/// Distinct random games that fill no eyes, legal under every ko rule.
fn recorded(size: BoardSize) -> Vec<Vec<Action>> {
    let start = prototype(size, KoRule::Positional);
    (0..GAMES)
        .map(|seed| {
            let mut player = RandomPlayer::new(seed);
            let mut game = start.clone();
            while !game.is_over() {
                let turn = game.turn();
                let action = player.select_action_avoiding(&game, |action| {
                    game.is_eye(action, turn, EyeRule::Playout)
                });
                game.play_unchecked(action);
            }
            game.state().actions().collect()
        })
        .collect()
}

/// Plays every game whole: play, mask and six planes at every step, in a rotating set of games.
fn replay(bencher: Bencher, side: usize, ko: KoRule) {
    let size = BoardSize::square(side).expect("a board size");
    let games = recorded(size);
    let moves: usize = games.iter().map(Vec::len).sum();
    let start = prototype(size, ko);
    let mut boards = vec![start; 16];
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

#[divan::bench(args = [9, 13, 19], sample_count = 20)]
fn step_simple_ko(bencher: Bencher, side: usize) {
    replay(bencher, side, KoRule::Simple);
}

#[divan::bench(args = [9, 13, 19], sample_count = 20)]
fn step_positional_superko(bencher: Bencher, side: usize) {
    replay(bencher, side, KoRule::Positional);
}

fn playout<const W: usize>(start: &Board<W>, rng: &mut Xoshiro256PlusPlus) -> usize {
    let cap = 3 * start.size().points();
    start.clone().playout(Color::Black, false, cap, rng, None)
}

#[divan::bench(args = [5, 9, 13, 19, 25])]
fn playouts(bencher: Bencher, side: usize) {
    let size = BoardSize::square(side).expect("a board size");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    with_words!(size, W => {
        let board = Board::<W>::new(size);
        bencher
            .counter(ItemsCount::new(100_usize))
            .bench_local(|| (0..100).map(|_| playout(&board, &mut rng)).sum::<usize>());
    });
}

fn midgame(side: usize, ko: KoRule) -> Go {
    let size = BoardSize::square(side).expect("a board size");
    let game = &recorded(size)[0];
    let half = game[..game.len() / 2].iter().copied();
    prototype(size, ko).replay(half).expect("a recorded game is legal")
}

/// The inner board, as search copies it.
#[divan::bench(args = [9, 19])]
fn clone_board(bencher: Bencher, side: usize) {
    let size = BoardSize::square(side).expect("a board size");
    with_words!(size, W => {
        let board = Board::<W>::new(size);
        let mut target = board.clone();
        bencher.bench_local(|| {
            target.clone_from(black_box(&board));
            black_box(&target);
        });
    });
}

/// The whole game with planes and history, half-way.
#[divan::bench(args = [9, 19])]
fn clone_game(bencher: Bencher, side: usize) {
    let game = midgame(side, KoRule::Positional);
    bencher.bench_local(|| black_box(&game).clone());
}
