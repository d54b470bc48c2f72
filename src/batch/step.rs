//! One action in each game of a batch, and what comes of it.

use super::GAMES_A_TASK;
use super::legal::write_row;
use super::play::Move;
use super::{BatchError, Cutoff, GameBatch, StepOptions, View};
use crate::color::Color;
use crate::game::Game;
use crate::planes::{NUM_PLANES, Plane, write_mask};
use crate::prefetch::prefetch;
use crate::status::{Ending, Outcome, Status};

/// What a step gives beside the planes and masks of all games.
///
/// ```
/// use sixplane::batch::{GameBatch, StepEnding, StepOptions};
/// use sixplane::{Game, Go};
///
/// let mut batch = GameBatch::new(&Go::new(3)?, 2, 1, None);
/// let (mut planes, mut masks) = (vec![0; 2 * 6 * 9], vec![0; 2 * 10]);
/// batch.play(&[9, 4], None)?;
/// let step = batch.step(&[9, 0], StepOptions::default(), None, &mut planes, &mut masks)?;
/// assert_eq!((step.results[0].ending, step.results[0].reward), (StepEnding::Rules, -1.0));
/// assert_eq!((step.final_index, step.final_planes.len()), (vec![0], 6 * 9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchStep {
    /// One for each game.
    pub results: Vec<StepResult>,
    /// The games that ended and started again in this step, ascending.
    pub final_index: Vec<usize>,
    /// Their last planes, `(final_index.len(), 6, rows, cols)`.
    pub final_planes: Vec<u8>,
}

/// What came of one action, or where no action was played, how the game stands.
///
/// ```
/// use sixplane::batch::{GameBatch, StepOptions};
/// use sixplane::{Color, Game, Go};
///
/// let mut batch = GameBatch::new(&Go::new(3)?, 1, 1, None);
/// let (mut planes, mut masks) = (vec![0; 6 * 9], vec![0; 10]);
/// let step = batch.step(&[4], StepOptions::default(), None, &mut planes, &mut masks)?;
/// let result = step.results[0];
/// assert_eq!((result.actor, result.turn), (Some(Color::Black), Color::White));
/// assert_eq!((result.score, result.move_number, result.outcome), (1.5, 1, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepResult {
    /// +1, 0 or -1 if the action ended the game, else 0.
    pub reward: f32,
    /// The score of the board from Black's view.
    pub score: f32,
    /// How many actions the game has that the action was played in.
    pub move_number: u32,
    /// `None` while the game goes on.
    pub outcome: Option<Outcome>,
    /// How the action ended the game.
    pub ending: StepEnding,
    /// The action brought the game to its move limit, and the limit counts as [`Cutoff::Truncate`].
    pub truncated: bool,
    /// The player who played the action; `None` where none was played.
    pub actor: Option<Color>,
    /// The player to play next.
    pub turn: Color,
}

impl StepResult {
    /// The action ended the game, and did not truncate it.
    #[must_use]
    pub fn terminated(&self) -> bool {
        self.ending != StepEnding::None && !self.truncated
    }
}

/// How the action of a step ended its game.
///
/// ```
/// use sixplane::batch::StepEnding;
///
/// // The numbers that arrays of endings hold.
/// let all = [StepEnding::None, StepEnding::Rules, StepEnding::Cutoff, StepEnding::Illegal];
/// assert_eq!(all.map(|ending| ending as i8), [0, 1, 2, 3]);
/// ```
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

impl<G: Game> GameBatch<G> {
    /// Plays one action in each game whose entry in `only` is set (`None`: in all). Writes the planes
    /// `(B, 6, rows, cols)` and action masks `(B, A)` that follow, and returns the results.
    ///
    /// Results speak of the action just played, but for the turn; planes, masks and turns of what
    /// comes next. A game that is over before the step takes [`NO_ACTION`](super::NO_ACTION) and
    /// repeats its outcome and score if resets are disabled; else it ignores its action and is reset,
    /// with reward 0 and no outcome. A game outside of `only` ignores its action and stays as it is.
    ///
    /// # Errors
    /// [`BatchError::Length`]; [`BatchError::Illegal`] if any action is refused: then nothing has
    /// changed anywhere.
    ///
    /// # Panics
    /// If `planes` or `masks` is shorter than those of all games.
    pub fn step(
        &mut self,
        actions: &[i64],
        options: StepOptions,
        only: Option<&[bool]>,
        planes: &mut [u8],
        masks: &mut [i8],
    ) -> Result<BatchStep, BatchError> {
        let moves = self.check(actions, options, only)?;
        let (prototype, size, count) = (&self.prototype, self.prototype.size(), moves.len());
        let words = self.words;
        let (cells, entries) = (NUM_PLANES * size.points(), size.num_actions());
        let length = self.threads.task_len(count, GAMES_A_TASK);
        let games = self.games.chunks_mut(length).zip(self.legal.chunks_mut(length * self.words));
        let planes = planes[..count * cells].chunks_mut(length * cells);
        let masks = masks[..count * entries].chunks_mut(length * entries);
        let tasks = games.zip(moves.chunks(length)).zip(planes.zip(masks)).enumerate();
        let steps =
            self.threads.map(tasks, |(task, (((games, legal), moves), (planes, masks)))| {
                let results = Vec::with_capacity(games.len());
                let mut step = BatchStep { results, ..BatchStep::default() };
                let arrays = planes.chunks_exact_mut(cells).zip(masks.chunks_exact_mut(entries));
                for (i, (planes, mask)) in arrays.enumerate() {
                    prefetch_next(&games[i..], &moves[i..]);
                    let game = &mut games[i];
                    let mut result = play(game, moves[i], prototype, options);
                    let ended = result.ending != StepEnding::None;
                    let last = &mut step.final_planes;
                    if ended && options.autoreset.after_action(game, prototype, last) {
                        step.final_index.push(task * length + i);
                    }
                    result.turn = game.turn();
                    step.results.push(result);
                    let may_pass = write_row(game, &mut legal[i * words..][..words]);
                    game.state().write_planes(planes);
                    write_mask(planes, size, may_pass, mask);
                }
                if options.view == View::Player {
                    to_player_view(planes, size.points());
                    to_player_view(&mut step.final_planes, size.points());
                }
                step
            });
        let steps = steps.into_iter().reduce(|mut all, step| {
            all.results.extend(step.results);
            all.final_index.extend(step.final_index);
            all.final_planes.extend(step.final_planes);
            all
        });
        Ok(steps.unwrap_or_default())
    }
}

/// Asks for the memory of the two games after the first: the games of a large batch do not fit the
/// cache of a processor.
#[inline(never)]
fn prefetch_next<G: Game>(games: &[G], moves: &[Move]) {
    if let Some(game) = games.get(2) {
        prefetch(game);
    }
    if let (Some(game), Some(&Move::Play(action))) = (games.get(1), moves.get(1)) {
        game.prefetch(action);
    }
}

/// Makes a move in one game and says what came of it.
#[inline]
fn play<G: Game>(game: &mut G, next: Move, prototype: &G, options: StepOptions) -> StepResult {
    let turn = game.turn();
    let actor = matches!(next, Move::Play(_) | Move::Lose).then_some(turn);
    match next {
        Move::Play(action) => game.play_unchecked(action),
        // The game goes on, so it can be resigned.
        Move::Lose => drop(game.resign(turn)),
        Move::Reset => game.clone_from(prototype),
        Move::Stay => {}
    }
    let ending = match game.status() {
        Status::Done { .. } if matches!(next, Move::Lose) => StepEnding::Illegal,
        Status::Done { ending: Ending::Truncation, .. } if actor.is_some() => StepEnding::Cutoff,
        Status::Done { .. } if actor.is_some() => StepEnding::Rules,
        _ => StepEnding::None,
    };
    let truncated = ending == StepEnding::Cutoff && options.cutoff == Cutoff::Truncate;
    let outcome = game.outcome();
    let rewarded = outcome.filter(|_| ending != StepEnding::None && !truncated);
    let sign = if options.view == View::Player && turn == Color::White { -1 } else { 1 };
    StepResult {
        reward: f32::from(sign * rewarded.map_or(0, Outcome::sign)),
        score: game.update_score() as f32,
        move_number: game.state().moves(),
        outcome,
        ending,
        truncated,
        actor,
        turn,
    }
}

/// Exchanges the stones of both colors in each six planes that have White to play.
pub(crate) fn to_player_view(planes: &mut [u8], points: usize) {
    for planes in planes.chunks_exact_mut(NUM_PLANES * points) {
        if planes[Plane::Turn as usize * points] == 1 {
            let (black, others) = planes.split_at_mut(points);
            black.swap_with_slice(&mut others[..points]);
        }
    }
}
