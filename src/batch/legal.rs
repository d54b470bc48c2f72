//! The legal actions of a game as a row of bits, so that neither sampling nor checking has to fetch
//! the games of a batch: its points, then the pass. No bit is set when the game is over.

use rand::RngExt;

use super::stream::CounterStream;
use crate::bits::nth_of_words;
use crate::game::Game;
use crate::geometry::{Action, BoardSize};

/// The number of words in a row.
pub(super) fn row_len(size: BoardSize) -> usize {
    size.num_actions().div_ceil(64)
}

/// Writes the row of a game, and says whether the player may pass.
#[inline]
pub(super) fn write_row<G: Game>(game: &G, row: &mut [u64]) -> bool {
    row.copy_from_slice(&game.state().legal().0[..row.len()]);
    let pass = game.size().points();
    let may_pass = !game.is_over() && game.may_pass();
    row[pass >> 6] |= u64::from(may_pass) << (pass & 63);
    may_pass
}

/// One of the legal actions, uniformly at random; `None` if there is none.
#[inline]
pub(super) fn sample(row: &[u64], stream: &mut CounterStream) -> Option<Action> {
    // Most boards have a row of two words: a loop over them becomes straight code.
    match *row {
        [first, second] => sample_of(&[first, second], stream),
        _ => sample_of(row, stream),
    }
}

#[inline]
fn sample_of(row: &[u64], stream: &mut CounterStream) -> Option<Action> {
    let count: u32 = row.iter().map(|word| word.count_ones()).sum();
    (count > 0).then(|| Action::new(nth_of_words(row, stream.next().random_range(0..count))))
}
