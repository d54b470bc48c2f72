//! Bytes that do not say what character set they are in, or name a wrong one.
//!
//! In some character sets the second byte of a character may be a bracket or a backslash. Read in
//! another one it ends a value too early or too late, and a rule or a move is lost. So the text is
//! read in each that it may be in.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS, UTF_8, WINDOWS_1251, WINDOWS_1252,
};

use super::decode::{declared, decode_as};
use super::error::{SgfError, abbreviated};
use super::tree::{Collection, Property};

/// The character sets that records without a name are in, but for UTF-8. Any bytes fit the first,
/// which is Latin-1 and more.
const CANDIDATES: [&Encoding; 7] =
    [WINDOWS_1252, GBK, SHIFT_JIS, BIG5, EUC_KR, EUC_JP, WINDOWS_1251];

/// What a game takes of a record: its moves, its start and its rules.
const PLAYED: [&str; 11] = ["B", "W", "AB", "AW", "AE", "PL", "GM", "SZ", "KM", "HA", "RU"];

/// The longest move: a pass such as `@@@@`.
const LONGEST_MOVE: usize = 4;

/// The collection in the character set that these bytes seem to be in, with a warning.
///
/// It is one in which the game trees are whole and moves look like moves. Of several it is the one
/// that finds the most values, then the one that the letters speak for.
pub(super) fn guess(bytes: &[u8]) -> Result<Collection, SgfError> {
    let first = detected(bytes);
    let mut best: Option<Collection> = None;
    for encoding in [first].into_iter().chain(CANDIDATES) {
        let most = best.as_ref().map_or(0, |best| best.values.len());
        if let Some(other) = read(bytes, encoding).filter(|other| other.values.len() > most) {
            best = Some(other);
        }
    }
    let collection = if let Some(best) = best {
        best
    } else {
        let mut encodings = [first, WINDOWS_1252].into_iter();
        let decoded = encodings.find_map(|encoding| decode_as(bytes, encoding, 0));
        let (text, source) = decoded.expect("any bytes fit the last one");
        Collection::parse(text, source)?
    };
    Ok(doubted(bytes, collection))
}

/// The collection in the character set that the record names, unless another one finds more moves and
/// rules: in the wrong one a bracket was half of a character, and they part of a name or comment.
///
/// Nearly all bytes fit the sets of Chinese and Japanese, so this is no matter of letters.
pub(super) fn checked(
    bytes: &[u8],
    named: Result<Collection, SgfError>,
) -> Result<Collection, SgfError> {
    let mut most = named.as_ref().map_or(0, num_played);
    let mut best = None;
    for encoding in [UTF_8, detected(bytes)].into_iter().chain(CANDIDATES) {
        if let Some(other) = read(bytes, encoding).filter(|other| num_played(other) > most) {
            most = num_played(&other);
            best = Some(other);
        }
    }
    best.map_or(named, |best| Ok(doubted(bytes, best)))
}

/// The collection in a character set, if its game trees are whole and its moves look like moves.
fn read(bytes: &[u8], encoding: &'static Encoding) -> Option<Collection> {
    let (text, source) = decode_as(bytes, encoding, 0)?;
    let collection = Collection::parse(text, source).ok()?;
    let is_whole = collection.cuts.is_empty() && has_moves_only(&collection);
    is_whole.then_some(collection)
}

/// The collection with the warning that its character set is a guess.
fn doubted(bytes: &[u8], mut collection: Collection) -> Collection {
    let root = collection.first_game();
    let read_as = collection.encoding();
    let error = match declared(bytes).map(|name| abbreviated(&String::from_utf8_lossy(name))) {
        Some(name) => root.error(format!("the text is not in {name:?} (CA): read as {read_as}")),
        None => root.error(format!("no character set is named (CA): read as {read_as}")),
    };
    collection.guessed = Some(error);
    collection
}

/// The candidate that the letters speak for.
fn detected(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let found = detector.guess(None, Utf8Detection::Deny);
    if CANDIDATES.contains(&found) { found } else { WINDOWS_1252 }
}

/// How many moves, rules and parts of a start it has.
fn num_played(collection: &Collection) -> usize {
    collection.properties().filter(|one| PLAYED.iter().any(|name| one.is(name))).count()
}

/// Whether all moves look like moves.
fn has_moves_only(collection: &Collection) -> bool {
    let moves = collection.properties().filter(|one| one.is("B") || one.is("W"));
    let mut values = moves.flat_map(Property::values).map(|value| value.raw().trim());
    values.all(|value| value.is_ascii() && value.len() <= LONGEST_MOVE)
}
