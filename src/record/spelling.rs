//! How SGF spells points, colors and moves: a point is two letters, its column and its row from the
//! top left.

use super::sgf::{Property, SgfError, Value, abbreviated};
use crate::color::Color;
use crate::error::PlayError;
use crate::geometry::{Action, BoardSize, Point};

/// What a starting position made from planes knows beside its stones.
pub(super) const PASSED: &str = "XPASS";
pub(super) const DONE: &str = "XDONE";
pub(super) const FORBIDDEN: &str = "XBAN";

/// Boards up to this side may write `tt` for the pass, as earlier versions of the format do.
const MAX_SIDE_WITH_TT: usize = 19;

/// An action: two letters, or nothing for the pass.
pub(super) fn name(size: BoardSize, action: Action) -> String {
    let letter = |index: usize| char::from(b'a' + index as u8);
    match size.point(action) {
        Some(Point { row, col }) => [letter(col), letter(row)].iter().collect(),
        None => String::new(),
    }
}

fn point(size: BoardSize, name: &str) -> Option<Point> {
    let &[col, row] = name.as_bytes() else { return None };
    let index = |letter: u8| letter.is_ascii_lowercase().then(|| usize::from(letter - b'a'));
    let point = Point { row: index(row)?, col: index(col)? };
    size.action(point).map(|_| point)
}

/// The action that a value names.
pub(super) fn action(size: BoardSize, value: Value<'_>) -> Result<Action, SgfError> {
    let name = value.raw().trim();
    let takes_tt = size.rows() <= MAX_SIDE_WITH_TT && size.cols() <= MAX_SIDE_WITH_TT;
    if name.is_empty() || name == "tt" && takes_tt {
        return Ok(size.pass());
    }
    let action = point(size, name).and_then(|point| size.action(point));
    action.ok_or_else(|| off_board(size, value))
}

/// The rectangle of points that a value names: its first and last point. One point is a
/// rectangle as well.
pub(super) fn rectangle(size: BoardSize, value: Value<'_>) -> Result<(Point, Point), SgfError> {
    let raw = value.raw();
    let (one, two) = raw.split_once(':').unwrap_or((raw, raw));
    match (point(size, one.trim()), point(size, two.trim())) {
        (Some(one), Some(two)) => Ok((
            Point { row: one.row.min(two.row), col: one.col.min(two.col) },
            Point { row: one.row.max(two.row), col: one.col.max(two.col) },
        )),
        _ => Err(off_board(size, value)),
    }
}

fn off_board(size: BoardSize, value: Value<'_>) -> SgfError {
    value.error(format!("{} is off the board, which is {size}", quoted(value)))
}

/// The beginning of a value, for a message.
pub(super) fn quoted(value: Value<'_>) -> String {
    format!("{:?}", abbreviated(value.raw()))
}

/// The color that a value names.
pub(super) fn color(value: Value<'_>) -> Result<Color, SgfError> {
    match value.raw().trim().to_ascii_lowercase().as_str() {
        "b" | "black" | "1" => Ok(Color::Black),
        "w" | "white" | "2" => Ok(Color::White),
        _ => Err(value.error(format!("{} is no color: B or W is, 1 or 2 too", quoted(value)))),
    }
}

/// Whether a property sets up stones.
pub(super) fn sets_up(property: Property<'_>) -> bool {
    ["AB", "AW", "AE"].into_iter().any(|name| property.is(name))
}

/// Whose move a property is.
pub(super) fn moved_by(property: Property<'_>) -> Option<Color> {
    Color::ALL.into_iter().find(|&color| property.is(letter(color)))
}

pub(super) fn letter(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

pub(super) fn illegal(property: Property<'_>, error: PlayError) -> SgfError {
    let (ident, raw) = (abbreviated(property.ident()), abbreviated(property.value().raw()));
    property.error(format!("illegal move {ident}[{raw}]: {}", error.reason()))
}
