//! What every game in play keeps: the six planes, and the history that led to them.
//!
//! A game is its rules on a [`State`]: it decides which stones change and which points are
//! invalid, and the state carries that into the planes, the Zobrist key and the log. The log
//! holds the stones that each step changed, so undo and earlier boards cost what changed; Go with
//! superko collects its earlier positions anew.

// Small parts of every step: a call each would cost more than they do.
#![allow(clippy::inline_always)]

mod entry;
mod history;
mod replies;
#[cfg(test)]
mod tests;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::bits::Bits;
use crate::color::Color;
use crate::error::UndoError;
use crate::geometry::{Action, BoardSize};
use crate::log::{Change, Step};
use crate::planes::{Plane, Planes};
use crate::prefetch::prefetch;
use crate::setup::Setup;
use crate::status::{Ending, Outcome, Status};
use crate::zobrist;
use entry::Entry;
pub use replies::Replies;

/// The points that may be played, as bits: the complement of the invalid plane.
pub type LegalPoints = Bits<10>;

/// A game that has changed so many stones is cut off: the log and the superko history keep numbers
/// of changes in 32 bits, beside a flag. Tests cut off sooner: they cannot play so long.
const MOST_CHANGES: usize = if cfg!(test) { 1 << 18 } else { 1 << 30 };

/// The six planes of a game in play and the history that led to them.
///
/// ```
/// use sixplane::{Color, Game, Go};
///
/// let game = Go::new(5)?.replay([12, 7, 11].map(Into::into))?;
/// let state = game.state();
/// assert_eq!((state.moves(), state.turn()), (3, Color::White));
/// assert_eq!(state.actions().map(|action| action.index()).collect::<Vec<_>>(), [12, 7, 11]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct State {
    planes: Planes,
    legal: LegalPoints,
    setup: Arc<Setup>,
    log: Vec<Entry>,
    changes: Vec<Change>,
    key: u64,
    turn: Color,
    passed: bool,
    moves: u32,
    max_moves: Option<u32>,
    status: Status,
    /// How many steps the log has memory for when it is copied over another.
    capacity: usize,
}

impl State {
    /// A game at its starting position, over after `max_moves` actions at the latest.
    #[must_use]
    pub fn new(setup: Setup, max_moves: Option<u32>) -> Self {
        let mut state = Self {
            planes: Planes::new(setup.size()),
            legal: Bits::EMPTY,
            key: 0,
            turn: setup.turn,
            passed: false,
            moves: 0,
            setup: Arc::new(setup),
            log: Vec::new(),
            changes: Vec::new(),
            max_moves,
            status: Status::Ongoing,
            capacity: 0,
        };
        state.reset();
        state.expect_actions(state.size().points());
        state
    }

    /// Says how many actions all but a few games have at most; at first, as many as points. A game
    /// that starts again and again keeps memory for so many, and gives back what a longer one took.
    pub(crate) fn expect_actions(&mut self, actions: usize) {
        let limit = self.max_moves.map_or(usize::MAX, |moves| moves as usize);
        // A few more, as for passes.
        self.capacity = (actions + 16).min(limit).next_power_of_two();
    }

    /// Back to the starting position, keeping what memory the log has.
    pub fn reset(&mut self) {
        let setup = Arc::clone(&self.setup);
        self.log.clear();
        self.planes.cells_mut().0.fill(0);
        (self.key, self.moves, self.passed) = (0, 0, false);
        self.status = Status::Ongoing;
        self.changes.clear();
        for color in Color::ALL {
            let stones = setup.stones[color].iter();
            self.changes.extend(stones.map(|&point| Change::new(color, point as usize)));
        }
        self.show(0, setup.turn, setup.passed);
        self.changes.clear();
    }

    /// Asks for the memory that the next step will need.
    #[inline]
    pub fn prefetch(&self) {
        self.planes.prefetch();
        self.log.last().inspect(|last| prefetch(*last));
        self.changes.last().inspect(|last| prefetch(*last));
    }

    /// About how many bytes a copy takes beside the value itself.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.planes.cells().len()
            + size_of_val(self.log.as_slice())
            + size_of_val(self.changes.as_slice())
    }

    /// The size of the board.
    #[must_use]
    #[inline]
    pub fn size(&self) -> BoardSize {
        self.planes.size()
    }

    /// The six planes.
    #[must_use]
    #[inline]
    pub fn planes(&self) -> &Planes {
        &self.planes
    }

    /// Writes the cells of the six planes. What the planes of pass and done say is known without
    /// reading them, which among thousands of games costs more than writing.
    #[inline]
    pub(crate) fn write_planes(&self, cells: &mut [u8]) {
        let (own, points) = (self.planes.cells(), self.size().points());
        let (read, known) = cells.split_at_mut(Plane::Pass as usize * points);
        read.copy_from_slice(&own[..read.len()]);
        let (passed, done) = (u8::from(self.passed), u8::from(self.is_over()));
        // Most often neither: then one fill will do.
        known.fill(passed);
        if done != passed {
            known[points..].fill(done);
        }
    }

    /// The points that the player to play may play.
    #[must_use]
    #[inline]
    pub fn legal(&self) -> &LegalPoints {
        &self.legal
    }

    /// Forbids a point for the next play.
    pub fn forbid(&mut self, point: usize) {
        self.show(self.changes.len(), self.turn, self.passed).forbid(point);
    }

    /// The starting position.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The player to play.
    #[must_use]
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Whether the previous action was a pass.
    #[must_use]
    #[inline]
    pub fn passed(&self) -> bool {
        self.passed
    }

    /// Whether the two previous actions were passes.
    #[must_use]
    #[inline]
    pub fn passed_twice(&self) -> bool {
        self.passed && self.log.last().map_or(self.setup.done, |entry| entry.passed())
    }

    /// The Zobrist key of the stones.
    #[must_use]
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The Zobrist key of the stones and the player to play.
    #[must_use]
    #[inline]
    pub fn hash(&self) -> u64 {
        self.key ^ zobrist::turn(self.turn)
    }

    /// Number of actions played, passes included.
    #[must_use]
    #[inline]
    pub fn moves(&self) -> u32 {
        self.moves
    }

    /// The number of actions after which the game is cut off.
    #[must_use]
    #[inline]
    pub fn max_moves(&self) -> Option<u32> {
        self.max_moves
    }

    /// Whether the game goes on.
    #[must_use]
    #[inline]
    pub fn status(&self) -> Status {
        self.status
    }

    /// Whether the game is over.
    #[must_use]
    #[inline]
    pub fn is_over(&self) -> bool {
        self.status != Status::Ongoing
    }

    /// The steps since the start: actions, and the times the turn was set.
    #[must_use]
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = Step> + Clone + '_ {
        self.log.iter().map(|entry| entry.step)
    }

    /// The actions since the start.
    #[must_use]
    pub fn actions(&self) -> impl DoubleEndedIterator<Item = Action> + '_ {
        self.steps().filter_map(|step| match step {
            Step::Action(action) => Some(action),
            Step::SetTurn(_) => None,
        })
    }

    /// The steps since the start with the stones that each changed.
    #[must_use]
    pub fn steps_with_changes(&self) -> impl DoubleEndedIterator<Item = (Step, &[Change])> {
        (0..self.log.len()).map(|i| {
            let end = self.log.get(i + 1).map_or(self.changes.len(), |next| next.changes());
            (self.log[i].step, &self.changes[self.log[i].changes()..end])
        })
    }

    /// All stone changes since the start, one after another.
    ///
    /// ```
    /// use sixplane::{Action, Color, Game, Go};
    ///
    /// let mut game = Go::new(9)?;
    /// game.play(Action::new(40))?;
    /// game.play(Action::new(81))?; // a pass changes no stone
    /// let [stone] = game.state().changes() else { panic!("one stone was put") };
    /// assert_eq!((stone.color(), stone.point()), (Color::Black, 40));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Logs an action of the player to play with the stones that it changes, and hands the turn to the other
    /// player. The game then says where that one may play, now or later by [`State::write_legal`].
    #[inline(always)]
    pub fn play(&mut self, action: Action, change: impl FnOnce(&mut Vec<Change>)) -> Replies<'_> {
        self.log.push(Entry::new(Step::Action(action), self.changes.len(), self.turn, self.passed));
        let first = self.changes.len();
        change(&mut self.changes);
        self.moves += 1;
        self.show(first, self.turn.opponent(), action == self.size().pass())
    }

    /// Says where the player to play may play; writes the invalid plane.
    #[inline]
    pub fn write_legal<const W: usize>(&mut self, legal: Bits<W>) {
        self.show(self.changes.len(), self.turn, self.passed).write_legal(legal);
    }

    /// Whether the next action may reach the move limit.
    #[must_use]
    #[inline]
    pub fn is_near_limit(&self) -> bool {
        let most_changes = self.changes.len() + self.size().num_actions();
        self.moves + 1 >= self.max_moves.unwrap_or(u32::MAX) || most_changes >= MOST_CHANGES
    }

    /// Whether the move limit is reached. Without one, a game may have 2^32 - 1 actions, and in any
    /// case 2^30 stones that appear, vanish or change their color: no number of them wraps.
    #[must_use]
    #[inline]
    pub fn at_limit(&self) -> bool {
        self.moves >= self.max_moves.unwrap_or(u32::MAX) || self.changes.len() >= MOST_CHANGES
    }

    /// Ends the game: fills the done and invalid planes.
    pub fn end_game(&mut self, outcome: Outcome, ending: Ending) {
        self.status = Status::Done { outcome, ending };
        self.legal = Bits::EMPTY;
        self.planes.fill(Plane::Invalid, true);
        self.planes.fill(Plane::Done, true);
    }

    /// Sets the player to play and forgets the pass, as one step. The invalid plane is left for
    /// the game to write.
    pub fn set_turn(&mut self, color: Color) {
        self.log.push(Entry::new(Step::SetTurn(color), self.changes.len(), self.turn, self.passed));
        self.show(self.changes.len(), color, false);
    }

    /// Takes the end of the game back. The invalid plane is left for the game to write.
    pub fn reopen(&mut self) {
        self.status = Status::Ongoing;
        self.planes.fill(Plane::Done, false);
    }

    /// Takes the last step back. The invalid plane is left for the game to write.
    pub(crate) fn undo_step(&mut self) -> Result<(), UndoError> {
        let entry = self.log.pop().ok_or(UndoError)?;
        self.reopen();
        self.show(entry.changes(), entry.turn(), entry.passed());
        self.changes.truncate(entry.changes());
        self.moves -= u32::from(matches!(entry.step, Step::Action(_)));
        Ok(())
    }

    /// Whether both have the same history: start, limit, steps and resignation.
    #[must_use]
    pub fn same_history(&self, other: &Self) -> bool {
        self.moves == other.moves
            && self.status == other.status
            && self.max_moves == other.max_moves
            && self.setup == other.setup
            && self.steps().eq(other.steps())
    }

    /// Feeds what [`State::same_history`] compares to a hasher.
    pub fn hash_history(&self, hasher: &mut impl Hasher) {
        (self.setup.as_ref(), self.max_moves, self.status).hash(hasher);
        self.steps().for_each(|step| step.hash(hasher));
    }

    /// Writes all changes from one on into the stones and their key, or takes them back; then the player to
    /// play and whether the action before was a pass.
    #[inline(always)]
    fn show(&mut self, first: usize, turn: Color, passed: bool) -> Replies<'_> {
        let (cells, points) = self.planes.cells_mut();
        let (stones, rest) = cells.split_at_mut(Plane::Turn as usize * points);
        let (black, white) = stones.split_at_mut(points);
        let mut key = self.key;
        for &change in &self.changes[first..] {
            black[change.point()] ^= u8::from(change.is_of(Color::Black));
            white[change.point()] ^= u8::from(change.is_of(Color::White));
            key ^= zobrist::change(change);
        }
        self.key = key;
        self.turn = turn;
        let (turn_plane, rest) = rest.split_at_mut(points);
        turn_plane.fill(u8::from(turn == Color::White));
        let (invalid, rest) = rest.split_at_mut(points);
        if passed != self.passed {
            self.passed = passed;
            rest[..points].fill(u8::from(passed));
        }
        Replies { turn, changes: &self.changes, legal: &mut self.legal, invalid }
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self {
            planes: self.planes.clone(),
            setup: Arc::clone(&self.setup),
            log: self.log.clone(),
            changes: self.changes.clone(),
            ..*self
        }
    }

    /// Keeps the memory of planes and log, and makes it as large as `expect_actions` says:
    /// were it left to grow, that of thousands of games would grow to the longest game of each.
    fn clone_from(&mut self, source: &Self) {
        self.planes.clone_from(&source.planes);
        self.legal = source.legal;
        self.setup.clone_from(&source.setup);
        self.capacity = source.capacity;
        copy_list(&mut self.log, &source.log, self.capacity);
        copy_list(&mut self.changes, &source.changes, 2 * self.capacity);
        (self.key, self.moves) = (source.key, source.moves);
        (self.turn, self.passed) = (source.turn, source.passed);
        self.max_moves = source.max_moves;
        self.status = source.status;
    }
}

/// Copies a list over another, which then has memory for `capacity` entries or, if it is longer,
/// for those it has.
pub(crate) fn copy_list<T: Copy>(list: &mut Vec<T>, source: &[T], capacity: usize) {
    list.clear();
    list.shrink_to(capacity.max(source.len()));
    list.reserve_exact(capacity.max(source.len()));
    list.extend_from_slice(source);
}
