//! The lines of the usual board, which fits one word: straight code with constant shifts and no
//! branches, several times as fast as that for any size.

/// Points in neither the first nor the last column: where a line to the side can go on.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The points of the eight lines that go out from each point: four to higher points, then their
/// opposites.
static RAYS: [[u64; 8]; 64] = rays();

const fn rays() -> [[u64; 8]; 64] {
    let directions = [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)];
    let mut rays = [[0; 8]; 64];
    let mut i = 0;
    while i < 64 * 8 {
        let (point, (down, right)) = (i / 8, directions[i % 8]);
        let (mut row, mut col) = (point as i32 / 8 + down, point as i32 % 8 + right);
        while 0 <= row && row < 8 && 0 <= col && col < 8 {
            rays[point][i % 8] |= 1 << (row * 8 + col);
            row += down;
            col += right;
        }
        i += 1;
    }
    rays
}

/// Runs of at most six points of `within` from `seed`, and beyond them the points where they end:
/// a parallel prefix of shifts.
macro_rules! ends {
    ($seed:expr, $within:expr, $step:literal, $shift:tt) => {{
        let (seed, within) = ($seed, $within);
        let mut runs = within & seed $shift $step;
        runs |= within & runs $shift $step;
        let pairs = within & within $shift $step;
        runs |= pairs & runs $shift (2 * $step);
        runs |= pairs & runs $shift (2 * $step);
        runs $shift $step
    }};
}

/// Where a player may play.
#[inline]
pub(super) fn legal(own: u64, other: u64) -> u64 {
    let inner = other & INNER;
    // To the right a run is a sequence of ones that a carry runs through.
    let right = inner.wrapping_add(inner & own << 1);
    let sides = right | ends!(own, inner, 1, >>);
    let lines = ends!(own, other, 8, <<) | ends!(own, other, 8, >>);
    let rising = ends!(own, inner, 7, <<) | ends!(own, inner, 7, >>);
    let falling = ends!(own, inner, 9, <<) | ends!(own, inner, 9, >>);
    (sides | lines | rising | falling) & !(own | other)
}

/// The enemy discs that a play at an empty point flips.
#[inline]
pub(super) fn flips(own: u64, other: u64, point: usize) -> u64 {
    let (to_higher, to_lower) = RAYS[point & 63].split_at(4);
    let mut flips = 0;
    for &ray in to_higher {
        // A carry from below stops at the first point of the ray that is no enemy disc.
        let end = (other | !ray).wrapping_add(1) & ray & own;
        flips |= end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    for &ray in to_lower {
        let stops = ray & !other;
        let end = 1 << 63 >> (stops | 1).leading_zeros() & own & ray;
        flips |= (end << 1).wrapping_neg() & ray;
    }
    flips
}
