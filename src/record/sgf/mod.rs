//! The Smart Game Format, FF\[4\] (<https://www.red-bean.com/sgf>): game trees as text. Knows no
//! game.
//!
//! A [`Collection`] is what a text says, kept whole: games, variations, properties known and
//! unknown. [`Writer`] writes such text. What a property means is for others to say.

mod charset;
mod cut;
mod decode;
mod error;
mod guess;
mod parse;
mod scan;
mod tree;
mod warning;
mod write;

pub use error::SgfError;
pub(super) use error::abbreviated;
#[cfg(feature = "python")]
pub(crate) use tree::Given;
pub use tree::{Collection, Node, Property, Value};
pub use warning::{SgfWarning, WarningKind};
pub use write::Writer;
