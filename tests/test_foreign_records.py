"""Records as servers and programs write them: what is surely meant is read, and the rest is named."""

from __future__ import annotations

import random
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

import sixplane
from gtp_talk import go
from sixplane import sgf
from sixplane._core import parse_sgf
from sixplane.agents import RandomAgent
from sixplane.protocols.gtp import GTPEngine

#: The form that Edax, OthelloTk and others write.
EDAX = "(;FF[4]GM[2]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]B[f5];W[d6];)"


def read(text: str | bytes, **rules: Any) -> tuple[Any, list[sixplane.SGFWarning]]:
    """The first game of a text, and the warnings."""
    return parse_sgf(text).games[0].follow(**rules)


def said(text: str | bytes) -> list[tuple[str, str]]:
    """The kind of each warning, and the text from its place on."""
    found = read(text)[1]
    data = text.encode() if isinstance(text, str) else text
    return [(one.kind, data[one.offset :].decode("latin-1")) for one in found]


# --- Points of Reversi ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        EDAX,
        EDAX.replace("SZ[8]", ""),
        EDAX.replace("f5", "F5").replace("e4", "E4"),
        EDAX.replace("f5", "fe").replace("d6", "df"),
        EDAX.replace("[e4][d5]", "[ed][de]"),
        "(;GM[2]\n;B[f5]\n;W[ d6 ])",
        "(;GM[2]AB[e4:e4][d5]AW[d4][e5];B[f5];W[D6])",
    ],
)
def test_points_of_reversi_are_letter_and_digit_or_two_letters(text: str) -> None:
    game, found = read(text)
    assert found == []
    expected = sixplane.Reversi()
    for name in ("F5", "D6"):
        expected.play(expected.name_to_action(name))
    assert game.actions.tolist() == expected.actions.tolist()
    assert (game.planes == expected.planes).all()


@pytest.mark.parametrize("word", ["PA", "pa", "pass", "Pass", "ps", "@@@@", "--", "", "tt"])
def test_passes_of_reversi_are_words(word: str) -> None:
    start = "(;GM[2]SZ[4]AB[a1][b1]AW[c1]PL[W]"
    game, found = read(f"{start};W[{word}];B[d1])")
    assert (game.actions.tolist(), found) == ([16, 3], [])


@pytest.mark.parametrize("size", [(8, 8), (4, 6), (10, 10), (16, 24), (24, 24)])
def test_records_of_reversi_are_written_as_others_read_them(size: tuple[int, int]) -> None:
    game = sixplane.Reversi(size)
    rng = random.Random(1)
    while not game.is_over:
        game.play(rng.choice(game.legal_actions.tolist()))
        root = sgf.parse(game.to_sgf()).games[0]
        *_, last = root.main_line()
        ((_, (value,)),) = last.properties
        is_pass = game.last_action == game.num_actions - 1
        assert value == ("PA" if is_pass else game.action_to_name(game.last_action or 0).lower())
    assert sixplane.Reversi.from_sgf(game.to_sgf(), strict=True) == game


def test_other_games_keep_their_points() -> None:
    for text in ("(;SZ[9];B[e5])", "(;SZ[9];B[PA])", "(;SZ[9];B[--])", "(;GM[4]SZ[15];B[h8])"):
        assert [kind for kind, _ in said(text)] == ["moves"]
    for name in ("ee", "PA", "@@@@", "--"):
        with pytest.raises(ValueError, match="names no action"):
            sixplane.Go(9).name_to_action(name)


def test_name_to_action_takes_the_names_of_reversi_records() -> None:
    game = sixplane.Reversi()
    for action in range(64):
        name = game.action_to_name(action)
        point = chr(97 + action % 8) + chr(97 + action // 8)
        assert [game.name_to_action(one) for one in (name, name.lower(), f" {name} ", point)] == [action] * 4
    for word in ("pass", "PASS", "PA", "pa", "ps", "@@@@", "--"):
        assert game.name_to_action(word) == 64
    for word in ("", " ", "-", "i1", "a9", "a0", "a01", "a+1", "e", "5", "FE", "@@", "é5"):
        with pytest.raises(ValueError, match="names no action"):
            game.name_to_action(word)
    # A point that there is goes before the pass.
    assert sixplane.Reversi(24).name_to_action("pa") == 15


# --- Stones set up -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setup", "left", "at"),
    [
        ("AB[]AW[cc]", ["C7"], "]"),
        ("AE[]AB[ee]", ["E5"], "]"),
        ("AB[ee][]", ["E5"], "]"),
        ("AB[ee][zz]AW[cc]", ["C7", "E5"], "zz]"),
        ("AB[ee:zz]AW[cc]", ["C7"], "ee:zz]"),
        ("AB[EE][cc]", ["C7"], "EE]"),
        ("AB[ee]PL[x]", ["E5"], "x]"),
        ("AB[ee]PL[]", ["E5"], "]"),
    ],
)
def test_points_that_are_none_are_left_out_of_a_start(setup: str, left: list[str], at: str) -> None:
    text = f"(;GM[1]SZ[9]{setup})"
    game, (warning,) = read(text)
    assert warning.kind == "part" and text[warning.offset :].startswith(at)
    points = game.planes[:2].any(axis=0).ravel().nonzero()[0].tolist()
    assert [game.action_to_name(point) for point in points] == left
    with pytest.raises(sixplane.SGFError):
        sixplane.Go.from_sgf(text, strict=True)


def test_many_points_that_are_none_are_one_warning() -> None:
    _, (warning,) = read("(;SZ[9]AB[zz][yy]AW[xx]" + "AE[]" * 1000 + ";B[ee])")
    assert '"zz" is no point of the board, which is 9x9 (and 1002 more from AB on)' in str(warning)
    assert sixplane.Reversi.from_sgf("(;GM[2]AB[c3][d3]AW[c4])").move_number == 0
    assert [kind for kind, _ in said("(;GM[2]AB[e4][d5][z9]AW[d4][e5];B[f5])")] == ["part"]


# --- Trees ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "(\r\nTE[x]\r\nSZ[9]\r\n;B[ee];W[cc])",
        "(TE[x]SZ[9];B[ee];W[cc])",
        "(SZ[9];B[ee](W[cc];B[gg])(;W[cg]))",
        "(SZ[9];B[ee](\n W[cc])(W[cg]))",
        "(SZ [9](B[ee](W[cc])))",
        "mail (really) (SZ[9];B[ee];W[cc])",
        "(SZ[9]B[ee];W[cc])",
    ],
)
def test_the_first_semicolon_of_a_tree_or_variation_may_be_missing(text: str) -> None:
    game, found = read(text)
    assert (game.rows, game.actions.tolist()[:2], found) == (9, [40, 20], [])
    collection = sgf.parse(text)
    assert collection.to_text().startswith("(;")
    assert sgf.parse(collection.to_bytes()) == collection


def test_every_game_without_its_semicolon_is_one() -> None:
    assert len(sgf.parse("(;SZ[9];B[ee])(SZ[7];B[dd])\n(GM[2]B[f5])(see[1])(5[x])").games) == 3
    with pytest.raises(sixplane.SGFError, match="no game tree"):
        sgf.parse("(see figure [1]) and (A) or (ABC[x])")


@pytest.mark.parametrize(
    ("text", "moves", "at", "says"),
    [
        ("(;SZ[9];B[ee];W[cc]", 2, "", "game tree"),
        ("(;SZ[9];B[ee];W[cc]\n", 2, "", "game tree"),
        ("(;SZ[9];B[ee](;W[cc](;B[gg]", 3, "", "game tree"),
        ("(;SZ[9];B[ee];W[c", 1, "[c", "value"),
        ("(;SZ[9];B[ee]C[half a comm", 1, "[half a comm", "value"),
        ("(;SZ[9]AB[ee][cc", 0, "[cc", "value"),
        ("(;SZ[9];B[ee];W[cc](", 2, "", "game tree"),
        ("(SZ[9];B[ee]", 1, "", "game tree"),
        ("(;SZ[9];B[ee];W[cc](;B[gg])", 3, "", "game tree"),
    ],
)
def test_a_text_that_ends_too_early_is_read_as_far_as_it_goes(
    text: str, moves: int, at: str, says: str, tmp_path: Path
) -> None:
    with pytest.warns(sixplane.SGFWarning, match=f"the text ends within a {says}") as caught:
        collection = sgf.parse(text)
    (warning,) = caught
    assert warning.filename == __file__
    assert isinstance(warning.message, sixplane.SGFWarning)
    assert text[warning.message.offset :].rstrip() == at
    game, found = collection.games[0].follow()
    assert (game.move_number, [one.kind for one in found]) == (moves, ["part"])
    for strict in (sgf.parse, sixplane.Go.from_sgf):
        with pytest.raises(sixplane.SGFError, match=f"the text ends within a {says}"):
            strict(text, strict=True)
    path = tmp_path / "game.sgf"
    path.write_text(text)
    with pytest.warns(sixplane.SGFWarning, match="game.sgf: left out: the text ends within"):
        assert sixplane.read_sgf(path) == game


def test_only_the_last_game_of_a_collection_ends_too_early() -> None:
    games = parse_sgf("(;SZ[9];B[ee])(;SZ[9];B[cc]").games
    assert [len(game.follow()[1]) for game in games] == [0, 1]


def test_a_game_without_its_end_ends_where_the_next_one_begins() -> None:
    for head in ("(;GM[1]", "(;FF[4]", "(\n;\nGM [1]", "(FF[4]"):
        text = f"{head}SZ[9];B[ee];W[cc]\n{head}SZ[9];B[gg](;W[aa])(;W[bb]\n{head}SZ[9];B[cg])"
        collection = parse_sgf(text)
        (warning,) = collection.warnings
        assert "and so do 1 more games" in str(warning)
        assert text[warning.offset :].startswith(head)
        found = [root.follow() for root in collection.games]
        assert [game.actions.tolist() for game, _ in found] == [[40, 20], [60, 0], [56]]
        assert [len(said) for _, said in found] == [1, 1, 0]
        assert parse_sgf(collection.to_bytes()) == collection


def test_a_text_without_a_property_is_no_game() -> None:
    for text in ("(;", "(", "(;\n", "(;SZ[", "(;C[a\\]"):
        with pytest.raises(sixplane.SGFError):
            sgf.parse(text)


# --- Nodes ---------------------------------------------------------------------------------------


def test_the_game_of_a_node_goes_from_the_root_through_it() -> None:
    (_, root) = sgf.parse("(;SZ[5])(;SZ[9]KM[5.5];B[ee](;W[cc];B[gg])(;W[gc];B[cg](;W[aa])(;W[ii])))").games
    first = root.children[0]
    assert first.to_game() == root.to_game() == sixplane.Go(9, komi=5.5).replay([40, 20, 60])
    other = first.children[1]
    for node in (other, *other.children):
        game = node.to_game()
        assert game == sixplane.Go(9, komi=5.5).replay([40, 24, 56, 0])
    (move,) = other.children
    assert move.children[1].to_game().actions.tolist() == [40, 24, 56, 80]
    with pytest.raises(sixplane.SGFError, match="another game"):
        sgf.parse("(;GM[9];B[ee];W[cc])").games[0].children[0].to_game()


def test_every_node_of_a_long_collection_finds_its_game() -> None:
    # In quadratic time this would not end.
    games = sgf.parse("(;SZ[5];B[aa])" * 50_000).games
    assert {len(root.children[0].to_game().actions) for root in games} == {1}


# --- Rules ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        ({"ko": "simple"}, "Chinese"),
        ({"ko": "simple", "suicide": True}, "koSIMPLEscoreAREAtaxNONEsui1"),
        ({"ko": "positional"}, "Chinese-OGS"),
        ({"ko": "positional", "suicide": True}, "Tromp-Taylor"),
        ({"ko": "situational"}, "AGA"),
        ({"ko": "situational", "suicide": True}, "NZ"),
        # By these names White would get points for the stones.
        ({"ko": "simple", "handicap": 2}, "koSIMPLEscoreAREAtaxNONEsui0"),
        ({"ko": "positional", "handicap": 2}, "koPOSITIONALscoreAREAtaxNONEsui0"),
        ({"ko": "situational", "handicap": 2}, "koSITUATIONALscoreAREAtaxNONEsui0"),
        ({"ko": "positional", "suicide": True, "handicap": 2}, "Tromp-Taylor"),
        ({"ko": "situational", "suicide": True, "handicap": 2}, "NZ"),
    ],
)
def test_rules_are_written_by_the_names_that_others_know(rules: dict[str, Any], text: str) -> None:
    game = sixplane.Go(9, **rules)
    assert sgf.parse(game.to_sgf()).games[0].get("RU") == [text]
    assert sixplane.Go.from_sgf(game.to_sgf(), strict=True) == game


def test_no_property_is_empty() -> None:
    text = sixplane.Go(9).to_sgf(black_name="", white_name="", result="", date="", event="", comments={0: ""})
    assert "[]" not in text
    assert "PB" not in text and "PW" not in text


# --- Sessions and commands -----------------------------------------------------------------------


def test_what_a_record_does_not_say_stays_as_the_session_has_it(tmp_path: Path) -> None:
    game = sixplane.Go(9, ko="simple", suicide=True, komi=5.5)
    engine = GTPEngine(game, RandomAgent(seed=1))
    path = tmp_path / "game.sgf"

    def load(text: str) -> tuple[str, bool, float]:
        path.write_text(text)
        assert engine.answer(f"loadsgf {path}") == "=\n\n"
        return rules()

    def rules() -> tuple[str, bool, float]:
        now: Any = engine.game
        return now.ko, now.suicide, now.komi

    engine.answer("komi 0")
    assert load("(;GM[1]SZ[9];B[ee])") == ("simple", True, 0)
    assert load("(;SZ[9]KM[6.5];B[ee])") == ("simple", True, 6.5)
    assert engine.answer("clear_board") == "=\n\n"
    assert rules() == ("simple", True, 0)
    assert load("(;GM[1]SZ[13]RU[AGA]KM[];B[ee])") == ("situational", False, 0)
    assert load("(;GM[1]SZ[9]RU[house rules]KM[five];B[ee])") == ("simple", True, 0)
    assert load("(;GM[1]SZ[9]RU[AGA]KM[7];B[ee])") == ("situational", False, 7)
    assert engine.answer("undo") == "=\n\n"
    assert rules() == ("situational", False, 7)
    assert engine.answer("komi 3") == "=\n\n"
    assert rules() == ("situational", False, 3)
    assert engine.answer("boardsize 7") == "=\n\n"
    assert rules() == ("simple", True, 3)


def test_a_session_takes_records_of_its_game_only(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    engines = {"1": go(), "2": GTPEngine(sixplane.Reversi(), RandomAgent(seed=1))}
    for number, move in (("1", "ee"), ("2", "f5")):
        for head in (f"GM[{number}]", ""):
            path.write_text(f"(;{head}B[{move}])")
            assert engines[number].answer(f"loadsgf {path}") == "=\n\n"
            assert engines[number].game.move_number == 1
    path.write_text("(;GM[2];B[f5])")
    assert "a record of game" in engines["1"].answer(f"loadsgf {path}")


def test_the_game_may_be_named_beside_a_record_that_is_of_it(tmp_path: Path) -> None:
    record, bare = tmp_path / "game.sgf", tmp_path / "bare.sgf"
    record.write_text(EDAX)
    bare.write_text("(;B[f5])")

    def play(path: Path, *options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "sixplane", "play", "--opponent", "human", "--load", str(path), *options],
            capture_output=True, text=True, check=False, input="q\n",
        )  # fmt: skip

    for path in (record, bare):
        done = play(path, "--game", "reversi", "--size", "8")
        assert (done.returncode, done.stderr) == (0, "")
    for options in (["--game", "go"], ["--game", "gomoku"]):
        done = play(record, *options)
        assert done.returncode == 1 and "a record of game" in done.stderr
    for options in (["--size", "6"], ["--komi", "7"]):
        done = play(record, *options)
        assert done.returncode == 2 and "takes the game and its rules from the record" in done.stderr


@pytest.mark.parametrize(("size", "given"), [("5", "5"), ("5", "5x5"), ("5:7", "7x5")])
def test_rules_that_are_those_of_the_record_may_be_given(size: str, given: str, tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_text(f"(;GM[1]SZ[{size}]KM[6.5];B[aa])")
    options = ("--load", str(file), "--opponent", "human", "--size", given, "--komi", "6.5")
    done = subprocess.run(
        [sys.executable, "-m", "sixplane", "play", *options],
        capture_output=True, text=True, check=False, input="q\n",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_all_games_of_a_record_but_the_first_are_told(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text("(;SZ[5];B[aa])(;SZ[7];B[bb])(;SZ[9])")
    done = subprocess.run(
        [sys.executable, "-m", "sixplane", "play", "--opponent", "human", "--load", str(path)],
        capture_output=True, text=True, check=False, input=f"load {path}\nq\n",
    )  # fmt: skip
    told = "left out: all games but the first of 3"
    assert (done.returncode, done.stderr) == (0, f"sixplane: {path}: {told}\n")
    assert told in done.stdout, "so does the word load"


def test_warnings_are_those_of_follow() -> None:
    text = "(;SZ[5]KM[five]AB[zz];B[aa];W[aa]"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        game = sixplane.Go.from_sgf(text)
    assert (game, [str(one.message) for one in caught]) == (read(text)[0], list(map(str, read(text)[1])))
    kinds = [one.message.kind for one in caught if isinstance(one.message, sixplane.SGFWarning)]
    assert kinds == ["part", "part", "part", "moves"]
