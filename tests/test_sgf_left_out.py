"""Records of what no rule allows: played as far as the game can go, and what is left out is said."""

from __future__ import annotations

import os
import pickle
import warnings
from pathlib import Path
from typing import Any

import pytest

import sixplane
from sixplane import sgf
from sixplane.learn import Config, ConfigError
from sixplane.text import GoText

PASSES = "(;SZ[5]KM[0.5];B[cc];W[];B[];W[];B[])"

#: A record, the actions that can be played, the number of the first move left out, how many are,
#: the text at the fault, and a word of the reason.
RECORDS = [
    (PASSES, [12, 25, 25], 4, 2, "W[];B[])", "game_over"),
    ("(;SZ[5];B[aa];W[aa];B[bb])", [0], 2, 2, "W[aa]", "occupied"),
    ("(;SZ[5];B[aa];W[zz])", [0], 2, 1, "zz]", "no point of the board"),
    ("(;SZ[5];B[aa];AB[bb])", [0], 2, 0, "AB", "after the first move"),
    ("(;SZ[5];B[aa];W[bb][cc])", [0], 2, 1, "W[bb]", "more than one point"),
    ("(;SZ[5]RE[W+R];B[aa];W[aa])", [0], 2, 1, "W[aa]", "occupied"),
    ("(;GM[2];B[dc];W[aa])", [19], 2, 1, "W[aa]", "no_flip"),
    ("(;GM[4]SZ[5];B[aa];W[];B[bb])", [0], 2, 2, "W[]", "pass_not_allowed"),
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record[0])
def test_a_record_is_played_as_far_as_the_game_can_go(
    record: tuple[str, list[int], int, int, str, str], tmp_path: Path
) -> None:
    text, actions, first, moves, at, says = record
    (root,) = sgf.parse(text).games
    game, (left_out,) = root.follow()
    assert game.actions.tolist() == actions
    assert left_out.kind == "moves" and says in left_out.reason
    assert (left_out.first, left_out.moves) == (first, moves)
    assert text[left_out.offset :].startswith(at)

    path = tmp_path / "game.sgf"
    path.write_text(text)
    kind: Any = type(game)
    for function in (root.to_game, lambda: kind.from_sgf(text), lambda: sixplane.read_sgf(path)):
        with pytest.warns(sixplane.SGFWarning, match=says) as caught:
            assert function() == game
        (warning,) = caught
        assert warning.filename == __file__
    assert str(path) in str(warning.message)

    for strict in (root.to_game, lambda strict: kind.from_sgf(text.encode(), strict=strict)):
        with pytest.raises(sixplane.SGFError, match=says) as refused:
            strict(strict=True)
        assert refused.value.offset == left_out.offset
    with pytest.raises(sixplane.SGFError, match=says):
        sixplane.read_sgf(path, strict=True)


def test_a_third_pass_changes_neither_board_nor_outcome() -> None:
    (root,) = sgf.parse(PASSES).games
    game, _ = root.follow()
    assert (game.ending, game.outcome) == ("passes", "black")
    whole = sixplane.Go.from_sgf("(;SZ[5]KM[0.5];B[cc];W[];B[])", strict=True)
    assert game == whole


def test_a_resignation_after_what_is_left_out_is_left_out() -> None:
    game, found = sgf.parse("(;SZ[5]RE[W+R];B[aa];W[aa])").games[0].follow()
    assert (game.outcome, len(found)) == (None, 1)
    game, found = sgf.parse("(;SZ[5]RE[W+R];B[aa];W[bb])").games[0].follow()
    assert (game.outcome, found) == ("white", [])


def test_rules_that_are_given_hold_for_the_moves() -> None:
    # Black retakes the ko at once in the last move.
    text = "(;SZ[5];B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[cb];W[bb];B[cb])"
    _, (left_out,) = sgf.parse(text).games[0].follow()
    assert left_out.reason == "illegal move B[cb]: superko"
    _, (left_out,) = sgf.parse(text).games[0].follow(max_moves=3)
    assert (left_out.first, left_out.moves) == (4, 6)
    with pytest.raises(TypeError, match="unexpected option"):
        sgf.parse(text).games[0].follow(strict=True)


def test_a_start_that_no_game_has_is_an_error_all_the_same() -> None:
    for text in ("(;SZ[5]AB[aa]AW[ab][ba])", "(;SZ[5]XBAN[];B[aa])", "(;SZ[1];B[aa])", "(;GM[9];B[aa])"):
        with pytest.raises(sixplane.SGFError):
            sgf.parse(text).games[0].to_game()
        with pytest.raises(sixplane.SGFError):
            sgf.parse(text).games[0].follow()


def test_the_warning_may_be_an_error_and_survives_a_pickle() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(sixplane.SGFWarning) as caught:
            sixplane.Go.from_sgf(PASSES)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.kind, again.first, again.moves, again.reason, again.offset) == (
        "moves 4 to 5 are left out: illegal move W[]: game_over (at byte 29)", "moves", 4, 2,
        "illegal move W[]: game_over", 29,
    )  # fmt: skip


def test_a_strict_reading_of_a_collection_raises_at_the_fault_and_else_warns_its_caller() -> None:
    text = "(;SZ[5];B[aa];W[b"
    with pytest.warns(sixplane.SGFWarning, match="ends within a value") as caught:
        sgf.parse(text)
    assert caught[0].filename == __file__
    with pytest.raises(sixplane.SGFError, match="ends within a value") as refused:
        sgf.parse(text, strict=True)
    assert refused.value.offset == text.index("[b")


def test_rules_that_are_given_hold_for_a_strict_reading_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[5]KM[6.5];B[aa])")
    game = sixplane.read_sgf(path, strict=True, komi=0.5)
    assert isinstance(game, sixplane.Go) and game.komi == 0.5


@pytest.mark.parametrize("strict", [False, True])
def test_what_is_read_by_a_guess_is_told_with_the_name_of_the_file(strict: bool, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(b"(;SZ[5]PB[Ren\xe9];B[aa])")
    with pytest.warns(sixplane.SGFWarning, match=f"^{path}: no character set is named") as caught:
        sixplane.read_sgf(path, strict=strict)
    assert [warning.filename for warning in caught] == [__file__]


def test_the_player_to_play_may_be_a_number() -> None:
    for number, turn in (("1", 0), ("2", 1)):
        assert sixplane.Go.from_sgf(f"(;SZ[5]AB[aa]AW[bb]PL[{number}])").turn == turn


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_that_nobody_writes_into_is_no_file(tmp_path: Path) -> None:
    pipe = tmp_path / "game.sgf"
    os.mkfifo(pipe)
    for read in (
        sixplane.read_sgf,
        lambda path: GoText(size=9, start=path).reset(),
        Config.read,
    ):
        with pytest.raises((OSError, ConfigError), match="it is no regular file"):
            read(pipe)
