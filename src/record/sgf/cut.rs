//! Texts that end too early, and what else is to be said of a text.

use super::tree::{Collection, Node};
use super::warning::{Cut, SgfWarning};

impl Collection {
    /// What was left out of the text, or read by a guess.
    ///
    /// ```
    /// use sixplane::record::sgf::Collection;
    ///
    /// let collection = Collection::from_text("(;GM[1]SZ[9];B[ee];W[cc]")?;
    /// assert_eq!(collection.first_game().main_line().count(), 3);
    /// let why = "left out: the text ends within a game tree (at byte 24)";
    /// assert_eq!(collection.warnings()[0].to_string(), why);
    /// # Ok::<(), sixplane::record::SgfError>(())
    /// ```
    #[must_use]
    pub fn warnings(&self) -> Vec<SgfWarning> {
        let cut = self.cuts.first().map(|&cut| {
            let mut warning = self.cut_warning(cut);
            if let more @ 1.. = self.cuts.len() - 1 {
                let message = &warning.error.message;
                warning.error.message = format!("{message}, and so do {more} more games");
            }
            warning
        });
        self.doubt().into_iter().chain(cut).collect()
    }

    fn doubt(&self) -> Option<SgfWarning> {
        self.guessed.clone().map(SgfWarning::doubt)
    }

    fn cut_warning(&self, cut: Cut) -> SgfWarning {
        let message = format!("the text ends within a {}", cut.within);
        SgfWarning::part(self.error(message, cut.at as usize))
    }
}

impl Node<'_> {
    /// The warnings of the text that concern its game.
    pub(in crate::record) fn text_warnings(self) -> impl Iterator<Item = SgfWarning> {
        let (collection, root) = (self.collection, self.root().id as u32);
        let cut = collection.cuts.binary_search_by_key(&root, |cut| cut.root);
        let cut = cut.ok().map(|index| collection.cut_warning(collection.cuts[index]));
        collection.doubt().into_iter().chain(cut)
    }
}
