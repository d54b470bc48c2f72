//! Laws of morphology, checked against breadth-first search on cells.

use super::plain::Plain;
use ndarray::{Array2, s};
use proptest::prelude::*;
use sixplane::bits::{Bits, Frame};
use sixplane::morphology::{chain_liberties, dilate, label};
use sixplane::{BoardSize, with_words};

/// A board of any size with contents 0, 1 and 2.
fn boards() -> impl Strategy<Value = Plain> {
    (2..=25_usize, 2..=25_usize).prop_flat_map(|(rows, cols)| {
        prop::collection::vec(0..3_u8, rows * cols)
            .prop_map(move |cells| Plain { cells, ..Plain::new(rows, cols) })
    })
}

fn plane(board: &Plain, content: u8) -> Array2<i16> {
    Array2::from_shape_fn((board.rows, board.cols), |(row, col)| {
        i16::from(board.cells[row * board.cols + col] == content)
    })
}

/// Labels the groups of one content by search, in the order of their first points.
fn searched_labels(board: &Plain, content: u8) -> (Array2<i32>, Vec<Vec<usize>>) {
    let mut labels = Array2::zeros((board.rows, board.cols));
    let mut groups = Vec::new();
    for p in 0..board.cells.len() {
        if board.cells[p] == content && labels[[p / board.cols, p % board.cols]] == 0 {
            let group = board.group(p);
            groups.push(group.clone());
            for member in group {
                labels[[member / board.cols, member % board.cols]] =
                    i32::try_from(groups.len()).unwrap();
            }
        }
    }
    (labels, groups)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn labels_equal_a_search_from_each_point(board in boards()) {
        let (expected, groups) = searched_labels(&board, 1);
        let (labels, count) = label(&plane(&board, 1).view()).unwrap();
        prop_assert_eq!(labels, expected);
        prop_assert_eq!(count, groups.len());
    }

    #[test]
    fn dilation_adds_the_neighbors(board in boards()) {
        let grown = dilate(&plane(&board, 1).view()).unwrap();
        for (p, &cell) in grown.iter().enumerate() {
            let expected = board.cells[p] == 1 || board.touches(&[p], 1);
            prop_assert_eq!(cell, i16::from(expected));
        }
    }
}

#[test]
fn views_with_strides_are_read_as_they_look() {
    let wide = Array2::from_shape_fn((4, 9), |(row, col)| u8::from((row + col) % 5 < 2));
    let view = wide.slice(s![..;-1, ..;2]);
    assert_eq!(label(&view), label(&view.to_owned().view()));
}

#[test]
fn sides_beyond_two_to_twenty_five_are_refused() {
    for shape in [(1, 5), (5, 26), (0, 0)] {
        let plane = Array2::<u8>::zeros(shape);
        assert!(label(&plane.view()).is_err());
        assert!(dilate(&plane.view()).is_err());
    }
}

#[test]
fn dilation_agrees_with_geometry_at_every_size() {
    for size in (2..=25).flat_map(|rows| (2..=25).map(move |cols| BoardSize::new(rows, cols))) {
        let size = size.unwrap();
        with_words!(size, W => {
            let frame = Frame::<W>::new(size);
            for p in 0..size.points() {
                let expected: Bits<W> = size.neighbors(p).collect();
                assert_eq!(frame.dilate(Bits::point(p), frame.board()), expected, "{size} {p}");
            }
        });
    }
}

#[test]
fn flood_fill_stops_at_gaps_and_when_told_to() {
    let frame = Frame::<1>::new(BoardSize::new(3, 4).unwrap());
    // # # . #
    // . # . #
    // # . # .
    let within: Bits<1> = [0, 1, 3, 5, 7, 8, 10].into_iter().collect();
    let points = |set: Bits<1>| set.iter().collect::<Vec<_>>();
    assert_eq!(points(frame.fill(Bits::point(0), within)), [0, 1, 5]);
    assert_eq!(points(frame.fill(Bits::point(7), within)), [3, 7]);
    assert!(frame.fill(Bits::point(2), within).is_empty());
    let has_1 = |reached: Bits<1>| reached.contains(1);
    assert_eq!(points(frame.flood(Bits::point(0), within, has_1)), [0, 1]);
    assert_eq!(points(frame.flood(Bits::point(1), within, has_1)), [1]);
    assert_eq!(points(frame.flood(Bits::point(8), within, has_1)), [8]);
}

#[test]
fn what_is_neither_a_stone_nor_empty_is_no_liberty() {
    let board = ndarray::array![[1, 3, 0], [1, 2, 7], [0, 2, 9]];
    let expected = ndarray::array![[1, 0, 0], [1, 1, 0], [0, 1, 0]];
    assert_eq!(chain_liberties(&board.view()).unwrap(), expected);
}
