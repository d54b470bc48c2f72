//! A game written down.

use std::collections::BTreeMap;

use super::point::Spelling;
use super::rules::RecordRules;
use super::sgf::Writer;
use super::spelling::{DONE, FORBIDDEN, PASSED, letter};
use crate::color::{ByColor, Color};
use crate::geometry::Action;
use crate::log::Step;
use crate::status::{Ending, Outcome, Status};

/// What a record tells beside the game itself. What is not given, or empty, is left out or, where the
/// game knows it, written from the game.
///
/// ```
/// use sixplane::record::{Info, Recorded};
/// use sixplane::{ByColor, Game, Reversi};
///
/// let players = ByColor { black: Some("Ann".to_owned()), white: None };
/// let comments = [(0, "the start".to_owned())].into();
/// let info = Info { players, comments, ..Info::default() };
/// let text = Reversi::new(8)?.to_sgf(&info);
/// assert!(text.contains("PB[Ann]") && text.contains("C[the start]"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

pub(super) fn write<G: RecordRules>(game: &G, info: &Info) -> String {
    let mut writer = Writer::new();
    writer.open().node();
    write_root(game, info, &mut writer);
    let (spelling, mut turn, mut moves) =
        (Spelling::of::<G>(game.size()), game.state().setup().turn, 0);
    for step in game.state().steps() {
        writer.node();
        match step {
            Step::SetTurn(color) => {
                turn = color;
                writer.property("PL", [letter(color)]);
            }
            Step::Action(action) => {
                writer.property(letter(turn), [spelling.name(action)]);
                turn = turn.opponent();
                moves += 1;
                write_comment(info, moves, &mut writer);
            }
        }
    }
    writer.close();
    writer.finish()
}

fn write_root<G: RecordRules>(game: &G, info: &Info, writer: &mut Writer) {
    let (size, setup) = (game.size(), game.state().setup());
    writer.property("FF", [4]).property("GM", [G::GM]).property("CA", ["UTF-8"]);
    match &info.application {
        Some((name, version)) => writer.compose("AP", name, version),
        None => writer.compose("AP", "sixplane", env!("CARGO_PKG_VERSION")),
    };
    if size.is_square() {
        writer.property("SZ", [size.rows()]);
    } else {
        writer.property("SZ", [format!("{}:{}", size.cols(), size.rows())]);
    }
    game.write_rules(writer);
    let ByColor { black, white } = &info.players;
    let given = info.result.clone().filter(|result| !result.is_empty());
    let result = given.or_else(|| result(game));
    let texts =
        [("PB", black), ("PW", white), ("DT", &info.date), ("EV", &info.event), ("RE", &result)];
    for (ident, text) in texts {
        if let Some(text) = text.as_ref().filter(|text| !text.is_empty()) {
            writer.simple_text(ident, text);
        }
    }
    let names = |points: &[u16]| -> Vec<String> {
        let spelling = Spelling::of::<G>(size);
        points.iter().map(|&point| spelling.name(Action::from(point))).collect()
    };
    let sets_up = setup.stones != G::usual_stones(size);
    if sets_up {
        writer.property("AB", names(&setup.stones.black));
        writer.property("AW", names(&setup.stones.white));
        if setup.stones == ByColor::default() {
            // Nothing else says that the usual stones are not there.
            let usual = G::usual_stones(size);
            writer.property("AE", names(&[usual.black, usual.white].concat()));
        }
    }
    if sets_up || setup.turn == Color::White {
        writer.property("PL", [letter(setup.turn)]);
    }
    writer.property(PASSED, setup.passed.then_some(1));
    writer.property(DONE, setup.done.then_some(1));
    writer.property(FORBIDDEN, names(&setup.forbidden));
    write_comment(info, 0, writer);
}

fn write_comment(info: &Info, moves: usize, writer: &mut Writer) {
    if let Some(comment) = info.comments.get(&moves).filter(|comment| !comment.is_empty()) {
        writer.text("C", comment);
    }
}

fn result<G: RecordRules>(game: &G) -> Option<String> {
    let Status::Done { outcome, ending } = game.status() else { return None };
    Some(match (outcome, ending) {
        (Outcome::Win(color), Ending::Resignation(_)) => format!("{}+R", letter(color)),
        (Outcome::Win(color), _) => format!("{}+{}", letter(color), game.score().abs()),
        (Outcome::Draw, _) => "0".to_owned(),
    })
}
