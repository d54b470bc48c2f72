//! How SGF spells colors and moves.

use super::sgf::{Property, SgfError, Value, abbreviated};
use crate::color::Color;
use crate::error::PlayError;

/// What a starting position made from planes knows beside its stones.
pub(super) const PASSED: &str = "XPASS";
pub(super) const DONE: &str = "XDONE";
pub(super) const FORBIDDEN: &str = "XBAN";

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
