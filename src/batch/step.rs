//! One action in each game of a batch, and what comes of it.

use super::{Autoreset, BatchError, Finals, GameBatch, Illegal, NO_ACTION, Refusal};
use crate::error::PlayError;
use crate::game::Game;
use crate::geometry::Action;
use crate::planes::NUM_PLANES;
use crate::prefetch::prefetch;
use crate::rows::{Rows, RowsMut};
use crate::status::{Ending, Outcome, Status};

/// So many games stay in a processor's cache from one step to the next.
const CACHED: usize = 256;

impl<G: Game> GameBatch<G> {
    /// Plays `count` uniformly random legal actions in each game; one that is over stays.
    pub fn play_random(&mut self, count: usize) {
        let work = (self.games.as_mut_slice(), self.legal.as_mut(), self.draws.as_mut_slice());
        self.workers.runs(
            &self.paces.play_random,
            work.0.len(),
            work,
            |_, (games, mut legal, draws)| {
                for (i, (game, draws)) in games.iter_mut().zip(draws).enumerate() {
                    for _ in 0..count {
                        let Some(action) = legal.draw(i, draws) else { break };
                        game.play_unchecked(action);
                        legal.note(i, game);
                    }
                }
            },
        );
    }

    /// Plays one action in each game; [`NO_ACTION`] where it is over.
    ///
    /// # Errors
    /// [`BatchError`] if any action may not be played: then none is.
    pub fn play(&mut self, actions: &[i64]) -> Result<(), BatchError> {
        self.check(actions, Autoreset::Disabled, Illegal::Refuse)?;
        let work = (self.games.as_mut_slice(), self.legal.as_mut(), actions);
        self.workers.runs(
            &self.paces.play,
            actions.len(),
            work,
            |_, (games, mut legal, actions)| {
                for (i, (game, &action)) in games.iter_mut().zip(actions).enumerate() {
                    if !game.is_over() {
                        game.play_unchecked(Action::new(action as usize));
                        legal.note(i, game);
                    }
                }
            },
        );
        Ok(())
    }

    /// Plays one action in each game and writes what follows.
    ///
    /// Rewards, flags, outcomes and scores speak of the action just played; planes, masks and
    /// turns of what comes next. A game that is over before the step takes [`NO_ACTION`] and
    /// repeats its outcome and score if resets are disabled; else it ignores its action and is
    /// reset, with reward 0 and outcome "running".
    ///
    /// # Errors
    /// [`BatchError`] if any action is refused: then nothing has changed anywhere.
    pub fn step(
        &mut self,
        actions: &[i64],
        autoreset: Autoreset,
        illegal: Illegal,
        rows: &mut Rows,
    ) -> Result<Finals, BatchError> {
        self.step_into(actions, autoreset, illegal, rows.as_mut())
    }

    /// The same into rows whose memory belongs to somebody else.
    ///
    /// # Errors
    /// [`BatchError`] as [`GameBatch::step`].
    pub fn step_into(
        &mut self,
        actions: &[i64],
        autoreset: Autoreset,
        illegal: Illegal,
        rows: RowsMut<'_>,
    ) -> Result<Finals, BatchError> {
        self.check(actions, autoreset, illegal)?;
        let prototype = &self.prototype;
        let is_large = actions.len() > CACHED;
        let work = (self.games.as_mut_slice(), self.legal.as_mut(), (actions, rows));
        let finals = self.workers.runs(&self.paces.step, actions.len(), work, |first, run| {
            let (games, mut legal, (actions, mut rows)) = run;
            let mut finals = Finals::default();
            for (i, &action) in actions.iter().enumerate() {
                if is_large {
                    prefetch_next(&games[i..], &actions[i..]);
                }
                let game = &mut games[i];
                let may_play = legal.contains(i, action);
                if step_game(game, action, may_play, autoreset, prototype, &mut rows, i) {
                    finals.index.push((first + i) as i64);
                    finals.planes.extend_from_slice(game.state().planes().cells());
                    game.clone_from(prototype);
                }
                legal.note(i, game);
                rows.write_position(i, game);
            }
            finals
        });
        Ok(finals.into_iter().fold(Finals::default(), |mut all, some| {
            all.index.extend(some.index);
            all.planes.extend(some.planes);
            all
        }))
    }

    fn check(
        &self,
        actions: &[i64],
        autoreset: Autoreset,
        illegal: Illegal,
    ) -> Result<(), BatchError> {
        if actions.len() != self.len() {
            return Err(BatchError::Length { games: self.len(), actions: actions.len() });
        }
        let refused = |&(index, &action): &(usize, &i64)| !self.legal.contains(index, action);
        let refusal = |(index, &action): (usize, &i64)| {
            let error = refuse(&self.games[index], action, autoreset, illegal)?;
            Some(Refusal { index, error })
        };
        let refusals: Vec<_> =
            actions.iter().enumerate().filter(refused).filter_map(refusal).collect();
        if refusals.is_empty() { Ok(()) } else { Err(BatchError::Illegal(refusals)) }
    }
}

/// Asks for the memory of the games after the first.
#[inline(never)]
fn prefetch_next<G: Game>(games: &[G], actions: &[i64]) {
    if let Some(game) = games.get(2) {
        prefetch(game);
    }
    if let (Some(game), Some(&action)) = (games.get(1), actions.get(1)) {
        game.prefetch(Action::new(action as usize));
    }
}

/// Why an entry that is not legal is refused, if it is.
fn refuse<G: Game>(
    game: &G,
    action: i64,
    autoreset: Autoreset,
    illegal: Illegal,
) -> Option<PlayError> {
    if game.is_over() {
        let ignored = autoreset != Autoreset::Disabled || action == NO_ACTION;
        return if ignored { None } else { Some(PlayError::GameOver) };
    }
    match usize::try_from(action) {
        Ok(index) if index <= game.size().points() => match game.check(Action::new(index)) {
            Err(error) if illegal == Illegal::Refuse => Some(error),
            _ => None,
        },
        _ => Some(PlayError::OffBoard),
    }
}

/// Plays an accepted entry in one game and writes what came of it. `true` if the game is to be
/// reset in this step and its last planes handed out.
#[inline]
fn step_game<G: Game>(
    game: &mut G,
    action: i64,
    may_play: bool,
    autoreset: Autoreset,
    prototype: &G,
    rows: &mut RowsMut<'_>,
    row: usize,
) -> bool {
    if game.is_over() {
        if autoreset != Autoreset::Disabled {
            game.clone_from(prototype);
        }
        // What a reset returns to may be over, too: then its outcome is repeated.
        rows.write_result(row, game, false);
        return false;
    }
    if may_play {
        game.play_unchecked(Action::new(action as usize));
    } else {
        // Checked before: illegal actions come here only where they lose the game, which goes on.
        let _ = game.resign(game.turn());
    }
    rows.write_result(row, game, true);
    autoreset == Autoreset::SameStep && game.is_over()
}

/// The outcome of a game that goes on, where others are +1, 0 and -1.
pub const RUNNING: i8 = -2;

impl RowsMut<'_> {
    /// Writes what the action just played led to, or with `fresh` false, only outcome and score.
    #[inline]
    fn write_result<G: Game>(&mut self, row: usize, game: &mut G, fresh: bool) {
        let (outcome, truncated) = match game.status() {
            Status::Ongoing => (None, false),
            Status::Done { outcome, ending } => (Some(outcome), ending == Ending::Truncation),
        };
        let done = fresh && outcome.is_some();
        self.outcomes[row] = outcome.map_or(RUNNING, Outcome::sign);
        self.rewards[row] = if done { f32::from(self.outcomes[row]) } else { 0.0 };
        self.terminated[row] = done && !truncated;
        self.truncated[row] = done && truncated;
        self.scores[row] = game.update_score() as f32;
    }

    /// Writes planes, mask and turn of the position now.
    #[inline]
    fn write_position<G: Game>(&mut self, row: usize, game: &G) {
        let cells = NUM_PLANES * game.size().points();
        game.state().write_planes(&mut self.planes[row * cells..][..cells]);
        let actions = game.size().num_actions();
        game.write_action_mask(&mut self.masks[row * actions..][..actions]);
        self.turns[row] = game.turn().index() as i8;
    }
}
