//! Laws of the functions on planes, checked against a plain board of cells.

use super::plain::{BLACK, EMPTY, Plain, WHITE};
use crate::effort::share;
use ndarray::{Array3, Array4, ArrayView3, Axis, s};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sixplane::functional::{
    BoardError, Form, PlanesError, areas, batch_next_states, canonical_form, children,
    invalid_plane, legal_actions, liberties, next_state,
};
use sixplane::planes::Cell;
use sixplane::symmetry::Symmetry;
use sixplane::{Action, BoardSize, PlayError, Point};

fn next<T: Cell>(planes: &Array3<T>, action: usize, form: Form) -> Result<Array3<T>, PlanesError> {
    let mut out = Array3::from_elem(planes.dim(), T::ZERO);
    next_state(&planes.view(), Action::new(action), form, out.view_mut()).map(|()| out)
}

fn illegal(planes: &Array3<u8>, action: usize, why: PlayError) -> PlanesError {
    let (_, rows, cols) = planes.dim();
    let size = BoardSize::new(rows, cols).unwrap();
    PlanesError::Illegal { action: Action::new(action), size, why }
}

fn as_cells<T: Cell>(planes: &Array3<u8>) -> Array3<T> {
    planes.mapv(|cell| if cell == 1 { T::ONE } else { T::ZERO })
}

fn canonical<T: Cell>(planes: &Array3<T>) -> Array3<T> {
    let mut out = planes.clone();
    canonical_form(&planes.view(), out.view_mut()).unwrap();
    out
}

/// A random game: a legal point out of fifty tries, and one action in twenty-five a pass. Calls `look` on each position
/// with the action that follows.
fn random_game(rows: usize, cols: usize, seed: u64, mut look: impl FnMut(&Plain, usize)) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = Plain::new(rows, cols);
    for _ in 0..3 * rows * cols {
        let tried = (0..50).map(|_| rng.random_range(0..rows * cols)).find(|&p| game.is_legal(p));
        let action = tried.filter(|_| rng.random_range(0..25) > 0).unwrap_or(rows * cols);
        look(&game, action);
        game = game.next(action);
        if game.done {
            break;
        }
    }
    look(&game, rows * cols);
}

const SIZES: [(usize, usize); 12] = [
    (2, 2),
    (2, 3),
    (3, 3),
    (4, 3),
    (5, 5),
    (2, 25),
    (7, 9),
    (9, 9),
    (11, 12),
    (13, 13),
    (16, 16),
    (25, 2),
];

#[test]
fn next_state_equals_a_plain_board_in_every_cell_type() {
    let (mut kos, mut captures, mut ends) = (0, 0, 0);
    for (seed, (rows, cols)) in SIZES.into_iter().cycle().take(share(72)).enumerate() {
        random_game(rows, cols, seed as u64, |game, action| {
            let planes = game.planes();
            if game.done {
                ends += 1;
                let expected = illegal(&planes, action, PlayError::GameOver);
                assert_eq!(next(&planes, action, Form::Absolute), Err(expected));
                return;
            }
            let after = game.next(action);
            kos += usize::from(after.ko.is_some());
            let stones = |game: &Plain| game.cells.iter().filter(|&&cell| cell != EMPTY).count();
            captures += usize::from(stones(&after) < stones(game));
            let expected = after.planes();
            assert_eq!(next(&planes, action, Form::Absolute).unwrap(), expected);
            assert_eq!(next(&planes, action, Form::Canonical).unwrap(), canonical(&expected));
            if seed % 3 == 0 {
                macro_rules! same_in {
                    ($($cell:ty)*) => {$(
                        let after = next::<$cell>(&as_cells(&planes), action, Form::Absolute);
                        assert_eq!(after.unwrap(), as_cells::<$cell>(&expected));
                    )*};
                }
                same_in!(bool i8 u16 i16 u32 i32 u64 i64 f32 f64);
            }
        });
    }
    assert!(
        kos > share(20) && captures > share(300) && ends > share(10),
        "{kos} kos, {captures} captures, {ends} ends"
    );
}

#[test]
fn next_state_equals_a_plain_board_at_the_largest_sizes() {
    for (seed, (rows, cols)) in [(19, 19), (20, 20), (22, 23), (25, 25)].into_iter().enumerate() {
        let mut turn = 0;
        random_game(rows, cols, seed as u64, |game, action| {
            turn += 1;
            if turn % 16 == 0 && !game.done {
                let after = next(&game.planes(), action, Form::Absolute).unwrap();
                assert_eq!(after, game.next(action).planes());
            }
        });
    }
}

#[test]
fn illegal_actions_are_refused_with_their_reason_and_nothing_is_written() {
    let mut met = [0; 3];
    for (seed, (rows, cols)) in [(3, 3), (4, 4), (5, 7)].into_iter().cycle().take(60).enumerate() {
        random_game(rows, cols, seed as u64, |game, _| {
            let planes = game.planes();
            for p in (0..rows * cols).filter(|&p| !game.done && !game.is_legal(p)) {
                let (kind, why) = if game.cells[p] != EMPTY {
                    (0, PlayError::Occupied)
                } else if game.ko == Some(p) {
                    (1, PlayError::Forbidden("ko"))
                } else {
                    (2, PlayError::Forbidden("suicide"))
                };
                met[kind] += 1;
                let mut out = Array3::from_elem((6, rows, cols), 7);
                let answer =
                    next_state(&planes.view(), Action::new(p), Form::Absolute, out.view_mut());
                let expected = illegal(&planes, p, why);
                let (row, col, reason) = (p / cols, p % cols, why.reason());
                let message = format!("invalid move at row {row}, column {col}: {reason}");
                assert_eq!(expected.to_string(), message);
                assert_eq!(answer, Err(expected));
                assert!(out.iter().all(|&cell| cell == 7));
            }
            let beyond = rows * cols + 1;
            let why = if game.done { PlayError::GameOver } else { PlayError::OffBoard };
            let expected = illegal(&planes, beyond, why);
            assert_eq!(next(&planes, beyond, Form::Absolute), Err(expected));
        });
    }
    assert!(met.into_iter().all(|times| times > 20), "occupied, ko, suicide: {met:?}");
}

#[test]
fn children_are_the_next_states_of_the_legal_actions() {
    for (seed, (rows, cols)) in [(2, 2), (3, 5), (9, 9)].into_iter().cycle().take(9).enumerate() {
        random_game(rows, cols, seed as u64, |game, _| {
            let planes = game.planes();
            let legal = legal_actions(&planes.view()).unwrap();
            let expected: Vec<usize> = (0..=rows * cols)
                .filter(|&a| !game.done && (a == rows * cols || game.is_legal(a)))
                .collect();
            assert_eq!(legal.iter().map(|action| action.index()).collect::<Vec<_>>(), expected);

            let mut padded = Array4::from_elem((rows * cols + 1, 6, rows, cols), 7);
            children(&planes.view(), Form::Canonical, true, padded.view_mut()).unwrap();
            let mut packed = Array4::from_elem((legal.len(), 6, rows, cols), 7);
            children(&planes.view(), Form::Canonical, false, packed.view_mut()).unwrap();
            let mut packed = packed.outer_iter();
            for (action, child) in padded.outer_iter().enumerate() {
                if expected.contains(&action) {
                    assert_eq!(child, next(&planes, action, Form::Canonical).unwrap());
                    assert_eq!(packed.next(), Some(child));
                } else {
                    assert!(child.iter().all(|&cell| cell == 0));
                }
            }
        });
    }
}

#[test]
fn a_batch_equals_its_boards_one_by_one() {
    for (rows, cols) in [(3, 3), (5, 5), (9, 9), (4, 11)] {
        let (mut planes, mut actions, mut nexts) = (Vec::new(), Vec::new(), Vec::new());
        for seed in 0..8 {
            random_game(rows, cols, seed, |game, action| {
                if !game.done {
                    planes.push(game.planes());
                    actions.push(Action::new(action));
                    nexts.push(game.next(action).planes());
                }
            });
        }
        let stack = |boards: &[Array3<u8>]| {
            let views: Vec<ArrayView3<'_, u8>> = boards.iter().map(|board| board.view()).collect();
            ndarray::stack(Axis(0), &views).unwrap()
        };
        let (boards, expected) = (stack(&planes), stack(&nexts));
        let mut out = boards.clone();
        batch_next_states(&boards.view(), &actions, Form::Absolute, out.view_mut()).unwrap();
        assert_eq!(out, expected);

        let mut canonicals = boards.clone();
        canonical_form(&expected.view(), canonicals.view_mut()).unwrap();
        batch_next_states(&boards.view(), &actions, Form::Canonical, out.view_mut()).unwrap();
        assert_eq!(out, canonicals);

        // A batch in which some actions are wrong names the first.
        for wrong in [actions.len() - 1, 5] {
            actions[wrong] = Action::new(rows * cols + 1);
        }
        let error = batch_next_states(&boards.view(), &actions, Form::Absolute, out.view_mut())
            .unwrap_err();
        let expected = illegal(&planes[0], rows * cols + 1, PlayError::OffBoard);
        assert_eq!(error, BoardError { index: Some(5), error: expected });
    }
}

#[test]
fn symmetry_commutes_with_next_state() {
    for (seed, (rows, cols)) in [(5, 5), (4, 7), (9, 9)].into_iter().cycle().take(12).enumerate() {
        let size = BoardSize::new(rows, cols).unwrap();
        random_game(rows, cols, seed as u64, |game, action| {
            if game.done {
                return;
            }
            let planes = game.planes();
            let after = next(&planes, action, Form::Absolute).unwrap();
            for symmetry in Symmetry::all(size) {
                let seen = symmetry.planes(planes.view()).to_owned();
                let action = symmetry.action(size, Action::new(action)).index();
                let seen_after = next(&seen, action, Form::Absolute).unwrap();
                assert_eq!(seen_after, symmetry.planes(after.view()));
            }
        });
    }
}

/// Any board at all, with chains without liberties and whatever else no game reaches.
fn boards() -> impl Strategy<Value = Plain> {
    let sizes = (2..=9_usize, 2..=12_usize);
    (sizes, 1..=4_u8, any::<bool>()).prop_flat_map(|((rows, cols), empties, white)| {
        prop::collection::vec(0..2 + empties, rows * cols).prop_map(move |numbers| {
            let mut board = Plain::new(rows, cols);
            board.cells = numbers
                .into_iter()
                .map(|n| [BLACK, WHITE].get(n as usize).copied().unwrap_or(EMPTY))
                .collect();
            board.to_play = if white { WHITE } else { BLACK };
            board
        })
    })
}

proptest! {
    #[test]
    fn the_invalid_plane_equals_trying_every_move(board in boards()) {
        let planes = board.planes();
        prop_assert_eq!(invalid_plane(&planes.view()).unwrap(), planes.index_axis(Axis(0), 3));
    }

    #[test]
    fn areas_and_liberties_equal_a_search_of_cells(board in boards()) {
        let planes = board.planes();
        let mut counts = [0_usize; 3];
        for p in 0..board.cells.len() {
            let group = board.group(p);
            let owner = match (board.touches(&group, BLACK), board.touches(&group, WHITE)) {
                _ if board.cells[p] != EMPTY => board.cells[p],
                (true, false) => BLACK,
                (false, true) => WHITE,
                _ => EMPTY,
            };
            counts[usize::from(owner)] += 1;
        }
        let found = areas(&planes.view()).unwrap();
        prop_assert_eq!([found.black, found.white], [counts[1], counts[2]]);

        let liberties = liberties(&planes.view()).unwrap();
        for (map, color) in [(liberties.black, BLACK), (liberties.white, WHITE)] {
            for (p, &liberty) in map.iter().enumerate() {
                let expected = board.cells[p] == EMPTY && board.touches(&[p], color);
                prop_assert_eq!(liberty, expected);
            }
        }
    }
}

#[test]
fn planes_in_any_memory_layout_are_read_alike() {
    random_game(6, 6, 3, |game, action| {
        if game.done {
            return;
        }
        let planes = game.planes();
        let mut wide = Array3::from_elem((12, 6, 18), 7_u8);
        wide.slice_mut(s![..;2, .., ..;3]).assign(&planes);
        let strided = wide.slice(s![..;2, .., ..;3]);
        let mut out = planes.clone();
        next_state(&strided, Action::new(action), Form::Absolute, out.view_mut()).unwrap();
        assert_eq!(out, game.next(action).planes());
    });
}

#[test]
fn arrays_that_are_no_planes_are_refused() {
    let good = Array3::<u8>::zeros((6, 3, 4));
    let pass = Action::new(12);
    for shape in [(5, 3, 4), (7, 3, 4), (6, 1, 4), (6, 3, 26)] {
        let bad = Array3::<u8>::zeros(shape);
        let error = PlanesError::Shape(vec![shape.0, shape.1, shape.2]);
        assert_eq!(next(&bad, 0, Form::Absolute), Err(error.clone()));
        assert_eq!(areas(&bad.view()), Err(error.clone()));
        assert!(error.to_string().contains("(6, rows, cols)"));

        let mut out = bad.clone();
        let answer = next_state(&good.view(), pass, Form::Absolute, out.view_mut());
        assert!(matches!(answer, Err(PlanesError::Output { .. })));
        assert!(canonical_form(&good.view(), out.view_mut()).is_err());
    }

    let mut both = good.clone();
    both[[0, 1, 2]] = 1;
    both[[1, 1, 2]] = 1;
    let overlap = PlanesError::Overlap(Point { row: 1, col: 2 });
    assert_eq!(next(&both, 0, Form::Absolute), Err(overlap.clone()));
    assert_eq!(overlap.to_string(), "row 1, column 2 holds a black and a white stone");

    let batch = Array4::<u8>::zeros((2, 6, 3, 4));
    let mut out = batch.clone();
    assert_eq!(
        batch_next_states(&batch.view(), &[pass], Form::Absolute, out.view_mut()),
        Err(BoardError { index: None, error: PlanesError::Actions { boards: 2, actions: 1 } })
    );
    let none = Array4::<u8>::zeros((0, 6, 3, 4));
    batch_next_states(&none.view(), &[], Form::Absolute, none.clone().view_mut()).unwrap();
}
