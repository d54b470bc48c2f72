//! Which child of a node a simulation follows: one file for each formula of the literature.
//!
//! | symbol | meaning | here |
//! |---|---|---|
//! | `N(s, a)` | visits of an action | [`Statistics::visits`](statistics::Statistics) |
//! | `N(s)` | visits of all actions of a position | `Statistics::total` |
//! | `Q(s, a)` | mean value of an action for the player who plays it | `sums / visits` |
//! | `P(s, a)` | prior probability of an action | [`Node::prior`](super::node::Node::prior) |
//! | `c` | how much is explored | [`Settings::c`](super::Settings::c) |

pub(super) mod gumbel;
pub(super) mod puct;
pub(super) mod statistics;
pub(super) mod ucb;
