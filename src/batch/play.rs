//! Actions in the games of a batch: which are refused, and playing them without a report.

use std::sync::atomic::{AtomicBool, Ordering};

use super::legal::{sample, write_row};
use super::{Autoreset, BatchError, GameBatch, Illegal, Refusal, StepOptions};
use super::{GAMES_A_TASK, is_in};
use crate::error::PlayError;
use crate::game::Game;
use crate::geometry::Action;

/// What a step does in one game.
#[derive(Clone, Copy, Debug)]
pub(super) enum Move {
    /// Plays this legal action.
    Play(Action),
    /// Ends the game: the action was illegal.
    Lose,
    /// Starts the game again.
    Reset,
    /// Leaves it as it is.
    Stay,
}

impl Move {
    /// The action that it plays.
    pub(super) fn action(self) -> Option<Action> {
        if let Self::Play(action) = self { Some(action) } else { None }
    }
}

impl<G: Game> GameBatch<G> {
    /// Plays so many uniformly random legal actions in each game; one that is over stays. Where the rules of a
    /// game fail, no more is played.
    ///
    /// ```
    /// use sixplane::batch::GameBatch;
    /// use sixplane::{Game, Gomoku};
    ///
    /// let mut batch = GameBatch::new(&Gomoku::new(15)?, 2, 1, None);
    /// batch.play_random(&[0, 10]);
    /// assert_eq!(batch.games().map(|game| game.state().moves()).collect::<Vec<_>>(), [0, 10]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If there are fewer numbers than games.
    pub fn play_random(&mut self, counts: &[usize]) {
        let most = counts.iter().copied().max().unwrap_or(0).max(1);
        if self.prototype.needs_preparing() {
            let mut rounds = 0..most;
            while rounds
                .next()
                .is_some_and(|round| self.play_random_once(|index| counts[index] > round))
            {
            }
            return;
        }
        self.map_games(GAMES_A_TASK.div_ceil(most), |index, game, legal, stream| {
            for _ in 0..counts[index] {
                let Some(action) = sample(legal, stream) else { break };
                game.play_unchecked(action);
                write_row(game, legal);
            }
        });
    }

    /// Plays a random legal action in each of these games, prepared together; false if rules fail.
    fn play_random_once(&mut self, is_meant: impl Fn(usize) -> bool + Sync) -> bool {
        let actions = self.map_games(GAMES_A_TASK, |index, _, legal, stream| {
            if is_meant(index) { sample(legal, stream) } else { None }
        });
        if self.prepare(|index| actions[index]).is_err() {
            return false;
        }
        self.map_games(GAMES_A_TASK, |index, game, legal, _| {
            if let Some(action) = actions[index] {
                game.play_unchecked(action);
                write_row(game, legal);
            }
        });
        true
    }

    /// Prepares the games whose actions are given.
    pub(super) fn prepare(
        &mut self,
        action: impl Fn(usize) -> Option<Action>,
    ) -> Result<(), BatchError> {
        // What is not prepared, as in a batch of several kinds, is asked when it is played.
        let is_done = !self.prototype.needs_preparing() || G::prepare(&mut self.games, action);
        if is_done { Ok(()) } else { Err(BatchError::Rules) }
    }

    /// Plays one action in each game whose entry in `only` is set (`None`: in all);
    /// [`NO_ACTION`](super::NO_ACTION) where it is over.
    ///
    /// ```
    /// use sixplane::batch::{BatchError, GameBatch};
    /// use sixplane::{Game, Go, PlayError};
    ///
    /// let mut batch = GameBatch::new(&Go::new(5)?, 3, 1, None);
    /// batch.play(&[12, 12, 12], Some(&[true, true, false]))?;
    /// let Err(BatchError::Illegal(refusals)) = batch.play(&[12, 0, 12], None) else { panic!() };
    /// assert_eq!((refusals[0].index, refusals[0].error), (0, PlayError::Occupied));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::Length`]; [`BatchError::Illegal`] if any of these actions may not be played, and
    /// [`BatchError::Rules`]: then none is.
    pub fn play(&mut self, actions: &[i64], only: Option<&[bool]>) -> Result<(), BatchError> {
        let options = StepOptions { autoreset: Autoreset::Disabled, ..StepOptions::default() };
        let moves = self.check(actions, options, only)?;
        self.prepare(|index| moves[index].action())?;
        let has_failed = AtomicBool::new(false);
        self.map_games(GAMES_A_TASK, |index, game, legal, _| {
            if let Move::Play(action) = moves[index] {
                game.play_unchecked(action);
                if game.has_failed() {
                    has_failed.store(true, Ordering::Relaxed);
                }
                write_row(game, legal);
            }
        });
        if has_failed.into_inner() {
            self.take_back(&moves, Vec::new());
            return Err(BatchError::Rules);
        }
        Ok(())
    }

    /// What a step with these actions does in each game.
    pub(super) fn check(
        &self,
        actions: &[i64],
        options: StepOptions,
        only: Option<&[bool]>,
    ) -> Result<Vec<Move>, BatchError> {
        if actions.len() != self.len() {
            return Err(BatchError::Length { games: self.len(), actions: actions.len() });
        }
        let (mut moves, mut refusals) = (Vec::with_capacity(self.len()), Vec::new());
        for (index, &action) in actions.iter().enumerate() {
            if !is_in(only, index) {
                moves.push(Move::Stay);
                continue;
            }
            match self.check_one(index, action, options) {
                Ok(next) => moves.push(next),
                Err(error) => refusals.push(Refusal { index, action, error }),
            }
        }
        if refusals.is_empty() { Ok(moves) } else { Err(BatchError::Illegal(refusals)) }
    }

    #[inline]
    fn check_one(
        &self,
        index: usize,
        action: i64,
        options: StepOptions,
    ) -> Result<Move, PlayError> {
        let points = self.size().points();
        let on_board = usize::try_from(action).ok().filter(|&action| action <= points);
        let legal = &self.legal[index * self.words..][..self.words];
        let out_of_steps = options.max_steps.is_some_and(|most| self.steps[index] >= most);
        let is_legal = |&i: &usize| legal[i >> 6] >> (i & 63) & 1 == 1;
        if let Some(action) = on_board.filter(is_legal).filter(|_| !out_of_steps) {
            return Ok(Move::Play(Action::new(action)));
        }
        let game = &self.games[index];
        if game.is_over() || out_of_steps {
            let resets = options.autoreset.resets_ended(action)?;
            return Ok(if resets { Move::Reset } else { Move::Stay });
        }
        let action = on_board.map(Action::new).ok_or(PlayError::OffBoard)?;
        if options.illegal == Illegal::Lose {
            return Ok(Move::Lose);
        }
        game.check(action).map(|()| Move::Play(action))
    }
}
