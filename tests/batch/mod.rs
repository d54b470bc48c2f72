//! A batch of games: what it plays, refuses and holds, whatever its threads and company.

#![allow(clippy::float_cmp)] // Equal by law, so compared exactly.

mod failing;
mod law;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sixplane::batch::{
    Autoreset, BatchError, BatchStep, Cutoff, GameBatch, Illegal, NO_ACTION, StepEnding,
    StepOptions, View,
};
use sixplane::{Action, BoardSize, Color, Game, Go, Outcome, PlayError, Reversi, Rules};

const NEVER: StepOptions = StepOptions {
    autoreset: Autoreset::Disabled,
    illegal: Illegal::Refuse,
    view: View::Black,
    cutoff: Cutoff::Adjudicate,
    history: None,
    max_steps: None,
};

const RESETS: [Autoreset; 3] = [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled];

fn go(rows: usize, cols: usize, max_moves: Option<u32>) -> Go {
    let size = BoardSize::new(rows, cols).unwrap();
    Go::with_rules(size, Rules::default(), max_moves).unwrap()
}

/// A step, its planes and its masks.
type Stepped = (BatchStep, Vec<u8>, Vec<i8>);

fn step<G: Game>(
    batch: &mut GameBatch<G>,
    actions: &[i64],
    options: StepOptions,
    only: Option<&[bool]>,
) -> Result<Stepped, BatchError> {
    let layers = options.history.map_or(6, |k| 2 * k + 1);
    let mut planes = vec![7; layers * batch.size().points() * batch.len()];
    let mut masks = vec![7; batch.size().num_actions() * batch.len()];
    let step = batch.step(actions, options, only, &mut planes, &mut masks)?;
    Ok((step, planes, masks))
}

#[test]
fn zero_threads_are_one() {
    let mut one = GameBatch::new(&go(5, 5, None), 3, 1, Some(1));
    let mut none = GameBatch::new(&go(5, 5, None), 3, 1, Some(0));
    assert_eq!(none.sample(), one.sample());
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
    batch.play_random(&counts);
    for t in 0..200 {
        alone.play_random(&counts.map(|count| usize::from(t < count)));
    }
    assert_eq!(batch, alone);
    assert_eq!(batch.streams(), alone.streams());
    assert_eq!(batch.get(1).unwrap().state().moves(), 3);
    assert!(batch.get(4).unwrap().is_over());
}

#[test]
fn ownership_is_the_area_in_go_and_the_stones_elsewhere() {
    let mut batch = GameBatch::new(&go(4, 5, None), 30, 2, Some(3));
    batch.play_random(&[12; 30]);
    let mut owners = vec![7; 30 * 20];
    batch.write_ownership(None, &mut owners);
    for (game, owners) in batch.games().zip(owners.chunks_exact(20)) {
        assert!(game.ownership().iter().eq(owners));
    }
    let mut some = vec![7; 40];
    batch.write_ownership(Some(&[9, 2]), &mut some);
    assert_eq!(some, [&owners[180..200], &owners[40..60]].concat());

    let mut batch = GameBatch::new(&Reversi::new(6).unwrap(), 5, 2, None);
    batch.play_random(&[9; 5]);
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
    for autoreset in RESETS {
        let options = StepOptions { autoreset, ..StepOptions::default() };
        let (step, ..) = step(&mut batch, &[NO_ACTION; 2], options, None).unwrap();
        let result = step.results[0];
        let won = Some(Outcome::Win(Color::Black));
        assert_eq!((result.outcome, result.actor, result.terminated()), (won, None, false));
    }
}

#[test]
fn threads_change_nothing() {
    let play = |threads| {
        let mut batch = GameBatch::new(&go(5, 5, None), 200, 3, threads);
        batch.play_random(&[30; 200]);
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
        batch.play_random(&vec![20; count]);
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
    let (mut planes, mut masks) = ([7; 4 * 54], [7; 4 * 10]);
    let refused = batch.step(&[5, 1, 99, 4], NEVER, None, &mut planes, &mut masks);
    let Err(BatchError::Illegal(refusals)) = refused else { panic!("{refused:?}") };
    let reasons: Vec<_> = refusals.iter().map(|r| (r.index, r.error.reason())).collect();
    assert_eq!(reasons, [(1, "occupied"), (2, "off_board"), (3, "game_over")]);
    assert_eq!((&batch, planes, masks), (&before, [7; 4 * 54], [7; 4 * 10]));
    assert!(batch.play(&[5, 5, 5], None).is_err());
    assert_eq!(batch, before);
    // Off the board is refused even where illegal actions lose.
    for off in [-1, 10, i64::MAX, i64::MIN] {
        let actions = [off, 5, 5, NO_ACTION];
        let options = StepOptions { illegal: Illegal::Lose, ..NEVER };
        let refused = step(&mut batch, &actions, options, None);
        let Err(BatchError::Illegal(refusals)) = refused else { panic!("{refused:?}") };
        assert_eq!((refusals[0].index, refusals[0].error), (0, PlayError::OffBoard));
    }
    assert_eq!(batch, before);
}

#[test]
fn an_illegal_action_loses_where_it_may() {
    let mut batch = GameBatch::new(&go(3, 3, None), 2, 1, None);
    batch.play(&[0, 1], None).unwrap();
    let options = StepOptions { illegal: Illegal::Lose, ..NEVER };
    let (step, ..) = step(&mut batch, &[0, 5], options, None).unwrap();
    let [lost, other] = step.results[..] else { panic!("two games") };
    assert_eq!((lost.outcome, other.outcome), (Some(Outcome::Win(Color::Black)), None));
    assert_eq!((lost.reward, lost.terminated(), lost.truncated), (1.0, true, false));
    assert_eq!(lost.turn, Color::White, "a lost move does not flip the turn");
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
    batch.reset(None, Some(&[false, true, false, false, false]), None).unwrap();
    assert_eq!(batch.get(1), Some(&games[0]), "a reset returns to the first game as given");
    assert_eq!(batch.get(2), Some(&games[2]));
    batch.set(4, games[1].clone()).unwrap();
    assert_eq!(batch.get(4), Some(&games[1]));
    assert_eq!(batch.set(4, go(4, 5, None)), Err(BatchError::OtherKind));
    assert_eq!(batch.set(0, go(4, 4, Some(9))), Err(BatchError::OtherKind));
    assert_eq!(batch.set(5, games[1].clone()), Err(BatchError::NoSuchGame(5)));
    assert_eq!(batch.resign(5, None), Err(BatchError::NoSuchGame(5)));
    batch.resign(3, None).unwrap();
    assert_eq!(batch.resign(3, None), Err(BatchError::GameOver(3)));
    let mixed = GameBatch::from_games(vec![go(4, 4, None), go(4, 5, None)], 0, None);
    assert_eq!(mixed.err(), Some(BatchError::OtherKind));
    let none = GameBatch::<Go>::from_games(Vec::new(), 0, None);
    assert_eq!(none.err(), Some(BatchError::NoGames));
}

#[test]
fn history_of_a_batch_is_that_of_its_games() {
    for threads in [1, 3] {
        let mut batch = GameBatch::new(&go(4, 5, None), 64, 2, Some(threads));
        for k in [1, 3, 8] {
            batch.play_random(&[3; 64]);
            let each = (2 * k + 1) * 20;
            let mut cells = vec![7_u8; 64 * each];
            batch.write_planes(|_| View::Player, Some(k), None, &mut cells);
            for (game, cells) in batch.games().zip(cells.chunks_exact(each)) {
                assert!(game.state().history_planes(k).iter().eq(cells));
            }
            let mut some = vec![false; 3 * each];
            batch.write_planes(|_| View::Player, Some(k), Some(&[9, 2, 9]), &mut some);
            for (i, cells) in [9, 2, 9].into_iter().zip(some.chunks_exact(each)) {
                let planes = batch.get(i).unwrap().state().history_planes(k);
                assert!(planes.iter().map(|&cell| cell == 1).eq(cells.iter().copied()));
            }
        }
    }
}

/// The planes of a game, or those of its history, as a side sees them: planes and pairs of planes are
/// exchanged one by one.
fn seen(game: &impl Game, side: Color, history: Option<usize>) -> Vec<u8> {
    let (points, turn) = (game.size().points(), game.turn());
    let (planes, first, pairs) = match history {
        None => (game.state().planes().array().clone(), Color::Black, 1),
        Some(k) => (game.state().history_planes(k), turn, k),
    };
    let layers: Vec<&[u8]> = planes.as_slice().unwrap().chunks_exact(points).collect();
    let swaps = |layer: usize| side != first && layer < 2 * pairs;
    (0..layers.len()).flat_map(|i| layers[if swaps(i) { i ^ 1 } else { i }].to_vec()).collect()
}

#[test]
fn a_view_shows_the_stones_of_its_side_first() {
    for (threads, history) in [(1, None), (3, None), (1, Some(1)), (2, Some(4))] {
        let mut batch = GameBatch::new(&go(3, 4, Some(30)), 300, 5, Some(threads));
        batch.play_random(&(0..300).map(|i| i % 32).collect::<Vec<_>>());
        let each = history.map_or(6, |k| 2 * k + 1) * 12;
        for views in [
            vec![View::Black],
            vec![View::White],
            vec![View::Player],
            vec![View::White, View::Player],
        ] {
            let index: Vec<usize> = (0..300).rev().collect();
            let mut cells = vec![7_u8; 300 * each];
            batch.write_planes(
                |place| views[place % views.len()],
                history,
                Some(&index),
                &mut cells,
            );
            for (place, (&i, cells)) in index.iter().zip(cells.chunks_exact(each)).enumerate() {
                let game = batch.get(i).unwrap();
                let side = views[place % views.len()].side(game.turn());
                assert_eq!(cells, seen(game, side, history));
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
    batch.reset(Some(&other), Some(&[true, false, true]), None).unwrap();
    assert!(batch.games().eq([&other, &start, &other]));
    let refused = Err(BatchError::OtherSize(start.size()));
    assert_eq!(batch.reset(Some(&go(4, 5, None)), None, None), refused);
    batch.reset(Some(&other), None, None).unwrap();
    assert!(batch.games().eq([&other; 3]));
    let mut endings = Vec::new();
    for _ in 0..2 {
        let actions = batch.sample();
        let (step, ..) = step(&mut batch, &actions, StepOptions::default(), None).unwrap();
        endings.extend(step.results.iter().map(|result| result.ending));
    }
    let limit = [StepEnding::Cutoff; 3];
    assert_eq!(endings[3..], limit, "the move limit of the game that was given");
    assert!(batch.games().eq([&start; 3]), "the reset returned to the prototype");

    let mut samples = || {
        batch.reset(Some(&other), None, Some(9)).unwrap();
        (batch.sample(), batch.sample())
    };
    assert_eq!(samples(), samples());
}

#[test]
fn a_batch_from_parts_goes_on_with_other_rules_and_the_same_streams() {
    let (start, other) = (go(4, 4, None), go(4, 4, Some(3)));
    let mut batch = GameBatch::new(&start, 3, 2, None);
    batch.sample();
    let parts = |game: &Go| {
        let games = vec![game.clone(), start.clone(), game.clone()];
        GameBatch::from_parts(start.clone(), games, batch.streams().to_vec(), vec![0; 3], None)
    };
    let mut same = parts(&other).unwrap();
    assert!(same.games().eq([&other, &start, &other]));
    assert_eq!(same.sample(), batch.clone().sample());
    assert_eq!(parts(&go(5, 4, None)).err(), Some(BatchError::OtherSize(start.size())));
}

#[test]
fn a_game_put_in_the_place_of_another_begins_its_steps_and_actions_anew() {
    let mut batch = GameBatch::new(&go(3, 3, None), 2, 1, None);
    let options = StepOptions { max_steps: Some(5), ..StepOptions::default() };
    step(&mut batch, &[4, 4], options, None).unwrap();
    let mut other = go(3, 3, None);
    other.play_at(0, 0).unwrap();
    batch.set(0, other).unwrap();
    assert_eq!(batch.steps(), [0, 1]);
    assert!(batch.play(&[0, 0], None).is_err(), "a stone is there");
    batch.play(&[4, 0], None).unwrap();
}

#[test]
fn a_game_that_starts_again_begins_its_steps_anew_also_where_none_are_counted() {
    let counted = StepOptions { max_steps: Some(9), ..NEVER };
    for autoreset in [Autoreset::SameStep, Autoreset::NextStep] {
        let mut batch = GameBatch::new(&go(3, 3, None), 2, 1, None);
        step(&mut batch, &[9, 4], counted, None).unwrap();
        let options = StepOptions { autoreset, ..NEVER };
        for actions in [[9, 5], [4, 6]] {
            step(&mut batch, &actions, options, None).unwrap();
        }
        assert_eq!(batch.steps(), [0, 1], "{autoreset:?}");
    }
}

#[test]
fn a_reset_of_some_of_many_games_leaves_the_others_and_their_streams() {
    let start = go(3, 3, None);
    let only: Vec<bool> = (0..300).map(|i| i % 7 == 3).collect();
    for threads in [1, 2] {
        let mut batch = GameBatch::new(&start, 300, 1, Some(threads));
        batch.play_random(&[2; 300]);
        let before = batch.clone();
        batch.reset(None, Some(&only), Some(9)).unwrap();
        let fresh = GameBatch::new(&start, 300, 9, None);
        for (i, &is_reset) in only.iter().enumerate() {
            let expected = if is_reset { &fresh } else { &before };
            assert_eq!(batch.get(i), expected.get(i));
            assert_eq!(batch.streams()[i], expected.streams()[i]);
        }
    }
}

#[test]
fn batches_that_return_to_other_games_differ() {
    let mut other = go(3, 3, None);
    other.play_at(1, 1).unwrap();
    let batch = GameBatch::new(&other, 2, 1, None);
    let mut twin = GameBatch::new(&go(3, 3, None), 2, 1, None);
    assert!(batch != twin);
    twin.reset(Some(&other), None, None).unwrap();
    assert!(batch.games().eq(twin.games()) && batch != twin);
}

#[test]
fn scores_of_a_batch_are_those_of_its_games() {
    let mut batch = GameBatch::new(&go(3, 3, Some(9)), 20, 1, None);
    batch.play_random(&(0..20).collect::<Vec<_>>());
    batch.resign(3, None).unwrap();
    let mut scores = [0.0; 20];
    batch.write_scores(&mut scores);
    assert!(batch.games().map(|game| game.score() as f32).eq(scores));
}
