//! Boards of any size behind one type: an enum with a variant for each number of words.

/// Defines `$any`, which holds a `$board<W>` for any `W` that [`with_words!`](crate::with_words)
/// knows, and a macro `$with` that evaluates an expression with it.
macro_rules! any_width {
    ($any:ident, $board:ident, $with:ident) => {
        any_width!(@define ($) $any, $board, $with: W1 1, W2 2, W3 3, W4 4, W6 6, W8 8, W10 10);
    };
    (@define ($d:tt) $any:ident, $board:ident, $with:ident: $($variant:ident $words:literal),*) => {
        // A large game whose board is not boxed has more memory of other kinds.
        #[allow(clippy::large_enum_variant)]
        #[derive(Debug)]
        enum $any {
            $($variant($board<$words>),)*
        }

        $(impl From<$board<$words>> for $any {
            fn from(board: $board<$words>) -> Self {
                Self::$variant(board)
            }
        })*

        impl Clone for $any {
            fn clone(&self) -> Self {
                match self {
                    $(Self::$variant(board) => Self::$variant(board.clone()),)*
                }
            }

            /// Copies into the memory there is, if both have one size.
            fn clone_from(&mut self, source: &Self) {
                match (self, source) {
                    $((Self::$variant(board), Self::$variant(source)) => board.clone_from(source),)*
                    (this, source) => *this = source.clone(),
                }
            }
        }

        macro_rules! $with {
            ($d any:expr, $d board:ident => $d body:expr) => {
                match $d any {
                    $($any::$variant($d board) => $d body,)*
                }
            };
        }
    };
}

pub(crate) use any_width;
