//! Laws of the SGF format: text to trees and back, and what is refused.

use sixplane::record::sgf::{Collection, Writer};

#[test]
fn a_tree_is_kept_whole() {
    let text = "mail header (really) (;FF[4]AddBlack[aa][bb:cc]ZZZ[\\]][];B[aa]
        (;W[bb](;B[cc]))(;W[dd];B[ee])) between (;GM[2]) after )";
    let collection = Collection::from_text(text).unwrap();
    let roots: Vec<_> = collection.games().collect();
    assert_eq!(roots.len(), 2);
    let stones: Vec<_> =
        roots[0].find("AB").unwrap().values().map(sixplane::record::sgf::Value::raw).collect();
    assert_eq!(stones, ["aa", "bb:cc"]);
    assert_eq!(roots[0].find("ZZZ").unwrap().value().text(), "]");
    assert_eq!(roots[0].main_line().count(), 4);
    let moves: Vec<_> =
        roots[0].main_line().skip(1).map(|node| node.properties().count()).collect();
    assert_eq!(moves, [1, 1, 1]);
    let written = collection.to_text();
    let expected =
        "(;FF[4]AddBlack[aa][bb:cc]ZZZ[\\]][];B[aa](;W[bb];B[cc])(;W[dd];B[ee]))(;GM[2])\n";
    assert_eq!(written, expected);
    assert_eq!(Collection::from_text(&written).unwrap(), collection);
    let other = Collection::from_text(&written.replace("W[dd]", "W[de]")).unwrap();
    assert_ne!(other, collection);
    let moved = Collection::from_text("(;A[1];B[2](;C[3])(;D[4]))").unwrap();
    assert_ne!(moved, Collection::from_text("(;A[1](;B[2];C[3])(;D[4]))").unwrap());
}

#[test]
fn malformed_text_is_refused_where_it_is_malformed() {
    for (text, at) in [
        ("", ""),
        ("no game (at all)", ""),
        ("(;", ""),
        ("(;B[aa", "[aa"),
        ("(;B[aa\\]", "[aa\\]"),
        ("(;B)", "B)"),
        ("(;[aa])", "[aa])"),
        ("(;B[aa](;W[bb])C[x])", "C[x])"),
        ("(;B[aa](;W[bb]);W[cc])", ";W[cc])"),
        ("(;B[aa]())", "))"),
        ("((;B[aa]))", "(;B[aa]))"),
        ("(;B[aa]((;W[bb])))", "(;W[bb])))"),
        ("(;B[aa]é)", "é)"),
        ("(; 5[aa])", "5[aa])"),
    ] {
        let error = Collection::from_text(text).unwrap_err();
        assert_eq!(&text[error.offset..], at, "{text}");
    }
}

#[test]
fn game_trees_nest_ten_thousand_deep_and_no_deeper() {
    let nested = |depth: usize| "(;".repeat(depth) + &")".repeat(depth);
    let deep = Collection::from_text(&nested(Collection::MAX_NESTING)).unwrap();
    assert_eq!(deep.games().next().unwrap().main_line().count(), Collection::MAX_NESTING);
    assert_eq!(Collection::from_text(&deep.to_text()).unwrap(), deep);
    let error = Collection::from_text(&nested(Collection::MAX_NESTING + 1)).unwrap_err();
    assert_eq!(error.offset, 2 * Collection::MAX_NESTING);
    let error = Collection::from_text(&"(".repeat(1_000_000)).unwrap_err();
    assert_eq!(error.offset, 1);
}

#[test]
fn much_of_the_same_is_read_in_one_pass() {
    let most = 2_000_000;
    for piece in
        ["(", "(;", ";", ";A[]", "[]", "(;A[b](;))", "\\", "(x ", "B", ")", "[", "]\\", " "]
    {
        let text = piece.repeat(most / piece.len());
        for text in
            [text.clone(), format!("(;{text}"), format!("(;C[{text}])"), format!("(;C{text})")]
        {
            if let Ok(collection) = Collection::from_text(&text) {
                assert_eq!(Collection::from_text(&collection.to_text()).unwrap(), collection);
            }
        }
    }
}

#[test]
fn text_is_read_in_the_character_set_it_names() {
    let comment = |bytes: &[u8]| {
        let collection = Collection::from_bytes(bytes).unwrap();
        let root = collection.games().next().unwrap();
        root.find("C").unwrap().value().text()
    };
    assert_eq!(comment("(;CA[UTF-8]C[é])".as_bytes()), "é");
    assert_eq!(comment("\u{feff}(;C[é])".as_bytes()), "é");
    assert_eq!(comment(b"(;CA[ISO-8859-1]C[\xe9])"), "é");
    assert_eq!(comment(b"(;C[\xe9])"), "é");
    assert_eq!(comment("(;C[é])".as_bytes()), "é");
    // The second bytes of these are a backslash and a bracket.
    assert_eq!(comment(b"(;PB[x]CA[Shift_JIS]C[\x95\x5c])"), "表");
    assert_eq!(comment(b"(;CA[gb2312]C[\x81\x5d])"), "乚");
    // What a text names but is not in is no reason to lose it.
    assert_eq!(comment(b"(;CA[UTF-8]C[Ren\xe9 \xff])"), "René ÿ");
    assert_eq!(comment("(;CA[nonsense]C[é])".as_bytes()), "é");
    assert_eq!(comment(b"(;CA[EUC-CN]C[\xc6\xe5])"), "棋");
    assert_eq!(comment(b"(;CA[ Latin-1 ]C[\xe9])"), "é");
    let wide = |unit: fn(u16) -> [u8; 2], text: &str| -> Vec<u8> {
        text.encode_utf16().flat_map(unit).collect()
    };
    assert_eq!(comment(&wide(u16::to_le_bytes, "\u{feff}(;CA[UTF-8]C[é🀄])")), "é🀄");
    assert_eq!(comment(&wide(u16::to_be_bytes, "\u{feff}(;C[é🀄])")), "é🀄");

    let offset = |bytes: &[u8]| Collection::from_bytes(bytes).unwrap_err().offset;
    assert_eq!(offset("\u{feff}(;C[é]5)".as_bytes()), 10);
    assert_eq!(offset(b"(;C[\xe9\xe9\xe9]5)"), 8);
    assert_eq!(offset(b"(;CA[Shift_JIS]C[\x95\x5c]5)"), 20);
    assert_eq!(offset(&wide(u16::to_le_bytes, "\u{feff}(;C[é🀄]5)")), 18);
}

#[test]
fn what_is_written_is_utf_8_and_says_so() {
    let written = |bytes: &[u8]| Collection::from_bytes(bytes).unwrap().to_text();
    // Decoded as what the record names, these bytes of a player's name swallow the bracket.
    let named = "(;CA[GB2312]PB[あいう];B[cc])";
    assert_eq!(Collection::from_text(named).unwrap().to_text(), "(;CA[UTF-8]PB[あいう];B[cc])\n");
    assert_eq!(written(b"(;CA[Big5]PB[\xfa\x40])"), "(;CA[UTF-8]PB[\u{20547}])\n");
    assert_eq!(written(b"(;CA[sjis]PB[\xf0\x40])"), "(;CA[UTF-8]PB[\u{e000}])\n");
    assert_eq!(written(b"(;PB[\xe9])(;PB[x])"), "(;CA[UTF-8]PB[é])(;PB[x])\n");
    assert_eq!(written(b"(;PB[x]CA[a]CA[b];CA[c])"), "(;PB[x]CA[UTF-8];CA[c])\n");
    let other = Collection::from_text("(;PB[あいう];B[cc])").unwrap();
    assert_eq!(Collection::from_text(named).unwrap(), other);
}

#[test]
fn texts_survive_being_written() {
    for text in ["a:b", "[x]\\", "", "two\nlines", "\\\\]]::", "é 表 🀄", " spaces "] {
        let mut writer = Writer::new();
        writer
            .open()
            .node()
            .text("C", text)
            .simple_text("N", text)
            .compose("AP", text, text)
            .close();
        let collection = Collection::from_text(&writer.finish()).unwrap();
        let root = collection.games().next().unwrap();
        let line = text.replace('\n', " ");
        assert_eq!(root.find("C").unwrap().value().text(), text);
        assert_eq!(root.find("N").unwrap().value().simple_text(), line);
        assert_eq!(root.find("AP").unwrap().value().compose(), Some((line.clone(), line)));
    }
    let windows = Writer::new().open().node().simple_text("N", "a\r\nb").to_owned().finish();
    assert_eq!(windows, "(;N[a b]\n");
    let breaks = Collection::from_text("(;C[a\\\r\nb\rc\n\rd\te])").unwrap();
    let value = breaks.games().next().unwrap().find("C").unwrap().value();
    assert_eq!((value.text(), value.compose()), ("ab\nc\nd e".to_owned(), None));
}
