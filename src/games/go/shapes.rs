//! Shapes of three by three points around a play that are often good: hane, cuts and plays on the
//! first line, as `MoGo` has them (Gelly, Wang, Munos and Teytaud, 2006).

use std::sync::LazyLock;

use super::board::Board;

/// Three rows each. The play is `*`; `X` and `O` are stones of different colors, either of them to
/// play; `.` is empty, `#` off the board; `x` and `o` are anything but that stone, `?` is anything.
///
/// ```
/// use sixplane::games::go::heuristic_values::SHAPES;
///
/// let rows: Vec<&str> = SHAPES[0].split(' ').collect();
/// assert_eq!(rows, ["XOX", ".*.", "???"]); // a play under a stone between two of the other color
/// ```
pub const SHAPES: [&str; 12] = [
    // Hane: around a stone, beside it, at its corner, and at a distance.
    "XOX .*. ???",
    "XO. .*. ?.?",
    "XO? X*. o.?",
    ".O. X*. ...",
    // Cuts: of two stones, past a stone, between two, and a keima's.
    "XO? O*o ?o?",
    "XO? O*X ???",
    "?X? O*O xxx",
    "OX? o*O ???",
    // On the first line.
    "X.? O*? ###",
    "OX? X*O ###",
    "?X? o*O ###",
    "?XO o*o ###",
];

/// Whether there is a shape, for each way that the eight points around a play can be: their cells row
/// by row, two bits each.
static KNOWN: LazyLock<Box<[u64; 1024]>> = LazyLock::new(|| {
    let mut known = Box::new([0; 1024]);
    for shape in SHAPES {
        let mut cells: Vec<u8> = shape.bytes().filter(|&cell| cell != b' ').collect();
        for turn in 0..8 {
            // A quarter turn; after four of them a reflection.
            cells = [6, 3, 0, 7, 4, 1, 8, 5, 2].map(|from| cells[from]).to_vec();
            if turn == 4 {
                cells = [2, 1, 0, 5, 4, 3, 8, 7, 6].map(|from| cells[from]).to_vec();
            }
            for colors in [*b"XO.#", *b"OX.#"] {
                add(&mut known, &cells, colors, 0, 0);
            }
        }
    }
    known
});

/// Adds every way to fill in the cells from one on, with these before it.
fn add(known: &mut [u64; 1024], cells: &[u8], colors: [u8; 4], at: usize, before: usize) {
    match at {
        9 => known[before >> 6] |= 1 << (before & 63),
        4 => add(known, cells, colors, 5, before),
        _ => {
            for (number, color) in colors.into_iter().enumerate() {
                let fits = match cells[at] {
                    b'?' => true,
                    b'x' => color != b'X',
                    b'o' => color != b'O',
                    wanted => wanted == color,
                };
                if fits {
                    add(known, cells, colors, at + 1, before << 2 | number);
                }
            }
        }
    }
}

impl<const W: usize> Board<W> {
    /// Whether a play at a point makes one of the shapes.
    #[inline]
    pub(super) fn has_shape(&self, point: usize) -> bool {
        let [above, left, right, below] = self.neighbors(point);
        let [above_left, above_right, below_left, below_right] = self.layout.diagonals(point);
        let around = [above_left, above, above_right, left, right, below_left, below, below_right];
        let key = around.into_iter().fold(0, |key, n| key << 2 | usize::from(self.cells[n]));
        KNOWN[key >> 6] >> (key & 63) & 1 != 0
    }
}
