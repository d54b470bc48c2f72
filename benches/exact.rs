//! How long exact search takes, in positions of self-play and in the FFO suite. `cargo bench --features bench --bench exact`
//!
//! The time of a position is the shortest of some solves. What is said of a hundred positions is their median and
//! their worst: a mean would be that of the few hard ones.

use std::fs;
use std::time::Instant;

use sixplane::exact::{Effort, Exact, Memory, Task};
use sixplane::players::random::RandomPlayer;
use sixplane::players::score_table;
use sixplane::search::{Search, Settings};
use sixplane::{Action, Color, Game, Gomoku, Reversi};

/// Solves of each position.
const ROUNDS: usize = 5;

fn main() {
    println!(
        "{:34} {:>10} {:>10} {:>10} {:>8}",
        "", "median ms", "worst ms", "mean ms", "M nodes/s"
    );
    let games: Vec<Reversi> = (0..100).map(selfplay).collect();
    for (empty, is_scored) in
        [(10, false), (12, false), (14, false), (16, false), (10, true), (12, true), (14, true)]
    {
        let positions: Vec<_> = games.iter().filter_map(|game| late(game, empty)).collect();
        let what = if is_scored { "the score" } else { "who wins" };
        let name = format!("Reversi, {empty} empty, {what}");
        measure(&name, &positions, |game, memory| solve(game, is_scored, memory));
    }
    let fights: Vec<_> = (0..30).flat_map(fight).collect();
    measure("Gomoku, fours of both sides", &fights, |game, memory| {
        let (value, losing) = game.at_leaf(memory);
        u64::from(value.is_some()) + losing.count() as u64
    });
    let text = fs::read_to_string("tests/data/reversi/ffo.txt").expect("a checkout");
    let suite: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).map(ffo).collect();
    let mut memory = Memory::default();
    let mut seconds: Vec<_> =
        suite.iter().map(|game| timed(|| solve(game, true, &mut memory)).0).collect();
    seconds.sort_by(f64::total_cmp);
    let (sum, worst): (f64, _) = (seconds.iter().sum(), seconds[seconds.len() - 1]);
    println!("FFO, {} positions: {sum:.1} s, the worst {worst:.1} s", seconds.len());
}

fn solve(game: &Reversi, is_scored: bool, memory: &mut Memory) -> u64 {
    let mut interrupt = || false;
    let task = Task::new(Effort::Whole, &mut interrupt);
    game.solve(&mut if is_scored { task.with_score() } else { task }, memory).nodes
}

fn timed(work: impl FnOnce() -> u64) -> (f64, u64) {
    let begin = Instant::now();
    let nodes = work();
    (begin.elapsed().as_secs_f64(), nodes)
}

fn measure<G>(name: &str, games: &[G], mut work: impl FnMut(&G, &mut Memory) -> u64) {
    let (mut memory, mut nodes) = (Memory::default(), 0);
    let mut milliseconds: Vec<f64> = Vec::new();
    for game in games {
        let rounds: Vec<_> = (0..ROUNDS).map(|_| timed(|| work(game, &mut memory))).collect();
        nodes += rounds[0].1;
        milliseconds.push(1e3 * rounds.iter().map(|round| round.0).fold(f64::MAX, f64::min));
    }
    milliseconds.sort_by(f64::total_cmp);
    let sum: f64 = milliseconds.iter().sum();
    let (median, worst) = (milliseconds[games.len() / 2], milliseconds[games.len() - 1]);
    let (mean, speed) = (sum / games.len() as f64, nodes as f64 / sum / 1e3);
    println!("{name:34} {median:>10.4} {worst:>10.3} {mean:>10.4} {speed:>8.1}");
}

/// A game of a search against itself after six random actions.
fn selfplay(seed: u64) -> Reversi {
    let mut player = RandomPlayer::new(seed);
    let mut game = Reversi::new(8).expect("a board size");
    let settings = Settings {
        simulations: 100,
        max_nodes: 1 << 12,
        prior_visits: 200.0,
        c: 0.5,
        ..Settings::default()
    };
    while !game.is_over() {
        let action = if game.state().moves() < 6 {
            player.select_action(&game)
        } else {
            let mut search = Search::new(&game, settings, seed).expect("memory");
            search.run(&mut || false).expect("memory");
            search.report().best.expect("the game goes on")
        };
        game.play_unchecked(action);
    }
    game
}

/// The position of a game with so many empty points.
fn late(game: &Reversi, empty: usize) -> Option<Reversi> {
    let actions: Vec<Action> = game.state().actions().collect();
    let mut game = game.start();
    for action in actions {
        let discs = game.discs();
        if discs.black + discs.white + empty == game.size().points() {
            return Some(game);
        }
        game.play_unchecked(action);
    }
    None
}

/// The positions of a game between score tables after six random actions.
fn fight(seed: u64) -> Vec<Gomoku> {
    let (mut player, mut positions) = (RandomPlayer::new(seed), Vec::new());
    let mut game = Gomoku::new(15).expect("a board size");
    while !game.is_over() && game.state().moves() < 80 {
        positions.push(game.clone());
        let action = if game.state().moves() < 6 {
            player.select_action(&game)
        } else {
            score_table::best_actions(&game)[0]
        };
        game.play_unchecked(action);
    }
    positions
}

fn ffo(line: &str) -> Reversi {
    let words: Vec<_> = line.split_whitespace().collect();
    let board = words[1].replace('-', ".");
    let rows: Vec<_> = (0..8).map(|row| &board[8 * row..8 * row + 8]).collect();
    let turn = if words[2] == "X" { Color::Black } else { Color::White };
    Reversi::from_text(&rows.join("\n"), turn).expect("a position")
}
