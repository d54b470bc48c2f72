//! One action in each game of a batch, and what comes of it.

use super::GAMES_A_TASK;
use super::legal::write_row;
use super::play::Move;
use super::restore::Replaced;
use super::{BatchError, Cutoff, GameBatch, StepOptions, View};
use crate::color::Color;
use crate::game::Game;
use crate::planes::{NUM_PLANES, write_mask};
use crate::prefetch::prefetch;
use crate::status::{Ending, Outcome, Status};
use crate::threads::lock;
use std::sync::Mutex;

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
    /// Their last planes, `(final_index.len(), 6, rows, cols)`, or those of their history.
    pub final_planes: Vec<u8>,
    /// Their last action masks, `(final_index.len(), A)`.
    pub final_masks: Vec<i8>,
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
    /// +1, 0 or -1 from the side of [`StepOptions::view`] if the action ended the game, else 0.
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
    /// The action was the last that [`StepOptions::max_steps`] allows.
    pub out_of_steps: bool,
    /// The player who played the action; `None` where none was played.
    pub actor: Option<Color>,
    /// The player to play next.
    pub turn: Color,
}

impl StepResult {
    /// The action ended the game, and not by a [`Cutoff::Truncate`].
    #[must_use]
    pub fn terminated(&self) -> bool {
        self.ending != StepEnding::None && !self.truncated
    }

    /// Counts the step of an episode, of which there may be so many.
    fn count(&mut self, steps: &mut u32, most: u32) {
        *steps += u32::from(self.actor.is_some());
        self.out_of_steps = self.actor.is_some() && *steps >= most;
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
    /// `(B, 6, rows, cols)`, or those of the history, and the action masks `(B, A)` that follow, and returns
    /// the results.
    ///
    /// Results speak of the action just played, but for the turn; planes, masks and turns of what
    /// comes next. An episode that has ended before the step takes [`NO_ACTION`](super::NO_ACTION) and
    /// repeats its outcome and score if resets are disabled; else it ignores its action and is reset,
    /// with reward 0 and no outcome, unless the prototype is over. A game outside of `only` ignores its
    /// action and stays as it is.
    ///
    /// # Errors
    /// [`BatchError::Length`]; [`BatchError::Illegal`] if any action is refused, and [`BatchError::Rules`]: then
    /// no game has changed. After [`BatchError::Rules`] what `planes` and `masks` hold means nothing.
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
        let planned = self.check(actions, options, only)?;
        self.prepare(|index| planned[index].action())?;
        let steps_before = G::PREPARES.then(|| self.steps.clone());
        let (prototype, size, count) = (&self.prototype, self.prototype.size(), planned.len());
        let words = self.words;
        let layers = options.history.map_or(NUM_PLANES, |k| 2 * k + 1);
        let (cells, entries) = (layers * size.points(), size.num_actions());
        let length = self.threads.task_len(count, GAMES_A_TASK);
        let games = self.games.chunks_mut(length).zip(self.legal.chunks_mut(length * self.words));
        let moves = planned.chunks(length).zip(self.steps.chunks_mut(length));
        let planes = planes[..count * cells].chunks_mut(length * cells);
        let masks = masks[..count * entries].chunks_mut(length * entries);
        let tasks = games.zip(moves).zip(planes.zip(masks)).enumerate();
        // Of rules that can fail: whether some have, and the games that others took the place of.
        let undone = Mutex::new((false, Vec::new()));
        let steps = self.threads.map(
            tasks,
            |(task, (((games, legal), (moves, steps)), (planes, masks)))| {
                let results = Vec::with_capacity(games.len());
                let mut step = BatchStep { results, ..BatchStep::default() };
                let (mut replaced, mut has_failed) = (Vec::new(), false);
                let arrays = planes.chunks_exact_mut(cells).zip(masks.chunks_exact_mut(entries));
                for (i, (planes, mask)) in arrays.enumerate() {
                    prefetch_next(&games[i..], &moves[i..]);
                    let game = &mut games[i];
                    if G::PREPARES && matches!(moves[i], Move::Reset) {
                        replaced.push(Replaced::of(task * length + i, game, moves[i]));
                    }
                    let mut result = play(game, moves[i], prototype, &options);
                    has_failed |= game.has_failed();
                    let mut ended = result.ending != StepEnding::None;
                    if matches!(moves[i], Move::Reset) {
                        steps[i] = 0;
                    }
                    if let Some(most) = options.max_steps {
                        result.count(&mut steps[i], most);
                        ended |= result.out_of_steps;
                    }
                    if ended && options.autoreset.resets_at_once() {
                        step.final_index.push(task * length + i);
                        step.keep_last(game, &options, cells);
                        if G::PREPARES {
                            replaced.push(Replaced::of(task * length + i, game, moves[i]));
                        }
                        game.clone_from(prototype);
                        steps[i] = 0;
                    }
                    result.turn = game.turn();
                    step.results.push(result);
                    let may_pass = write_row(game, &mut legal[i * words..][..words]);
                    if options.history.is_some() {
                        write_history(game, &options, planes, mask);
                    } else {
                        game.state().write_planes(planes);
                        write_mask(planes, size, may_pass, mask);
                    }
                }
                if options.view != View::Black && options.history.is_none() {
                    for (game, planes) in games.iter().zip(planes.chunks_exact_mut(cells)) {
                        options.view.orient(game.turn(), planes);
                    }
                }
                if G::PREPARES {
                    let mut undone = lock(&undone);
                    undone.0 |= has_failed;
                    undone.1.append(&mut replaced);
                }
                step
            },
        );
        if let Some(steps_before) = steps_before {
            let (has_failed, replaced) = std::mem::take(&mut *lock(&undone));
            if has_failed {
                self.take_back(&planned, replaced);
                self.steps = steps_before;
                return Err(BatchError::Rules);
            }
        }
        let steps = steps.into_iter().reduce(|mut all, step| {
            all.results.extend(step.results);
            all.final_index.extend(step.final_index);
            all.final_planes.extend(step.final_planes);
            all.final_masks.extend(step.final_masks);
            all
        });
        Ok(steps.unwrap_or_default())
    }
}

impl BatchStep {
    /// Adds the last planes, so many cells, and the last action mask of a game that is about to start again.
    #[cold]
    fn keep_last<G: Game>(&mut self, game: &G, options: &StepOptions, cells: usize) {
        let (seen, allowed) = (self.final_planes.len(), self.final_masks.len());
        self.final_masks.resize(allowed + game.size().num_actions(), 0);
        if options.history.is_some() {
            self.final_planes.resize(seen + cells, 0);
            let mask = &mut self.final_masks[allowed..];
            return write_history(game, options, &mut self.final_planes[seen..], mask);
        }
        self.final_planes.extend_from_slice(game.state().planes().cells());
        options.view.orient(game.turn(), &mut self.final_planes[seen..]);
        if !game.is_over() {
            game.write_action_mask(&mut self.final_masks[allowed..]);
        }
    }
}

/// Writes the planes of a game's history, which begin with the player to play, and its action mask.
#[inline(never)]
fn write_history<G: Game>(game: &G, options: &StepOptions, planes: &mut [u8], mask: &mut [i8]) {
    game.state().write_as_seen(View::Player, options.history, planes);
    game.write_action_mask(mask);
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
fn play<G: Game>(game: &mut G, next: Move, prototype: &G, options: &StepOptions) -> StepResult {
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
    let sign = Outcome::Win(options.view.side(turn)).sign();
    StepResult {
        reward: f32::from(sign * rewarded.map_or(0, Outcome::sign)),
        score: game.update_score() as f32,
        move_number: game.state().moves(),
        outcome,
        ending,
        truncated,
        out_of_steps: false,
        actor,
        turn,
    }
}
