//! What a record tells before its first move: the starting position.

use super::rules::{RecordRules, Start};
use super::sgf::{Node, Property, SgfError};
use super::spelling::{self, DONE, FORBIDDEN, PASSED, illegal};
use crate::color::{ByColor, Color};
use crate::geometry::BoardSize;
use crate::setup::Setup;

/// What a record tells before its first move.
pub(super) struct Opening<'a> {
    pub(super) root: Node<'a>,
    size: BoardSize,
    cells: Vec<Option<Color>>,
    /// The first property that set up a stone.
    set_up_at: Option<Property<'a>>,
    pub(super) turn: Option<Color>,
    /// Turns set as steps of the game.
    pub(super) turns: Vec<(Color, Property<'a>)>,
}

impl<'a> Opening<'a> {
    pub(super) fn new(root: Node<'a>, size: BoardSize) -> Self {
        let cells = vec![None; size.points()];
        Self { root, size, cells, set_up_at: None, turn: None, turns: Vec::new() }
    }

    /// Makes the turns set so far part of the starting position, where more is set up.
    pub(super) fn take_turns(&mut self) {
        if let Some(&(color, _)) = self.turns.last() {
            self.turn = Some(color);
            self.turns.clear();
        }
    }

    /// Puts stones on points, or takes them off.
    pub(super) fn put(&mut self, property: Property<'a>) -> Result<(), SgfError> {
        self.set_up_at.get_or_insert(property);
        let content = match () {
            () if property.is("AB") => Some(Color::Black),
            () if property.is("AW") => Some(Color::White),
            () => None,
        };
        for value in property.values() {
            let (one, two) = spelling::rectangle(self.size, value)?;
            for row in one.row..=two.row {
                let start = row * self.size.cols();
                self.cells[start + one.col..=start + two.col].fill(content);
            }
        }
        Ok(())
    }

    /// The game at its start, with the turns set before its first move, which `first` makes.
    pub(super) fn begin<G: RecordRules>(
        &self,
        first: Option<Color>,
        given: &G::Given,
        max_moves: Option<u32>,
    ) -> Result<G, SgfError> {
        let of = |color| -> Vec<u16> {
            (0..)
                .zip(&self.cells)
                .filter(|&(_, &cell)| cell == Some(color))
                .map(|(i, _)| i)
                .collect()
        };
        let stones = || ByColor { black: of(Color::Black), white: of(Color::White) };
        let mut start = Start {
            size: self.size,
            stones: self.set_up_at.map(|_| stones()),
            turn: self.turn.or(first.filter(|_| self.turns.is_empty())),
        };
        let rules = G::read_rules(self.root, &mut start, given)?;
        let mut setup = Setup::empty(self.size);
        setup.stones = start.stones.unwrap_or_else(|| G::usual_stones(self.size));
        setup.turn = start.turn.unwrap_or(setup.turn);
        setup.passed = self.root.find(PASSED).is_some();
        setup.done = self.root.find(DONE).is_some();
        let banned = self.root.find(FORBIDDEN);
        for value in banned.into_iter().flat_map(Property::values) {
            let action = spelling::action(self.size, value)?;
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
        for &(color, property) in &self.turns {
            game.set_turn(color).map_err(|error| illegal(property, error))?;
        }
        Ok(game)
    }
}
