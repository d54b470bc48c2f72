//! What a batch writes: one row for each game in each of several arrays.

use crate::geometry::BoardSize;
use crate::planes::NUM_PLANES;
use crate::workers::Split;

/// The arrays, by value and by reference, from the length and the zero of a row in each.
macro_rules! rows {
    ($($(#[$doc:meta])+ $name:ident: [$type:ty; |$size:ident| $length:expr] = $zero:expr;)+) => {
        /// The arrays of a step that belong to the caller.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Rows {
            size: BoardSize,
            $($(#[$doc])+ pub $name: Vec<$type>,)+
        }

        /// The same arrays by reference, or a run of their rows.
        #[derive(Debug)]
        pub struct RowsMut<'a> {
            /// The size of the boards.
            pub size: BoardSize,
            $($(#[$doc])+ pub $name: &'a mut [$type],)+
        }

        impl Rows {
            /// Rows for so many games, all zeros.
            #[must_use]
            pub fn new(size: BoardSize, games: usize) -> Self {
                $(let $name = {
                    let $size = size;
                    vec![$zero; games * $length]
                };)+
                Self { size, $($name),+ }
            }

            /// All rows by reference.
            pub fn as_mut(&mut self) -> RowsMut<'_> {
                RowsMut { size: self.size, $($name: &mut self.$name),+ }
            }
        }

        impl Split for RowsMut<'_> {
            fn split_at(self, count: usize) -> (Self, Self) {
                let size = self.size;
                $(let $name = {
                    let $size = size;
                    self.$name.split_at_mut(count * $length)
                };)+
                (Self { size, $($name: $name.0),+ }, Self { size, $($name: $name.1),+ })
            }
        }
    };
}

rows! {
    /// `(B, 6, rows, cols)`.
    planes: [u8; |size| NUM_PLANES * size.points()] = 0;
    /// `(B, A)`: 1 where an action is legal.
    masks: [i8; |size| size.num_actions()] = 0;
    /// `(B,)`: 0 black, 1 white to play.
    turns: [i8; |_size| 1] = 0;
    /// `(B,)`: 0 while the game goes on.
    rewards: [f32; |_size| 1] = 0.0;
    /// `(B,)`: the action ended the game.
    terminated: [bool; |_size| 1] = false;
    /// `(B,)`: the action brought the game to its move limit, which cut it short.
    truncated: [bool; |_size| 1] = false;
    /// `(B,)`: +1 black, 0 draw, -1 white, -2 running.
    outcomes: [i8; |_size| 1] = 0;
    /// `(B,)`: the score of the board from Black's view.
    scores: [f32; |_size| 1] = 0.0;
    /// `(B,)`: how many actions the game has that the action was played in.
    move_numbers: [i64; |_size| 1] = 0;
    /// `(B,)`: how the action ended the game, a [`StepEnding`](crate::batch::StepEnding).
    endings: [i8; |_size| 1] = 0;
    /// `(B,)`: who played the action, 0 black, 1 white; -1 where none was played.
    actors: [i8; |_size| 1] = 0;
}
