//! A batch equals its games played one by one, whatever its threads, resets and company.

#![allow(clippy::float_cmp)] // Equal by law, so compared exactly.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sixplane::batch::{Autoreset, BatchError, GameBatch, Illegal, NO_ACTION, RUNNING};
use sixplane::rows::Rows;
use sixplane::{Action, BoardSize, Color, Ending, Game, Go, Outcome, PlayError, Rules, Status};

const GAMES: usize = 50;

fn go(rows: usize, cols: usize, max_moves: Option<u32>) -> Go {
    let size = BoardSize::new(rows, cols).unwrap();
    Go::with_rules(size, Rules::default(), max_moves).unwrap()
}

fn result(game: &impl Game) -> (i8, bool, bool) {
    match game.status() {
        Status::Ongoing => (RUNNING, false, false),
        Status::Done { outcome, ending } => {
            let cut = ending == Ending::Truncation;
            (outcome.sign(), !cut, cut)
        }
    }
}

/// Checks one row of a step against a game played alone.
fn assert_row(rows: &Rows, i: usize, shown: &impl Game, played: &impl Game, fresh: bool) {
    let (outcome, terminated, truncated) = result(played);
    let (terminated, truncated) = (fresh && terminated, fresh && truncated);
    assert_eq!((rows.terminated[i], rows.truncated[i]), (terminated, truncated));
    assert_eq!(rows.outcomes[i], outcome);
    assert_eq!(rows.scores[i], played.score() as f32);
    let reward = if terminated || truncated { f32::from(outcome) } else { 0.0 };
    assert_eq!(rows.rewards[i], reward);
    let cells = shown.state().planes().cells();
    assert_eq!(&rows.planes[i * cells.len()..][..cells.len()], cells);
    let mut mask = vec![0; shown.size().num_actions()];
    shown.write_action_mask(&mut mask);
    assert_eq!(rows.masks[i * mask.len()..][..mask.len()], mask);
    assert_eq!(rows.turns[i], shown.turn().index() as i8);
}

fn batch_equals_single_steps(prototype: &Go, autoreset: Autoreset, threads: usize) {
    games_equal_single_steps(GAMES, prototype, autoreset, threads);
}

fn games_equal_single_steps(games: usize, prototype: &Go, autoreset: Autoreset, threads: usize) {
    let mut batch = GameBatch::new(prototype, games, 7, Some(threads));
    let mut alone = vec![prototype.clone(); games];
    let mut rows = Rows::new(batch.size(), games);
    let mut ended = 0;
    for _ in 0..150 {
        let actions = batch.sample();
        let finals = batch.step(&actions, autoreset, Illegal::Refuse, &mut rows).unwrap();
        let mut next_final = 0;
        for (i, game) in alone.iter_mut().enumerate() {
            if game.is_over() {
                assert_eq!(actions[i], NO_ACTION);
                if autoreset == Autoreset::NextStep {
                    game.clone_from(prototype);
                }
                assert_row(&rows, i, game, game, false);
                continue;
            }
            let action = Action::new(actions[i] as usize);
            assert_eq!(game.check(action), Ok(()), "sampled actions are legal");
            game.play(action).unwrap();
            ended += usize::from(game.is_over());
            if game.is_over() && autoreset == Autoreset::SameStep {
                assert_eq!(finals.index[next_final], i as i64);
                let cells = game.state().planes().cells();
                assert_eq!(&finals.planes[next_final * cells.len()..][..cells.len()], cells);
                next_final += 1;
                assert_row(&rows, i, prototype, game, true);
                game.clone_from(prototype);
            } else {
                assert_row(&rows, i, game, game, true);
            }
        }
        assert_eq!(finals.index.len(), next_final);
        assert!(batch.games().eq(&alone));
    }
    assert!(ended > games / 2, "only {ended} games ended");
}

#[test]
fn a_batch_equals_its_games_played_one_by_one() {
    for autoreset in [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled] {
        for threads in [1, 3] {
            batch_equals_single_steps(&go(2, 3, None), autoreset, threads);
            batch_equals_single_steps(&go(5, 5, Some(60)), autoreset, threads);
        }
    }
    // A prototype in the middle of a game is what a reset returns to.
    let mut midgame = go(3, 3, Some(40));
    midgame.play_at(1, 1).unwrap();
    midgame.set_turn(Color::Black).unwrap();
    batch_equals_single_steps(&midgame, Autoreset::SameStep, 2);
}

#[test]
fn a_batch_beyond_the_cache_equals_its_games_too() {
    for autoreset in [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled] {
        games_equal_single_steps(300, &go(3, 4, Some(40)), autoreset, 1);
    }
    games_equal_single_steps(300, &go(14, 15, Some(100)), Autoreset::SameStep, 2);
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
    batch.play(&[0, 1, 2, 3]).unwrap();
    batch.resign(3, None).unwrap();
    let before = batch.clone();
    let mut rows = Rows::new(batch.size(), 4);
    let untouched = rows.clone();
    let refused = batch.step(&[5, 1, 99, 4], Autoreset::Disabled, Illegal::Refuse, &mut rows);
    let Err(BatchError::Illegal(refusals)) = refused else { panic!("{refused:?}") };
    let reasons: Vec<_> = refusals.iter().map(|r| (r.index, r.error.reason())).collect();
    assert_eq!(reasons, [(1, "occupied"), (2, "off_board"), (3, "game_over")]);
    assert_eq!((&batch, &rows), (&before, &untouched));
    assert!(batch.play(&[5, 5, 5]).is_err());
    assert_eq!(batch, before);
    // Off the board is refused even where illegal actions lose.
    for off in [-1, 10, i64::MAX, i64::MIN] {
        let actions = [off, 5, 5, NO_ACTION];
        let refused = batch.step(&actions, Autoreset::Disabled, Illegal::Lose, &mut rows);
        let Err(BatchError::Illegal(refusals)) = refused else { panic!("{refused:?}") };
        assert_eq!((refusals[0].index, refusals[0].error), (0, PlayError::OffBoard));
    }
    assert_eq!(batch, before);
}

#[test]
fn an_illegal_action_loses_where_it_may() {
    let mut batch = GameBatch::new(&go(3, 3, None), 2, 1, None);
    batch.play(&[0, 1]).unwrap();
    let mut rows = Rows::new(batch.size(), 2);
    batch.step(&[0, 5], Autoreset::Disabled, Illegal::Lose, &mut rows).unwrap();
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
        batch.step(&actions, Autoreset::SameStep, Illegal::Refuse, &mut rows).unwrap();
    }
    assert_eq!(rows.truncated, [true; 3], "the move limit of the game that was given");
    assert!(batch.games().eq([&start; 3]), "the reset returned to the prototype");

    let draw = |batch: &mut GameBatch<Go>| (batch.sample(), batch.sample());
    assert!(batch.restart_from(&other, None, Some(9)));
    let drawn = draw(&mut batch);
    assert!(batch.restart_from(&other, None, Some(9)));
    assert_eq!(draw(&mut batch), drawn);
}
