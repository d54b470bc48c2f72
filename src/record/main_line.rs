//! The main line of a record, played as a game.

use std::fmt;

use super::opening::Opening;
use super::rules::{RecordRules, find_info};
use super::sgf::{Node, Property, SgfError, Value};
use super::spelling::{self, illegal, letter, quoted};
use crate::color::Color;
use crate::geometry::BoardSize;

/// What a game cannot take of the main line of a record: all from some move on.
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

/// The game of a record as far as it can go, and what is left out.
pub(super) fn follow<G: RecordRules>(
    root: Node<'_>,
    given: &G::Given,
    max_moves: Option<u32>,
) -> Result<(G, Option<LeftOut>), SgfError> {
    check_game_number::<G>(root)?;
    let opening = Opening::new(root, board_size::<G>(root)?);
    let mut line = MainLine { opening, game: None, moves: 0 };
    for (number, node) in root.main_line().enumerate() {
        if let Err(error) = line.take(node, number == 0, given, max_moves) {
            let Some(game) = line.game else { return Err(error) };
            let all = root.main_line().flat_map(Node::properties).filter_map(moved_by).count();
            let left_out = LeftOut { first: line.moves + 1, moves: all - line.moves, error };
            return Ok((game, Some(left_out)));
        }
    }
    let mut game = match line.game {
        Some(game) => game,
        None => line.opening.begin(None, given, max_moves)?,
    };
    if !game.is_over() {
        if let Some((loser, property)) = resignation(root) {
            game.resign(loser).map_err(|error| property.error(error.to_string()))?;
        }
    }
    Ok((game, None))
}

/// A main line being played: what comes before the first move, then the game.
struct MainLine<'a, G> {
    opening: Opening<'a>,
    game: Option<G>,
    /// How many moves were played.
    moves: usize,
}

impl<'a, G: RecordRules> MainLine<'a, G> {
    /// Plays what a node says.
    fn take(
        &mut self,
        node: Node<'a>,
        is_root: bool,
        given: &G::Given,
        max_moves: Option<u32>,
    ) -> Result<(), SgfError> {
        let is_opening = is_root || node.properties().any(sets_up);
        if is_opening {
            self.opening.take_turns();
        }
        for property in node.properties() {
            if sets_up(property) {
                if self.game.is_some() {
                    return Err(property.error("stones are set up after the first move"));
                }
                self.opening.put(property)?;
            } else if property.is("PL") {
                let color = color(property.value())?;
                match &mut self.game {
                    Some(game) => set_turn(game, color, property)?,
                    None if is_opening => self.opening.turn = Some(color),
                    None => self.opening.turns.push((color, property)),
                }
            }
        }
        for property in node.properties() {
            let Some(color) = moved_by(property) else { continue };
            let game = match &mut self.game {
                Some(game) => game,
                None => self.game.insert(self.opening.begin(Some(color), given, max_moves)?),
            };
            play(game, color, property)?;
            self.moves += 1;
        }
        Ok(())
    }
}

fn check_game_number<G: RecordRules>(root: Node<'_>) -> Result<(), SgfError> {
    let Some(property) = root.find("GM") else { return Ok(()) };
    let number = property.value().raw().trim();
    if number.parse() == Ok(G::GM) {
        return Ok(());
    }
    let found = quoted(property.value());
    Err(property.error(format!("a record of game {found}: {} is game {}", G::NAME, G::GM)))
}

/// `SZ[9]`, or `SZ[columns:rows]`.
fn board_size<G: RecordRules>(root: Node<'_>) -> Result<BoardSize, SgfError> {
    let Some(value) = root.find("SZ").map(Property::value) else {
        let side = BoardSize::square(G::DEFAULT_SIDE);
        return side.map_err(|error| root.error(error.to_string()));
    };
    let (cols, rows) = value.raw().split_once(':').unwrap_or((value.raw(), value.raw()));
    match (rows.trim().parse(), cols.trim().parse()) {
        (Ok(rows), Ok(cols)) => {
            BoardSize::new(rows, cols).map_err(|error| value.error(error.to_string()))
        }
        _ => Err(value.error(format!("{} is no board size", quoted(value)))),
    }
}

fn sets_up(property: Property<'_>) -> bool {
    ["AB", "AW", "AE"].into_iter().any(|name| property.is(name))
}

fn moved_by(property: Property<'_>) -> Option<Color> {
    Color::ALL.into_iter().find(|&color| property.is(letter(color)))
}

fn color(value: Value<'_>) -> Result<Color, SgfError> {
    match value.raw().trim().to_ascii_lowercase().as_str() {
        "b" | "black" | "1" => Ok(Color::Black),
        "w" | "white" | "2" => Ok(Color::White),
        _ => Err(value.error(format!("{} is no color: B or W is, 1 or 2 too", quoted(value)))),
    }
}

fn set_turn<G: RecordRules>(
    game: &mut G,
    color: Color,
    property: Property<'_>,
) -> Result<(), SgfError> {
    game.set_turn(color).map_err(|error| illegal(property, error))
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
    if game.turn() != color {
        let pass = game.size().pass();
        if G::OMITS_FORCED_PASSES && game.legal_actions() == [pass] {
            game.play_unchecked(pass);
        } else {
            set_turn(game, color, property)?;
        }
    }
    game.play(action).map_err(|error| illegal(property, error))
}

/// Who resigned, as the result says.
fn resignation(root: Node<'_>) -> Option<(Color, Property<'_>)> {
    let property = find_info(root, "RE")?;
    let result = property.value().simple_text().trim().to_ascii_uppercase();
    let (winner, how) = result.split_once('+')?;
    let winner = Color::ALL.into_iter().find(|&color| letter(color) == winner)?;
    matches!(how, "R" | "RESIGN").then_some((winner.opponent(), property))
}
