//! The superko mask equals a naive replay of the whole history.
//!
//! On boards of 2x2 to 4x4 repetition is common. The naive Go plays every empty point and compares
//! the board with every earlier one; sixplane must give the same planes and the same reasons.

use crate::effort::share;
use crate::{naive, product, walks};

use naive::{Ko, Naive, Refusal, Rules, Side};
use sixplane::{Action, Game, Go, PlayError};
use walks::Seen;

/// A small generator of its own (Vigna's xorshift64*), so that the games are the same every time.
struct Rng(u64);

impl Rng {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }
}

fn compare(game: &Go, naive: &Naive, seen: &Seen) {
    assert_eq!(product::planes(game), naive.planes(), "{:?}", naive.rules);
    for point in 0..naive.points() {
        let refusal = naive.refusal(point);
        let reason = game.check(Action::new(point)).err().map(PlayError::reason);
        assert_eq!(reason, refusal.map(Refusal::name), "{:?} at {point}", naive.rules);
        match refusal {
            Some(Refusal::Superko) => {
                seen.note("superko refusals");
                let placed = naive.place(point, naive.turn);
                seen.note_if(!placed.suicide.is_empty(), "suicides refused by superko");
                seen.note_if(placed.captured.len() > 1, "refusals of several captures");
                seen.note_if(
                    placed.captured.iter().any(|c| c.len() > 1),
                    "refusals of large captures",
                );
                let recreated = |same_turn: bool| {
                    naive.history.iter().any(|(board, turn)| {
                        *board == placed.board && (!same_turn || *turn != naive.turn)
                    })
                };
                seen.note_if(!recreated(true), "refusals by position alone");
            }
            Some(Refusal::Suicide) => seen.note("suicides refused"),
            Some(Refusal::Ko) => seen.note("ko refusals"),
            None if naive.place(point, naive.turn).suicide.is_empty() => seen.note("plays allowed"),
            None => {
                seen.note("suicides allowed");
                let board = naive.place(point, naive.turn).board;
                seen.note_if(
                    naive.history.iter().any(|(earlier, _)| *earlier == board),
                    "suicides that recreate a board with the other color to play",
                );
            }
            _ => {}
        }
    }
}

fn play_out(rules: Rules, moves: usize, rng: &mut Rng, seen: &Seen) {
    let mut played = 0;
    let mut last = Naive::new(rules);
    while played < moves {
        // Every other game starts from a position set up: the last one of the game before.
        let set_up = seen.count("games") % 2 == 1;
        let board = if set_up { last.board } else { vec![None; rules.rows * rules.cols] };
        let turn = if set_up { last.turn } else { Side::Black };
        let mut game = product::set_up(rules, &board, turn);
        let mut naive = Naive::from_board(rules, board, turn);
        seen.note("games");
        while !naive.over {
            compare(&game, &naive, seen);
            let mut legal = naive.legal_actions();
            // Pass seldom, or the games end before anything repeats.
            if legal.len() > 1 && rng.below(12) > 0 {
                legal.pop();
            }
            let action = legal[rng.below(legal.len())];
            if action < naive.points() {
                seen.note_if(
                    !naive.place(action, naive.turn).suicide.is_empty(),
                    "suicides played",
                );
            }
            game.play(Action::new(action)).expect("the naive Go allows it");
            naive.play(action).expect("it is legal");
            played += 1;
            seen.note("moves");
            if rng.below(40) == 0 && !naive.over {
                naive.set_turn(naive.turn.other());
                game.set_turn(game.turn().opponent()).expect("the game goes on");
            }
            if naive.history.len() > 400 {
                break;
            }
        }
        compare(&game, &naive, seen);
        last = naive;
    }
}

const SIZES: [(usize, usize); 9] =
    [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (3, 4), (4, 3), (4, 4)];

fn mask_equals_a_naive_replay(ko: Ko, suicide: bool, premises: &[&str]) {
    let seen = Seen::default();
    let mut rng = Rng(0x5eed_0000_0000_0001 ^ ko as u64);
    for (rows, cols) in SIZES {
        play_out(Rules { suicide, ..Rules::new(rows, cols, ko) }, share(6_000), &mut rng, &seen);
    }
    seen.report(&format!("{ko:?}, suicide {suicide}"), premises);
    assert!(seen.count("moves") >= share(54_000));
    assert!(ko == Ko::Simple || seen.count("superko refusals") > share(2_500));
}

#[test]
fn simple_ko_mask_equals_a_naive_replay() {
    let premises = ["ko refusals", "suicides refused"];
    mask_equals_a_naive_replay(Ko::Simple, false, &premises);
    mask_equals_a_naive_replay(Ko::Simple, true, &[&premises[..], &["suicides played"]].concat());
}

#[test]
fn positional_superko_mask_equals_a_naive_replay_of_the_history() {
    mask_equals_a_naive_replay(
        Ko::Positional,
        false,
        &[
            "superko refusals",
            "suicides refused",
            "refusals by position alone",
            "refusals of several captures",
            "refusals of large captures",
        ],
    );
}

#[test]
fn positional_superko_mask_equals_a_naive_replay_with_suicide() {
    mask_equals_a_naive_replay(
        Ko::Positional,
        true,
        &[
            "superko refusals",
            "suicides played",
            "suicides allowed",
            "suicides refused by superko",
            "refusals by position alone",
        ],
    );
}

#[test]
fn situational_superko_mask_equals_a_naive_replay_of_the_history() {
    mask_equals_a_naive_replay(
        Ko::Situational,
        false,
        &[
            "superko refusals",
            "suicides refused",
            "refusals of several captures",
            "refusals of large captures",
        ],
    );
}

#[test]
fn situational_superko_mask_equals_a_naive_replay_with_suicide() {
    mask_equals_a_naive_replay(
        Ko::Situational,
        true,
        &[
            "superko refusals",
            "suicides played",
            "suicides allowed",
            "suicides refused by superko",
            "suicides that recreate a board with the other color to play",
        ],
    );
}

/// Every position that some sequence of actions on 2x2 or 2x3 reaches within some depth.
fn compare_all(game: &Go, naive: &Naive, depth: usize, seen: &Seen) {
    compare(game, naive, seen);
    seen.note("positions");
    if depth == 0 {
        return;
    }
    for action in naive.legal_actions() {
        let (mut next, mut next_naive) = (game.clone(), naive.clone());
        next.play(Action::new(action)).expect("the naive Go allows it");
        next_naive.play(action).expect("it is legal");
        compare_all(&next, &next_naive, depth - 1, seen);
    }
}

#[test]
fn every_history_on_the_smallest_boards_agrees() {
    let seen = Seen::default();
    for ko in Ko::ALL {
        for suicide in [false, true] {
            for (rows, cols, depth) in [(2, 2, 8), (2, 3, 5), (3, 2, 5)] {
                let rules = Rules { suicide, ..Rules::new(rows, cols, ko) };
                compare_all(&product::empty(rules), &Naive::new(rules), depth, &seen);
            }
        }
    }
    seen.report("every_history", &["positions", "superko refusals", "suicides allowed"]);
}
