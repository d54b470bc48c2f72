//! What rules see, and what they say of it.

use crate::bits::Bits;
use crate::color::{ByColor, Color};
use crate::status::Outcome;

/// A position as rules see it.
///
/// ```
/// use sixplane::bits::Bits;
/// use sixplane::own::Position;
/// use sixplane::{ByColor, Color};
///
/// let stones = ByColor { black: Bits::<1>::point(4), white: Bits::point(0) };
/// let position = Position::start(&stones);
/// assert_eq!(position.turn, Color::Black);
/// assert_eq!((position.own, position.stones(Color::White)), (stones.black, stones.white));
/// assert_eq!(position.taken().count(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<const W: usize> {
    /// The stones of the player to play.
    pub own: Bits<W>,
    /// Those of the other player.
    pub opponent: Bits<W>,
    /// The player to play.
    pub turn: Color,
    /// How many of the last two actions were passes with none after them.
    pub passes: u8,
}

impl<const W: usize> Position<W> {
    /// A position with these stones and Black to play.
    #[must_use]
    pub fn start(stones: &ByColor<Bits<W>>) -> Self {
        Self { own: stones.black, opponent: stones.white, turn: Color::Black, passes: 0 }
    }

    /// The points with a stone.
    #[must_use]
    #[inline]
    pub fn taken(&self) -> Bits<W> {
        self.own | self.opponent
    }

    /// The stones of a color.
    #[must_use]
    #[inline]
    pub fn stones(&self, color: Color) -> Bits<W> {
        if color == self.turn { self.own } else { self.opponent }
    }

    /// Hands the turn to the other player.
    #[inline]
    pub(super) fn hand_over(&mut self) {
        std::mem::swap(&mut self.own, &mut self.opponent);
        self.turn = self.turn.opponent();
    }
}

/// Whether a game is over, and its score.
///
/// ```
/// use sixplane::own::Standing;
/// use sixplane::Color;
///
/// let standing = Standing::won("line", Color::White);
/// assert_eq!((standing.ending, standing.score), (Some("line"), -1.0));
/// assert_eq!(Standing::GOES_ON, Standing { ending: None, score: 0.0 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// How the game ended: one of [`OwnRules::ENDINGS`](super::OwnRules::ENDINGS). `None` while it goes on.
    pub ending: Option<&'static str>,
    /// The score in Black's view. Its sign is the outcome.
    pub score: f64,
}

impl Standing {
    /// The game goes on, with a score of 0.
    pub const GOES_ON: Self = Self { ending: None, score: 0.0 };

    /// This player has won, with a score of 1 or -1.
    #[must_use]
    #[inline]
    pub fn won(ending: &'static str, color: Color) -> Self {
        Self { ending: Some(ending), score: f64::from(Outcome::Win(color).sign()) }
    }

    /// Nobody has won.
    #[must_use]
    #[inline]
    pub fn draw(ending: &'static str) -> Self {
        Self { ending: Some(ending), score: 0.0 }
    }
}
