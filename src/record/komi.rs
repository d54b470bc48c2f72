//! Komi in a record of Go (`KM`), with what servers and collections mean by their numbers.

use super::number::number;
use super::sgf::{Node, Property, SgfWarning, Value};
use super::spelling::quoted;
use crate::games::go::{Komi, RulesError};
use crate::geometry::BoardSize;

/// What the server Fox writes, and the points that it means: hundredths, those of Chinese rules of
/// half the komi.
const FOX: [(f64, f64); 9] = [
    (50.0, 0.5),
    (275.0, 5.5),
    (325.0, 6.5),
    (350.0, 7.0),
    (375.0, 7.5),
    (550.0, 5.5),
    (650.0, 6.5),
    (700.0, 7.0),
    (750.0, 7.5),
];

/// Fox's numbers from here on are hundredths.
const LEAST_FOX: f64 = 50.0;

/// What is wrong with another of them.
const UNKNOWN_TO_FOX: &str = "no komi that the server Fox is known to write";

/// Whether a program that is named so wrote the record (`AP`).
pub(super) fn is_by(root: Node<'_>, program: &str) -> bool {
    let programs = root.find("AP").into_iter().flat_map(Property::values);
    let mut names = programs.map(Value::simple_text);
    names.any(|name| name.trim().eq_ignore_ascii_case(program))
}

/// The komi that a record says; what it says that is no komi is left out.
pub(super) fn read(
    root: Node<'_>,
    size: BoardSize,
    warnings: &mut Vec<SgfWarning>,
) -> Option<Komi> {
    let value = root.find_info("KM")?.value();
    let text = value.simple_text();
    if text.trim().is_empty() {
        return None;
    }
    let komi = number(&text)
        .ok_or_else(|| RulesError::Komi.to_string())
        .and_then(|points| meant(root, points).ok_or_else(|| UNKNOWN_TO_FOX.to_owned()))
        .and_then(|points| Komi::new(points).map_err(|error| error.to_string()));
    let komi = match komi {
        Ok(komi) => komi,
        Err(why) => {
            let why = format!("{}: {why}", quoted(value));
            warnings.push(SgfWarning::part(value.error(why)));
            return None;
        }
    };
    // The usual komi is larger than the smallest boards.
    let most = (size.points() as f64).max(Komi::default().points());
    if komi.points().abs() > most {
        let why = format!("a komi of {} on a board of {} points", komi.points(), size.points());
        warnings.push(SgfWarning::doubt(value.error(why)));
    }
    Some(komi)
}

/// The points that a number means; None for a number of Fox that is not known.
fn meant(root: Node<'_>, points: f64) -> Option<f64> {
    let by_fox = is_by(root, "foxwq") || is_by(root, "SGFC:2.0");
    if by_fox && points.abs() >= LEAST_FOX {
        return FOX
            .iter()
            .find(|(written, _)| written.total_cmp(&points).is_eq())
            .map(|(_, meant)| *meant);
    }
    let is_quarter = (points * 2.0).fract() != 0.0;
    let doubles = || {
        let starts = |name, word: &str| {
            let text = root.find_info(name).map(|property| property.value().simple_text());
            text.is_some_and(|text| text.trim().to_ascii_lowercase().starts_with(word))
        };
        // The collection GoGoD counts the komi of Chinese rules in stones, which are two points.
        starts("US", "gogod") && starts("RU", "chinese")
    };
    Some(if is_quarter && doubles() { points * 2.0 } else { points })
}
