//! Random games for the laws, the same ones every time.

use std::cell::RefCell;
use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sixplane::{Action, Color, Game, Step};

use crate::effort::share;

/// How often the premises of a law were met.
#[derive(Default)]
pub struct Seen(RefCell<BTreeMap<&'static str, usize>>);

impl Seen {
    /// Notes that a premise was met so many times.
    pub fn add(&self, premise: &'static str, times: usize) {
        *self.0.borrow_mut().entry(premise).or_default() += times;
    }

    /// Notes a premise if it is met.
    pub fn note_if(&self, met: bool, premise: &'static str) {
        self.add(premise, usize::from(met));
    }

    /// States the counts, and fails if a premise was never met.
    pub fn report(&self, premises: &[&str]) {
        println!("seen: {:?}", self.0.borrow());
        for premise in premises {
            let times = self.0.borrow().get(premise).copied().unwrap_or_default();
            assert!(times > 0, "never seen: {premise}");
        }
    }
}

/// What samples the steps of a random game.
pub struct Walk {
    rng: Xoshiro256PlusPlus,
    set_turns: bool,
    /// One pass in so many steps, where there is a choice; 0 for as often as any action.
    passes: u32,
    length: usize,
}

impl Walk {
    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.rng.random_range(0..end as u32) as usize
    }

    /// Whether something that is to happen once in `times` happens now.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// A step that may be taken; `None` when the game is over.
    pub fn step<G: Game>(&mut self, game: &G) -> Option<Step> {
        let legal = game.legal_actions();
        let (&last, points) = legal.split_last()?;
        if self.set_turns && self.once_in(16) {
            return Some(Step::SetTurn(Color::ALL[self.below(2)]));
        }
        let choice = last == game.size().pass() && !points.is_empty() && self.passes > 0;
        Some(Step::Action(match choice {
            true if self.once_in(self.passes as usize) => last,
            true => points[self.below(points.len())],
            false => legal[self.below(legal.len())],
        }))
    }
}

/// Plays random games from each start; calls before each step and once at the end, with what has
/// been played, and with the random numbers. The call leaves the game as it was.
pub fn walk<G: Game>(starts: &[G], mut visit: impl FnMut(&mut G, &mut Walk)) {
    walk_each(starts, &mut visit);
}

// Compiled once for a game, instead of once for each law of it.
fn walk_each<G: Game>(starts: &[G], visit: &mut dyn FnMut(&mut G, &mut Walk)) {
    for (number, start) in starts.iter().enumerate() {
        let actions = start.size().num_actions();
        // Few games on large boards: they are long.
        let games = share((400 / actions).min(40)).max(3);
        for i in 0..games {
            let seed = (number * 1000 + i) as u64;
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let most = rng.random_range(1..2 * actions as u32) as usize;
            let length = if i % 3 == 0 { 3 * actions } else { most };
            let mut walk = Walk { rng, set_turns: i % 2 == 1, passes: [0, 4, 50][i % 3], length };
            let mut game = start.clone();
            // Every position of a small board, else some.
            let pace = 1 + actions / 40;
            for step in 0..walk.length {
                if step % pace == 0 {
                    visit(&mut game, &mut walk);
                }
                let Some(step) = walk.step(&game) else { break };
                game.take(step).expect("a legal step");
            }
            visit(&mut game, &mut walk);
        }
    }
}

/// The actions of a game whose turn was never set.
pub fn plain_actions<G: Game>(game: &G) -> Option<Vec<Action>> {
    let actions: Vec<Action> = game.state().actions().collect();
    (game.state().steps().count() == actions.len()).then_some(actions)
}
