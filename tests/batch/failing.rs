//! A batch of games whose rules can fail: a step that fails has changed nothing.

use super::{NEVER, RESETS, go, step};
use sixplane::batch::{BatchError, GameBatch, Illegal, NO_ACTION, StepOptions};
use sixplane::game::Access;
use sixplane::{Action, Color, Game, Go, Notation, Rules, Setup, SetupError, State};

/// Go whose rules fail where a stone is on the last point.
#[derive(Clone, Debug)]
struct Failing(Go);

impl Game for Failing {
    type Rules = Rules;

    const NAME: &'static str = "failing";

    const NOTATION: Notation = Go::NOTATION;

    const PREPARES: bool = true;

    fn from_setup(rules: Rules, setup: Setup, max_moves: Option<u32>) -> Result<Self, SetupError> {
        Go::from_setup(rules, setup, max_moves).map(Self)
    }

    fn rules(&self) -> &Rules {
        self.0.rules()
    }

    fn state(&self) -> &State {
        self.0.state()
    }

    fn state_mut(&mut self, access: Access) -> &mut State {
        self.0.state_mut(access)
    }

    fn apply(&mut self, action: Action) {
        self.0.apply(action);
    }

    fn rebuild(&mut self) {
        self.0.rebuild();
    }

    fn reason(&self, point: usize) -> &'static str {
        self.0.reason(point)
    }

    fn may_pass(&self) -> bool {
        self.0.may_pass()
    }

    fn ending_rule(&self) -> Option<&'static str> {
        self.0.ending_rule()
    }

    fn score(&self) -> f64 {
        self.0.score()
    }

    fn has_failed(&self) -> bool {
        self.state().planes().stone(self.size().points() - 1).is_some()
    }
}

impl PartialEq for Failing {
    fn eq(&self, other: &Self) -> bool {
        self.same_game(other)
    }
}

/// 3x3: one game goes on, one has a pass, one was resigned, and one has no step of its episode left.
fn batch(threads: usize) -> GameBatch<Failing> {
    let mut batch = GameBatch::new(&Failing(go(3, 3, None)), 5, 1, Some(threads));
    let counted = StepOptions { max_steps: Some(2), ..NEVER };
    step(&mut batch, &[0, 0, 0, 0, 0], counted, None).unwrap();
    let only = [false, true, true, true, false];
    step(&mut batch, &[0, 9, 1, 1, 0], counted, Some(&only)).unwrap();
    batch.resign(2, Some(Color::Black)).unwrap();
    let streams = batch.streams().to_vec();
    let games = batch.games().cloned().collect();
    let start = batch.prototype().clone();
    GameBatch::from_parts(start, games, streams, vec![1, 1, 1, 2, 1], Some(threads)).unwrap()
}

#[test]
fn a_step_whose_rules_fail_changes_no_game() {
    for (autoreset, threads) in RESETS.into_iter().flat_map(|mode| [(mode, 1), (mode, 3)]) {
        let options =
            StepOptions { autoreset, illegal: Illegal::Lose, max_steps: Some(2), ..NEVER };
        let mut batch = batch(threads);
        let mut twin = batch.clone();
        // Plays, ends by a second pass, was over, had no step left, and is lost by an illegal play.
        let mut actions = [8, 9, NO_ACTION, NO_ACTION, 0];
        let failed = step(&mut batch, &actions, options, None);
        assert_eq!(failed.err(), Some(BatchError::Rules));
        assert_eq!(batch, twin, "{autoreset:?}");
        assert_eq!(batch.steps(), [1, 1, 1, 2, 1]);
        assert_eq!(batch.get(2).unwrap().ending(), Some("resignation"));
        actions[0] = 7;
        let found = step(&mut batch, &actions, options, None).unwrap();
        assert_eq!(found, step(&mut twin, &actions, options, None).unwrap());
        assert_eq!((&batch, batch.steps()), (&twin, twin.steps()));
        assert_eq!(batch.sample(), twin.sample());
    }
}

#[test]
fn a_play_whose_rules_fail_changes_no_game() {
    let (mut batch, mut twin) = (batch(1), batch(1));
    assert_eq!(batch.play(&[8, 1, NO_ACTION, 2, 1], None), Err(BatchError::Rules));
    assert_eq!(batch, twin);
    assert_eq!(batch.sample(), twin.sample());
}
