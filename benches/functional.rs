//! Functions on planes over positions of random games: `next_state`, `children`, batches.
//!
//! Positions come from games of uniformly random legal plays that fill no one-point eye, one in
//! eight kept, so that they are spread over the whole length of a game. Items are next states.

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use ndarray::{Array3, Array4, ArrayView3, Axis, s};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sixplane::functional::{Form, areas, batch_next_states, children, legal_actions, next_state};
use sixplane::planes::Cell;
use sixplane::{Action, BoardSize, Plane};

fn main() {
    divan::main();
}

const POSITIONS: usize = 512;
const SIDES: [usize; 2] = [9, 19];

/// Positions and an action to take in each, `(POSITIONS, 6, side, side)`.
fn positions<T: Cell>(side: usize) -> (Array4<T>, Vec<Action>) {
    let board = BoardSize::square(side).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut kept = Array4::from_elem((POSITIONS, 6, side, side), T::ZERO);
    let (mut chosen, mut turn) = (Vec::new(), 0);
    let mut planes = Array3::<u8>::zeros((6, side, side));
    while chosen.len() < POSITIONS {
        let action = random_action(&planes, board, &mut rng);
        if turn % 8 == 0 {
            let mut row = kept.index_axis_mut(Axis(0), chosen.len());
            row.zip_mut_with(&planes, |cell, &set| *cell = if set == 1 { T::ONE } else { T::ZERO });
            chosen.push(action);
        }
        turn += 1;
        let mut next = planes.clone();
        next_state(&planes.view(), action, Form::Absolute, next.view_mut()).unwrap();
        let over = next[[Plane::Done as usize, 0, 0]] == 1;
        planes = if over { Array3::zeros((6, side, side)) } else { next };
    }
    (kept, chosen)
}

fn random_action(planes: &Array3<u8>, size: BoardSize, rng: &mut impl RngExt) -> Action {
    let own = planes.index_axis(Axis(0), planes[[Plane::Turn as usize, 0, 0]] as usize);
    let own = own.as_slice().unwrap();
    let mut actions = legal_actions(&planes.view()).unwrap();
    actions.retain(|&action| {
        action != size.pass() && !size.neighbors(action.index()).all(|p| own[p] == 1)
    });
    if actions.is_empty() { size.pass() } else { actions[rng.random_range(0..actions.len())] }
}

#[divan::bench(types = [u8, f64], args = SIDES)]
fn one_next_state<T: Cell>(bencher: Bencher, side: usize) {
    let (planes, actions) = positions::<T>(side);
    let mut out = Array3::from_elem((6, side, side), T::ZERO);
    bencher.counter(ItemsCount::new(POSITIONS)).bench_local(|| {
        for (board, &action) in planes.outer_iter().zip(&actions) {
            next_state(&board, action, Form::Absolute, black_box(out.view_mut())).unwrap();
        }
    });
}

#[divan::bench(types = [u8, f64], args = SIDES)]
fn batch_of_64<T: Cell>(bencher: Bencher, side: usize) {
    let (planes, actions) = positions::<T>(side);
    let mut out = Array4::from_elem((64, 6, side, side), T::ZERO);
    bencher.counter(ItemsCount::new(POSITIONS)).bench_local(|| {
        for (boards, actions) in planes.axis_chunks_iter(Axis(0), 64).zip(actions.chunks(64)) {
            batch_next_states(&boards, actions, Form::Absolute, black_box(out.view_mut())).unwrap();
        }
    });
}

#[divan::bench(types = [u8, f64], args = SIDES)]
fn children_padded<T: Cell>(bencher: Bencher, side: usize) {
    let (planes, _) = positions::<T>(side);
    let mut out = Array4::from_elem((side * side + 1, 6, side, side), T::ZERO);
    let board = planes.index_axis(Axis(0), 5);
    bencher.counter(ItemsCount::new(side * side + 1)).bench_local(|| {
        children(&board, Form::Absolute, true, black_box(out.view_mut())).unwrap();
    });
}

#[divan::bench(args = SIDES)]
fn children_of_every_position(bencher: Bencher, side: usize) {
    let (planes, _) = positions::<u8>(side);
    let legal = |board: ArrayView3<'_, u8>| legal_actions(&board).unwrap().len();
    let total: usize = planes.outer_iter().map(legal).sum();
    let mut out = Array4::from_elem((side * side + 1, 6, side, side), 0);
    bencher.counter(ItemsCount::new(total)).bench_local(|| {
        for board in planes.outer_iter() {
            let rows = out.slice_mut(s![..legal(board), .., .., ..]);
            children(&board, Form::Absolute, false, black_box(rows)).unwrap();
        }
    });
}

#[divan::bench(args = SIDES)]
fn areas_of_every_position(bencher: Bencher, side: usize) {
    let (planes, _) = positions::<u8>(side);
    bencher.counter(ItemsCount::new(POSITIONS)).bench_local(|| {
        planes.outer_iter().map(|board| areas(&board).unwrap().black).sum::<usize>()
    });
}
