//! Putting games back to what they were before a step in which the rules of one have failed.

use super::legal::write_row;
use super::play::Move;
use super::{GAMES_A_TASK, GameBatch};
use crate::color::Color;
use crate::game::Game;
use crate::log::Step;
use crate::setup::Setup;
use crate::status::{Ending, Status};

/// A game in whose place a step has put the prototype: by its history it can be made again.
pub(super) struct Replaced<G: Game> {
    index: usize,
    rules: G::Rules,
    setup: Setup,
    max_moves: Option<u32>,
    steps: Vec<Step>,
    resigned: Option<Color>,
}

impl<G: Game> Replaced<G> {
    /// A game as it was before this move was made in it.
    pub(super) fn of(index: usize, game: &G, made: Move) -> Self {
        let state = game.state();
        let mut steps: Vec<_> = state.steps().collect();
        if matches!(made, Move::Play(_)) {
            steps.pop();
        }
        let resigned = match game.status() {
            Status::Done { ending: Ending::Resignation(color), .. } => Some(color),
            _ => None,
        };
        Self {
            index,
            rules: game.rules().clone(),
            setup: state.setup().clone(),
            max_moves: state.max_moves(),
            steps,
            resigned: resigned.filter(|_| !matches!(made, Move::Lose)),
        }
    }

    fn restored(self) -> Option<G> {
        let mut game = G::from_setup(self.rules, self.setup, self.max_moves).ok()?;
        for step in self.steps {
            game.take(step).ok()?;
        }
        if let Some(color) = self.resigned {
            game.resign(color).ok()?;
        }
        Some(game)
    }
}

impl<G: Game> GameBatch<G> {
    /// Takes back the moves that were made in all games.
    #[cold]
    pub(super) fn take_back(&mut self, moves: &[Move], replaced: Vec<Replaced<G>>) {
        let mut is_there = vec![true; self.len()];
        for one in replaced {
            let index = one.index;
            is_there[index] = false;
            if let Some(game) = one.restored() {
                // A copy over a game keeps what that one says of failures.
                self.games[index].clone_from(&game);
            }
        }
        self.map_games(GAMES_A_TASK, |index, game, legal, _| {
            if is_there[index] && matches!(moves[index], Move::Play(_) | Move::Lose) {
                // There is a step to take back.
                let _ = game.undo();
            }
            write_row(game, legal);
        });
    }
}
