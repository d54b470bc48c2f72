//! Laws that hold whatever bytes decide: what is played, which planes are read, which options are set.
//!
//! The fuzz target gives these functions bytes of its own choice, `tests/bytes.rs` random ones. When
//! the bytes are used up, a law has been held so far and returns.

pub mod batches;
pub mod chains;
pub mod exact;
pub mod functional;
pub mod games;
pub mod life;
pub mod planes;
pub mod records;
pub mod searches;

use std::iter::Copied;
use std::slice::Iter;

use sixplane::{
    Action, BoardSize, ConnectFour, Game, Go, Gomoku, GomokuRules, Hex, HexRules, KoRule, Komi,
    Reversi, ReversiRules, Rules, TicTacToe,
};

/// Gives a macro all laws, as `file::law`, one a line: the Makefile reads their names here.
macro_rules! with_laws {
    ($callback:ident) => {
        $callback! {
            batches::a_batch_equals_its_games_played_alone,
            chains::chains_of_a_board_are_the_labelled_groups_of_its_stones,
            exact::an_exact_value_is_that_of_minimax,
            functional::functions_on_planes_agree_with_go,
            games::undo_is_the_inverse_of_play,
            life::what_is_pass_alive_stays_alive,
            planes::planes_read_are_the_planes_shown,
            records::records_survive_being_written,
            searches::a_search_finds_a_legal_action,
        }
    };
}

pub(crate) use with_laws;

/// The bytes that decide, one after another.
pub type Bytes<'a> = Copied<Iter<'a, u8>>;

/// A number below `count`, which is at most 256 times 256; `None` when the bytes are used up.
pub fn below(bytes: &mut Bytes<'_>, count: usize) -> Option<usize> {
    let low = usize::from(bytes.next()?);
    let high = if count > 256 { usize::from(bytes.next()?) } else { 0 };
    Some((high << 8 | low) % count)
}

/// An action, which is sometimes beyond the board.
pub fn action(bytes: &mut Bytes<'_>, size: BoardSize) -> Option<Action> {
    below(bytes, size.num_actions() + 2).map(Action::new)
}

/// A legal action of a game that goes on.
pub fn legal_action(bytes: &mut Bytes<'_>, game: &impl Game) -> Option<Action> {
    let legal = game.legal_actions();
    below(bytes, legal.len()).map(|i| legal[i])
}

/// A limit of actions for half of the games.
fn max_moves(bytes: &mut Bytes<'_>) -> Option<u32> {
    let limit = below(bytes, 64)? as u32;
    (1..32).contains(&limit).then_some(limit)
}

/// A board of 2 to 9 rows and columns; one in eight has up to 19.
pub fn size(bytes: &mut Bytes<'_>, least: usize) -> Option<BoardSize> {
    let most = if below(bytes, 8)? == 0 { 19 } else { 9 };
    let side = |bytes: &mut _| Some(least + below(bytes, most + 1 - least)?);
    Some(BoardSize::new(side(bytes)?, side(bytes)?).expect("sides from 2 to 25"))
}

pub fn rules_of_go(bytes: &mut Bytes<'_>) -> Option<Rules> {
    let ko = KoRule::ALL[below(bytes, 3)?];
    let komi = Komi::new(below(bytes, 32)? as f64 / 2.0 - 4.0).expect("half points");
    Some(Rules { ko, komi, suicide: below(bytes, 2)? == 1, ..Rules::default() })
}

pub fn go(bytes: &mut Bytes<'_>) -> Option<Go> {
    let (rules, size) = (rules_of_go(bytes)?, size(bytes, 2)?);
    Some(Go::with_rules(size, rules, max_moves(bytes)).expect("no handicap"))
}

pub fn reversi(bytes: &mut Bytes<'_>) -> Option<Reversi> {
    let side = |bytes: &mut _| Some(4 + 2 * below(bytes, 4)?);
    let size = BoardSize::new(side(bytes)?, side(bytes)?).expect("even sides");
    Some(Reversi::with_rules(size, ReversiRules, max_moves(bytes)).expect("even sides"))
}

pub fn gomoku(bytes: &mut Bytes<'_>) -> Option<Gomoku> {
    let rules = GomokuRules { exact_five: below(bytes, 2)? == 1 };
    let size = size(bytes, 5)?;
    Some(Gomoku::with_rules(size, rules, max_moves(bytes)).expect("a size of 5 or more"))
}

pub fn connect_four(bytes: &mut Bytes<'_>) -> Option<ConnectFour> {
    let side = |bytes: &mut _| Some(ConnectFour::MIN + below(bytes, 9)?);
    let size = BoardSize::new(side(bytes)?, side(bytes)?).expect("sides from 4 to 12");
    Some(ConnectFour::with_rules(size, (), max_moves(bytes)).expect("sides from 4 to 12"))
}

pub fn hex(bytes: &mut Bytes<'_>) -> Option<Hex> {
    let size = size(bytes, 2)?;
    let swap = below(bytes, 2)? == 1 && size.is_square();
    let rules = HexRules { swap };
    Some(Hex::with_rules(size, rules, max_moves(bytes)).expect("sides from 2 to 19"))
}

pub fn tic_tac_toe(bytes: &mut Bytes<'_>) -> TicTacToe {
    let size = BoardSize::square(3).expect("a size");
    TicTacToe::with_rules(size, (), max_moves(bytes)).expect("the one size")
}

/// Calls a function with a game that the bytes choose and set up.
macro_rules! with_game {
    ($bytes:expr, $law:path) => {
        match $crate::byte_laws::below($bytes, 6)? {
            0 => $law(&$crate::byte_laws::go($bytes)?, $bytes),
            1 => $law(&$crate::byte_laws::reversi($bytes)?, $bytes),
            2 => $law(&$crate::byte_laws::gomoku($bytes)?, $bytes),
            3 => $law(&$crate::byte_laws::connect_four($bytes)?, $bytes),
            4 => $law(&$crate::byte_laws::tic_tac_toe($bytes), $bytes),
            _ => $law(&$crate::byte_laws::hex($bytes)?, $bytes),
        }
    };
}

use with_game;
