//! Steps of a batch against the same actions played in each game alone, told in plain steps.

#![allow(clippy::float_cmp)] // Equal by law, so compared exactly.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sixplane::batch::{
    Autoreset, Cutoff, GameBatch, Illegal, NO_ACTION, StepEnding, StepOptions, StepResult, View,
};
use sixplane::{
    Action, BoardSize, Color, ConnectFour, Ending, Game, Go, Gomoku, KoRule, Reversi, Rules, Status,
};

use super::{NEVER, RESETS, go, seen, step};
use crate::effort::share;

const GAMES: usize = 50;

/// What a step must say of the action just played.
#[derive(Debug, PartialEq)]
struct Said {
    reward: f32,
    terminated: bool,
    truncated: bool,
    out_of_steps: bool,
    ending: StepEnding,
    actor: Option<Color>,
}

const NOTHING: Said = Said {
    reward: 0.0,
    terminated: false,
    truncated: false,
    out_of_steps: false,
    ending: StepEnding::None,
    actor: None,
};

/// The same of an action that this color played in a game, which is now as given.
fn said(game: &impl Game, actor: Color, steps: u32, lost: bool, options: StepOptions) -> Said {
    let out_of_steps = options.max_steps == Some(steps);
    let running = Said { actor: Some(actor), out_of_steps, ..NOTHING };
    let Status::Done { outcome, ending } = game.status() else { return running };
    let own = if actor == Color::Black { 1 } else { -1 };
    let sign = match options.view {
        View::Black => 1,
        View::White => -1,
        View::Player => own,
    };
    let reward = f32::from(sign * outcome.sign());
    let won = |ending| Said { reward, terminated: true, ending, ..running };
    match (ending, options.cutoff) {
        (Ending::Truncation, Cutoff::Truncate) => {
            Said { truncated: true, ending: StepEnding::Cutoff, ..running }
        }
        (Ending::Truncation, Cutoff::Adjudicate) => won(StepEnding::Cutoff),
        (Ending::Resignation(loser), _) if lost && loser == actor => won(StepEnding::Illegal),
        (Ending::Rules, _) if !lost => won(StepEnding::Rules),
        other => panic!("{other:?}"),
    }
}

/// The planes that a step shows of a game.
fn view_of(game: &impl Game, options: StepOptions) -> Vec<u8> {
    let view = if options.history.is_some() { View::Player } else { options.view };
    seen(game, view.side(game.turn()), options.history)
}

fn mask_of(game: &impl Game) -> Vec<i8> {
    let mut mask = vec![7; game.size().num_actions()];
    game.write_action_mask(&mut mask);
    mask
}

/// Checks one result of a step against a game played alone, and its planes and mask against the game
/// that they show now.
fn assert_result(
    result: &StepResult,
    (planes, mask): (&[u8], &[i8]),
    shown: &impl Game,
    played: &impl Game,
    said: &Said,
    options: StepOptions,
) {
    let StepResult { reward, truncated, out_of_steps, ending, actor, .. } = *result;
    let terminated = result.terminated();
    assert_eq!(&Said { reward, terminated, truncated, out_of_steps, ending, actor }, said);
    assert!(reward.is_sign_positive() || reward < 0.0, "a negative zero");
    assert_eq!(result.outcome, played.outcome());
    assert_eq!(result.score, played.score() as f32);
    assert_eq!(result.move_number, played.state().moves());
    assert_eq!(planes, view_of(shown, options));
    assert_eq!(mask, mask_of(shown));
    assert_eq!(result.turn, shown.turn());
}

fn batch_equals_single_steps<G: Game>(prototype: &G, autoreset: Autoreset, threads: usize) {
    let options = StepOptions { autoreset, ..StepOptions::default() };
    games_equal_single_steps(share(GAMES), prototype, options, threads, 1.0);
}

/// A game is left out of a step with the probability that `part` lacks to 1, and with illegal
/// actions that lose, some are played.
fn games_equal_single_steps<G: Game>(
    games: usize,
    prototype: &G,
    options: StepOptions,
    threads: usize,
    part: f64,
) {
    let autoreset = options.autoreset;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(games as u64);
    let mut batch = GameBatch::new(prototype, games, 7, Some(threads));
    let mut alone = vec![(prototype.clone(), 0); games];
    let layers = options.history.map_or(6, |k| 2 * k + 1);
    let (cells, entries) = (layers * batch.size().points(), batch.size().num_actions());
    let mut ended = 0;
    for _ in 0..150 {
        let mut actions = batch.sample();
        let only: Vec<bool> = (0..games).map(|_| rng.random_bool(part)).collect();
        for (action, (game, steps)) in actions.iter_mut().zip(&alone) {
            if autoreset == Autoreset::Disabled && options.max_steps == Some(*steps) {
                *action = NO_ACTION;
            } else if options.illegal == Illegal::Lose && !game.is_over() && rng.random_bool(0.02) {
                *action = rng.random_range(0..game.size().num_actions() as i64);
            }
        }
        let given: Vec<i64> = actions
            .iter()
            .zip(&only)
            .map(|(&action, &chosen)| if chosen { action } else { i64::from(rng.random::<i32>()) })
            .collect();
        let mask = (part < 1.0).then_some(only.as_slice());
        let (step, planes, masks) = step(&mut batch, &given, options, mask).unwrap();
        let assert_row = |i: usize, shown: &G, played: &G, said: &Said| {
            let row = (&planes[i * cells..][..cells], &masks[i * entries..][..entries]);
            assert_result(&step.results[i], row, shown, played, said, options);
        };
        let mut next_final = 0;
        for (i, (game, steps)) in alone.iter_mut().enumerate() {
            let waits = game.is_over() || options.max_steps == Some(*steps);
            if !only[i] || waits {
                assert!(!game.is_over() || actions[i] == NO_ACTION);
                if only[i] && autoreset != Autoreset::Disabled {
                    game.clone_from(prototype);
                    *steps = 0;
                }
                assert_row(i, game, game, &NOTHING);
                continue;
            }
            let (actor, action) = (game.turn(), Action::new(actions[i] as usize));
            let lost = game.play(action).is_err();
            assert!(!lost || options.illegal == Illegal::Lose, "sampled actions are legal");
            if lost {
                game.resign(actor).unwrap();
            }
            *steps += u32::from(options.max_steps.is_some());
            let said = said(game, actor, *steps, lost, options);
            let ends = game.is_over() || said.out_of_steps;
            ended += usize::from(ends);
            if ends && autoreset == Autoreset::SameStep {
                assert_eq!(step.final_index[next_final], i);
                let last = &step.final_planes[next_final * cells..][..cells];
                assert_eq!(last, view_of(game, options));
                assert_eq!(step.final_masks[next_final * entries..][..entries], mask_of(game));
                next_final += 1;
                assert_row(i, prototype, game, &said);
                game.clone_from(prototype);
                *steps = 0;
            } else {
                assert_row(i, game, game, &said);
            }
        }
        assert_eq!(step.final_index.len(), next_final);
        assert!(batch.games().eq(alone.iter().map(|(game, _)| game)));
        assert!(batch.steps().iter().eq(alone.iter().map(|(_, steps)| steps)));
    }
    assert!(ended > games / 2, "only {ended} games ended");
}

#[test]
fn a_batch_equals_its_games_played_one_by_one() {
    for autoreset in RESETS {
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
fn a_batch_of_many_games_equals_its_games_too() {
    for autoreset in RESETS {
        let options = StepOptions { autoreset, ..StepOptions::default() };
        games_equal_single_steps(share(300), &go(3, 4, Some(40)), options, 1, 1.0);
    }
    games_equal_single_steps(300, &go(14, 15, Some(100)), StepOptions::default(), 2, 1.0);
}

#[test]
fn views_cutoffs_and_games_left_out_equal_single_steps_in_every_mode() {
    let (reversi, gomoku) = (Reversi::new(4).unwrap(), Gomoku::new(5).unwrap());
    let connect_four = ConnectFour::new(4).unwrap();
    for autoreset in RESETS {
        for illegal in [Illegal::Refuse, Illegal::Lose] {
            for view in [View::Black, View::White, View::Player] {
                for (cutoff, part) in [(Cutoff::Adjudicate, 1.0), (Cutoff::Truncate, 0.7)] {
                    let options =
                        StepOptions { autoreset, illegal, view, cutoff, ..StepOptions::default() };
                    games_equal_single_steps(share(GAMES), &go(3, 4, Some(9)), options, 1, part);
                    games_equal_single_steps(share(GAMES), &reversi, options, 3, 1.7 - part);
                    games_equal_single_steps(share(GAMES), &gomoku, options, 2, part);
                    games_equal_single_steps(share(GAMES), &connect_four, options, 2, part);
                }
            }
        }
    }
}

#[test]
fn histories_and_limits_of_steps_equal_single_steps_in_every_mode() {
    let (reversi, gomoku) = (Reversi::new(4).unwrap(), Gomoku::new(5).unwrap());
    let connect_four = ConnectFour::new(4).unwrap();
    for autoreset in RESETS {
        for (history, max_steps) in [(Some(1), None), (None, Some(7)), (Some(3), Some(9))] {
            for (view, cutoff) in
                [(View::Player, Cutoff::Truncate), (View::Black, Cutoff::Adjudicate)]
            {
                let options = StepOptions {
                    autoreset,
                    illegal: Illegal::Lose,
                    view,
                    cutoff,
                    history,
                    max_steps,
                };
                games_equal_single_steps(share(GAMES), &go(3, 4, Some(9)), options, 1, 0.9);
                games_equal_single_steps(share(GAMES), &reversi, options, 3, 1.0);
                games_equal_single_steps(share(GAMES), &gomoku, options, 2, 0.8);
                games_equal_single_steps(share(GAMES), &connect_four, options, 1, 0.9);
            }
        }
    }
}

/// What a step knows of the areas it may have from the step before.
#[test]
fn the_score_of_a_step_is_that_of_the_board_whatever_was_played_since_the_last() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut suicides, mut taken_back) = (0, 0);
    for ko in KoRule::ALL {
        let rules = Rules { ko, suicide: true, ..Rules::default() };
        let start = Go::with_rules(BoardSize::new(3, 4).unwrap(), rules, Some(70)).unwrap();
        let mut batch = GameBatch::new(&start, 30, 3, Some(1));
        for _ in 0..100 {
            batch.play_random(&std::array::from_fn::<_, 30, _>(|_| rng.random_range(0..6) / 3));
            for i in 0..30 {
                let mut game = batch.get(i).unwrap().clone();
                if rng.random_bool(0.2) && game.undo().is_ok() {
                    batch.set(i, game).unwrap();
                    taken_back += 1;
                }
            }
            let actions = batch.sample();
            let (step, ..) = step(&mut batch, &actions, NEVER, None).unwrap();
            for (game, result) in batch.games().zip(&step.results) {
                assert_eq!(result.score, game.score() as f32);
                if let Some((_, [put, rest @ ..])) = game.state().steps_with_changes().next_back() {
                    suicides += usize::from(rest.iter().any(|one| one.color() == put.color()));
                }
            }
            let only: Vec<bool> = batch.games().map(Game::is_over).collect();
            batch.reset(None, Some(&only), None).unwrap();
        }
    }
    assert!(suicides > 100 && taken_back > 100, "{suicides} {taken_back}");
}
