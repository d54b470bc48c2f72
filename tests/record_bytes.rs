//! The laws of the fuzz target `records` on random bytes and random pieces of records.

use crate::byte_laws;
use crate::effort::share;

use encoding_rs::Encoding;
use proptest::prelude::*;
use sixplane::Go;
use sixplane::record::{GivenRules, Recorded};

const PIECES: [&str; 66] = [
    "GM[11]",
    "RU[Swap]",
    "W[swap-pieces]",
    "W[b2]",
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
    "(A[1]",
    "(;GM[1]",
    "( FF [4]",
    "(SZ[5]",
    "B[c3]",
    "W[PA]",
    "B[--]",
    "AB[]",
    "AW[zz][d4]",
    "PL[x]",
    "HA[4]",
    "KM[375]",
    "KM[3 3/4]",
    "KM[6\u{bd}]",
    "AP[foxwq]",
    "US[GoGoD]",
    "DT[2017]",
    "(",
];

const CHARACTER_SETS: [&str; 12] = [
    "utf-8",
    "gb18030",
    "gbk",
    "big5-hkscs",
    "shift_jis",
    "euc-jp",
    "euc-kr",
    "iso-8859-1",
    "windows-1251",
    "koi8-r",
    "iso-8859-15",
    "x-user-defined",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(share(2000)) })]

    #[test]
    fn bytes_read_as_records_keep_the_laws(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        byte_laws::records::records_survive_being_written(&bytes);
        byte_laws::records::records_survive_being_written(&[b"(;", &bytes[..], b")"].concat());
    }

    #[test]
    fn pieces_read_as_records_keep_the_laws(
        pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..50),
        game in prop::sample::select(vec!["(;GM[1]SZ[5]", "(;GM[2]SZ[6]", "(;GM[4]SZ[5]", "(;GM[11]SZ[4]", "(;", ""]),
    ) {
        byte_laws::records::records_survive_being_written(format!("{game}{}", pieces.concat()).as_bytes());
        byte_laws::records::records_survive_being_written(format!("{game}{})", pieces.concat()).as_bytes());
    }

    #[test]
    fn records_in_any_character_set_keep_the_laws(
        label in prop::sample::select(CHARACTER_SETS.to_vec()),
        named in prop::sample::select(CHARACTER_SETS.to_vec()),
        same in any::<bool>(),
        name in "[ -~\u{a6}-\u{ff}\u{400}-\u{451}\u{3041}-\u{30ff}\u{4e00}-\u{9fff}\u{ac00}-\u{d7a3}\u{e000}-\u{e757}\u{20000}-\u{20547}]{0,12}",
        bytes in prop::collection::vec(0x40_u8.., 0..6),
    ) {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        let named = if same { label } else { named };
        let value = name.replace('\\', "\\\\").replace(']', "\\]");
        let text = format!("(;CA[{named}]PB[{value}]SZ[5];B[aa];W[aa]C[{value}])");
        let (encoded, ..) = encoding.encode(&text);
        byte_laws::records::records_survive_being_written(&encoded);
        if same {
            let error = Go::from_sgf_bytes(&encoded, &GivenRules::default(), None).unwrap_err();
            prop_assert!(encoded[error.offset..].starts_with(b"W[aa]C["), "{} in {}", error, text);
        }
        // Without a name, and cut off.
        let unnamed = text.replacen("CA[", "XX[", 1);
        let unnamed = encoding.encode(&unnamed).0;
        byte_laws::records::records_survive_being_written(&unnamed);
        byte_laws::records::records_survive_being_written(&unnamed[..unnamed.len() / 2]);
        // Bytes that are no character of the set, and some that no encoder writes.
        let raw = [b"(;PB[", &bytes[..], b"]CA[", named.as_bytes(), b"];B[cc])"].concat();
        byte_laws::records::records_survive_being_written(&raw);
        byte_laws::records::records_survive_being_written(&[&encoded[..encoded.len() - 2], &bytes, b"])"].concat());
    }

    #[test]
    fn records_in_utf_16_keep_the_laws(name in "[ -Z^-~]{0,9}\\PC{0,9}", little in any::<bool>()) {
        let value = name.replace(['\\', ']'], "");
        let text = format!("\u{feff}(;SZ[5]PB[{value}];B[aa];W[aa])");
        let units = text.encode_utf16();
        let bytes: Vec<u8> =
            units.flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect();
        byte_laws::records::records_survive_being_written(&bytes);
        let error = Go::from_sgf_bytes(&bytes, &GivenRules::default(), None).unwrap_err();
        prop_assert_eq!(error.offset, bytes.len() - 2 * "W[aa])".len());
    }
}
