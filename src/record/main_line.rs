//! The moves of a record, played one by one.

use super::point::Spelling;
use super::rules::RecordRules;
use super::sgf::{Node, Property, SgfError};
use super::spelling::{self, illegal, letter, moved_by, sets_up};
use crate::color::Color;

/// Plays what a node says, and counts the moves. What the first node with a move sets up is part of
/// the start.
pub(super) fn take<G: RecordRules>(
    game: &mut G,
    node: Node<'_>,
    is_first: bool,
    moves: &mut usize,
) -> Result<(), SgfError> {
    for property in node.properties().filter(|_| !is_first) {
        if sets_up(property) {
            return Err(property.error("stones are set up after the first move"));
        }
        if property.is("PL") {
            let color = spelling::color(property.value())?;
            game.set_turn(color).map_err(|error| illegal(property, error))?;
        }
    }
    for property in node.properties() {
        if let Some(color) = moved_by(property) {
            play(game, color, property)?;
            *moves += 1;
        }
    }
    Ok(())
}

fn play<G: RecordRules>(
    game: &mut G,
    color: Color,
    property: Property<'_>,
) -> Result<(), SgfError> {
    if property.values().nth(1).is_some() {
        return Err(property.error("a move of more than one point"));
    }
    let is_said = |word: &&str| word.eq_ignore_ascii_case(property.value().raw().trim());
    if G::RESIGNATIONS.iter().any(is_said) {
        return game.resign(color).map_err(|error| illegal(property, error));
    }
    let action = Spelling::of::<G>(game.size()).action(property.value())?;
    let pass = game.size().pass();
    let turned = if game.turn() == color {
        Ok(())
    } else if G::OMITS_FORCED_PASSES && game.legal_actions() == [pass] {
        game.play(pass)
    } else {
        game.set_turn(color)
    };
    turned.and_then(|()| game.play(action)).map_err(|error| illegal(property, error))
}

/// Who resigned, as the result says.
pub(super) fn resignation(root: Node<'_>) -> Option<(Color, Property<'_>)> {
    let property = root.find_info("RE")?;
    let result = property.value().simple_text().trim().to_ascii_uppercase();
    let (winner, how) = result.split_once('+')?;
    let winner = Color::ALL.into_iter().find(|&color| letter(color) == winner)?;
    matches!(how, "R" | "RESIGN").then_some((winner.opponent(), property))
}
