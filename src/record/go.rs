//! The rules of Go in a record: `KM`, `RU` and `HA`.

use super::rules::{RecordRules, Start};
use super::sgf::{Node, SgfError, SgfWarning, Writer};
use super::{handicap, komi};
use crate::game::Game;
use crate::games::go::{Go, KoRule, Komi, Rules};

/// Rules of Go that the reader of a record gives; they go before what the record says.
///
/// Handicap stones given here are put on the board if the record sets up no stones.
///
/// ```
/// use sixplane::record::{GivenRules, Recorded};
/// use sixplane::{Game, Go, Komi};
///
/// let given = GivenRules { komi: Some(Komi::new(6.5)?), ..GivenRules::default() };
/// let game = Go::from_sgf("(;GM[1]SZ[9]KM[0];B[ee])", &given, None)?;
/// assert_eq!(game.rules().komi.points(), 6.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GivenRules {
    /// Points given to White.
    pub komi: Option<Komi>,
    /// Which repetition is forbidden.
    pub ko: Option<KoRule>,
    /// Whether a play may take its own chain of two or more stones off.
    pub suicide: Option<bool>,
    /// Number of handicap stones.
    pub handicap: Option<u8>,
    /// The rules where neither the reader nor the record says one; its handicap is of no account.
    pub usual: Rules,
}

/// Rules by a name: what it says of ko and suicide, as `KataGo` understands it.
///
/// ```
/// use sixplane::KoRule;
/// use sixplane::record::NamedRules;
///
/// let aga = NamedRules::ALL.iter().find(|rules| rules.name == "AGA").expect("a known name");
/// assert_eq!((aga.ko, aga.suicide, aga.counts_area), (KoRule::Situational, false, true));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedRules {
    /// The name. Letter case, spaces, hyphens and underscores do not count.
    pub name: &'static str,
    /// Which repetition is forbidden.
    pub ko: KoRule,
    /// Whether a play may take its own chain of two or more stones off.
    pub suicide: bool,
    /// Whether these rules count by area, as sixplane does whatever the name.
    pub counts_area: bool,
}

impl NamedRules {
    /// All names. Records are written with the first five, one for each of the rules that have one.
    #[rustfmt::skip]
    pub const ALL: [Self; 13] = [
        Self::new("Chinese", KoRule::Simple, false, true),
        Self::new("AGA", KoRule::Situational, false, true),
        Self::new("NZ", KoRule::Situational, true, true),
        Self::new("Tromp-Taylor", KoRule::Positional, true, true),
        Self::new("Chinese-OGS", KoRule::Positional, false, true),
        Self::new("Chinese-KGS", KoRule::Positional, false, true),
        Self::new("BGA", KoRule::Situational, false, true),
        Self::new("French", KoRule::Situational, false, true),
        Self::new("New-Zealand", KoRule::Situational, true, true),
        Self::new("GOE", KoRule::Positional, true, true),
        Self::new("Ing", KoRule::Positional, true, false),
        Self::new("Japanese", KoRule::Simple, false, false),
        Self::new("Korean", KoRule::Simple, false, false),
    ];

    const WRITTEN: usize = 5;

    /// Those of the first that give White points for handicap stones, as sixplane never does.
    const COMPENSATE: [&str; 3] = ["Chinese", "AGA", "Chinese-OGS"];

    const fn new(name: &'static str, ko: KoRule, suicide: bool, counts_area: bool) -> Self {
        Self { name, ko, suicide, counts_area }
    }

    fn find(name: &str) -> Option<Self> {
        let fold = |text: &str| text.to_ascii_lowercase().replace(['-', '_', ' '], "");
        Self::ALL.into_iter().find(|rules| fold(rules.name) == fold(name))
    }
}

/// The text for `RU`: a name that means no more than these rules, else `KataGo`'s spelling of the
/// single ones.
fn rules_text(Rules { ko, suicide, handicap, .. }: Rules) -> String {
    let mut written = NamedRules::ALL[..NamedRules::WRITTEN].iter();
    let fits = |rules: &&NamedRules| {
        (rules.ko, rules.suicide) == (ko, suicide)
            && (handicap == 0 || !NamedRules::COMPENSATE.contains(&rules.name))
    };
    if let Some(rules) = written.find(fits) {
        return rules.name.to_owned();
    }
    let ko = ko.name().to_uppercase();
    format!("ko{ko}scoreAREAtaxNONEsui{}", u8::from(suicide))
}

/// What a text for `RU` says of ko and suicide, if anything.
fn read_rules_text(text: &str) -> (Option<KoRule>, Option<bool>) {
    if let Some(NamedRules { ko, suicide, .. }) = NamedRules::find(text) {
        return (Some(ko), Some(suicide));
    }
    let Some(spelled) = text.trim().strip_prefix("ko") else { return (None, None) };
    let spells = |ko: &KoRule| spelled.starts_with(&format!("{}score", ko.name().to_uppercase()));
    let ko = KoRule::ALL.into_iter().find(spells);
    let suicide = [("sui0", false), ("sui1", true)];
    (ko, suicide.into_iter().find_map(|(word, allowed)| spelled.contains(word).then_some(allowed)))
}

impl RecordRules for Go {
    type Given = GivenRules;

    const GM: u32 = 1;

    const DEFAULT_SIZE: (usize, usize) = (19, 19);

    fn write_rules(&self, root: &mut Writer) {
        let rules = self.rules();
        root.property("KM", [rules.komi.points()]);
        root.property("RU", [rules_text(*rules)]);
        root.property("HA", (rules.handicap > 0).then_some(rules.handicap));
    }

    fn read_rules(
        root: Node<'_>,
        start: &mut Start,
        given: &GivenRules,
        warnings: &mut Vec<SgfWarning>,
    ) -> Result<Rules, SgfError> {
        let usual = given.usual;
        let text = root.find_info("RU").map(|property| property.value().simple_text());
        let (ko, suicide) = text.as_deref().map_or((None, None), read_rules_text);
        let said = || komi::read(root, start.size, warnings);
        let komi = given.komi.or_else(said).unwrap_or(usual.komi);
        Ok(Rules {
            komi,
            ko: given.ko.or(ko).unwrap_or(usual.ko),
            suicide: given.suicide.or(suicide).unwrap_or(usual.suicide),
            handicap: handicap::read(root, start, given.handicap, warnings)?,
        })
    }
}
