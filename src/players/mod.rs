//! Players that choose an action without search, and games between them.

pub mod pattern;
pub mod random;
pub mod score_table;
pub mod selfplay;
pub mod table_evaluator;
