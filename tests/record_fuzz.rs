//! The laws of the fuzz target `records` on random bytes and random pieces of records.

mod record_laws;

use proptest::prelude::*;

const PIECES: [&str; 44] = [
    "(",
    ")",
    ";",
    "(;",
    ";)",
    "[",
    "]",
    "B[aa]",
    "W[bb]",
    "B[ab]",
    "W[ca]",
    "B[]",
    "W[tt]",
    "PL[W]",
    "PL[B]",
    "AB[aa:cc]",
    "AW[bb]",
    "AE[aa]",
    "SZ[3]",
    "SZ[5:4]",
    "SZ[6]",
    "SZ[4]",
    "KM[5.5]",
    "RU[NZ]",
    "RU[Standard]",
    "HA[2]",
    "RE[B+R]",
    "RE[W+3]",
    "C[\\]]",
    "CA[gbk]",
    "CA[UTF-8]",
    "CA[Shift_JIS]",
    "GM[1]",
    "GM[2]",
    "GM[4]",
    "XPASS[1]",
    "XDONE[1]",
    "XBAN[aa]",
    " ",
    "é",
    "\\",
    "[x]",
    "\n",
    "ZZ[a][b]",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn bytes_read_as_records_keep_the_laws(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        record_laws::check(&bytes);
        record_laws::check(&[b"(;", &bytes[..], b")"].concat());
    }

    #[test]
    fn pieces_read_as_records_keep_the_laws(
        pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..50),
        game in prop::sample::select(vec!["(;GM[1]SZ[5]", "(;GM[2]SZ[6]", "(;GM[4]SZ[5]", ""]),
    ) {
        record_laws::check(format!("{game}{}", pieces.concat()).as_bytes());
        record_laws::check(format!("{game}{})", pieces.concat()).as_bytes());
    }
}
