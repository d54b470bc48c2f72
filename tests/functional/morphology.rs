//! Laws of morphology, checked against breadth-first search on cells.

use super::plain::Plain;
use ndarray::{Array2, s};
use proptest::prelude::*;
use sixplane::morphology::{dilate, label};

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
