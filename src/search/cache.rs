//! Evaluations of positions that may come again.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use super::error::NoMemory;

/// What an evaluator said of a position, and all that it saw of it.
#[derive(Clone, Debug)]
struct Entry {
    key: Box<[u8]>,
    logits: Box<[f32]>,
    value: f32,
}

/// A table of evaluations. Each position has one place, and a new one replaces what is there: so no
/// more are kept than there are places.
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

    pub(super) fn keeps_nothing(&self) -> bool {
        self.places.is_empty()
    }

    fn place(&self, key: &[u8]) -> usize {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(key);
        (hash % self.places.len().max(1) as u64) as usize
    }

    /// The logits and the value of a position of which an evaluator sees the same.
    pub(super) fn get(&self, key: &[u8]) -> Option<(&[f32], f32)> {
        let entry = self.places.get(self.place(key))?.as_ref()?;
        (*entry.key == *key).then_some((&*entry.logits, entry.value))
    }

    pub(super) fn insert(&mut self, key: &[u8], logits: &[f32], value: f32) {
        let place = self.place(key);
        if let Some(place) = self.places.get_mut(place) {
            *place = Some(Box::new(Entry { key: key.into(), logits: logits.into(), value }));
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
        let mut cache = Cache::new(1).expect("memory");
        assert_eq!(cache.get(b"one"), None);
        cache.insert(b"one", &[1.0, 2.0], 0.5);
        assert_eq!(cache.get(b"one"), Some((&[1.0, 2.0][..], 0.5)));
        assert_eq!(cache.get(b"two"), None);
        cache.insert(b"two", &[3.0], -0.5);
        assert_eq!(cache.get(b"one"), None);
        assert_eq!(cache.get(b"two"), Some((&[3.0][..], -0.5)));
        cache.clear();
        assert_eq!(cache.get(b"two"), None);
        cache = Cache::default();
        cache.insert(b"one", &[1.0], 0.0);
        assert_eq!(cache.get(b"one"), None);
    }
}
