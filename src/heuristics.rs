//! What a game's own knowledge says of actions, before any search.

use crate::game::Game;
use crate::geometry::Action;

/// A game that knows something of its actions.
pub trait HeuristicValues: Game {
    /// Writes the heuristic value of each of these legal actions: its mean worth to the player to
    /// play, from -1 to 1. A game that knows nothing writes 0.
    fn write_heuristic_values(&self, _actions: &[Action], values: &mut [f32]) {
        values.fill(0.0);
    }
}
