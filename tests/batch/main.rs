//! A batch of games: what it plays, refuses and holds, whatever its threads and company.

#![allow(clippy::float_cmp)] // Equal by law, so compared exactly.

mod law;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sixplane::batch::{
    Autoreset, BatchError, Cutoff, GameBatch, Illegal, NO_ACTION, NOBODY, RUNNING, StepEnding,
    StepOptions, View,
};
use sixplane::rows::Rows;
use sixplane::{Action, BoardSize, Color, Game, Go, Outcome, PlayError, Reversi, Rules};

const NEVER: StepOptions = StepOptions {
    autoreset: Autoreset::Disabled,
    illegal: Illegal::Refuse,
    view: View::Black,
    cutoff: Cutoff::Adjudicate,
};

const RESETS: [Autoreset; 3] = [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled];

fn go(rows: usize, cols: usize, max_moves: Option<u32>) -> Go {
    let size = BoardSize::new(rows, cols).unwrap();
    Go::with_rules(size, Rules::default(), max_moves).unwrap()
}

#[test]
fn playing_in_some_games_leaves_the_others() {
    let mut batch = GameBatch::new(&go(3, 3, None), 4, 1, None);
    batch.resign(3, None).unwrap();
    batch.play(&[0, 99, -7, -1], Some(&[true, false, false, true])).unwrap();
    let moves: Vec<u32> = batch.games().map(|game| game.state().moves()).collect();
    assert_eq!(moves, [1, 0, 0, 0]);
    let before = batch.clone();
    let refused = batch.play(&[0, 0, 0, 0], Some(&[true, false, true, true]));
    let Err(BatchError::Illegal(refusals)) = refused else { panic!("{refused:?}") };
    let found: Vec<_> = refusals.iter().map(|r| (r.index, r.action, r.error.reason())).collect();
    assert_eq!(found, [(0, 0, "occupied"), (3, 0, "game_over")]);
    assert_eq!(batch, before);
}

#[test]
fn random_actions_of_each_number_are_those_of_one_at_a_time() {
    let counts = [0, 3, 40, 1, 200];
    let mut batch = GameBatch::new(&go(3, 3, Some(60)), 5, 1, Some(2));
    let mut alone = batch.clone();
    batch.play_random_each(&counts);
    for t in 0..200 {
        alone.play_random_each(&counts.map(|count| usize::from(t < count)));
    }
    assert_eq!(batch, alone);
    assert!(batch.draws().eq(alone.draws()));
    assert_eq!(batch.get(1).unwrap().state().moves(), 3);
    assert!(batch.get(4).unwrap().is_over());
}

#[test]
fn ownership_is_the_area_in_go_and_the_stones_elsewhere() {
    let mut batch = GameBatch::new(&go(4, 5, None), 30, 2, Some(3));
    batch.play_random(12);
    let mut owners = vec![7; 30 * 20];
    batch.write_ownership(None, &mut owners);
    for (game, owners) in batch.games().zip(owners.chunks_exact(20)) {
        assert!(game.ownership().iter().eq(owners));
    }
    let mut some = vec![7; 40];
    batch.write_ownership(Some(&[9, 2]), &mut some);
    assert_eq!(some, [&owners[180..200], &owners[40..60]].concat());

    let mut batch = GameBatch::new(&Reversi::new(6).unwrap(), 5, 2, None);
    batch.play_random(9);
    let mut owners = vec![7; 5 * 36];
    batch.write_ownership(None, &mut owners);
    for (game, owners) in batch.games().zip(owners.chunks_exact(36)) {
        for (point, &owner) in owners.iter().enumerate() {
            let stone = game.state().planes().stone(point);
            assert_eq!(owner, stone.map_or(0, |color| Outcome::Win(color).sign()));
        }
    }
}

#[test]
fn a_batch_of_a_finished_game_says_that_it_is_over() {
    let mut over = go(3, 3, None);
    over.resign(Color::White).unwrap();
    let mut batch = GameBatch::new(&over, 2, 1, None);
    let mut rows = Rows::new(batch.size(), 2);
    for autoreset in RESETS {
        let options = StepOptions { autoreset, ..StepOptions::default() };
        batch.step(&[NO_ACTION; 2], options, None, &mut rows).unwrap();
        assert_eq!((rows.outcomes[0], rows.actors[0], rows.terminated[0]), (1, NOBODY, false));
    }
}

#[test]
fn threads_change_nothing() {
    let play = |threads| {
        let mut batch = GameBatch::new(&go(5, 5, None), 200, 3, threads);
        batch.play_random(30);
        let drawn = batch.sample();
        (batch, drawn)
    };
    let (one, drawn) = play(Some(1));
    for threads in [Some(2), Some(5), None] {
        assert_eq!(play(threads), (one.clone(), drawn.clone()));
    }
    let other = GameBatch::new(&go(5, 5, None), 200, 4, Some(1)).sample();
    assert_ne!(GameBatch::new(&go(5, 5, None), 200, 3, Some(1)).sample(), other);
}

#[test]
fn game_i_draws_from_seed_and_i_alone() {
    let play = |count| {
        let mut batch = GameBatch::new(&go(5, 5, None), count, 3, Some(1));
        batch.play_random(20);
        batch
    };
    let (few, many) = (play(3), play(10));
    assert!(few.games().eq(many.games().take(3)));
}

#[test]
fn a_refused_entry_plays_nothing_anywhere() {
    let mut batch = GameBatch::new(&go(3, 3, None), 4, 1, None);
    batch.play(&[0, 1, 2, 3], None).unwrap();
    batch.resign(3, None).unwrap();
    let before = batch.clone();
    let mut rows = Rows::new(batch.size(), 4);
    let untouched = rows.clone();
    let refused = batch.step(&[5, 1, 99, 4], NEVER, None, &mut rows);
    let Err(BatchError::Illegal(refusals)) = refused else { panic!("{refused:?}") };
    let reasons: Vec<_> = refusals.iter().map(|r| (r.index, r.error.reason())).collect();
    assert_eq!(reasons, [(1, "occupied"), (2, "off_board"), (3, "game_over")]);
    assert_eq!((&batch, &rows), (&before, &untouched));
    assert!(batch.play(&[5, 5, 5], None).is_err());
    assert_eq!(batch, before);
    // Off the board is refused even where illegal actions lose.
    for off in [-1, 10, i64::MAX, i64::MIN] {
        let actions = [off, 5, 5, NO_ACTION];
        let options = StepOptions { illegal: Illegal::Lose, ..NEVER };
        let refused = batch.step(&actions, options, None, &mut rows);
        let Err(BatchError::Illegal(refusals)) = refused else { panic!("{refused:?}") };
        assert_eq!((refusals[0].index, refusals[0].error), (0, PlayError::OffBoard));
    }
    assert_eq!(batch, before);
}

#[test]
fn an_illegal_action_loses_where_it_may() {
    let mut batch = GameBatch::new(&go(3, 3, None), 2, 1, None);
    batch.play(&[0, 1], None).unwrap();
    let mut rows = Rows::new(batch.size(), 2);
    let options = StepOptions { illegal: Illegal::Lose, ..NEVER };
    batch.step(&[0, 5], options, None, &mut rows).unwrap();
    assert_eq!(rows.outcomes, [1, RUNNING]);
    assert_eq!((rows.rewards[0], rows.terminated[0], rows.truncated[0]), (1.0, true, false));
    assert_eq!(rows.turns, [1, 0], "a lost move does not flip the turn");
    assert_eq!(batch.get(0).unwrap().outcome(), Some(Outcome::Win(Color::Black)));
}

#[test]
fn sampling_is_uniform_over_legal_actions() {
    let mut game = go(2, 2, None);
    game.play_at(0, 0).unwrap();
    let mut batch = GameBatch::new(&game, 20_000, 5, None);
    let mut counts = [0_i32; 5];
    for action in batch.sample() {
        counts[action as usize] += 1;
    }
    assert_eq!(counts[0], 0);
    // Four actions, 5000 each: a deviation of 300 is five standard deviations.
    assert!(counts[1..].iter().all(|count| (count - 5000).abs() < 300), "{counts:?}");
}

#[test]
fn games_can_be_given_and_replaced() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let games: Vec<Go> = (0..5)
        .map(|_| {
            let mut game = go(4, 4, None);
            game.play(Action::new(rng.random_range(0..16))).unwrap();
            game
        })
        .collect();
    let mut batch = GameBatch::from_games(games.clone(), 0, None).unwrap();
    assert!(batch.games().eq(&games));
    batch.reset(Some(&[false, true, false, false, false]), None);
    assert_eq!(batch.get(1), Some(&games[0]), "a reset returns to the first game as given");
    assert_eq!(batch.get(2), Some(&games[2]));
    assert!(batch.set(4, games[1].clone()) && batch.get(4) == Some(&games[1]));
    assert!(!batch.set(4, go(4, 5, None)) && !batch.set(5, games[1].clone()));
    assert!(!batch.set(0, go(4, 4, Some(9))));
    assert!(GameBatch::from_games(vec![go(4, 4, None), go(4, 5, None)], 0, None).is_none());
    assert!(GameBatch::<Go>::from_games(Vec::new(), 0, None).is_none());
}

#[test]
fn history_of_a_batch_is_that_of_its_games() {
    for threads in [1, 3] {
        let mut batch = GameBatch::new(&go(4, 5, None), 64, 2, Some(threads));
        for k in [1, 3, 8] {
            batch.play_random(3);
            let each = (2 * k + 1) * 20;
            let mut cells = vec![7_u8; 64 * each];
            batch.write_history(k, None, &mut cells);
            for (game, cells) in batch.games().zip(cells.chunks_exact(each)) {
                assert!(game.history_planes(k).iter().eq(cells));
            }
            let mut some = vec![false; 3 * each];
            batch.write_history(k, Some(&[9, 2, 9]), &mut some);
            for (i, cells) in [9, 2, 9].into_iter().zip(some.chunks_exact(each)) {
                let planes = batch.get(i).unwrap().history_planes(k);
                assert!(planes.iter().map(|&cell| cell == 1).eq(cells.iter().copied()));
            }
        }
    }
}

#[test]
fn games_restart_from_a_game_of_other_rules_once() {
    let mut other = go(4, 4, Some(3));
    other.play_at(1, 1).unwrap();
    let start = go(4, 4, None);
    let mut batch = GameBatch::new(&start, 3, 2, None);
    assert!(batch.restart_from(&other, Some(&[true, false, true]), None));
    assert!(batch.games().eq([&other, &start, &other]));
    assert!(!batch.restart_from(&go(4, 5, None), None, None));
    assert!(!batch.put(1, go(5, 4, None)) && !batch.put(3, other.clone()));
    assert!(batch.put(1, other.clone()));
    assert!(batch.games().eq([&other; 3]));
    let mut rows = Rows::new(batch.size(), 3);
    for _ in 0..2 {
        let actions = batch.sample();
        batch.step(&actions, StepOptions::default(), None, &mut rows).unwrap();
    }
    assert_eq!(
        rows.endings,
        [StepEnding::Cutoff as i8; 3],
        "the move limit of the game that was given"
    );
    assert!(batch.games().eq([&start; 3]), "the reset returned to the prototype");

    let draw = |batch: &mut GameBatch<Go>| (batch.sample(), batch.sample());
    assert!(batch.restart_from(&other, None, Some(9)));
    let drawn = draw(&mut batch);
    assert!(batch.restart_from(&other, None, Some(9)));
    assert_eq!(draw(&mut batch), drawn);
}
