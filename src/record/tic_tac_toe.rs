//! Tic-tac-toe in a record: a number of our own, since SGF has none.

use super::rules::RecordRules;
use crate::games::tic_tac_toe::TicTacToe;

impl RecordRules for TicTacToe {
    type Given = ();

    const GM: u32 = 1002;

    const DEFAULT_SIZE: (usize, usize) = (3, 3);
}
