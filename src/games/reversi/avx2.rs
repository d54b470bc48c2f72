//! The board that most games are played on, for processors with AVX2: the four directions of
//! lines side by side in one register, and the step around them compiled for it as well.
//!
//! Which one a game gets is asked when it is made; its index is called through a pointer anyway,
//! so nothing is asked at each play.

// To call what was compiled for a processor that was asked for; parts of it must be one function.
#![allow(unsafe_code, clippy::inline_always, clippy::wildcard_imports)]

use std::any::Any;
use std::arch::x86_64::*;

use super::board::{Board, Perft, Shape};
use super::eight_by_eight::{EightByEight, INNER, RAYS};
use super::index::{Index, Mobility};
use crate::bits::Bits;
use crate::color::Color;
use crate::geometry::Action;
use crate::state::State;

/// The index on a processor with AVX2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(Board<1, Lines>);

impl Avx2 {
    /// An index, or `None` if the processor lacks what the code is compiled for.
    pub(super) fn new() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_all.then(|| Self(Board::new(Lines)))
    }
}

impl Index for Avx2 {
    fn boxed_clone(&self) -> Box<dyn Index> {
        Box::new(*self)
    }

    fn copy_from(&mut self, other: &dyn Index) -> bool {
        let other = other.as_any().downcast_ref();
        other.map(|other| *self = *other).is_some()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn apply(&mut self, action: Action, state: &mut State) -> Mobility {
        // SAFETY: the processor has it all: [`Avx2::new`] alone makes values of
        // this type, and of the type of its board.
        unsafe { apply(&mut self.0, action, state) }
    }

    fn rebuild(&mut self, state: &mut State) -> Mobility {
        self.0.rebuild(state)
    }

    fn mobility(&self, color: Color) -> Mobility {
        self.0.mobility(color)
    }

    fn count(&self, color: Color) -> usize {
        self.0.count(color)
    }

    fn perft(&self, turn: Color, depth: u32) -> Perft {
        // SAFETY: as above.
        unsafe { perft(&self.0, turn, depth) }
    }

    fn write_heuristic_values(&self, color: Color, actions: &[Action], priors: &mut [f32]) {
        // SAFETY: as above.
        unsafe { write_heuristic_values(&self.0, color, actions, priors) }
    }
}

/// # Safety
/// The processor must have AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn apply(index: &mut impl Index, action: Action, state: &mut State) -> Mobility {
    index.apply(action, state)
}

/// # Safety
/// As [`apply`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn perft(index: &impl Index, turn: Color, depth: u32) -> Perft {
    index.perft(turn, depth)
}

/// # Safety
/// As [`apply`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn write_heuristic_values(
    index: &impl Index,
    color: Color,
    actions: &[Action],
    priors: &mut [f32],
) {
    index.write_heuristic_values(color, actions, priors);
}

/// The board of 8 rows and 8 columns, its four directions of lines side by side in a register.
#[derive(Clone, Copy, Debug)]
struct Lines;

impl Shape<1> for Lines {
    #[inline(always)]
    fn legal(&self, Bits([own]): Bits<1>, Bits([other]): Bits<1>) -> Bits<1> {
        // SAFETY: as above.
        Bits([unsafe { ends(own, other) } & !(own | other)])
    }

    #[inline(always)]
    fn flips(&self, Bits([own]): Bits<1>, Bits([other]): Bits<1>, point: usize) -> Bits<1> {
        // SAFETY: as above.
        Bits([unsafe { flips(own, other, point) }])
    }

    #[inline(always)]
    fn board(&self) -> Bits<1> {
        EightByEight.board()
    }

    #[inline(always)]
    fn edges(&self) -> Bits<1> {
        EightByEight.edges()
    }

    #[inline(always)]
    fn corners(&self) -> Bits<1> {
        EightByEight.corners()
    }

    #[inline(always)]
    fn sideways(&self, points: Bits<1>) -> Bits<1> {
        EightByEight.sideways(points)
    }

    #[inline(always)]
    fn up_and_down(&self, points: Bits<1>) -> Bits<1> {
        EightByEight.up_and_down(points)
    }
}

/// `times` the steps from point to point in each direction.
macro_rules! steps {
    ($times:literal) => {
        _mm256_setr_epi64x($times, 7 * $times, 8 * $times, 9 * $times)
    };
}

/// Runs of at most six enemy discs from own ones, and one point beyond: a parallel prefix of
/// shifts.
macro_rules! ends {
    ($own:expr, $within:expr, $shift:ident) => {{
        let (own, within) = ($own, $within);
        let runs = _mm256_and_si256(within, $shift(own, steps!(1)));
        let runs = _mm256_or_si256(runs, _mm256_and_si256(within, $shift(runs, steps!(1))));
        let pairs = _mm256_and_si256(within, $shift(within, steps!(1)));
        let runs = _mm256_or_si256(runs, _mm256_and_si256(pairs, $shift(runs, steps!(2))));
        let runs = _mm256_or_si256(runs, _mm256_and_si256(pairs, $shift(runs, steps!(2))));
        $shift(runs, steps!(1))
    }};
}

/// Where runs of enemy discs from own ones end.
///
/// # Safety
/// The processor must have AVX2.
#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_op_in_unsafe_fn)] // The instructions are all there is to it.
unsafe fn ends(own: u64, other: u64) -> u64 {
    let own = _mm256_set1_epi64x(own as i64);
    let inner = INNER as i64;
    let within = _mm256_setr_epi64x(inner, inner, -1, inner);
    let within = _mm256_and_si256(_mm256_set1_epi64x(other as i64), within);
    any(_mm256_or_si256(
        ends!(own, within, _mm256_sllv_epi64),
        ends!(own, within, _mm256_srlv_epi64),
    ))
}

/// The enemy discs that a play flips.
///
/// # Safety
/// The processor must have AVX2.
#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_op_in_unsafe_fn)]
unsafe fn flips(own: u64, other: u64, point: usize) -> u64 {
    let (higher, lower) = RAYS[point & 63].split_at(4);
    let higher = _mm256_loadu_si256(higher.as_ptr().cast());
    let lower = _mm256_loadu_si256(lower.as_ptr().cast());
    let own = _mm256_set1_epi64x(own as i64);
    let other = _mm256_set1_epi64x(other as i64);
    let (none, all) = (_mm256_setzero_si256(), _mm256_set1_epi64x(-1));
    // A carry from below stops at the first point of the ray that is no enemy disc.
    let stop = _mm256_sub_epi64(_mm256_or_si256(other, _mm256_xor_si256(higher, all)), all);
    let end = _mm256_and_si256(_mm256_and_si256(stop, higher), own);
    let missed = _mm256_cmpeq_epi64(end, none);
    let up = _mm256_and_si256(_mm256_andnot_si256(missed, _mm256_add_epi64(end, all)), higher);
    // Everything from that point on, away from the disc just put.
    let beyond = _mm256_andnot_si256(other, lower);
    let beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, steps!(1)));
    let beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, steps!(2)));
    let beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, steps!(4)));
    let end = _mm256_andnot_si256(_mm256_srlv_epi64(beyond, steps!(1)), beyond);
    let missed = _mm256_cmpeq_epi64(_mm256_and_si256(end, own), none);
    let down = _mm256_andnot_si256(missed, _mm256_andnot_si256(beyond, lower));
    any(_mm256_or_si256(up, down))
}

/// The points in any of the four.
///
/// # Safety
/// The processor must have AVX2.
#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_op_in_unsafe_fn)]
unsafe fn any(four: __m256i) -> u64 {
    let two = _mm_or_si128(_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
    (_mm_cvtsi128_si64(two) | _mm_extract_epi64::<1>(two)) as u64
}

#[cfg(test)]
mod tests {
    use super::super::Reversi;
    use super::*;
    use crate::game::Game;
    use crate::players::random::RandomPlayer;

    fn priors(index: &impl Index, game: &Reversi) -> Vec<f32> {
        let actions = game.legal_actions();
        let mut priors = vec![0.0; actions.len()];
        index.write_heuristic_values(game.turn(), &actions, &mut priors);
        priors
    }

    /// A game goes on with the board of this processor; both boards follow it.
    #[test]
    fn all_processors_play_alike() {
        let start = Reversi::new(8).unwrap();
        for seed in 0..200 {
            let (mut player, mut game) = (RandomPlayer::new(seed), start.clone());
            let mut state = start.state().clone();
            let mut plain = Board::new(EightByEight);
            plain.rebuild(&mut state);
            let mut wide = Avx2::new().map(|wide| (wide, state.clone()));
            if let Some((wide, same)) = &mut wide {
                wide.rebuild(same);
            }
            while !game.is_over() {
                let action = player.select_action(&game);
                let mobility = plain.apply(action, &mut state);
                if let Some((wide, same)) = &mut wide {
                    assert_eq!(wide.apply(action, same), mobility);
                    assert_eq!(same.planes().view(), state.planes().view());
                    assert_eq!(wide.perft(state.turn(), 2), plain.perft(state.turn(), 2));
                }
                game.play(action).unwrap();
                assert_eq!(game.state().legal(), state.legal());
                if let Some((wide, _)) = &wide {
                    assert_eq!(priors(wide, &game), priors(&plain, &game));
                }
            }
        }
    }
}
