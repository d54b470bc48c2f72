//! Games whose main line SGF can hold.

use super::main_line::{resignation, take};
use super::opening::Opening;
use super::rules::RecordRules;
use super::sgf::{Collection, Node, SgfError, SgfWarning, WarningKind};
use super::spelling::moved_by;
use super::write::{self, Info};

/// A game that can be written as SGF, FF\[4\], and read back.
///
/// A record holds the rules, the starting position, every step and a resignation, so reading
/// what was written gives an equal game; only the move limit is for the caller to give. A play that repeats a
/// position, which [`Go::play_repetition`](crate::Go::play_repetition) allows, ends what is read, and an
/// [`Info::result`] that the game has not is read as a resignation. What a
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
pub trait Recorded: RecordRules {
    /// The game as SGF text in UTF-8.
    fn to_sgf(&self, info: &Info) -> String {
        write::write(self, info)
    }

    /// The main line of the first game of an SGF text. `given` rules go before the record's;
    /// `max_moves` is as in [`Game::from_setup`](crate::Game::from_setup).
    ///
    /// A record without a word on a rule has the default one; a text for `RU` that is no known
    /// name is passed over. Set-up stones are part of the start, so they come before the first
    /// move. A player who plays twice in a row is [set](crate::Game::set_turn) to play first. A
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
    /// ```
    /// use sixplane::record::Recorded;
    /// use sixplane::{Game, Go};
    ///
    /// let game = Go::from_sgf_bytes(b"(;CA[ISO-8859-1]SZ[9]PB[Ren\xe9];B[ee])", &Default::default(), None)?;
    /// assert_eq!(game.state().moves(), 1);
    /// # Ok::<(), sixplane::record::SgfError>(())
    /// ```
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

    /// The line from the root of a game through this node as far as the game can go, and what is
    /// left out of it or read by a guess.
    ///
    /// Records hold moves that no rule allows, for the format has them executed whatever they
    /// are: a third pass, a play on a stone, stones set up in the middle of a game. The first of
    /// them and all that follows is left out, a resignation included. A stone that is set up beside
    /// the board, and a rule that is none, is left out alone.
    ///
    /// ```
    /// use sixplane::record::{Recorded, sgf::Collection, sgf::WarningKind};
    /// use sixplane::{Game, Go};
    ///
    /// let collection = Collection::from_text("(;SZ[9];B[ee];W[];B[];W[])")?;
    /// let root = collection.first_game();
    /// let (game, warnings) = Go::follow(root, &Default::default(), None)?;
    /// assert_eq!((game.state().moves(), game.is_over()), (3, true));
    /// assert_eq!(warnings[0].kind, WarningKind::Moves { first: 4, moves: 1 });
    /// let why = "move 4 is left out: illegal move W[]: game_over (at byte 22)";
    /// assert_eq!(warnings[0].to_string(), why);
    /// # Ok::<(), sixplane::record::SgfError>(())
    /// ```
    ///
    /// # Errors
    /// [`SgfError`] if it is the record of another game, or one whose start this game cannot have.
    fn follow(
        node: Node<'_>,
        given: &Self::Given,
        max_moves: Option<u32>,
    ) -> Result<(Self, Vec<SgfWarning>), SgfError> {
        let line = node.line();
        let (mut game, of_start) =
            Opening::read::<Self>(&line, given)?.begin::<Self>(given, max_moves)?;
        let mut warnings: Vec<_> = node.text_warnings().chain(of_start).collect();
        let moves_in = |nodes: &[Node<'_>]| -> usize {
            nodes.iter().map(|node| node.properties().filter_map(moved_by).count()).sum()
        };
        let opening = line.iter().take_while(|&&node| moves_in(&[node]) == 0).count();
        let mut played = 0;
        for (number, &node) in line[opening..].iter().enumerate() {
            if let Err(error) = take(&mut game, node, number == 0, &mut played) {
                let moves = moves_in(&line) - played;
                let kind = WarningKind::Moves { first: played + 1, moves };
                warnings.push(SgfWarning { kind, error });
                return Ok((game, warnings));
            }
        }
        // What the root says of the result is the end of the main line, not of a variation.
        let is_main = line[0].main_line().map(Node::id).eq(line.iter().map(|node| node.id()));
        let resigned = resignation(line[0]).filter(|_| is_main && !game.is_over());
        if let Some((loser, property)) = resigned {
            game.resign(loser).map_err(|error| property.error(error.to_string()))?;
        }
        Ok((game, warnings))
    }
}

impl<G: RecordRules> Recorded for G {}

/// The game, if nothing of its record is left out.
fn whole<G>((game, warnings): (G, Vec<SgfWarning>)) -> Result<G, SgfError> {
    let left_out = warnings.into_iter().find(|warning| warning.kind.leaves_out());
    left_out.map_or(Ok(game), |warning| Err(warning.error))
}
