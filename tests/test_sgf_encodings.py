"""Records in many character sets: read, written in UTF-8, and read again."""

from __future__ import annotations

import copy
import pickle
from encodings.aliases import aliases
from pathlib import Path

import pytest

import sixplane
from sixplane import sgf
from sixplane._core import parse_sgf

#: What a record names, what Python calls it, what the encoding is called, and names of players.
CHARACTER_SETS = [
    ("UTF-8", "utf-8", "UTF-8", "é表🀄"),
    ("ISO-8859-1", "iso-8859-1", "windows-1252", "éß"),
    ("windows-1251", "cp1251", "windows-1251", "Шикшин"),
    ("Shift_JIS", "shift_jis", "Shift_JIS", "表ソ井山"),
    ("EUC-JP", "euc_jp", "EUC-JP", "井山裕太"),
    ("GB2312", "gb2312", "GBK", "古力あいう"),
    ("EUC-CN", "gb2312", "GBK", "古力"),
    ("GB18030", "gb18030", "gb18030", "乚棋🀄"),
    ("Big5", "big5", "Big5", "周俊勳功"),
    ("Big5-HKSCS", "big5hkscs", "Big5", "𠝹周啫"),
    ("EUC-KR", "euc_kr", "EUC-KR", "이창호"),
]


@pytest.mark.parametrize(("named", "codec", "encoding", "name"), CHARACTER_SETS, ids=str)
def test_names_in_any_character_set_come_back_in_utf_8(
    named: str, codec: str, encoding: str, name: str
) -> None:
    data = f"(;CA[{named}]SZ[5]PB[{name}];B[cc]C[{name}];W[cc])".encode(codec)
    collection = sgf.parse(data)
    assert (collection.encoding, collection.games[0].text("PB")) == (encoding, name)
    written = f"(;CA[UTF-8]SZ[5]PB[{name}];B[cc]C[{name}];W[cc])\n"
    assert (collection.to_text(), collection.to_bytes()) == (written, written.encode())
    for again in (sgf.parse(collection.to_bytes()), pickle.loads(pickle.dumps(collection))):
        assert again == collection
        assert again.games[0].children[0].text("C") == name
    with pytest.raises(sixplane.SGFError, match="occupied") as caught:
        collection.games[0].to_game(strict=True)
    assert data[caught.value.offset :] == b"W[cc])"


@pytest.mark.parametrize("codec", ["utf-16le", "utf-16be", "utf-8"])
def test_a_byte_order_mark_goes_before_what_the_record_names(codec: str, tmp_path: Path) -> None:
    data = "\ufeff(;CA[ISO-8859-1]SZ[5]PB[é古🀄];B[cc];W[cc])".encode(codec)
    collection = sgf.parse(data)
    assert (collection.encoding.lower(), collection.games[0].text("PB")) == (codec, "é古🀄")
    assert sgf.parse(collection.to_bytes()) == collection
    with pytest.raises(sixplane.SGFError, match="occupied") as caught:
        sixplane.Go.from_sgf(data, strict=True)
    assert data[caught.value.offset :].decode(codec) == "W[cc])"
    path = tmp_path / "game.sgf"
    path.write_bytes(data)
    with pytest.warns(sixplane.SGFWarning, match="occupied"):
        assert sixplane.read_sgf(path).move_number == 1


@pytest.mark.filterwarnings("ignore::sixplane.SGFWarning")
@pytest.mark.parametrize(
    "data",
    [
        "(;SZ[5]CA[GB2312]PB[あいう];B[cc];W[cc])",
        "(;SZ[5]CA[GB2312]PB[古力];B[cc];W[cc])".encode("gbk"),
        "(;SZ[5]PB[古力];B[cc];W[cc])".encode("gbk"),
        *("\ufeff(;SZ[5]PB[古力];B[cc];W[cc])".encode(codec) for codec in ("utf-8", "utf-16le", "utf-16be")),
        b"mail (;SZ[5];B[cc];W[cc])(;SZ[5];B[ee];W[c",
    ],
    ids=repr,
)
def test_a_copy_keeps_the_character_set_the_warnings_and_the_offsets(data: str | bytes) -> None:
    collection = sgf.parse(data)

    def told(one: sgf.Collection) -> object:
        left_out = [str(warning) for root in one.games for warning in root.follow()[1]]
        return one.encoding, [str(warning) for warning in one.warnings], left_out

    for again in (copy.copy(collection), copy.deepcopy(collection), pickle.loads(pickle.dumps(collection))):
        assert again == collection
        assert told(again) == told(collection)
        assert told(pickle.loads(pickle.dumps(again))) == told(collection)
        with pytest.raises(sixplane.SGFError):
            again.games[-1].to_game(strict=True)


def test_a_text_whose_record_names_another_character_set_is_kept() -> None:
    text = "(;CA[GB2312]SZ[5]PB[あいう];B[cc])"
    collection = sgf.parse(text)
    (root,) = sgf.parse(collection.to_bytes()).games
    assert (root.text("PB"), root.children[0].get("B")) == ("あいう", ["cc"])
    assert pickle.loads(pickle.dumps(collection)) == collection == sgf.parse(text.replace("GB2312", "UTF-8"))


def test_characters_that_only_decoding_knows_are_kept() -> None:
    # The first is private to Shift_JIS, the others are Hong Kong's: no encoder writes them so.
    for named, raw in (("Shift_JIS", b"\xf0\x40"), ("Big5", b"\x87\x40"), ("Big5-HKSCS", b"\x88\x62")):
        data = b"(;CA[%s]SZ[5]PB[%s];B[cc];W[cc])" % (named.encode(), raw)
        collection = sgf.parse(data)
        name = collection.games[0].text("PB")
        assert name is not None and not name.isascii()
        assert sgf.parse(collection.to_bytes()).games[0].text("PB") == name
        with pytest.raises(sixplane.SGFError) as caught:
            collection.games[0].to_game(strict=True)
        assert data[caught.value.offset :] == b"W[cc])"


def test_any_bytes_will_do() -> None:
    data = "(;CA[EUC-KR]SZ[5]PB[이창호];B[cc])".encode("euc_kr")
    for kind in (bytes, bytearray, memoryview):
        assert sgf.parse(kind(data)).games[0].text("PB") == "이창호"
        assert sixplane.Go.from_sgf(kind(data)).move_number == 1
    strided = memoryview(b"".join(bytes([byte, 0]) for byte in data))[::2]
    assert sgf.parse(strided) == sgf.parse(data)


def test_what_has_one_line_loses_its_line_breaks() -> None:
    (root,) = sgf.parse("(;PB[Shin\r\nJinseo]PW[Ke\\\nJie]DT[2024\t-01]C[two\nlines]XX[two\nlines])").games
    found = [root.text(name) for name in ("PB", "PW", "DT", "C", "XX")]
    assert found == ["Shin Jinseo", "KeJie", "2024 -01", "two\nlines", "two\nlines"]


#: What Python calls the character sets whose names records use.
CODECS = {
    "utf_8": "UTF-8", "gb2312": "GBK", "gbk": "GBK", "gb18030": "gb18030", "big5": "Big5",
    "big5hkscs": "Big5", "cp950": "Big5", "shift_jis": "Shift_JIS", "cp932": "Shift_JIS",
    "euc_jp": "EUC-JP", "euc_kr": "EUC-KR", "cp949": "EUC-KR", "latin_1": "windows-1252",
    "cp1252": "windows-1252", "cp1251": "windows-1251", "koi8_r": "KOI8-R", "koi8_u": "KOI8-U",
    "mac_roman": "macintosh", "mac_cyrillic": "x-mac-cyrillic", "tis_620": "windows-874",
    "iso8859_9": "windows-1254", "iso8859_11": "windows-874",
    **{f"iso8859_{part}": f"ISO-8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
}  # fmt: skip


@pytest.mark.parametrize("codec", CODECS)
def test_every_name_that_python_knows_is_known(codec: str) -> None:
    for name in (codec, *(name for name, one in aliases.items() if one == codec)):
        for named in (name, name.upper(), name.replace("_", "-"), f" {name.replace('_', '')} "):
            assert sgf.parse(f"(;CA[{named}]PB[x])".encode()).encoding == CODECS[codec], named


@pytest.mark.parametrize(
    ("named", "codec", "encoding", "name"),
    [
        ("BIG-5", "big5", "Big5", "功"), ("Big_5", "big5", "Big5", "功"), ("GB", "gb2312", "GBK", "棋"),
        ("GB 2312", "gbk", "GBK", "乚"), ("windows-936", "gbk", "GBK", "乚"),
        ("EUC_KR", "euc_kr", "EUC-KR", "한"), ("UHC", "cp949", "EUC-KR", "똠"),
        ("KS_C_5601-1987", "euc_kr", "EUC-KR", "한"), ("S-JIS", "shift_jis", "Shift_JIS", "表"),
        ("utf8", "utf-8", "UTF-8", "é"), ("iso8859_2", "iso8859_2", "ISO-8859-2", "Łukasz"),
        ("iso8859_15", "iso8859_15", "ISO-8859-15", "Žižka"), ("koi8_u", "koi8_u", "KOI8-U", "Їжак"),
    ],
)  # fmt: skip
def test_other_names_of_character_sets(named: str, codec: str, encoding: str, name: str) -> None:
    collection = sgf.parse(f"(;CA[{named}]SZ[9]PB[{name}]KM[6.5];B[ee])".encode(codec))
    assert (collection.encoding, collection.games[0].text("PB")) == (encoding, name)
    assert collection.games[0].get("KM") == ["6.5"]


@pytest.mark.parametrize(
    ("named", "codec", "encoding", "name", "comment"),
    [
        ("GB2312", "utf-8", "UTF-8", "柯洁九段", "白棋好"), ("Shift_JIS", "utf-8", "UTF-8", "申真谞", "白"),
        ("GBK", "cp1252", "windows-1252", "René", "fin é"), ("Big5", "utf-8", "UTF-8", "中国人", "中"),
        ("ISO-8859-1", "cp932", "Shift_JIS", "井山裕表", "予"),
    ],
)  # fmt: skip
def test_with_a_wrong_name_no_rule_and_no_move_is_lost(
    named: str, codec: str, encoding: str, name: str, comment: str
) -> None:
    text = f"(;GM[1]CA[{named}]SZ[9]PB[{name}]KM[6.5];B[ee];W[cc]C[{comment}];B[gg];W[cg])"
    with pytest.warns(sixplane.SGFWarning, match=f'not in "{named}" .* read as {encoding}'):
        collection = sgf.parse(text.encode(codec))
    game, (warning,) = collection.games[0].follow()
    assert isinstance(game, sixplane.Go)
    assert (collection.encoding, game.komi, game.actions.tolist()) == (encoding, 6.5, [40, 20, 60, 56])
    assert (collection.games[0].text("PB"), warning.kind) == (name, "doubt")
    assert pickle.loads(pickle.dumps(collection)) == collection


@pytest.mark.parametrize("codec", ["cp932", "gbk", "big5"])
def test_the_set_that_a_record_names_holds_where_nothing_is_lost_in_it(codec: str) -> None:
    for char in characters(codec):
        text = f"(;GM[1]CA[{codec}]SZ[9]PB[{char}]KM[6.5];B[ee]C[x {char} y];W[cc])"
        assert sgf.parse(text.encode(codec)).warnings == [], char
    # Two letters of UTF-8 are one or two characters of GBK, or three of Latin-1.
    for data in ("(;CA[GBK]PB[é é];B[ee])", "(;CA[ISO-8859-1]PB[é];B[ee])"):
        assert sgf.parse(data.encode()).warnings == []


def characters(codec: str) -> list[str]:
    """Those whose second byte is a bracket or a backslash."""
    encoded = ((chr(number), chr(number).encode(codec, "ignore")) for number in range(0x80, 0x10000))
    return [char for char, data in encoded if len(data) == 2 and data[1] in b"[\\]"]


@pytest.mark.parametrize("codec", ["cp932", "shift_jis", "gbk", "big5", "cp950", "gb18030"])
@pytest.mark.parametrize(
    "text", ["PB[{}]KM[6.5]", "PB[山{}]KM[6.5]", "PB[{}九段]PW[a]KM[6.5]C[{}]", "KM[6.5]C[x {}]"]
)
def test_without_a_name_no_rule_and_no_move_is_lost(codec: str, text: str) -> None:
    found = characters(codec)
    assert len(found) > 100
    for char in found:
        for head in ("", "CA[nonsense]"):
            data = f"(;GM[1]SZ[9]{head}{text.format(char, char)};B[ee];W[cc])".encode(codec)
            game, (warning,) = parse_sgf(data).games[0].follow()
            assert isinstance(game, sixplane.Go)
            assert (game.komi, game.actions.tolist(), warning.kind) == (6.5, [40, 20], "doubt"), char
            assert ("is not in" if head else "no character set is named") in warning.reason


@pytest.mark.parametrize(
    ("codec", "encoding", "name"),
    [
        ("cp932", "Shift_JIS", "井山裕太"), ("gbk", "GBK", "常昊"), ("big5", "Big5", "周俊勳"),
        ("cp949", "EUC-KR", "이창호"), ("cp1252", "windows-1252", "Jérôme"),
        ("cp1251", "windows-1251", "Шикшин"),
    ],
)  # fmt: skip
def test_names_without_a_character_set_are_read_in_the_likely_one(
    codec: str, encoding: str, name: str
) -> None:
    data = f"(;GM[1]SZ[9]PB[{name}]KM[6.5];B[ee])".encode(codec)
    with pytest.warns(sixplane.SGFWarning, match=f"no character set is named .* read as {encoding}"):
        collection = sgf.parse(data)
    assert (collection.encoding, collection.games[0].text("PB")) == (encoding, name)
    with pytest.warns(sixplane.SGFWarning):
        game = sixplane.Go.from_sgf(data, strict=True)
    assert game.komi == 6.5
    with pytest.warns(sixplane.SGFWarning):
        assert sgf.parse(data, strict=True) == collection, "a guess leaves nothing out"


def test_what_is_utf_8_or_in_the_set_it_names_is_not_doubted() -> None:
    for data in (b"(;PB[a])", "(;PB[é])".encode(), b"(;CA[nonsense]PB[a])", b"(;CA[latin1]PB[\xe9])"):
        assert sgf.parse(data).warnings == []
    with pytest.warns(sixplane.SGFWarning, match='not in "UTF-8" .* read as windows-1252'):
        sgf.parse(b"(;CA[UTF-8]PB[Ren\xe9])")


def test_many_faults_in_a_record_that_is_no_utf_8_take_as_long_as_it_is() -> None:
    # Each place was once found by decoding all before it, so that this took a quarter of an hour.
    data = b"(;GM[1]CA[ISO-8859-1]SZ[19]C[\xe9]" + b"AB[zz]" + b"[zz]" * 100_000 + b";B[aa])"
    with pytest.warns(sixplane.SGFWarning, match="no point of the board") as caught:
        assert sixplane.Go.from_sgf(data).move_number == 1
    assert f"(at byte {data.index(b'zz')})" in str(caught[0].message)
