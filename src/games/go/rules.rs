//! The options of Go. Each switches one clause of the rules.

use thiserror::Error;

use crate::geometry::BoardSize;

/// Which repetition of an earlier position is forbidden.
///
/// ```
/// use sixplane::{BoardSize, Color, Game, Go, KoRule, PlayError, Rules, Setup};
///
/// let setup = Setup::from_text("
///     . X O .
///     X O . O
///     . X O .", Color::Black)?;
/// let rules = Rules { ko: KoRule::Simple, ..Rules::default() };
/// let mut game = Go::from_setup(rules, setup, None)?;
/// game.play_at(1, 2)?; // takes the stone at (1, 1)
/// assert_eq!(game.play_at(1, 1), Err(PlayError::Forbidden("ko")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KoRule {
    /// Taking back at once the one stone that just took one stone. Longer cycles may repeat.
    Simple,
    /// Any play that recreates an earlier board, the starting one included.
    #[default]
    Positional,
    /// Any play that recreates an earlier board with the same player to play.
    Situational,
}

impl KoRule {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Simple, Self::Positional, Self::Situational];

    /// `"simple"`, `"positional"` or `"situational"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Positional => "positional",
            Self::Situational => "situational",
        }
    }
}

/// Points given to White, kept in half points. The default is 7.5.
///
/// ```
/// use sixplane::Komi;
///
/// assert_eq!(Komi::new(-3.5)?.points(), -3.5);
/// assert!(Komi::new(0.25).is_err());
/// # Ok::<(), sixplane::RulesError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Komi(i16);

impl Komi {
    /// Komi of so many points.
    ///
    /// # Errors
    /// [`RulesError::Komi`] unless it is a multiple of 0.5 between -1000 and 1000.
    pub fn new(points: f64) -> Result<Self, RulesError> {
        let half_points = points * 2.0;
        if !(points.abs() <= 1000.0 && half_points.fract() == 0.0) {
            return Err(RulesError::Komi);
        }
        Ok(Self(half_points as i16))
    }

    /// Its points.
    #[must_use]
    pub fn points(self) -> f64 {
        f64::from(self.0) / 2.0
    }
}

impl Default for Komi {
    fn default() -> Self {
        Self(15)
    }
}

/// The options of Go.
///
/// The default is area scoring with 7.5 points of komi, positional superko, no suicide, no
/// handicap.
///
/// ```
/// use sixplane::{Komi, KoRule, Rules};
///
/// let komi = Komi::new(6.5)?;
/// let rules = Rules { komi, ko: KoRule::Situational, ..Rules::default() };
/// assert_eq!(rules.komi.points(), 6.5);
/// # Ok::<(), sixplane::RulesError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Rules {
    /// Points given to White.
    pub komi: Komi,
    /// Which repetition is forbidden.
    pub ko: KoRule,
    /// Whether a play may take its own chain of two or more stones off. Of one, never.
    pub suicide: bool,
    /// Number of handicap stones on the starting board, which White then plays first on.
    pub handicap: u8,
}

/// Options that no game of Go can have.
///
/// ```
/// use sixplane::{Komi, RulesError};
///
/// assert_eq!(Komi::new(6.25), Err(RulesError::Komi));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RulesError {
    /// Komi is not a multiple of 0.5 between -1000 and 1000.
    #[error("komi must be a multiple of 0.5 between -1000 and 1000")]
    Komi,
    /// This many handicap stones do not fit this board.
    #[error("handicap {0} on a {1} board: {allowed}", allowed = Self::handicap(*.1))]
    Handicap(usize, BoardSize),
}

impl RulesError {
    fn handicap(size: BoardSize) -> String {
        match handicap_limit(size) {
            0 => "only square boards of side 7 or more take handicap stones".to_owned(),
            most => format!("allowed are 0 and 2 to {most}"),
        }
    }
}

impl Rules {
    /// The Tromp-Taylor rules (John Tromp and Bill Taylor, 1995): positional superko, suicide
    /// allowed, area scoring. They name no komi; 7.5 is usual. Suicide of a single stone, which is not
    /// allowed here, would leave the board as it was, and that positional superko forbids.
    ///
    /// ```
    /// use sixplane::{BoardSize, Game, Go, Rules};
    ///
    /// let game = Go::with_rules(BoardSize::square(19)?, Rules::tromp_taylor(), None)?;
    /// assert!(game.rules().suicide);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tromp_taylor() -> Self {
        Self { suicide: true, ..Self::default() }
    }
}

/// The most handicap stones a board takes: the Go Text Protocol's `fixed_handicap` (version 2
/// draft, section 4.1.1).
fn handicap_limit(size: BoardSize) -> usize {
    match (size.is_square(), size.rows()) {
        (false, _) | (true, ..7) => 0,
        (true, 7) => 4,
        (true, side) if side % 2 == 0 => 4,
        _ => 9,
    }
}

/// The points of fixed handicap stones, in the order of the Go Text Protocol (version 2 draft,
/// section 4.1.1).
///
/// ```
/// use sixplane::BoardSize;
/// use sixplane::games::go::handicap_points;
///
/// assert_eq!(handicap_points(2, BoardSize::square(9)?)?, [56, 24]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`RulesError::Handicap`] if the board does not take so many.
pub fn handicap_points(stones: usize, size: BoardSize) -> Result<Vec<usize>, RulesError> {
    if stones == 0 {
        return Ok(Vec::new());
    }
    if stones == 1 || stones > handicap_limit(size) {
        return Err(RulesError::Handicap(stones, size));
    }
    let side = size.rows();
    // Lines from the edge: the third up to 12x12, the fourth from 13x13.
    let near = if side < 13 { 2 } else { 3 };
    let (far, middle) = (side - 1 - near, side / 2);
    // Row 0 is the top, so the lower rows are the larger ones.
    let corners = [(far, near), (near, far), (near, near), (far, far)];
    let (left, right) = ((middle, near), (middle, far));
    let (bottom, top) = ((far, middle), (near, middle));
    let mut points: Vec<(usize, usize)> = corners[..stones.min(4)].to_vec();
    if stones >= 6 {
        points.extend([left, right]);
    }
    if stones >= 8 {
        points.extend([bottom, top]);
    }
    if stones >= 5 && stones % 2 == 1 {
        points.push((middle, middle));
    }
    Ok(points.into_iter().map(|(row, col)| row * side + col).collect())
}
