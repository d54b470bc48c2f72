//! Whether a game goes on, and what came of it.

use crate::color::Color;

/// Who won, or that nobody did.
///
/// ```
/// use sixplane::{Color, Outcome};
///
/// let outcome = Outcome::of_score(-7.5);
/// assert_eq!(outcome, Outcome::Win(Color::White));
/// assert_eq!((outcome.sign(), outcome.name()), (-1, "white"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This color won.
    Win(Color),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// The outcome a final score means: the color it favors; `score` is Black's view.
    #[must_use]
    pub fn of_score(score: f64) -> Self {
        if score > 0.0 {
            Self::Win(Color::Black)
        } else if score < 0.0 {
            Self::Win(Color::White)
        } else {
            Self::Draw
        }
    }

    /// +1 for Black, 0 for a draw, -1 for White.
    #[must_use]
    pub const fn sign(self) -> i8 {
        match self {
            Self::Win(Color::Black) => 1,
            Self::Draw => 0,
            Self::Win(Color::White) => -1,
        }
    }

    /// `"black"`, `"white"` or `"draw"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win(color) => color.name(),
            Self::Draw => "draw",
        }
    }
}

/// How a game ended. [`Game::ending`](crate::Game::ending) names it in one word, with the rule that ended it.
///
/// ```
/// use sixplane::{BoardSize, Ending, Game, Go, Outcome, Color, Rules, Status};
///
/// let mut game = Go::with_rules(BoardSize::square(5)?, Rules::default(), Some(1))?;
/// game.play_at(2, 2)?;
/// let outcome = Outcome::Win(Color::Black); // by the score
/// assert_eq!(game.status(), Status::Done { outcome, ending: Ending::Truncation });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The rules of the game.
    Rules,
    /// This player resigned.
    Resignation(Color),
    /// It was cut off: by the move limit, or before the position it started from.
    Truncation,
}

/// Whether a game goes on.
///
/// ```
/// use sixplane::{Color, Ending, Game, Go, Outcome, Status};
///
/// let mut game = Go::new(5)?;
/// assert_eq!(game.status(), Status::Ongoing);
/// game.resign(Color::Black)?;
/// let ending = Ending::Resignation(Color::Black);
/// assert_eq!(game.status(), Status::Done { outcome: Outcome::Win(Color::White), ending });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It does.
    Ongoing,
    /// It is over.
    Done {
        /// Who won.
        outcome: Outcome,
        /// How it ended.
        ending: Ending,
    },
}
