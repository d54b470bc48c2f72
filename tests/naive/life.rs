//! Unconditional life as Benson defines it, over sets of points.

use std::collections::BTreeSet;

use super::{Naive, Side};

impl Naive {
    /// The connected parts of a set of points.
    fn parts(&self, points: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
        let board =
            (0..self.points()).map(|p| points.contains(&p).then_some(Side::Black)).collect();
        let (mut parts, mut left) = (Vec::new(), points.clone());
        while let Some(&first) = left.first() {
            let (part, _) = self.region(&board, first);
            left.retain(|p| !part.contains(p));
            parts.push(part);
        }
        parts
    }

    fn are_beside(&self, one: &BTreeSet<usize>, other: &BTreeSet<usize>) -> bool {
        one.iter().any(|&p| self.neighbours(p).iter().any(|p| other.contains(p)))
    }

    fn is_beside(&self, point: usize, set: &BTreeSet<usize>) -> bool {
        self.are_beside(&BTreeSet::from([point]), set)
    }

    /// The stones of chains that live although their side always passes.
    pub fn living(&self, side: Side) -> BTreeSet<usize> {
        let all: BTreeSet<usize> = (0..self.points()).collect();
        let own = all.iter().copied().filter(|&p| self.board[p] == Some(side)).collect();
        let regions = self.parts(&(&all - &own));
        let every_chain = self.parts(&own);
        let mut chains = every_chain.clone();
        loop {
            // Regions without a stone beside them that is to be captured first.
            let is_healthy = |region: &&BTreeSet<usize>| {
                every_chain.iter().all(|c| chains.contains(c) || !self.are_beside(region, c))
            };
            let is_vital = |region: &BTreeSet<usize>, chain: &BTreeSet<usize>| {
                region.iter().all(|&p| {
                    // Where suicide is allowed, stones in the region may make room.
                    (self.board[p].is_some() && !self.rules.suicide) || self.is_beside(p, chain)
                })
            };
            let lives = |chain: &BTreeSet<usize>| {
                regions.iter().filter(is_healthy).filter(|region| is_vital(region, chain)).count()
                    >= 2
            };
            let still: Vec<_> = chains.iter().filter(|chain| lives(chain)).cloned().collect();
            if still == chains {
                return chains.into_iter().flatten().collect();
            }
            chains = still;
        }
    }

    /// These stones, and the regions between them with less than two points away from them.
    pub fn pass_alive(&self, side: Side) -> BTreeSet<usize> {
        let (all, mut owned) = ((0..self.points()).collect(), self.living(side));
        let living = owned.clone();
        for region in self.parts(&(&all - &living)) {
            if region.iter().filter(|&&p| !self.is_beside(p, &living)).count() < 2 {
                owned.extend(region);
            }
        }
        owned
    }
}
