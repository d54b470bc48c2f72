//! Players that choose an action without search, and games between them.

pub mod pattern;
pub mod random;
pub mod score_table;
pub mod selfplay;
pub mod table_evaluator;

/// The seed of one game of a series: different ones for different indices.
///
/// An odd multiplier is a bijection of the indices, and generators spread near seeds far apart.
#[must_use]
pub fn series_seed(seed: u64, index: u64) -> u64 {
    seed.rotate_left(32) ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
