//! Steps of a batch, whatever actions and options it is given, beside its games played alone.

use sixplane::batch::{Autoreset, Cutoff, GameBatch, Illegal, NO_ACTION, StepOptions, View};
use sixplane::{Action, Game, NUM_PLANES};

use super::{Bytes, below, with_game};

/// A step plays what each game alone would play, or refuses and changes nothing anywhere.
pub fn a_batch_equals_its_games_played_alone(bytes: &[u8]) {
    let mut bytes = bytes.iter().copied();
    let _ = (|| with_game!(&mut bytes, walk))();
}

fn options(bytes: &mut Bytes<'_>) -> Option<StepOptions> {
    Some(StepOptions {
        autoreset: [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled]
            [below(bytes, 3)?],
        illegal: [Illegal::Refuse, Illegal::Lose][below(bytes, 2)?],
        view: [View::Black, View::White, View::Player][below(bytes, 3)?],
        cutoff: [Cutoff::Adjudicate, Cutoff::Truncate][below(bytes, 2)?],
        ..StepOptions::default()
    })
}

fn walk<G: Game>(prototype: &G, bytes: &mut Bytes<'_>) -> Option<()> {
    let games = 1 + below(bytes, 4)?;
    let mut batch = GameBatch::new(prototype, games, 1, Some(1));
    let mut alone = vec![prototype.clone(); games];
    let (points, num_actions) = (batch.size().points(), batch.size().num_actions());
    let (mut planes, mut masks) =
        (vec![7; games * NUM_PLANES * points], vec![7; games * num_actions]);
    loop {
        let options = options(bytes)?;
        let mut actions = batch.sample();
        for action in &mut actions {
            *action = match below(bytes, 8)? {
                0 => i64::from(bytes.next()?) - 64,
                1 => i64::from_le_bytes([bytes.next()?; 8]),
                2 => prototype.size().points() as i64,
                _ => *action,
            };
        }
        let only: Vec<bool> =
            (0..games).map(|_| bytes.next().is_some_and(|byte| byte < 224)).collect();
        let is_refused = (0..games).any(|i| only[i] && refuses(&alone[i], actions[i], options));
        let said = batch.step(&actions, options, Some(&only), &mut planes, &mut masks);
        assert_eq!(said.is_err(), is_refused, "{said:?} of {actions:?}");
        if !is_refused {
            for (i, game) in alone.iter_mut().enumerate().filter(|&(i, _)| only[i]) {
                step(game, actions[i], options, prototype);
            }
        }
        assert!(batch.games().eq(&alone), "after {actions:?}");
        for (i, game) in alone.iter().enumerate() {
            let mut mask = vec![7; game.size().num_actions()];
            game.write_action_mask(&mut mask);
            let shown = &masks[i * mask.len()..][..mask.len()];
            assert!(is_refused || shown == mask.as_slice(), "the mask of game {i}");
        }
    }
}

fn refuses<G: Game>(game: &G, action: i64, options: StepOptions) -> bool {
    if game.is_over() {
        return options.autoreset == Autoreset::Disabled && action != NO_ACTION;
    }
    let on_board = (0..game.size().num_actions() as i64).contains(&action);
    !on_board
        || options.illegal == Illegal::Refuse && game.check(Action::new(action as usize)).is_err()
}

fn step<G: Game>(game: &mut G, action: i64, options: StepOptions, prototype: &G) {
    if game.is_over() {
        if options.autoreset != Autoreset::Disabled {
            game.clone_from(prototype);
        }
        return;
    }
    if game.play(Action::new(action as usize)).is_err() {
        game.resign(game.turn()).expect("a game that goes on");
    }
    if game.is_over() && options.autoreset == Autoreset::SameStep {
        game.clone_from(prototype);
    }
}
