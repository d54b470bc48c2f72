//! Laws that every game keeps, checked over random games beside a naive game of the same rules.

#![allow(dead_code)]

pub mod laws;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hash::Hash;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sixplane::record::Recorded;
use sixplane::{Action, Color, Game, Plane, Playouts};

/// A naive game: everything that can be asked of a position.
pub trait Oracle: Clone {
    /// Why an action may not be played; `None` when it may.
    fn refusal(&self, action: usize) -> Option<&'static str>;
    fn play(&mut self, action: usize);
    fn set_turn(&mut self, color: char);
    fn cells(&self) -> Vec<char>;
    fn turn(&self) -> char;
    fn passed(&self) -> bool;
    fn is_over(&self) -> bool;
    fn score(&self) -> i32;
}

/// A game and its oracle at the same start.
pub trait Subject: Sync {
    type Game: Playouts + Recorded<Given: Default> + Hash;
    type Oracle: Oracle;

    /// Whether a game may end in a draw.
    const HAS_DRAWS: bool = true;

    fn start(&self, rows: usize, cols: usize) -> (Self::Game, Self::Oracle);

    /// Sizes at which random games are played.
    fn sizes(&self) -> Vec<(usize, usize)>;
}

/// How often the premises of a law were met.
#[derive(Default)]
pub struct Seen(RefCell<BTreeMap<&'static str, u64>>);

impl Seen {
    pub fn add(&self, premise: &'static str, times: usize) {
        *self.0.borrow_mut().entry(premise).or_default() += times as u64;
    }

    pub fn note_if(&self, met: bool, premise: &'static str) {
        self.add(premise, usize::from(met));
    }

    /// Fails if one of these premises was never met.
    pub fn demand(&self, premises: &[&str]) {
        println!("{:?}", self.0.borrow());
        for &premise in premises {
            assert!(self.0.borrow().get(premise).copied().unwrap_or(0) > 0, "never: {premise}");
        }
    }
}

/// One step of a random game.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    Action(Action),
    SetTurn(Color),
}

impl Event {
    pub fn take(self, game: &mut impl Game) {
        match self {
            Self::Action(action) => game.play(action).expect("a legal action"),
            Self::SetTurn(color) => game.set_turn(color).expect("the game goes on"),
        }
    }
}

/// Plays a game of random legal actions to its end, one step in `turn_every` setting the turn (0:
/// never). Calls before each step and at the end.
pub fn walk<G: Game, N: Oracle>(
    (mut game, mut naive): (G, N),
    seed: u64,
    turn_every: u32,
    mut each: impl FnMut(&G, &N),
) -> (G, N, Vec<Event>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut events = Vec::new();
    each(&game, &naive);
    while !game.is_over() {
        let event = if turn_every > 0 && rng.random_range(0..turn_every) == 0 {
            Event::SetTurn(Color::ALL[rng.random_range(0..2_usize)])
        } else {
            let legal = game.legal_actions();
            Event::Action(legal[rng.random_range(0..legal.len())])
        };
        event.take(&mut game);
        match event {
            Event::Action(action) => naive.play(action.index()),
            Event::SetTurn(color) => naive.set_turn(if color == Color::Black { 'X' } else { 'O' }),
        }
        events.push(event);
        each(&game, &naive);
    }
    (game, naive, events)
}

/// The score, which is a whole number in games without komi.
pub fn score(game: &impl Game) -> i32 {
    let score = game.score();
    assert!(score.fract().abs() < f64::EPSILON);
    score as i32
}

/// Every question to the game has the oracle's answer.
pub fn assert_same<G: Game, N: Oracle>(game: &G, naive: &N) {
    let (size, over) = (game.size(), naive.is_over());
    let cells = naive.cells();
    let refusals: Vec<_> = (0..=size.points() + 1).map(|action| naive.refusal(action)).collect();
    for (point, &cell) in cells.iter().enumerate() {
        let planes = game.state().planes();
        assert_eq!(planes.get(Plane::Black, point), cell == 'X');
        assert_eq!(planes.get(Plane::White, point), cell == 'O');
        assert_eq!(planes.get(Plane::Turn, point), naive.turn() == 'O');
        assert_eq!(planes.get(Plane::Invalid, point), refusals[point].is_some(), "{point}");
        assert_eq!(planes.get(Plane::Pass, point), naive.passed());
        assert_eq!(planes.get(Plane::Done, point), over);
    }
    let mut mask = vec![7; size.num_actions()];
    game.write_action_mask(&mut mask);
    let mut legal = Vec::new();
    for (action, refusal) in refusals.into_iter().enumerate() {
        let found = game.check(Action::new(action)).err().map(sixplane::PlayError::reason);
        assert_eq!(found, refusal, "{action}");
        if action <= size.points() {
            assert_eq!(mask[action] == 1, refusal.is_none());
        }
        if refusal.is_none() {
            legal.push(Action::new(action));
        }
    }
    assert_eq!(game.legal_actions(), legal);
    assert_eq!(score(game), naive.score());
    assert_eq!(game.is_over(), over);
    let sign = over.then(|| naive.score().signum() as i8);
    assert_eq!(game.outcome().map(sixplane::Outcome::sign), sign);
}
