//! The score table player of Gomoku: wins and blocks first, then the point of the highest worth.
//!
//! For every empty point and both colors it looks up what a stone would make on each of the four
//! lines ([`super::pattern`]). It searches nothing.

use std::cmp::Reverse;

use super::pattern::{Pattern, Patterns};
use crate::color::Color;
use crate::game::Game;
use crate::games::gomoku::{Gomoku, GomokuRules};
use crate::geometry::{Action, BoardSize};

/// How many stones the player puts next to the last stone of the other before it uses the table: so
/// games differ, and the table knows little of openings.
const NEIGHBOR_REPLIES: usize = 2;

/// What a stone of one color threatens, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Threat {
    /// Nothing that wins against the best reply.
    None,
    /// Two open threes at once: one reply cannot stop both.
    DoubleThree,
    /// An open four, two fours at once, or a four with an open three.
    Unstoppable,
    /// Five.
    Win,
}

/// What a stone of one color on a point is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Worth {
    pub(super) threat: Threat,
    /// A four with an open three wins more slowly than two ways to five.
    pub(super) two_ways_to_five: bool,
    /// The scores of the four lines in descending order, weighted 1000, 100, 10 and 1.
    pub(super) points: u32,
}

impl Worth {
    fn of(mut lines: [Pattern; 4]) -> Self {
        lines.sort_unstable_by_key(|&pattern| Reverse(pattern));
        let count = |pattern| lines.iter().filter(|&&line| line == pattern).count();
        let fours = count(Pattern::Four) + 2 * count(Pattern::OpenFour);
        let threes = count(Pattern::OpenThree);
        let threat = if lines[0] == Pattern::Five {
            Threat::Win
        } else if fours >= 2 || fours == 1 && threes >= 1 {
            Threat::Unstoppable
        } else if threes >= 2 {
            Threat::DoubleThree
        } else {
            Threat::None
        };
        let weights = [1000, 100, 10, 1];
        let points = lines.iter().zip(weights).map(|(line, weight)| line.score() * weight).sum();
        Self { threat, two_ways_to_five: fours >= 2, points }
    }
}

/// What an empty point is worth for the player to play and for the other.
pub(super) struct Worths {
    pub(super) point: usize,
    pub(super) own: Worth,
    pub(super) other: Worth,
}

/// The worth of every empty point by its patterns, of a board given as the cells of the black and
/// white plane.
pub(super) fn worths([own, other]: [Vec<[Pattern; 4]>; 2], cells: [&[u8]; 2]) -> Vec<Worths> {
    (0..own.len())
        .filter(|&point| cells[0][point] + cells[1][point] == 0)
        .map(|point| Worths { point, own: Worth::of(own[point]), other: Worth::of(other[point]) })
        .collect()
}

/// [`patterns`] of such a board.
pub(super) fn patterns_of(
    size: BoardSize,
    rules: GomokuRules,
    cells: [&[u8]; 2],
    turn: Color,
) -> [Vec<[Pattern; 4]>; 2] {
    [turn, turn.opponent()].map(|color| {
        let (own, other) = (cells[color as usize], cells[color.opponent() as usize]);
        Patterns::of(rules).of_points(size, own, other)
    })
}

/// The cells of the black and of the white plane.
fn cells(game: &Gomoku) -> [&[u8]; 2] {
    Color::ALL.map(|color| game.state().planes().plane_cells(color.into()))
}

/// What a stone would make on each of the four lines through every point: of the player to play, and
/// of the other. [`Pattern::Dead`] where there is a stone already.
///
/// ```
/// use sixplane::players::pattern::Pattern;
/// use sixplane::players::score_table::{patterns, score};
/// use sixplane::{Color, Game, Gomoku};
///
/// let game = Gomoku::from_text("
///     . . . . . . .
///     . . . X . . .
///     . . . X . . .
///     . . . . . . .
///     . . . . . . .", Color::Black)?;
/// let [own, _] = patterns(&game);
/// // Along the row, the column, the falling and the rising diagonal of D2.
/// let expected = [Pattern::One, Pattern::SleepingThree, Pattern::One, Pattern::One];
/// assert_eq!(own[3 * 7 + 3], expected);
/// assert_eq!(score(expected), 1000 * 19 + (100 + 10 + 1) * 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn patterns(game: &Gomoku) -> [Vec<[Pattern; 4]>; 2] {
    patterns_of(game.size(), *game.rules(), cells(game), game.turn())
}

/// What a point is worth by the patterns of its four lines: their scores in descending order,
/// weighted 1000, 100, 10 and 1.
#[must_use]
pub fn score(lines: [Pattern; 4]) -> u32 {
    Worth::of(lines).points
}

/// The best points by the table, ascending; empty only when the game is over.
///
/// In this order: a five; to prevent the other's five; a stone after which the other cannot prevent
/// a five; to prevent such a stone; a double three; to prevent one; else the best point of the color
/// that has the better one. Among equal points the worth for the other color decides. Without
/// threats, the first two replies are the empty neighbors of the other's last stone. The point of an
/// empty board is its center.
///
/// ```
/// use sixplane::players::score_table::best_actions;
/// use sixplane::{Action, Color, Game, Gomoku};
///
/// let game = Gomoku::from_text("
///     . . . . . . .
///     . O . . . . .
///     . . X X X X O
///     . . . O . . .
///     . . . . O . .
///     . . . . . . .
///     . . . . . . .", Color::White)?;
/// assert_eq!(best_actions(&game), [Action::new(2 * 7 + 1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn best_actions(game: &Gomoku) -> Vec<Action> {
    if game.is_over() {
        return Vec::new();
    }
    let size = game.size();
    let worths = worths(patterns(game), cells(game));
    if worths.len() == size.points() {
        return vec![Action::new(center(size))];
    }
    let own = worths.iter().map(|worths| worths.own).max();
    let other = worths.iter().map(|worths| worths.other).max();
    let (Some(own), Some(other)) = (own, other) else { return Vec::new() };
    let is_calm = own.threat.max(other.threat) == Threat::None;
    let replies = neighbor_replies(game);
    // A set-up position may have threats before a player's first stones.
    if is_calm && !replies.is_empty() {
        return replies;
    }
    // Among equal threats the player to play is ahead; without threats the higher score counts.
    let attacks = if is_calm { own.points >= other.points } else { own.threat >= other.threat };
    let key = |worths: &Worths| {
        if attacks { (worths.own, worths.other) } else { (worths.other, worths.own) }
    };
    let highest = worths.iter().map(key).max();
    let best = worths.iter().filter(|&worths| Some(key(worths)) == highest);
    best.map(|worths| Action::new(worths.point)).collect()
}

/// The point in the middle, where an empty board is opened.
pub(super) fn center(size: BoardSize) -> usize {
    size.rows() / 2 * size.cols() + size.cols() / 2
}

/// The empty neighbors of the last stone, while this player's stones are few; else nothing.
fn neighbor_replies(game: &Gomoku) -> Vec<Action> {
    let (size, planes) = (game.size(), game.state().planes());
    let own: usize = planes.plane_cells(game.turn().into()).iter().map(|&cell| cell as usize).sum();
    let Some(last) = game.state().actions().next_back() else { return Vec::new() };
    if own >= NEIGHBOR_REPLIES {
        return Vec::new();
    }
    let near = size.neighbors(last.index()).chain(size.diagonals(last.index()));
    let mut empty: Vec<_> = near.filter(|&point| planes.stone(point).is_none()).collect();
    empty.sort_unstable();
    empty.into_iter().map(Action::new).collect()
}
