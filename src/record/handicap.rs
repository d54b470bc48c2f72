//! Handicap in a record of Go (`HA`).

use super::komi::is_by;
use super::number::number;
use super::rules::Start;
use super::sgf::{Node, Property, SgfError, SgfWarning, Value};
use super::spelling::quoted;
use crate::color::{ByColor, Color};
use crate::game::Game;
use crate::games::go::{Go, Rules};

/// Fox records no stones of a handicap on this board.
const FOX_SIDE: usize = 19;

/// The year since when Fox puts the fifth and sixth stone of six on the left and right side.
const FOX_TURNED: u32 = 2018;

/// The handicap, which is what [`Rules`] mean by it only if the stones stand on their fixed
/// points. Others are set-up stones like any, but White plays first on them as well.
///
/// A record that sets up no stones and in which White plays first has lost them, unless the server
/// that wrote it is known to leave them out.
pub(super) fn read(
    root: Node<'_>,
    start: &mut Start,
    given: Option<u8>,
    warnings: &mut Vec<SgfWarning>,
) -> Result<u8, SgfError> {
    let value = root.find_info("HA").map(Property::value);
    let text = value.map(Value::simple_text).unwrap_or_default();
    let number = number(&text);
    let is_none = text.trim().is_empty() || matches!(number, Some(0.0..=1.0));
    let written = number.filter(|stones| *stones > 1.0 && *stones < 256.0 && stones.fract() == 0.0);
    let written = written.map(|stones| stones as u8);
    let handicap = given.or(written).unwrap_or(0);
    let fixed = Go::with_rules(start.size, Rules { handicap, ..Rules::default() }, None)
        .map(|game| game.state().setup().stones.clone());
    if start.stones.is_none() && given > Some(0) {
        start.stones = Some(fixed.clone().map_err(|error| root.error(error.to_string()))?);
    }
    if let (None, None, Some(Color::White), false, Some(value)) =
        (given, &start.stones, start.turn, is_none, value)
    {
        let is_left_out = written.is_some() && leaves_stones_out(root, start);
        start.stones = fixed.clone().ok().filter(|_| is_left_out);
        start.stones = start.stones.take().map(|stones| as_in_the_year(root, handicap, stones));
        if start.stones.is_none() {
            let why = format!("a handicap of {} without its stones", quoted(value));
            warnings.push(SgfWarning::part(value.error(why)));
        }
    }
    if handicap > 0 && start.stones.is_some() {
        start.turn.get_or_insert(Color::White);
    }
    let is_fixed = fixed.is_ok_and(|fixed| start.stones == Some(fixed));
    Ok(if is_fixed { handicap } else { 0 })
}

/// Whether the record is one of Fox, which leaves the stones out. Some older ones name another
/// program, and an empty game.
fn leaves_stones_out(root: Node<'_>, start: &Start) -> bool {
    let is_unnamed = || root.find("GN").is_some_and(|name| name.value().raw().is_empty());
    (start.size.rows(), start.size.cols()) == (FOX_SIDE, FOX_SIDE)
        && (is_by(root, "foxwq") || is_by(root, "GNU Go:3.8") && is_unnamed())
}

/// Fox's stones: of six and seven those on the sides stood at the top and bottom once.
fn as_in_the_year(
    root: Node<'_>,
    handicap: u8,
    mut stones: ByColor<Vec<u16>>,
) -> ByColor<Vec<u16>> {
    let date = root.find_info("DT").map(|property| property.value().simple_text());
    let year = date.and_then(|date| date.trim().get(..4)?.parse::<u32>().ok());
    if matches!(handicap, 6 | 7) && year.is_some_and(|year| year < FOX_TURNED) {
        let side = FOX_SIDE as u16;
        for point in &mut stones.black {
            *point = *point % side * side + *point / side;
        }
        stones.black.sort_unstable();
    }
    stones
}
