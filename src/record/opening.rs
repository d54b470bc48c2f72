//! What a record tells before its first move: the starting position.

use super::point::Spelling;
use super::rules::{RecordRules, Start};
use super::sgf::{Node, Property, SgfError, SgfWarning, abbreviated};
use super::spelling::{self, DONE, FORBIDDEN, PASSED, illegal, moved_by, quoted, sets_up};
use crate::color::{ByColor, Color};
use crate::geometry::BoardSize;
use crate::setup::Setup;

/// What a record tells before its first move.
pub(super) struct Opening<'a> {
    root: Node<'a>,
    spelling: Spelling,
    size: BoardSize,
    cells: Vec<Option<Color>>,
    /// The first property that set up a stone.
    set_up_at: Option<Property<'a>>,
    turn: Option<Color>,
    /// Turns set as steps of the game.
    turns: Vec<(Color, Property<'a>)>,
    /// Who makes the first move.
    first: Option<Color>,
    /// Why the first of the points left out is, its property and how many more there are.
    spoilt: Option<(SgfError, Property<'a>, usize)>,
    warnings: Vec<SgfWarning>,
}

impl<'a> Opening<'a> {
    /// Reads a line, which begins with the root, up to the first node with a move.
    pub(super) fn read<G: RecordRules>(
        line: &[Node<'a>],
        given: &G::Given,
    ) -> Result<Self, SgfError> {
        let root = line[0];
        check_game_number::<G>(root)?;
        let size = board_size::<G>(root, given)?;
        let (cells, turns) = (vec![None; size.points()], Vec::new());
        let (turn, first, set_up_at, spoilt, warnings) = (None, None, None, None, Vec::new());
        let spelling = Spelling::of::<G>(size);
        let mut opening =
            Self { root, spelling, size, cells, set_up_at, turn, turns, first, spoilt, warnings };
        for (number, node) in line.iter().enumerate() {
            let sets_up = number == 0 || node.properties().any(sets_up);
            if sets_up {
                // Turns set before more is set up are part of the starting position.
                let last = opening.turns.drain(..).next_back();
                opening.turn = last.map(|(color, _)| color).or(opening.turn);
            }
            for property in node.properties() {
                opening.put(property, sets_up);
            }
            opening.first = node.properties().find_map(moved_by);
            if opening.first.is_some() {
                break;
            }
        }
        Ok(opening)
    }

    /// Puts stones on points or takes them off, or sets the turn, which is a step of the game if its
    /// node does not set up anything.
    fn put(&mut self, property: Property<'a>, sets_up: bool) {
        let content = match () {
            () if property.is("AB") => Some(Color::Black),
            () if property.is("AW") => Some(Color::White),
            () if property.is("AE") => None,
            () if property.is("PL") => {
                match spelling::color(property.value()) {
                    Ok(color) if sets_up => self.turn = Some(color),
                    Ok(color) => self.turns.push((color, property)),
                    Err(error) => self.warnings.push(SgfWarning::part(error)),
                }
                return;
            }
            () => return,
        };
        for value in property.values() {
            let (one, two) = match self.spelling.rectangle(value) {
                Ok(rectangle) => rectangle,
                Err(error) => {
                    let (.., more) = self.spoilt.get_or_insert((error, property, 0));
                    *more += 1;
                    continue;
                }
            };
            self.set_up_at.get_or_insert(property);
            for row in one.row..=two.row {
                let start = row * self.size.cols();
                self.cells[start + one.col..=start + two.col].fill(content);
            }
        }
    }

    /// The game at its start, with the turns set before its first move, and what is left out.
    pub(super) fn begin<G: RecordRules>(
        mut self,
        given: &G::Given,
        max_moves: Option<u32>,
    ) -> Result<(G, Vec<SgfWarning>), SgfError> {
        if let Some((mut error, property, count)) = self.spoilt {
            if count > 1 {
                let more = count - 1;
                let name = abbreviated(property.ident());
                error.message = format!("{} (and {more} more from {name} on)", error.message);
            }
            self.warnings.push(SgfWarning::part(error));
        }
        let of = |color| -> Vec<u16> {
            let cells = (0..).zip(&self.cells);
            cells.filter(|&(_, &cell)| cell == Some(color)).map(|(point, _)| point).collect()
        };
        let stones = || ByColor { black: of(Color::Black), white: of(Color::White) };
        let mut start = Start {
            size: self.size,
            stones: self.set_up_at.map(|_| stones()),
            turn: self.turn.or(self.first.filter(|_| self.turns.is_empty())),
        };
        let rules = G::read_rules(self.root, &mut start, given, &mut self.warnings)?;
        let mut setup = Setup::empty(self.size);
        setup.stones = start.stones.unwrap_or_else(|| G::usual_stones(self.size));
        setup.turn = start.turn.unwrap_or(setup.turn);
        setup.passed = self.root.find(PASSED).is_some();
        setup.done = self.root.find(DONE).is_some();
        let banned = self.root.find(FORBIDDEN);
        for value in banned.into_iter().flat_map(Property::values) {
            let action = self.spelling.action(value)?;
            if action == self.size.pass() {
                return Err(value.error("a forbidden point that is no point"));
            }
            setup.forbidden.push(action.get());
        }
        let forbidden = setup.forbidden.len();
        let mut game = G::from_setup(rules, setup, max_moves).map_err(|error| {
            let message = error.to_string();
            self.set_up_at.map_or_else(|| self.root.error(&message), |one| one.error(&message))
        })?;
        if let Some(property) = banned.filter(|_| forbidden > game.max_forbidden()) {
            return Err(property.error("more forbidden points than the rules can explain"));
        }
        for (color, property) in self.turns {
            game.set_turn(color).map_err(|error| illegal(property, error))?;
        }
        Ok((game, self.warnings))
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
fn board_size<G: RecordRules>(root: Node<'_>, given: &G::Given) -> Result<BoardSize, SgfError> {
    let Some(value) = root.find("SZ").map(Property::value) else {
        let (rows, cols) = G::default_size(given);
        return BoardSize::new(rows, cols).map_err(|error| root.error(error.to_string()));
    };
    let (cols, rows) = value.raw().split_once(':').unwrap_or((value.raw(), value.raw()));
    match (rows.trim().parse(), cols.trim().parse()) {
        (Ok(rows), Ok(cols)) => {
            BoardSize::new(rows, cols).map_err(|error| value.error(error.to_string()))
        }
        _ => Err(value.error(format!("{} is no board size", quoted(value)))),
    }
}
