//! Where the player to play may play: what a game tells its state after an action.

// Small parts of every step: a call each would cost more than they do.
#![allow(clippy::inline_always)]

use super::LegalPoints;
use crate::bits::Bits;
use crate::color::Color;
use crate::log::Change;
use crate::planes::write_bits;

/// What a game says of the position after an action: where the player to play may play.
///
/// ```
/// use sixplane::bits::Bits;
/// use sixplane::{Action, BoardSize, Change, Color, Setup, State};
///
/// let mut state = State::new(Setup::empty(BoardSize::new(2, 2)?), None);
/// state.write_legal([0, 1, 2].into_iter().collect::<Bits<1>>());
/// let replies = state.play(Action::new(0), |changes| changes.push(Change::new(Color::Black, 0)));
/// assert_eq!(replies.turn, Color::White);
/// replies.replace(0, Some(3)); // instead of the point where the stone is, another one
/// assert!(!state.legal().contains(0) && state.legal().contains(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Replies<'a> {
    /// The player to play.
    pub turn: Color,
    /// All stone changes since the start, as in [`State::changes`](super::State::changes).
    pub changes: &'a [Change],
    pub(super) legal: &'a mut LegalPoints,
    pub(super) invalid: &'a mut [u8],
}

impl Replies<'_> {
    /// Says where the player to play may play; writes the invalid plane.
    #[inline(always)]
    pub fn write_legal<const W: usize>(self, legal: Bits<W>) {
        self.legal.0[..W].copy_from_slice(&legal.0);
        write_bits(&!legal, self.invalid);
    }

    /// Says where the player to play may play, as [`Replies::write_legal`]: sooner where few points change.
    #[inline(always)]
    #[cfg(feature = "python")]
    pub(crate) fn change_legal<const W: usize>(self, legal: &Bits<W>) {
        for (i, (old, &new)) in self.legal.0[..W].iter_mut().zip(&legal.0).enumerate() {
            let mut changed = *old ^ new;
            while changed != 0 {
                let bit = changed.trailing_zeros();
                self.invalid[i << 6 | bit as usize] = u8::from(new >> bit & 1 == 0);
                changed &= changed - 1;
            }
            *old = new;
        }
    }

    /// Forbids a point that was legal for the player before, and allows another one instead, if there is one.
    #[inline(always)]
    pub fn replace(self, point: usize, other: Option<usize>) {
        if let Some(other) = other {
            self.legal.insert(other);
            self.invalid[other] = 0;
        }
        self.forbid(point);
    }

    /// Forbids a point that was legal for the player before.
    #[inline(always)]
    pub fn forbid(self, point: usize) {
        self.legal.remove(point);
        self.invalid[point] = 1;
    }
}
