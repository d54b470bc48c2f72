//! Exact values: what the solver of a game knows for certain of a position.
//!
//! A value is exact for the game as it goes on from here, with best play of both sides. Equal positions and
//! tasks have equal solutions: nothing depends on what a [`Memory`] was used for before.

use std::any::Any;
use std::cell::Cell;
use std::fmt;

use thiserror::Error;

use crate::bits::Bits;
use crate::game::Game;
use crate::geometry::Action;

/// So many nodes between two questions whether a solver should be interrupted.
const INTERVAL: u64 = 1 << 13;

/// A game that may know exact values. What a game does not implement knows nothing.
///
/// ```
/// use sixplane::exact::{Effort, Exact, Memory, Task};
/// use sixplane::{Color, Game, Go, Reversi};
///
/// // Black takes the last corner, and four discs with it.
/// let game = Reversi::from_text("
///     O O O X
///     O O O X
///     O O O X
///     . O O X", Color::Black)?;
/// let mut interrupt = || false;
/// let mut task = Task::new(Effort::Whole, &mut interrupt).with_score();
/// let solution = game.solve(&mut task, &mut Memory::default());
/// assert_eq!((solution.value, solution.score), (Some(1), Some(2.0)));
/// assert_eq!(solution.line.iter().map(|action| action.index()).collect::<Vec<_>>(), [12]);
/// assert!(Go::new(9)?.check_solvable().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Exact: Game {
    /// Whether the game has a solver for this board and these limits; if not, why.
    ///
    /// # Errors
    /// [`Unsolvable`] if [`Exact::solve`] can never find anything out here.
    fn check_solvable(&self) -> Result<(), Unsolvable> {
        Err(Unsolvable(format!("{} has no solver", Self::NAME)))
    }

    /// What the solver finds out about the position. It knows nothing of a game that is over, and of one that
    /// [`Exact::check_solvable`] refuses.
    fn solve(&self, _task: &mut Task<'_>, _memory: &mut Memory) -> Solution {
        Solution::default()
    }

    /// The value with the effort of a leaf, for the player to play. If it is not found out, also points where a
    /// play is legal and loses for certain.
    fn at_leaf(&self, memory: &mut Memory) -> (Option<i8>, Bits<10>) {
        (self.solve(&mut Task::new(Effort::Leaf, &mut || false), memory).value, Bits::EMPTY)
    }
}

/// An error if the move limit may cut the game off before it is over by its rules, which takes so many actions
/// at most: its end would be another one than the solver's.
pub(crate) fn check_limit<G: Game>(game: &G, actions: usize) -> Result<(), Unsolvable> {
    let state = game.state();
    match state.max_moves() {
        Some(most) if ((most - state.moves()) as usize) < actions => {
            Err(Unsolvable(format!("max_moves={most} may cut the game off before its end")))
        }
        _ => Ok(()),
    }
}

/// Why a position cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Unsolvable(pub(crate) String);

/// How much a solver does. The game knows what that means: positions that are too hard for it are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Some microseconds, in Reversi up to two milliseconds: at each leaf of a search.
    Leaf,
    /// Some tens of milliseconds for most positions, and up to seconds for the hardest of Reversi, where the
    /// task has no limit: once for each move of a game.
    Root,
    /// Everything the solver can do, however long it takes; with the principal variation.
    Whole,
}

/// What is asked of a solver, and the limits of the work.
pub struct Task<'a> {
    effort: Effort,
    is_scored: bool,
    limit: u64,
    nodes: u64,
    /// The number of nodes at which the limits are looked at again.
    next: u64,
    is_stopped: bool,
    interrupt: &'a mut dyn FnMut() -> bool,
}

impl<'a> Task<'a> {
    /// Asks who wins. `interrupt` is called now and then and says whether to stop.
    pub fn new(effort: Effort, interrupt: &'a mut dyn FnMut() -> bool) -> Self {
        let (limit, nodes, next) = (u64::MAX, 0, 0);
        Self { effort, is_scored: false, limit, nodes, next, is_stopped: false, interrupt }
    }

    /// Asks for the exact score as well, of games that have one. That takes longer.
    #[must_use]
    pub fn with_score(self) -> Self {
        Self { is_scored: true, ..self }
    }

    /// Allows so many nodes at most.
    ///
    /// ```
    /// use sixplane::exact::{Effort, Exact, Memory, Task};
    /// use sixplane::{Game, Reversi};
    ///
    /// let mut interrupt = || false;
    /// let mut task = Task::new(Effort::Whole, &mut interrupt).with_nodes(1000);
    /// let solution = Reversi::new(8)?.solve(&mut task, &mut Memory::default());
    /// assert_eq!((solution.value, solution.nodes), (None, 1000));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_nodes(self, limit: u64) -> Self {
        Self { limit, ..self }
    }

    /// The effort asked for.
    #[must_use]
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// Whether the exact score is asked for.
    #[must_use]
    pub fn is_scored(&self) -> bool {
        self.is_scored
    }

    /// The nodes counted so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether a limit or an interruption has stopped the work: what it says from then on means nothing.
    #[must_use]
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Counts a node; `false` if the work is to stop.
    #[inline]
    pub fn count(&mut self) -> bool {
        if self.nodes == self.next && !self.goes_on() {
            return false;
        }
        self.nodes += 1;
        true
    }

    #[cold]
    fn goes_on(&mut self) -> bool {
        self.is_stopped = self.is_stopped || self.nodes >= self.limit || (self.interrupt)();
        if !self.is_stopped {
            self.next = self.limit.min(self.nodes + INTERVAL);
        }
        !self.is_stopped
    }
}

impl fmt::Debug for Task<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { effort, is_scored, limit, nodes, is_stopped, .. } = self;
        write!(f, "Task({effort:?}, {is_scored}, {nodes} of {limit} nodes, {is_stopped})")
    }
}

/// What a solver knows of a position. Nothing in it is a guess.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solution {
    /// +1 if the player to play wins, 0 for a draw, -1 for a loss; `None`: not found out.
    pub value: Option<i8>,
    /// The final score for the player to play, if it was asked for.
    pub score: Option<f64>,
    /// An action that keeps the value, and the score; of a lost position it may be any.
    pub best: Option<Action>,
    /// The best action and the best ones after it, as far as they are known.
    pub line: Vec<Action>,
    /// Positions looked at.
    pub nodes: u64,
}

/// The memory of a worker: each solver keeps there what it would else make anew for each position. One memory
/// may serve different games, but only one after another.
///
/// ```
/// use sixplane::exact::{Effort, Exact, Memory, Task};
/// use sixplane::{Color, Game, Gomoku, Reversi};
///
/// let (mut memory, mut interrupt) = (Memory::default(), || false);
/// let reversi = Reversi::from_text("XO..\nXOO.\nXXXX\nXXXX", Color::Black)?;
/// let solution = reversi.solve(&mut Task::new(Effort::Leaf, &mut interrupt), &mut memory);
/// assert_eq!(solution.value, Some(1));
/// let gomoku = Gomoku::from_text("XXXX.\nOOO..\n.....\n.....\n.....", Color::Black)?;
/// let solution = gomoku.solve(&mut Task::new(Effort::Leaf, &mut interrupt), &mut memory);
/// assert_eq!((solution.value, solution.best.map(|action| action.index())), (Some(1), Some(4)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Memory(Option<Box<dyn Any + Send>>);

thread_local! {
    static OF_THREAD: Cell<Memory> = Cell::default();
}

impl Memory {
    /// Does something with the memory that belongs to this thread; a solver that searches gets another one there.
    pub(crate) fn of_thread<T>(f: impl FnOnce(&mut Self) -> T) -> T {
        let mut memory = OF_THREAD.take();
        let result = f(&mut memory);
        OF_THREAD.set(memory);
        result
    }

    /// The memory of this type: what was there, or a new one.
    ///
    /// # Panics
    /// Never: what is there has the type asked for.
    pub fn of<T: Default + Send + 'static>(&mut self) -> &mut T {
        if !self.0.as_ref().is_some_and(|memory| memory.is::<T>()) {
            self.0 = Some(Box::<T>::default());
        }
        let memory = self.0.as_mut().and_then(|memory| memory.downcast_mut());
        memory.expect("a memory of this type")
    }
}

/// What a solver finds out in one solve. Entries hold the number of theirs: those of others count as empty, so
/// that nothing depends on them.
#[derive(Debug, Default)]
pub(crate) struct Table<E> {
    pub(crate) entries: Vec<E>,
    /// The number of the solve that goes on, never 0.
    pub(crate) solve: u32,
}

impl<E: Copy + Default> Table<E> {
    /// Begins a solve that uses so many entries, as a power of two.
    pub(crate) fn begin(&mut self, size: u32) {
        self.solve = self.solve.wrapping_add(1);
        if self.entries.len() < 1 << size || self.solve == 0 {
            self.entries.clear();
            self.entries.resize(1 << size, E::default());
            self.solve = 1;
        }
    }
}
