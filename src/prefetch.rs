//! Asking for memory before it is needed: the games of a large batch do not fit a processor's cache,
//! and waiting for a game takes as long as playing in it.

/// Asks for the memory of a value, and does nothing else. Does nothing at all where there is no
/// instruction for it.
#[inline]
pub(crate) fn prefetch<T: ?Sized>(value: &T) {
    prefetch_from(std::ptr::from_ref(value).cast(), std::mem::size_of_val(value));
}

/// Asks for so many bytes of memory from an address on.
#[inline]
#[allow(unsafe_code, unused_variables)]
pub(crate) fn prefetch_from(start: *const u8, bytes: usize) {
    #[cfg(all(target_arch = "x86_64", not(portable)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        /// What a processor fetches at a time, in bytes.
        const LINE: usize = 64;
        for offset in (0..bytes).step_by(LINE) {
            // SAFETY: every x86-64 processor has the instruction. It is a hint that reads nothing and
            // faults at no address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.cast::<i8>().wrapping_add(offset)) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_changes_whatever_the_size() {
        let bytes: Vec<u8> = (0..=255).collect();
        for start in 0..bytes.len() {
            for end in start..=bytes.len() {
                prefetch(&bytes[start..end]);
            }
        }
        assert!(bytes.iter().copied().eq(0..=255));
        prefetch(&());
        prefetch("text");
    }
}
