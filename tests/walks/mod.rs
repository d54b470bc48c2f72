//! Random games for the laws: drawn and shrunk by proptest, played side by side with the naive Go.

#![allow(dead_code)]

pub mod sight;

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::effort::share;
use crate::naive::{Ko, Naive, Rules, Side};
use crate::product;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRng, TestRunner};
use sixplane::{Action, Game, Go};

/// A game to be played: its rules and what to choose at each step.
#[derive(Clone, Debug)]
pub struct Walk {
    pub rules: Rules,
    pub choices: Vec<u16>,
}

/// One step of a walk.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    Action(usize),
    SetTurn(Side),
}

impl Walk {
    /// The step that a choice means in this position: mostly a legal point, now and then a pass
    /// or a turn handed over. `None` when the game is over.
    pub fn event(game: &Go, choice: u16) -> Option<Event> {
        let legal = game.legal_actions();
        let (pass, points) = legal.split_last()?;
        let choice = usize::from(choice);
        Some(match choice % 64 {
            0 => Event::SetTurn(if choice & 64 == 0 { Side::Black } else { Side::White }),
            1..=4 => Event::Action(pass.index()),
            _ if points.is_empty() => Event::Action(pass.index()),
            _ => Event::Action(points[choice / 64 % points.len()].index()),
        })
    }

    /// Plays the walk on both; calls with each step, before it is taken, and with both games, and
    /// once at the end with the number of choices.
    pub fn play(&self, mut before_step: impl FnMut(usize, &mut Go, &Naive)) -> (Go, Naive) {
        let mut game = product::empty(self.rules);
        let mut naive = Naive::new(self.rules);
        for (step, &choice) in self.choices.iter().enumerate() {
            if game.is_over() {
                break;
            }
            before_step(step, &mut game, &naive);
            let event = Walk::event(&game, choice).expect("the game goes on");
            take(&mut game, event);
            match event {
                Event::Action(action) => naive.play(action).expect("legal by the rules"),
                Event::SetTurn(side) => naive.set_turn(side),
            }
        }
        before_step(self.choices.len(), &mut game, &naive);
        (game, naive)
    }

    /// Whether a slow comparison is due at this step: always on small boards.
    pub fn is_due(&self, step: usize) -> bool {
        let points = self.rules.rows * self.rules.cols;
        points <= 49 || step % points.min(150) == 149 || step == self.choices.len()
    }
}

/// Takes a step that is legal.
pub fn take(game: &mut Go, event: Event) {
    match event {
        Event::Action(action) => game.play(Action::new(action)).expect("a legal action"),
        Event::SetTurn(side) => game.set_turn(product::color(side)).expect("the game goes on"),
    }
}

fn rules(
    sizes: impl Strategy<Value = (usize, usize)>,
    kos: &'static [Ko],
    suicides: &'static [bool],
) -> impl Strategy<Value = Rules> {
    let (ko, suicide) = (prop::sample::select(kos), prop::sample::select(suicides));
    (sizes, ko, suicide, -20..20_i32).prop_map(|((rows, cols), ko, suicide, half_komi)| Rules {
        rows,
        cols,
        ko,
        suicide,
        half_komi,
    })
}

/// Boards on which everything happens soon.
fn small() -> impl Strategy<Value = (usize, usize)> {
    (2..=5_usize, 2..=5_usize)
}

/// Boards of every number of words, and at the edges between them: 63, 64, 65, 126, 128, ... points.
fn large() -> impl Strategy<Value = (usize, usize)> {
    prop::sample::select(vec![
        (7, 7),
        (7, 9),
        (8, 8),
        (5, 13),
        (9, 9),
        (9, 14),
        (8, 16),
        (11, 17),
        (12, 16),
        (17, 15),
        (16, 16),
        (19, 19),
        (16, 24),
        (20, 25),
        (25, 20),
        (24, 24),
        (25, 25),
        (2, 25),
        (25, 2),
    ])
}

const ALL: &[Ko] = &Ko::ALL;
const BOTH: &[bool] = &[false, true];

/// Walks under the given rules: three of four on small boards, one on a large one.
pub fn walks_under(kos: &'static [Ko], suicides: &'static [bool]) -> BoxedStrategy<Walk> {
    let choices = |most| prop::collection::vec(any::<u16>(), 1..most);
    let walk = |(rules, choices)| Walk { rules, choices };
    prop_oneof![
        3 => (rules(small(), kos, suicides), choices(90)).prop_map(walk),
        1 => (rules(large(), kos, suicides), choices(700)).prop_map(walk),
    ]
    .boxed()
}

/// Walks under all rules.
pub fn walks() -> BoxedStrategy<Walk> {
    walks_under(ALL, BOTH)
}

/// How often the premises of a law were met.
#[derive(Default)]
pub struct Seen(RefCell<BTreeMap<&'static str, u64>>);

impl Seen {
    /// Notes that a premise was met.
    pub fn note(&self, premise: &'static str) {
        self.add(premise, 1);
    }

    /// Notes that a premise was met so many times.
    pub fn add(&self, premise: &'static str, times: u64) {
        *self.0.borrow_mut().entry(premise).or_default() += times;
    }

    /// Notes a premise if it is met.
    pub fn note_if(&self, met: bool, premise: &'static str) {
        self.add(premise, u64::from(met));
    }

    /// How often.
    pub fn count(&self, premise: &str) -> u64 {
        self.0.borrow().get(premise).copied().unwrap_or_default()
    }

    /// States the counts, and fails if one of these premises was never met.
    pub fn report(&self, law: &str, premises: &[&str]) {
        println!("{law} saw {:?}", self.0.borrow());
        for premise in premises {
            assert!(self.count(premise) > 0, "{law} never saw: {premise}");
        }
    }
}

/// Runs a law over random walks, the same ones every time; `PROPTEST_CASES` asks for more.
pub fn law(cases: u32, strategy: &BoxedStrategy<Walk>, test: impl Fn(&Walk)) {
    let more = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    let config = Config {
        cases: more.unwrap_or_else(|| share(cases)),
        failure_persistence: None,
        ..Config::default()
    };
    let algorithm = config.rng_algorithm;
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(algorithm));
    let outcome = runner.run(strategy, |walk| {
        test(&walk);
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}
