//! Players that choose an action without search, and games between them.

pub mod random;
pub mod selfplay;
