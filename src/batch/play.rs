//! Actions in the games of a batch: which are refused, and playing without looking at what follows.

use std::borrow::Cow;

use super::{Autoreset, BatchError, GameBatch, Illegal, NO_ACTION, Refusal, is_in};
use crate::error::PlayError;
use crate::game::Game;
use crate::geometry::Action;

impl<G: Game> GameBatch<G> {
    /// Plays `count` uniformly random legal actions in each game; one that is over stays.
    pub fn play_random(&mut self, count: usize) {
        self.play_random_each(&vec![count; self.len()]);
    }

    /// The same with a number of actions for each game.
    ///
    /// # Panics
    /// If there are fewer numbers than games.
    pub fn play_random_each(&mut self, counts: &[usize]) {
        let count = self.len();
        let games = (self.games.as_mut_slice(), self.legal.as_mut(), self.draws.as_mut_slice());
        let work = (games, &counts[..count]);
        self.workers.runs(&self.paces.play_random, count, work, |_, (games, counts)| {
            let (games, mut legal, draws) = games;
            for (i, ((game, draws), &count)) in games.iter_mut().zip(draws).zip(counts).enumerate()
            {
                for _ in 0..count {
                    let Some(action) = legal.draw(i, draws) else { break };
                    game.play_unchecked(action);
                    legal.note(i, game);
                }
            }
        });
    }

    /// Plays one action in each game whose entry in `only` is set (`None`: in all);
    /// [`NO_ACTION`] where it is over.
    ///
    /// # Errors
    /// [`BatchError`] if any of these actions may not be played: then none is.
    pub fn play(&mut self, actions: &[i64], only: Option<&[bool]>) -> Result<(), BatchError> {
        let actions = self.check(actions, Autoreset::Disabled, Illegal::Refuse, only)?;
        let work = (self.games.as_mut_slice(), self.legal.as_mut(), &*actions);
        self.workers.runs(
            &self.paces.play,
            actions.len(),
            work,
            |_, (games, mut legal, actions)| {
                for (i, (game, &action)) in games.iter_mut().zip(actions).enumerate() {
                    if action != NO_ACTION {
                        game.play_unchecked(Action::new(action as usize));
                        legal.note(i, game);
                    }
                }
            },
        );
        Ok(())
    }

    /// The actions, none of which is refused, with [`NO_ACTION`] for the games outside of `only`.
    pub(super) fn check<'a>(
        &self,
        actions: &'a [i64],
        autoreset: Autoreset,
        illegal: Illegal,
        only: Option<&[bool]>,
    ) -> Result<Cow<'a, [i64]>, BatchError> {
        if actions.len() != self.len() {
            return Err(BatchError::Length { games: self.len(), actions: actions.len() });
        }
        let refused = |&(index, &action): &(usize, &i64)| !self.legal.contains(index, action);
        let refusal = |(index, &action): (usize, &i64)| {
            let game = &self.games[index];
            let error = refuse(game, action, autoreset, illegal).filter(|_| is_in(only, index))?;
            Some(Refusal { index, action, error })
        };
        let refusals: Vec<_> =
            actions.iter().enumerate().filter(refused).filter_map(refusal).collect();
        if !refusals.is_empty() {
            return Err(BatchError::Illegal(refusals));
        }
        if only.is_none() {
            return Ok(Cow::Borrowed(actions));
        }
        let chosen = |(index, &action)| if is_in(only, index) { action } else { NO_ACTION };
        Ok(actions.iter().enumerate().map(chosen).collect())
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
