//! The moves of a record, played one by one.

use std::fmt;

use super::rules::RecordRules;
use super::sgf::{Node, Property, SgfError};
use super::spelling::{self, illegal, letter, moved_by, sets_up};
use crate::color::Color;

/// What a game cannot take of the main line of a record: all from some move on.
///
/// ```
/// use sixplane::record::{Recorded, sgf::Collection};
/// use sixplane::Go;
///
/// let collection = Collection::from_text("(;SZ[9];B[ee];W[ee];B[cc])")?;
/// let (_, left_out) = Go::follow(collection.first_game(), &Default::default(), None)?;
/// let left_out = left_out.expect("a play on a stone");
/// assert_eq!((left_out.first, left_out.moves), (2, 2));
/// # Ok::<(), sixplane::record::SgfError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The number of the first move left out; that of the record's first move is 1.
    pub first: usize,
    /// How many moves of the record are left out.
    pub moves: usize,
    /// Why, and where in the text.
    pub error: SgfError,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, moves, error } = self;
        match moves {
            0 => write!(f, "what comes after move {} is left out: {error}", first - 1),
            1 => write!(f, "move {first} is left out: {error}"),
            _ => write!(f, "moves {first} to {} are left out: {error}", first + moves - 1),
        }
    }
}

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
    let action = spelling::action(game.size(), property.value())?;
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
