//! One action in each game of a batch, and what comes of it.

use super::{Autoreset, BatchError, Cutoff, Finals, GameBatch, StepOptions, View, is_in};
use crate::game::Game;
use crate::geometry::Action;
use crate::planes::{NUM_PLANES, Plane};
use crate::prefetch::prefetch;
use crate::rows::{Rows, RowsMut};
use crate::status::{Ending, Outcome, Status};

/// So many games stay in a processor's cache from one step to the next.
const CACHED: usize = 256;

impl<G: Game> GameBatch<G> {
    /// Plays one action in each game whose entry in `only` is set (`None`: in all) and writes what
    /// follows.
    ///
    /// Rewards, flags, outcomes, scores, move numbers and endings speak of the action just played;
    /// planes, masks and turns of what comes next. A game that is over before the step takes
    /// [`NO_ACTION`](super::NO_ACTION) and repeats its outcome and score if resets are disabled;
    /// else it ignores its action and is reset, with reward 0 and outcome "running". A game outside
    /// of `only` ignores its action and stays as it is; its row says how it stands.
    ///
    /// # Errors
    /// [`BatchError`] if any action is refused: then nothing has changed anywhere.
    pub fn step(
        &mut self,
        actions: &[i64],
        options: StepOptions,
        only: Option<&[bool]>,
        rows: &mut Rows,
    ) -> Result<Finals, BatchError> {
        self.step_into(actions, options, only, rows.as_mut())
    }

    /// The same into rows whose memory belongs to somebody else.
    ///
    /// # Errors
    /// [`BatchError`] as [`GameBatch::step`].
    pub fn step_into(
        &mut self,
        actions: &[i64],
        options: StepOptions,
        only: Option<&[bool]>,
        rows: RowsMut<'_>,
    ) -> Result<Finals, BatchError> {
        let actions = self.check(actions, options.autoreset, options.illegal, only)?;
        let stepping = Stepping { prototype: &self.prototype, options, only };
        let is_large = actions.len() > CACHED;
        let work = (self.games.as_mut_slice(), self.legal.as_mut(), (&*actions, rows));
        let finals = self.workers.runs(&self.paces.step, actions.len(), work, |first, run| {
            let (games, mut legal, (actions, mut rows)) = run;
            let mut finals = Finals::default();
            for (i, &action) in actions.iter().enumerate() {
                if is_large {
                    prefetch_next(&games[i..], &actions[i..]);
                }
                let game = &mut games[i];
                let may_play = legal.contains(i, action);
                if stepping.step(game, action, may_play, first + i, &mut rows, i) {
                    finals.index.push((first + i) as i64);
                    finals.planes.extend_from_slice(game.state().planes().cells());
                    game.clone_from(stepping.prototype);
                }
                legal.note(i, game);
                rows.write_position(i, game);
            }
            if options.view == View::Player {
                rows.face_players();
                face_player(&mut finals.planes, rows.size.points());
            }
            finals
        });
        Ok(finals.into_iter().fold(Finals::default(), |mut all, some| {
            all.index.extend(some.index);
            all.planes.extend(some.planes);
            all
        }))
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

/// What the games of one step have in common.
struct Stepping<'a, G> {
    prototype: &'a G,
    options: StepOptions,
    only: Option<&'a [bool]>,
}

impl<G: Game> Stepping<'_, G> {
    /// Plays an accepted entry in the game of this number and writes what came of it. `true` if the
    /// game is to be reset in this step and its last planes handed out.
    #[inline]
    fn step(
        &self,
        game: &mut G,
        action: i64,
        may_play: bool,
        index: usize,
        rows: &mut RowsMut<'_>,
        row: usize,
    ) -> bool {
        rows.actors[row] = game.turn().index() as i8;
        let lost = if may_play {
            game.play_unchecked(Action::new(action as usize));
            false
        } else if game.is_over() || !is_in(self.only, index) {
            self.stay(game, index, rows, row);
            return false;
        } else {
            // Checked before: illegal actions come here only where they lose the game, which goes on.
            let _ = game.resign(game.turn());
            true
        };
        rows.write_result(row, game, lost, self.options.cutoff);
        self.options.autoreset == Autoreset::SameStep && game.is_over()
    }

    /// Writes how a game stands in which nothing is played, after its reset if there is one.
    fn stay(&self, game: &mut G, index: usize, rows: &mut RowsMut<'_>, row: usize) {
        let resets = self.options.autoreset != Autoreset::Disabled;
        if resets && game.is_over() && is_in(self.only, index) {
            game.clone_from(self.prototype);
        }
        rows.outcomes[row] = game.outcome().map_or(RUNNING, Outcome::sign);
        rows.rewards[row] = 0.0;
        rows.terminated[row] = false;
        rows.truncated[row] = false;
        rows.scores[row] = game.update_score() as f32;
        rows.move_numbers[row] = i64::from(game.state().moves());
        rows.endings[row] = StepEnding::None as i8;
        rows.actors[row] = NOBODY;
    }
}

/// The outcome of a game that goes on, where others are +1, 0 and -1.
pub const RUNNING: i8 = -2;

/// Who played the action where none was played.
pub const NOBODY: i8 = -1;

/// How the action of a step ended its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i8)]
pub enum StepEnding {
    /// It did not.
    None = 0,
    /// By the rules of the game.
    Rules = 1,
    /// By the move limit.
    Cutoff = 2,
    /// It was illegal, which lost the game. The game itself holds a resignation.
    Illegal = 3,
}

impl RowsMut<'_> {
    /// Writes what the action just played led to; `lost` if it was illegal.
    #[inline]
    fn write_result<G: Game>(&mut self, row: usize, game: &mut G, lost: bool, cutoff: Cutoff) {
        let (outcome, ending) = match game.status() {
            Status::Ongoing => (RUNNING, StepEnding::None),
            Status::Done { outcome, ending } => (
                outcome.sign(),
                match ending {
                    _ if lost => StepEnding::Illegal,
                    Ending::Truncation => StepEnding::Cutoff,
                    Ending::Rules | Ending::Resignation(_) => StepEnding::Rules,
                },
            ),
        };
        let done = ending != StepEnding::None;
        let truncated = ending == StepEnding::Cutoff && cutoff == Cutoff::Truncate;
        self.outcomes[row] = outcome;
        self.rewards[row] = if done && !truncated { f32::from(outcome) } else { 0.0 };
        self.terminated[row] = done && !truncated;
        self.truncated[row] = truncated;
        self.scores[row] = game.update_score() as f32;
        self.move_numbers[row] = i64::from(game.state().moves());
        self.endings[row] = ending as i8;
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

    /// Turns planes to the side of the player to play, and rewards to the player who has played.
    fn face_players(&mut self) {
        face_player(self.planes, self.size.points());
        for (reward, &actor) in self.rewards.iter_mut().zip(&*self.actors) {
            // White's reward for a draw is no negative zero.
            *reward = if actor == 1 { 0.0 - *reward } else { *reward };
        }
    }
}

/// Exchanges the stones of both colors in each six planes that have White to play.
fn face_player(planes: &mut [u8], points: usize) {
    for planes in planes.chunks_exact_mut(NUM_PLANES * points) {
        if planes[Plane::Turn as usize * points] == 1 {
            let (black, others) = planes.split_at_mut(points);
            black.swap_with_slice(&mut others[..points]);
        }
    }
}
