//! Games whose main line SGF can hold.

use std::collections::BTreeMap;
use std::fmt;

use super::main_line;
use super::sgf::{Collection, Node, SgfError, Writer};
use crate::color::{ByColor, Color};
use crate::game::Game;
use crate::geometry::BoardSize;

/// What a record tells beside the game itself. What is not given is left out or, where the game
/// knows it, written from the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Names of the players (`PB`, `PW`).
    pub players: ByColor<Option<String>>,
    /// The result (`RE`) instead of the game's own.
    pub result: Option<String>,
    /// When it was played (`DT`), such as `2016-03-09`.
    pub date: Option<String>,
    /// Where or in which tournament (`EV`).
    pub event: Option<String>,
    /// Name and version of the program that writes (`AP`) instead of sixplane's.
    pub application: Option<(String, String)>,
    /// Comments (`C`) by the number of actions played before them; 0 is the start.
    pub comments: BTreeMap<usize, String>,
}

/// The starting position of a record, as far as the record tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The size of the board.
    pub size: BoardSize,
    /// Points with stones, ascending, if the record sets up any.
    pub stones: Option<ByColor<Vec<u16>>>,
    /// The player to play first: as set, else that of the first move, if there is one.
    pub turn: Option<Color>,
}

/// What a game cannot take of the main line of a record: all from some move on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The number of the first move left out; that of the record's first move is 1.
    pub first: usize,
    /// How many moves of the record are left out.
    pub moves: usize,
    /// Why, and where in the text.
    pub error: SgfError,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, moves, error } = self;
        match moves {
            0 => write!(f, "what comes after move {} is left out: {error}", first - 1),
            1 => write!(f, "move {first} is left out: {error}"),
            _ => write!(f, "moves {first} to {} are left out: {error}", first + moves - 1),
        }
    }
}

/// A game that can be written as SGF, FF\[4\], and read back.
///
/// A record holds the rules, the starting position, every step and a resignation, so reading
/// what was written gives an equal game; only the move limit is for the caller to give. What a
/// starting position made from planes knows beside its stones is kept in properties of
/// sixplane's own: `XPASS` (the action before was a pass), `XDONE` (the game was over) and `XBAN`
/// (points that may not be played at once).
///
/// ```
/// use sixplane::record::{Info, Recorded};
/// use sixplane::{Color, Game, Go};
///
/// let mut game = Go::new(9)?;
/// game.play_at(2, 3)?;
/// game.play(game.size().pass())?;
/// game.resign(Color::Black)?;
/// let info = Info { date: Some("2016-03-09".to_owned()), ..Info::default() };
/// let text = game.to_sgf(&info);
/// assert!(text.contains("SZ[9]") && text.contains("RE[W+R]") && text.contains(";B[dc];W[]"));
/// assert_eq!(Go::from_sgf(&text, &Default::default(), None)?, game);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Recorded: Game {
    /// Rules that the caller of a reader gives, which go before what the record says.
    type Given: Default + Sync;

    /// The number of the game (`GM`).
    const GM: u32;

    /// Rows and columns of a record without a size (`SZ`).
    const DEFAULT_SIDE: usize;

    /// Whether records leave out a pass where nothing else is legal: then a player who plays
    /// twice in a row does so because the other one passed.
    const OMITS_FORCED_PASSES: bool = false;

    /// The stones of a starting position that a record need not set up.
    #[must_use]
    fn usual_stones(_size: BoardSize) -> ByColor<Vec<u16>> {
        ByColor::default()
    }

    /// Writes the rules into the root node.
    fn write_rules(&self, root: &mut Writer);

    /// The rules of the record with this root node. What they say of the start goes into `start`,
    /// unless it is told there.
    ///
    /// # Errors
    /// [`SgfError`] if the record asks for rules that the game does not have.
    fn read_rules(
        root: Node<'_>,
        start: &mut Start,
        given: &Self::Given,
    ) -> Result<Self::Rules, SgfError>;

    /// The game as SGF text in UTF-8.
    fn to_sgf(&self, info: &Info) -> String {
        main_line::write(self, info)
    }

    /// The main line of the first game of an SGF text. `given` rules go before the record's;
    /// `max_moves` is as in [`Game::from_setup`].
    ///
    /// A record without a word on a rule has the default one; a text for `RU` that is no known
    /// name is passed over. Set-up stones are part of the start, so they come before the first
    /// move. A player who plays twice in a row is [set](Game::set_turn) to play first. A
    /// resignation is read from `RE` if the game is not over at the end of the main line.
    ///
    /// # Errors
    /// [`SgfError`] if the text is malformed, is the record of another game or one that this game
    /// cannot be, or has an illegal move; its offset is that of the fault.
    fn from_sgf(text: &str, given: &Self::Given, max_moves: Option<u32>) -> Result<Self, SgfError> {
        whole(Self::follow(Collection::from_text(text)?.first_game(), given, max_moves)?)
    }

    /// The same from bytes in the character set that the record names.
    ///
    /// # Errors
    /// [`SgfError`] as [`Recorded::from_sgf`].
    fn from_sgf_bytes(
        bytes: &[u8],
        given: &Self::Given,
        max_moves: Option<u32>,
    ) -> Result<Self, SgfError> {
        whole(Self::follow(Collection::from_bytes(bytes)?.first_game(), given, max_moves)?)
    }

    /// The main line from the root node of a game tree as far as the game can go, and what is left
    /// out.
    ///
    /// Records hold moves that no rule allows, for the format has them executed whatever they
    /// are: a third pass, a play on a stone, stones set up in the middle of a game. The first of
    /// them and all that follows is left out, a resignation included.
    ///
    /// ```
    /// use sixplane::record::{Recorded, sgf::Collection};
    /// use sixplane::{Game, Go};
    ///
    /// let collection = Collection::from_text("(;SZ[9];B[ee];W[];B[];W[])")?;
    /// let root = collection.first_game();
    /// let (game, left_out) = Go::follow(root, &Default::default(), None)?;
    /// assert_eq!((game.state().moves(), game.is_over()), (3, true));
    /// let left_out = left_out.unwrap();
    /// assert_eq!((left_out.first, left_out.moves), (4, 1));
    /// let why = "move 4 is left out: illegal move W[]: game_over (at byte 22)";
    /// assert_eq!(left_out.to_string(), why);
    /// # Ok::<(), sixplane::record::SgfError>(())
    /// ```
    ///
    /// # Errors
    /// [`SgfError`] if it is the record of another game, or one whose start this game cannot have.
    fn follow(
        root: Node<'_>,
        given: &Self::Given,
        max_moves: Option<u32>,
    ) -> Result<(Self, Option<LeftOut>), SgfError> {
        main_line::follow(root, given, max_moves)
    }
}

/// The game, if nothing of its record is left out.
fn whole<G>((game, left_out): (G, Option<LeftOut>)) -> Result<G, SgfError> {
    left_out.map_or(Ok(game), |left_out| Err(left_out.error))
}
