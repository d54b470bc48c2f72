//! What a wave asks an evaluator: all leaves at once, but for those that the cache knows.

use super::Searchable;
use super::cache::Cache;
use super::error::SearchError;
use super::evaluator::{Evaluations, Evaluator, Leaves, num_planes};
use super::{Search, Settings};
use crate::geometry::BoardSize;

/// The shape of what an evaluator sees of a leaf.
#[derive(Clone, Copy)]
struct Shape {
    size: BoardSize,
    num_planes: usize,
}

/// Has the leaves of all searches evaluated.
pub(super) fn ask<G: Searchable, E: Evaluator>(
    searches: &[Search<G>],
    evaluator: &mut E,
    cache: &mut Cache,
) -> Result<Evaluations, SearchError<E::Error>> {
    let Some(first) = searches.first() else { return Ok(Evaluations::default()) };
    let Settings { history, .. } = first.settings;
    let shape = Shape { size: first.trunk.root.size(), num_planes: num_planes(history) };
    if cache.keeps_nothing() {
        let length = searches.iter().map(|search| search.wave.planes.len()).sum();
        let mut planes = Vec::new();
        planes.try_reserve_exact(length).map_err(|_| SearchError::NoMemory)?;
        for search in searches {
            planes.extend_from_slice(&search.wave.planes);
        }
        return shape.ask(planes, evaluator);
    }
    let mut keys = Vec::new();
    let mut new_planes = Vec::new();
    for search in searches {
        let planes = search.wave.planes.chunks(shape.cells());
        for (leaf, planes) in search.wave.leaves.iter().zip(planes) {
            let key = leaf.key(shape.size, planes, history);
            let is_new = cache.get(&key).is_none();
            if is_new {
                new_planes.try_reserve(planes.len()).map_err(|_| SearchError::NoMemory)?;
                new_planes.extend_from_slice(planes);
            }
            keys.push((key, is_new));
        }
    }
    let new = shape.ask(new_planes, evaluator)?;
    Ok(merge(&keys, &new, cache, shape.size.num_actions()))
}

impl Shape {
    fn cells(self) -> usize {
        self.num_planes * self.size.points()
    }

    fn ask<E: Evaluator>(
        self,
        planes: Vec<u8>,
        evaluator: &mut E,
    ) -> Result<Evaluations, SearchError<E::Error>> {
        let count = planes.len() / self.cells();
        if count == 0 {
            return Ok(Evaluations::default());
        }
        let leaves = Leaves { count, num_planes: self.num_planes, size: self.size, planes };
        let found = evaluator.evaluate(leaves).map_err(SearchError::Evaluator)?;
        found.check(count, self.size.num_actions()).map_err(SearchError::Evaluation)?;
        Ok(found)
    }
}

/// Evaluations in the order of the keys: what is new from the evaluator, the others from the cache, which
/// then gets what is new.
fn merge(
    keys: &[(Vec<u8>, bool)],
    new: &Evaluations,
    cache: &mut Cache,
    actions: usize,
) -> Evaluations {
    let rows = || new.logits.chunks(actions).zip(new.values.iter().copied());
    let (mut next, mut all) = (rows(), Evaluations::default());
    for (key, is_new) in keys {
        let row = if *is_new { next.next() } else { cache.get(key) };
        let Some((logits, value)) = row else { continue };
        all.logits.extend_from_slice(logits);
        all.values.push(value);
    }
    // Only now, for it may take the place of something that was still to be read.
    for ((key, _), (logits, value)) in keys.iter().filter(|(_, is_new)| *is_new).zip(rows()) {
        cache.insert(key, logits, value);
    }
    all
}
