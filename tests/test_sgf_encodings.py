"""Records in many character sets: read, written in UTF-8, and read again."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import sixplane
from sixplane import sgf

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
