//! Connect Four in a record: a number of our own, since SGF has none.

use super::rules::RecordRules;
use crate::games::connect_four::ConnectFour;

impl RecordRules for ConnectFour {
    type Given = ();

    const GM: u32 = 1001;

    const DEFAULT_SIZE: (usize, usize) = (6, 7);
}
