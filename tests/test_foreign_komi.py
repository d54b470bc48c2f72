"""Komi and handicap as servers and collections write them."""

from __future__ import annotations

from typing import Any

import pytest

import sixplane
from sixplane._core import parse_sgf


def read(text: str, **rules: Any) -> tuple[Any, list[sixplane.SGFWarning]]:
    """The first game of a text, and the warnings."""
    return parse_sgf(text).games[0].follow(**rules)


def said(text: str) -> list[tuple[str, str]]:
    """The kind of each warning, and the text from its place on."""
    return [(one.kind, text[one.offset :]) for one in read(text)[1]]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("375", 7.5), ("750", 7.5), ("325", 6.5), ("650", 6.5), ("275", 5.5), ("550", 5.5),
        ("350", 7), ("700", 7), ("50", 0.5), ("0", 0), ("6.5", 6.5), ("7", 7),
    ],
)  # fmt: skip
def test_komi_of_fox_is_in_hundredths_and_some_of_it_is_half(written: str, meant: float) -> None:
    for program in ("foxwq", "Foxwq", "SGFC:2.0"):
        game, found = read(f"(;GM[1]SZ[9]AP[{program}]KM[{written}];B[ee])")
        assert (game.komi, found) == (meant, [])


def test_komi_of_fox_that_is_unknown_is_left_out() -> None:
    for written in ("425", "999", "60", "-375"):
        text = f"(;GM[1]AP[foxwq]KM[{written}];B[ee])"
        game, (warning,) = read(text)
        assert (game.komi, said(text)) == (7.5, [("part", f"{written}];B[ee])")])
        assert f'"{written}": no komi that the server Fox is known to write' in str(warning)
    assert read("(;GM[1]AP[foxwq]KM[425];B[ee])", komi=4)[1] == []


def test_a_komi_larger_than_the_board_is_read_and_doubted() -> None:
    for size, komi in ((9, 375), (9, 82), (9, -82), (19, 650), (5, 26), (2, 8)):
        text = f"(;GM[1]SZ[{size}]KM[{komi}];B[aa])"
        assert said(text) == [("doubt", f"{komi}];B[aa])")]
        game, (warning,) = read(text)
        assert game.komi == komi
        assert str(warning).startswith(f"a komi of {komi} on a board of {size * size} points")
        # Nothing is left out, so that strict reading takes it.
        with pytest.warns(sixplane.SGFWarning, match="a komi of"):
            assert sixplane.Go.from_sgf(text, strict=True).komi == komi
    for usual in ("SZ[9]KM[81]", "SZ[19]KM[361]", "SZ[2]KM[7.5]", "SZ[5]KM[-25]"):
        assert said(f"(;GM[1]{usual};B[aa])") == []


@pytest.mark.parametrize(
    ("written", "komi"),
    [
        ("7,5", 7.5), ("6.5目", 6.5), ("6½", 6.5), ("\uff16.\uff15", 6.5), ("\uff16\uff0e\uff15", 6.5),
        ("6目半", 6.5), ("3又3/4子", 7.5), ("+6.5", 6.5), ("-5.5", -5.5), ("6.5 points", 6.5), (" 0 ", 0),
        ("6.50", 6.5), ("6 1/2", 6.5), ("", 7.5), ("  ", 7.5),
    ],
)  # fmt: skip
def test_komi_that_is_surely_meant_is_read(written: str, komi: float) -> None:
    game, found = read(f"(;GM[1]SZ[9]KM[{written}];B[ee])")
    assert (game.komi, found) == (komi, [])


@pytest.mark.parametrize(
    "written", ["five", "3.75", "3 3/4", "0.3", "1,000", "1001", "nan", "6.5?", "7 5", "1e2"]
)
def test_komi_that_is_none_is_left_out_and_named(written: str) -> None:
    text = f"(;GM[1]SZ[9]KM[{written}];B[ee])"
    game, (warning,) = read(text)
    assert (game.komi, game.move_number, warning.kind) == (7.5, 1, "part")
    assert "komi must be a multiple of 0.5" in warning.reason
    with pytest.raises(sixplane.SGFError, match="komi") as caught:
        sixplane.Go.from_sgf(text, strict=True)
    assert text[caught.value.offset :].startswith(written)


def test_quarter_komi_is_doubled_where_a_collection_counts_chinese_stones() -> None:
    head = "(;GM[1]US[GoGoD95]"
    for rules in ("Chinese", "chinese, Pair Go"):
        for written, komi in (("3.75", 7.5), ("2.75", 5.5), ("3 3/4", 7.5), ("-3.75", -7.5), ("6.5", 6.5)):
            assert read(f"{head}RU[{rules}]KM[{written}];B[ee])")[0].komi == komi
    for text in (f"{head}KM[3.75];B[ee])", f"{head}RU[Japanese]KM[3.75])", "(;RU[Chinese]KM[3.75];B[ee])"):
        assert [kind for kind, _ in said(text)] == ["part"]


# --- Handicap ------------------------------------------------------------------------------------


def stones(game: sixplane.Go) -> list[str]:
    """Black's stones at the start."""
    start = game.replay([])
    return sorted(start.action_to_name(int(point)) for point in start.planes[0].ravel().nonzero()[0])


@pytest.mark.parametrize("number", range(2, 10))
def test_the_handicap_of_fox_is_placed(number: int) -> None:
    for head in ("AP[foxwq]", "AP[GNU Go:3.8]GN[]"):
        game, found = read(f"(;GM[1]SZ[19]{head}HA[{number}]KM[0];W[ce];B[cc])")
        fixed = sixplane.Go(19, komi=0, handicap=number)
        assert found == []
        assert (game.handicap, stones(game)) == (number, stones(fixed))
        assert game == fixed.replay(game.actions)


def test_older_handicaps_of_fox_have_their_side_stones_at_the_top_and_bottom() -> None:
    for date, sides in (("2017-12-31", ["K16", "K4"]), ("2018-01-01", ["D10", "Q10"]), ("", ["D10", "Q10"])):
        for number, more in ((6, []), (7, ["K10"])):
            game, _ = read(f"(;GM[1]SZ[19]AP[foxwq]HA[{number}]DT[{date}];W[ce])")
            assert stones(game) == sorted(["D16", "D4", "Q16", "Q4", *sides, *more])
            assert sixplane.Go.from_sgf(game.to_sgf()) == game


@pytest.mark.parametrize(
    "text",
    [
        "(;GM[1]SZ[19]HA[4];W[ce])",
        "(;GM[1]SZ[9]AP[foxwq]HA[4];W[ee])",
        "(;GM[1]SZ[19]AP[GNU Go:3.8]HA[4];W[ce])",
        "(;GM[1]SZ[19]AP[GNU Go:3.8]GN[a game]HA[4];W[ce])",
        "(;GM[1]SZ[19]AP[foxwq]HA[10];W[ce])",
        "(;GM[1]SZ[19]HA[4]PL[W])",
        "(;GM[1]SZ[19]HA[\uff14];W[ce])",
        "(;GM[1]SZ[19]HA[x];W[ce])",
        "(;GM[1]SZ[19]HA[2.5];W[ce])",
        "(;GM[1]SZ[19]AP[foxwq]HA[x];W[ce])",
    ],
)
def test_a_handicap_without_stones_is_named_where_white_plays_first(text: str) -> None:
    game, (warning,) = read(text)
    assert (warning.kind, stones(game)) == ("part", [])
    assert "without its stones" in warning.reason
    with pytest.raises(sixplane.SGFError, match="without its stones"):
        sixplane.Go.from_sgf(text, strict=True)


def test_a_handicap_that_is_there_or_means_nothing_is_not_named() -> None:
    for text in (
        "(;SZ[9]HA[2]AB[cg][gc];W[ee])",
        "(;SZ[9]HA[2]AB[cc][ee];W[gg])",
        "(;SZ[9]HA[2];B[cc];B[gg];W[ee])",
        "(;SZ[9]HA[0];W[ee])",
        "(;SZ[9]HA[1];W[ee])",
        "(;SZ[9]HA[];W[ee])",
        "(;SZ[9]HA[2])",
    ):
        assert said(text) == []
    assert stones(sixplane.Go.from_sgf("(;SZ[9]HA[4];W[ee])", handicap=2)) == ["C3", "G7"]
