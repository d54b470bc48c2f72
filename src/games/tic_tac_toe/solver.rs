//! Exact values of tic-tac-toe: the whole game tree, each position once.

use super::{SIDE, TicTacToe};
use crate::bits::Bits;
use crate::exact::{Effort, Exact, Memory, Solution, Task, Unsolvable, check_limit};
use crate::game::Game;
use crate::games::lines::Lines;
use crate::geometry::Action;

const POINTS: usize = SIDE * SIDE;

/// The values of positions for the player to play, as far as they are known, by the stones of that player and of
/// the other one as bits.
#[derive(Default)]
struct Values(Vec<Option<i8>>);

impl Values {
    /// The value of a position in which nobody has a line.
    fn value(&mut self, lines: &Lines<1, SIDE>, own: Bits<1>, other: Bits<1>) -> i8 {
        let index = (own.0[0] << POINTS | other.0[0]) as usize;
        if let Some(value) = self.0[index] {
            return value;
        }
        let values = empty(own, other).map(|point| self.after(lines, own, other, point));
        let value = values.max().unwrap_or(0);
        self.0[index] = Some(value);
        value
    }

    /// The same for the player who plays here.
    fn after(&mut self, lines: &Lines<1, SIDE>, own: Bits<1>, other: Bits<1>, point: usize) -> i8 {
        let own = own | Bits::point(point);
        if lines.is_any_full(own) { 1 } else { -self.value(lines, other, own) }
    }
}

fn empty(own: Bits<1>, other: Bits<1>) -> impl Iterator<Item = usize> {
    (0..POINTS).filter(move |&point| !(own | other).contains(point))
}

impl Exact for TicTacToe {
    fn check_solvable(&self) -> Result<(), Unsolvable> {
        check_limit(self, self.standing.empty)
    }

    fn solve(&self, task: &mut Task<'_>, memory: &mut Memory) -> Solution {
        let is_stopped = self.is_over() || self.check_solvable().is_err() || !task.count();
        if is_stopped {
            return Solution { nodes: task.nodes(), ..Solution::default() };
        }
        let values: &mut Values = memory.of();
        values.0.resize(1 << (2 * POINTS), None);
        let turn = self.turn();
        let [mut own, mut other] = [turn, turn.opponent()].map(|color| self.stones[color.index()]);
        let value = values.value(&self.lines, own, other);
        let (mut line, mut kept) = (Vec::new(), value);
        while line.is_empty() || task.effort() == Effort::Whole {
            let mut plays = empty(own, other);
            let keeps = |&point: &usize| values.after(&self.lines, own, other, point) == kept;
            let Some(point) = plays.find(keeps) else { break };
            line.push(Action::new(point));
            own.insert(point);
            if self.lines.is_any_full(own) {
                break;
            }
            (own, other, kept) = (other, own, -kept);
        }
        Solution {
            value: Some(value),
            score: task.is_scored().then(|| f64::from(value)),
            best: line.first().copied(),
            line,
            nodes: task.nodes(),
        }
    }
}
