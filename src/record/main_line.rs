//! The main line of a record: a game written down, and played again from what is written.

use super::opening::Opening;
use super::points::{self, quoted};
use super::recorded::{Info, LeftOut, Recorded};
use super::sgf::{Node, Property, SgfError, Value, Writer, abbreviated};
use crate::color::{ByColor, Color};
use crate::error::PlayError;
use crate::geometry::{Action, BoardSize};
use crate::status::{Ending, Outcome, Status};
use crate::step::Step;

/// What a starting position made from planes knows beside its stones.
pub(super) const PASSED: &str = "XPASS";
pub(super) const DONE: &str = "XDONE";
pub(super) const FORBIDDEN: &str = "XBAN";

fn letter(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

pub(super) fn write<G: Recorded>(game: &G, info: &Info) -> String {
    let mut writer = Writer::new();
    writer.open().node();
    write_root(game, info, &mut writer);
    let (size, mut turn, mut moves) = (game.size(), game.state().setup().turn, 0);
    for step in game.state().steps() {
        writer.node();
        match step {
            Step::SetTurn(color) => {
                turn = color;
                writer.property("PL", [letter(color)]);
            }
            Step::Action(action) => {
                writer.property(letter(turn), [points::name(size, action)]);
                turn = turn.opponent();
                moves += 1;
                if let Some(comment) = info.comments.get(&moves) {
                    writer.text("C", comment);
                }
            }
        }
    }
    writer.close();
    writer.finish()
}

fn write_root<G: Recorded>(game: &G, info: &Info, writer: &mut Writer) {
    let (size, setup) = (game.size(), game.state().setup());
    writer.property("FF", [4]).property("GM", [G::GM]).property("CA", ["UTF-8"]);
    match &info.application {
        Some((name, version)) => writer.compose("AP", name, version),
        None => writer.compose("AP", "sixplane", env!("CARGO_PKG_VERSION")),
    };
    if size.is_square() {
        writer.property("SZ", [size.rows()]);
    } else {
        writer.property("SZ", [format!("{}:{}", size.cols(), size.rows())]);
    }
    game.write_rules(writer);
    let ByColor { black, white } = &info.players;
    let result = info.result.clone().or_else(|| result(game));
    let texts =
        [("PB", black), ("PW", white), ("DT", &info.date), ("EV", &info.event), ("RE", &result)];
    for (ident, text) in texts {
        if let Some(text) = text {
            writer.simple_text(ident, text);
        }
    }
    let names = |points: &[u16]| -> Vec<String> {
        points.iter().map(|&point| points::name(size, Action::from(point))).collect()
    };
    let sets_up = setup.stones != G::usual_stones(size);
    if sets_up {
        writer.property("AB", names(&setup.stones.black));
        writer.property("AW", names(&setup.stones.white));
        if setup.stones == ByColor::default() {
            // Nothing else says that the usual stones are not there.
            let usual = G::usual_stones(size);
            writer.property("AE", names(&[usual.black, usual.white].concat()));
        }
    }
    if sets_up || setup.turn == Color::White {
        writer.property("PL", [letter(setup.turn)]);
    }
    writer.property(PASSED, setup.passed.then_some(1));
    writer.property(DONE, setup.done.then_some(1));
    writer.property(FORBIDDEN, names(&setup.forbidden));
    if let Some(comment) = info.comments.get(&0) {
        writer.text("C", comment);
    }
}

fn result<G: Recorded>(game: &G) -> Option<String> {
    let Status::Done { outcome, ending } = game.status() else { return None };
    Some(match (outcome, ending) {
        (Outcome::Win(color), Ending::Resignation(_)) => format!("{}+R", letter(color)),
        (Outcome::Win(color), _) => format!("{}+{}", letter(color), game.score().abs()),
        (Outcome::Draw, _) => "0".to_owned(),
    })
}

/// The game of a record as far as it can go, and what is left out.
pub(super) fn follow<G: Recorded>(
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

impl<'a, G: Recorded> MainLine<'a, G> {
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

/// A property of the game as a whole. It is in the root as a rule, but may come later.
pub(super) fn find_info<'a>(root: Node<'a>, name: &str) -> Option<Property<'a>> {
    root.main_line().find_map(|node| node.find(name))
}

fn check_game_number<G: Recorded>(root: Node<'_>) -> Result<(), SgfError> {
    let Some(property) = root.find("GM") else { return Ok(()) };
    let number = property.value().raw().trim();
    if number.parse() == Ok(G::GM) {
        return Ok(());
    }
    let found = quoted(property.value());
    Err(property.error(format!("a record of game {found}: {} is game {}", G::NAME, G::GM)))
}

/// `SZ[9]`, or `SZ[columns:rows]`.
fn board_size<G: Recorded>(root: Node<'_>) -> Result<BoardSize, SgfError> {
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

fn set_turn<G: Recorded>(
    game: &mut G,
    color: Color,
    property: Property<'_>,
) -> Result<(), SgfError> {
    game.set_turn(color).map_err(|error| illegal(property, error))
}

fn play<G: Recorded>(game: &mut G, color: Color, property: Property<'_>) -> Result<(), SgfError> {
    if property.values().nth(1).is_some() {
        return Err(property.error("a move of more than one point"));
    }
    let action = points::action(game.size(), property.value())?;
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

pub(super) fn illegal(property: Property<'_>, error: PlayError) -> SgfError {
    let (ident, raw) = (abbreviated(property.ident()), abbreviated(property.value().raw()));
    property.error(format!("illegal move {ident}[{raw}]: {}", error.reason()))
}

/// Who resigned, as the result says.
fn resignation(root: Node<'_>) -> Option<(Color, Property<'_>)> {
    let property = find_info(root, "RE")?;
    let result = property.value().simple_text().trim().to_ascii_uppercase();
    let (winner, how) = result.split_once('+')?;
    let winner = Color::ALL.into_iter().find(|&color| letter(color) == winner)?;
    matches!(how, "R" | "RESIGN").then_some((winner.opponent(), property))
}
