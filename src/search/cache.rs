//! Evaluations of positions that may come again.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use super::error::NoMemory;
use crate::geometry::BoardSize;

/// What an evaluator said of a position, and all that it saw of it. Boards of other sizes may have as
/// many cells.
#[derive(Clone, Debug)]
struct Entry {
    size: BoardSize,
    planes: Box<[u8]>,
    logits: Box<[f32]>,
    value: f32,
}

/// A table of evaluations. Each position has one place, and a new one replaces what is there: so no
/// more are kept than there are places.
///
/// ```
/// use sixplane::search::Cache;
///
/// let cache = Cache::new(10_000)?; // for `run_with_evaluator`; Cache::new(0) keeps nothing
/// assert!(Cache::new(usize::MAX).is_err());
/// # drop(cache);
/// # Ok::<(), sixplane::search::NoMemory>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cache {
    places: Vec<Option<Box<Entry>>>,
}

impl Cache {
    /// A table of so many places; 0 keeps nothing.
    ///
    /// # Errors
    /// [`NoMemory`] if there is none for so many.
    pub fn new(count: usize) -> Result<Self, NoMemory> {
        let mut places = Vec::new();
        places.try_reserve_exact(count).map_err(|_| NoMemory)?;
        places.resize_with(count, || None);
        Ok(Self { places })
    }

    /// The place of a position; `None` if there are no places.
    fn place(&self, size: BoardSize, planes: &[u8]) -> Option<usize> {
        let hash = || BuildHasherDefault::<DefaultHasher>::default().hash_one((size, planes));
        let count = self.places.len() as u64;
        (count > 0).then(|| (hash() % count) as usize)
    }

    /// The logits and the value of a position of which an evaluator sees the same.
    pub(super) fn get(&self, size: BoardSize, planes: &[u8]) -> Option<(&[f32], f32)> {
        let entry = self.places[self.place(size, planes)?].as_ref()?;
        (entry.size == size && *entry.planes == *planes).then_some((&entry.logits, entry.value))
    }

    pub(super) fn insert(&mut self, size: BoardSize, planes: &[u8], logits: &[f32], value: f32) {
        if let Some(place) = self.place(size, planes) {
            let (planes, logits) = (planes.into(), logits.into());
            self.places[place] = Some(Box::new(Entry { size, planes, logits, value }));
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.places.fill(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_that_share_a_place_are_told_apart() {
        let [size, other] =
            [(2, 3), (3, 2)].map(|(rows, cols)| BoardSize::new(rows, cols).unwrap());
        let mut cache = Cache::new(1).expect("memory");
        assert_eq!(cache.get(size, b"one"), None);
        cache.insert(size, b"one", &[1.0, 2.0], 0.5);
        assert_eq!(cache.get(size, b"one"), Some((&[1.0, 2.0][..], 0.5)));
        assert_eq!((cache.get(size, b"two"), cache.get(other, b"one")), (None, None));
        cache.insert(size, b"two", &[3.0], -0.5);
        assert_eq!(cache.get(size, b"one"), None);
        assert_eq!(cache.get(size, b"two"), Some((&[3.0][..], -0.5)));
        cache.clear();
        assert_eq!(cache.get(size, b"two"), None);
        cache = Cache::default();
        cache.insert(size, b"one", &[1.0], 0.0);
        assert_eq!(cache.get(size, b"one"), None);
    }
}
