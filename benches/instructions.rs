//! Twelve fixed workloads of the core, whose instructions `make instructions` counts.
//!
//! The argument names the workload. Each takes its random numbers from fixed seeds, runs on one thread and
//! reads no clock, so that a run executes the same instructions as the run before. Only what happens
//! in `measured` is counted. The result on stdout shows that the work is the same as well.

use std::hint::black_box;

use ndarray::{Array3, Array4, Axis, s};
use sixplane::batch::{GameBatch, StepOptions};
use sixplane::exact::{Effort, Memory, Task};
use sixplane::functional::{Form, areas, children, legal_actions, liberties, next_state};
use sixplane::morphology::label;
use sixplane::players::random::RandomPlayer;
use sixplane::players::score_table;
use sixplane::playout::Scratch;
use sixplane::record::{GivenRules, Info, Recorded};
use sixplane::search::{Search, Settings};
use sixplane::{
    BoardSize, Exact, EyeRule, Game, Go, Gomoku, KoRule, Plane, Playouts, RandomStream, Reversi,
    Rules,
};

type Workload = (&'static str, fn() -> u64);

const WORKLOADS: [Workload; 12] = [
    ("go-9x9-steps", || steps(&Go::new(9).expect("a board size"), 32, 250)),
    ("go-19x19-superko-steps", || steps(&go(19, KoRule::Situational), 16, 150)),
    ("go-4x4-repetitions", || steps(&go(4, KoRule::Positional), 32, 300)),
    ("reversi-8x8-steps", || steps(&Reversi::new(8).expect("a board size"), 32, 400)),
    ("gomoku-15x15-steps", || steps(&Gomoku::new(15).expect("a board size"), 32, 300)),
    ("go-9x9-playouts", || playouts(&Go::new(9).expect("a board size"), 300)),
    ("go-9x9-search", || search(&Go::new(9).expect("a board size"), 300)),
    ("reversi-8x8-solve", solved_ends),
    ("gomoku-15x15-fours", fours),
    ("functions-next-states", next_states),
    ("functions-flood-fill", flood_fills),
    ("sgf-reading", sgf_reading),
];

fn main() {
    let arguments = std::env::args().skip(1);
    let names: Vec<String> = arguments.filter(|argument| argument != "--bench").collect();
    if names == ["--list"] {
        for (name, _) in WORKLOADS {
            println!("{name}");
        }
        return;
    }
    assert!(
        names.iter().all(|name| WORKLOADS.iter().any(|(known, _)| known == name)),
        "no such workload: {names:?}"
    );
    for (name, workload) in WORKLOADS {
        if names.is_empty() || names.iter().any(|chosen| chosen == name) {
            println!("{name} {}", workload());
        }
    }
}

/// Runs the part of a workload that is counted: callgrind looks for this function by its name.
#[inline(never)]
fn measured(work: &mut dyn FnMut() -> u64) -> u64 {
    black_box(work())
}

fn go(side: usize, ko: KoRule) -> Go {
    let size = BoardSize::square(side).expect("a board size");
    Go::with_rules(size, Rules { ko, ..Rules::default() }, None).expect("no handicap")
}

/// Random legal actions in every game of a batch, with planes and action masks; finished games start again.
fn steps<G: Game>(start: &G, games: usize, steps: usize) -> u64 {
    let size = start.size();
    let mut batch = GameBatch::new(start, games, 1, Some(1));
    let mut planes = vec![0; games * 6 * size.points()];
    let mut masks = vec![0; games * size.num_actions()];
    measured(&mut || {
        let mut ended = 0;
        for _ in 0..steps {
            let actions = batch.sample();
            let step = batch
                .step(&actions, StepOptions::default(), None, &mut planes, &mut masks)
                .expect("a sampled action is legal");
            ended += step.results.iter().filter(|result| result.terminated()).count() as u64;
        }
        ended * 1_000 + planes.iter().map(|&cell| u64::from(cell)).sum::<u64>()
    })
}

fn playouts<G: Playouts>(start: &G, count: u32) -> u64 {
    let (mut scratch, mut stream) = (Scratch::default(), RandomStream::new(1));
    measured(&mut || {
        let black_wins =
            (0..count).filter(|_| start.playout(&mut scratch, &mut stream, None) > 0.0);
        black_wins.count() as u64
    })
}

fn search<G: Playouts + Exact>(start: &G, simulations: u32) -> u64 {
    let settings = Settings { simulations, threads: 1, ..Settings::default() };
    let mut search = Search::new(start, settings, 1).expect("memory");
    measured(&mut || {
        search.run(&mut || false).expect("memory");
        search.report().visits.iter().map(|&visits| u64::from(visits).pow(2)).sum()
    })
}

/// Positions of random games with so many empty points.
fn late<G: Playouts>(start: &G, games: u64, empty: usize) -> Vec<G> {
    let play = |seed| {
        let (mut player, mut game) = (RandomPlayer::new(seed), start.clone());
        let is_late = |game: &G| {
            let points = 0..game.size().points();
            points.filter(|&point| game.state().planes().stone(point).is_none()).count() <= empty
        };
        while !game.is_over() && !is_late(&game) {
            game.play_unchecked(player.select_action(&game));
        }
        game
    };
    (0..games).map(play).collect()
}

/// Who wins Reversi with 12 empty points, and by how much with 10.
fn solved_ends() -> u64 {
    let start = Reversi::new(8).expect("a board size");
    let (who, how_much) = (late(&start, 24, 12), late(&start, 24, 10));
    let mut memory = Memory::default();
    measured(&mut || {
        let mut solve = |game: &Reversi, is_scored| {
            let mut interrupt = || false;
            let task = Task::new(Effort::Root, &mut interrupt);
            game.solve(&mut if is_scored { task.with_score() } else { task }, &mut memory).nodes
        };
        let who: u64 = who.iter().map(|game| solve(game, false)).sum();
        who + how_much.iter().map(|game| solve(game, true)).sum::<u64>()
    })
}

/// Continuous fours of both sides in Gomoku, in the positions of games between score tables.
fn fours() -> u64 {
    let mut games = Vec::new();
    for seed in 0..16 {
        let (mut player, mut game) =
            (RandomPlayer::new(seed), Gomoku::new(15).expect("a board size"));
        while !game.is_over() && game.state().moves() < 60 {
            let is_random = game.state().moves() < 6;
            let action = if is_random {
                player.select_action(&game)
            } else {
                score_table::best_actions(&game)[0]
            };
            game.play_unchecked(action);
            if !game.is_over() {
                games.push(game.clone());
            }
        }
    }
    let mut memory = Memory::default();
    measured(&mut || {
        let found = games.iter().map(|game| game.at_leaf(&mut memory));
        found
            .map(|(value, losing)| 1000 * u64::from(value == Some(1)) + losing.count() as u64)
            .sum()
    })
}

/// A random game that fills no eyes.
fn random_game(side: usize, seed: u64) -> Go {
    let (mut player, mut game) = (RandomPlayer::new(seed), go(side, KoRule::Positional));
    while !game.is_over() {
        let turn = game.turn();
        let action = player
            .select_action_avoiding(&game, |action| game.is_eye(action, turn, EyeRule::Playout));
        game.play_unchecked(action);
    }
    game
}

/// Every tenth position of some random games, `(N, 6, side, side)`.
fn positions(side: usize, games: u64) -> Array4<u8> {
    let mut kept = Vec::new();
    for seed in 0..games {
        let mut planes = Array3::<u8>::zeros((6, side, side));
        for (i, action) in random_game(side, seed).state().actions().enumerate() {
            let mut next = planes.clone();
            next_state(&planes.view(), action, Form::Absolute, next.view_mut()).expect("legal");
            planes = next;
            if i % 10 == 0 && planes[[Plane::Done as usize, 0, 0]] == 0 {
                kept.push(planes.clone());
            }
        }
    }
    let views: Vec<_> = kept.iter().map(|planes| planes.view()).collect();
    ndarray::stack(Axis(0), &views).expect("one shape")
}

fn next_states() -> u64 {
    let positions = positions(9, 4);
    let mut out = Array4::zeros((82, 6, 9, 9));
    measured(&mut || {
        let mut cells = 0;
        for planes in positions.outer_iter() {
            let legal = legal_actions(&planes).expect("a position");
            let rows = out.slice_mut(s![..legal.len(), .., .., ..]);
            children(&planes, Form::Absolute, false, rows).expect("the shape of its children");
            cells += out.iter().map(|&cell| u64::from(cell)).sum::<u64>();
        }
        cells
    })
}

fn flood_fills() -> u64 {
    let positions = positions(19, 2);
    measured(&mut || {
        let mut found = 0;
        for _ in 0..10 {
            for planes in positions.outer_iter() {
                let area = areas(&planes).expect("a position");
                let free = liberties(&planes).expect("a position");
                let (_, chains) = label(&planes.index_axis(Axis(0), 0)).expect("a board size");
                found += (area.black + area.white + chains) as u64;
                found += free.black.iter().map(|&cell| u64::from(cell)).sum::<u64>();
            }
        }
        found
    })
}

fn sgf_reading() -> u64 {
    let written = |seed| random_game(9, seed).to_sgf(&Info::default());
    let records: Vec<String> = (0..16).map(written).collect();
    measured(&mut || {
        let read = |text| Go::from_sgf(text, &GivenRules::default(), None).expect("as written");
        let games = records.iter().map(|text| read(text).state().actions().count() as u64);
        games.sum()
    })
}
