"""The Go Text Protocol as clients speak it, and as no client should."""

from __future__ import annotations

import json
import os
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sixplane
from gtp_talk import go, refused, say
from sixplane.agents import RESIGN, STOP, MCTSAgent, RandomAgent, Resignation
from sixplane.protocols.gtp import GTPEngine

REQUIRED = (
    "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
)
OFFERED = (
    "undo showboard final_score final_status_list loadsgf time_settings time_left fixed_handicap "
    "place_free_handicap set_free_handicap rectangular_boardsize kata-set-rules kata-get-rules"
)


def test_every_command_that_is_listed_is_known() -> None:
    engine = go()
    listed = say(engine, "list_commands")[0].split("\n")
    assert {*REQUIRED.split(), *OFFERED.split()} <= set(listed)
    assert say(engine, *(f"known_command {name}" for name in listed)) == ["true"] * len(listed)
    assert say(engine, "known_command foo", "protocol_version", "name") == ["false", "2", "sixplane"]
    assert "kata-analyze" not in listed, "this agent does not search"


def test_numbers_are_echoed_and_comments_passed_over() -> None:
    engine = go()
    assert engine.answer("12 komi 6.5") == "=12\n\n"
    assert engine.answer("13 foo") == "?13 unknown command\n\n"
    assert engine.answer("14 name # who") == "=14 sixplane\n\n"
    assert engine.answer("\tname\x07\t") == "= sixplane\n\n"
    assert engine.answer("# a comment") == engine.answer("") == engine.answer("   ") == ""


def test_a_session_as_sabaki_has_it() -> None:
    engine = go(9)
    say(engine, "name", "version", "protocol_version", "list_commands", "komi 5.5")
    say(engine, "rectangular_boardsize 9 7", "clear_board", "set_free_handicap C3 G5")
    assert engine.game.turn == 1
    # Black twice, as somebody clicks who does not care whose turn it is.
    say(engine, "play W D4", "play B E5", "play B E6", "play b a1")
    assert engine.game.planes[0].sum() == 5
    say(engine, "undo", "undo")
    assert engine.game.planes[0].sum() == 3
    game = engine.game
    assert isinstance(game, sixplane.Go)
    assert (game.rows, game.cols, game.komi) == (7, 9, 5.5)
    assert say(engine, "genmove B")[0] != "resign"
    board = say(engine, "showboard")[0]
    assert "A B C D E F G H J" in board and "white to play" in board


def test_play_goes_on_after_two_passes() -> None:
    engine = go()
    say(engine, "play b c3", "play w d3", "play b pass", "play w pass")
    assert engine.game.is_over
    assert re.fullmatch(r"[A-E][1-5]|PASS|pass", say(engine, "genmove w")[0])
    say(engine, "undo")
    assert engine.game.is_over
    say(engine, "play w c4", "play b b3", "play w pass", "play b pass")
    assert engine.game.is_over
    say(engine, *["undo"] * 8)
    assert engine.game == go().game
    assert refused(engine, "undo") == "cannot undo"


def test_repetition_counts_through_the_clean_up() -> None:
    engine = go(3, ko="positional")
    # A ko: White takes, and after two passes may still not be taken back at once.
    say(engine, "rectangular_boardsize 4 3", "play b b3", "play b a2", "play b b1", "play w c3")
    say(engine, "play w d2", "play w c1", "play w b2", "play b c2")
    assert refused(engine, "play w b2") == "illegal move"
    say(engine, "play w pass", "play b pass")
    game = engine.game
    game.undo()
    game.set_turn("white")
    assert game.name_to_action("B2") not in game.legal_actions


def test_illegal_moves_and_wrong_words_are_refused() -> None:
    engine = go()
    say(engine, "play b c3")
    for command, answer in [
        ("play w c3", "illegal move"),
        ("play w z9", "invalid vertex z9"),
        ("play w i1", "invalid vertex i1"),
        ("play green c3", "invalid color"),
        ("play w", "syntax error"),
        ("boardsize 1", "unacceptable size"),
        ("boardsize 26", "unacceptable size"),
        ("boardsize x", "not an integer"),
        ("boardsize", "boardsize not an integer"),
        ("boardsize -5", "not an integer"),
        ("komi x", "not a number"),
        ("fixed_handicap 2", "invalid number of stones"),
        ("set_free_handicap a1", "bad vertex list"),
        ("set_free_handicap a1 a1", "repeated vertex"),
        ("set_free_handicap a1 pass", "bad vertex list"),
        ("set_free_handicap a1 b1", "board not empty"),
        ("place_free_handicap 1", "invalid number of stones"),
        ("final_status_list ill", "invalid status"),
        ("time_left b x 1", "syntax error"),
        (f"time_left b 5 {'9' * 400}", "syntax error"),
        (f"time_settings 0 5 {'9' * 400}", "syntax error"),
        ("time_settings 1 1", "syntax error"),
        ("time_settings -1 1 1", "syntax error"),
        ("genmove", "syntax error"),
        ("loadsgf", "missing filename"),
        ("undo_ all", "unknown command"),
        ("play b d4 d5", "syntax error"),
        ("genmove b w", "syntax error"),
        ("reg_genmove b 1", "syntax error"),
        ("undo 2", "syntax error"),
        ("boardsize 9 7 5", "syntax error"),
        ("rectangular_boardsize 9 7 5", "syntax error"),
        ("komi 5.5 6.5", "syntax error"),
        ("clear_board now", "syntax error"),
        ("final_score b", "syntax error"),
        ("showboard 1", "syntax error"),
        ("known_command play komi", "syntax error"),
        ("time_settings 1 1 1 1", "syntax error"),
        ("fixed_handicap 2 3", "syntax error"),
        ("quit now", "syntax error"),
    ]:
        assert refused(engine, command) == answer, command
    assert "komi" in refused(engine, "komi 0.3")
    assert "komi" in refused(engine, "komi nan")
    assert "cannot load file" in refused(engine, "loadsgf /nowhere.sgf")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_no_record(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "game.sgf")
    assert "cannot load file" in refused(go(), f"loadsgf {tmp_path / 'game.sgf'}")


@pytest.mark.parametrize("choice", [RESIGN, STOP])
def test_an_agent_that_gives_up_is_answered_by_resign_and_ends_no_game(choice: Resignation) -> None:
    class Quitter:
        def select_action(self, _game: sixplane.Game) -> Any:
            return choice

    engine = GTPEngine(sixplane.Go(5), Quitter())
    assert say(engine, "play b c3", "genmove w", "final_score") == ["", "resign", "B+17.5"]
    assert say(engine, "genmove w", "play w a1") == ["resign", ""]


def test_resignation_is_a_move_to_take_back() -> None:
    engine = go()
    say(engine, "play b resign")
    assert engine.game.outcome == "white"
    assert refused(engine, "genmove w") == "the game is over"
    assert refused(engine, "play w a1") == "illegal move"
    say(engine, "undo", "play b a1")


def test_who_resigns_has_lost_whatever_the_board_says() -> None:
    engine = go()
    say(engine, "play b c3")
    for color, winner in [("white", "B"), ("w", "B"), ("black", "W"), ("B", "W")]:
        assert say(engine, f"play {color} resign", "final_score") == ["", f"{winner}+Resign"]
        assert say(engine, "undo", "final_score") == ["", "B+17.5"]
    reversi = GTPEngine(sixplane.Reversi(), RandomAgent())
    assert say(reversi, "play b RESIGN", "final_score") == ["", "W+Resign"]


def test_whatever_an_agent_does_is_answered() -> None:
    class Broken:
        answer: Any = 99

        def select_action(self, game: sixplane.Game) -> Any:
            game.play(0)
            if self.answer is None:
                raise RuntimeError("no idea")
            return self.answer

    agent = Broken()
    engine = GTPEngine(sixplane.Go(5), agent)
    assert "off the board" in refused(engine, "genmove b")
    agent.answer = None
    assert "no idea" in refused(engine, "genmove b")
    agent.answer = np.int32(7)
    assert say(engine, "genmove b") == ["C4"]


def test_scores_and_status() -> None:
    engine = go()
    assert say(engine, "final_score", "komi 0", "final_score") == ["W+7.5", "", "0"]
    say(engine, "play b c3", "play b c4", "play w a1")
    assert say(engine, "final_status_list alive", "final_status_list dead", "final_status_list seki") == [
        "C4 C3\nA1", "", "",
    ]  # fmt: skip
    assert say(engine, "komi 0.5", "final_score") == ["", "B+0.5"]
    game = engine.game
    assert isinstance(game, sixplane.Go) and game.komi == 0.5
    assert game.move_number == 3


def test_handicaps() -> None:
    engine = go(19)
    assert set(say(engine, "fixed_handicap 4")[0].split()) == {"D4", "D16", "Q4", "Q16"}
    assert engine.game.turn == 1
    assert refused(engine, "fixed_handicap 2") == "board not empty"
    say(engine, "clear_board")
    assert len(say(engine, "place_free_handicap 20")[0].split()) == 9
    say(engine, "boardsize 5")
    assert len(say(engine, "place_free_handicap 4")[0].split()) == 2
    say(engine, "clear_board", "set_free_handicap a1 b2 c3", "genmove w", "undo")
    assert engine.game.planes[0].sum() == 3
    assert refused(engine, "undo") == "cannot undo"


def test_rules_change_under_the_game() -> None:
    engine = go(komi=6.5)
    say(engine, "play b c3", "kata-set-rules tromp-taylor")
    assert json.loads(say(engine, "kata-get-rules")[0]) == {
        "ko": "POSITIONAL", "suicide": True, "scoring": "AREA", "tax": "NONE", "hasButton": False,
        "whiteHandicapBonus": "0", "friendlyPassOk": False,
    }  # fmt: skip
    game = engine.game
    assert isinstance(game, sixplane.Go)
    assert (game.suicide, game.komi, game.move_number) == (True, 6.5, 1)
    say(engine, 'kata-set-rules {"ko":"SIMPLE","suicide":false}', "kata-set-rule ko SITUATIONAL")
    say(engine, "kata-set-rule scoring AREA", "kata-set-rules Chinese")
    assert json.loads(say(engine, "kata-get-rules")[0])["ko"] == "SIMPLE"
    for text in ("japanese", "{", '{"ko":"NONE"}', '{"scoring":"TERRITORY"}', "", "[" * 100_000):
        refused(engine, f"kata-set-rules {text}")
    for komi in ("null", "[7.5]", "true", "NaN", "1e999", '"seven"'):
        assert refused(engine, f'kata-set-rules {{"komi":{komi}}}')
    refused(engine, "kata-set-rule scoring TERRITORY")
    # A suicide that was played cannot be forbidden afterwards.
    say(
        engine,
        "kata-set-rules new-zealand",
        "clear_board",
        "play w a3",
        "play w b2",
        "play w b1",
        "play b a1",
        "play b a2",
    )
    assert "illegal" in refused(engine, "kata-set-rules chinese")


@pytest.mark.parametrize(
    ("game", "setup"),
    [
        (
            sixplane.Go(5, max_moves=2),
            ("clear_board", "boardsize 7", "komi 3.5", "kata-set-rules new-zealand"),
        ),
        (sixplane.Reversi(6, max_moves=2), ("clear_board", "boardsize 8", "komi 3.5")),
    ],
    ids=["go", "reversi"],
)
def test_a_limit_of_moves_stays_whatever_is_set_up(
    game: sixplane.Game, setup: tuple[str, ...], tmp_path: Path
) -> None:
    engine, path = GTPEngine(game, RandomAgent(seed=1)), tmp_path / "game.sgf"
    path.write_text("(;SZ[8])")

    def is_cut_off_after_two_moves() -> None:
        say(engine, "genmove b", "genmove w")
        assert (engine.game.move_number, engine.game.ending) == (2, "cutoff")
        assert refused(engine, "genmove b") == "the game is over"
        move = engine.game.action_to_name(int(engine.game.actions[-1]))
        assert refused(engine, f"play b {move}") == "illegal move"
        say(engine, "undo", f"play w {move}")
        assert engine.game.ending == "cutoff"

    is_cut_off_after_two_moves()
    for command in (*setup, f"loadsgf {path}"):
        say(engine, command, "clear_board")
        is_cut_off_after_two_moves()
    say(engine, f"loadsgf {path}")
    is_cut_off_after_two_moves()


def test_a_limit_of_moves_is_not_mistaken_for_two_passes() -> None:
    engine = go(max_moves=2)
    say(engine, "play b c3", "play w pass")
    assert (engine.game.ending, refused(engine, "play b pass")) == ("cutoff", "illegal move")
    say(engine, "clear_board", "place_free_handicap 2", "play w a1", "play b a2")
    assert (engine.game.move_number, engine.game.ending) == (2, "cutoff")
    # Two passes are forgotten as ever, and the limit holds after that.
    say(engine, "clear_board", "play b pass", "play w pass")
    assert (engine.game.move_number, engine.game.ending) == (2, "passes")
    say(engine, "play w c3")
    assert (engine.game.move_number, engine.game.ending) == (2, "cutoff")


def test_records_are_loaded_up_to_a_move(tmp_path: Path) -> None:
    path = tmp_path / "a game.sgf"
    path.write_text("(;SZ[7:9]KM[3.5]RU[AGA]AB[aa]PL[W];W[bb];B[cc];B[dd];W[];B[ff];W[ee])")
    engine = go()
    say(engine, f"loadsgf {path}")
    game = engine.game
    assert isinstance(game, sixplane.Go)
    assert (game.rows, game.cols, game.komi, game.ko) == (9, 7, 3.5, "situational")
    assert (game.move_number, game.planes[0].sum()) == (6, 4)
    say(engine, *["undo"] * 6)
    assert (engine.game.move_number, engine.game.turn, engine.game.planes[0].sum()) == (0, 1, 1)
    say(engine, f"loadsgf {path} 3")
    assert engine.game.move_number == 2


def test_a_forced_pass_that_a_record_leaves_out_is_no_move_of_it(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(
        "(;GM[2]SZ[6];B[e4];W[e3];B[f2];W[b5];B[b3];W[a2];B[a6];W[d5];B[a3];W[a4];B[e6];W[c6];White[f3]"
        ";B[c2];W[d1];B[d2])"
    )
    engine = GTPEngine(sixplane.Reversi(6), RandomAgent(seed=1))
    last = []
    for number in range(12, 18):
        say(engine, f"loadsgf {path} {number}")
        last.append(engine.game.action_to_name(int(engine.game.actions[-1])))
    assert last == ["E6", "C6", "F3", "C2", "D1", "D2"]
    for number, moves in ((0, 0), (1, 0), (2, 1), (99, 17)):
        say(engine, f"loadsgf {path} {number}")
        assert engine.game.move_number == moves


def test_a_record_that_ends_by_resignation_is_played_on(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[5];B[aa];W[bb]RE[W+R])")
    engine = go()
    for command, moves in ((f"loadsgf {path}", 2), (f"loadsgf {path} 3", 2), (f"loadsgf {path} 2", 1)):
        assert say(engine, command, "reg_genmove w")[1]
        assert (engine.game.move_number, engine.game.ending) == (moves, None)


def test_a_record_that_is_longer_than_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[5];B[aa];W[bb];B[cc];W[dd])")
    engine = go(max_moves=3)
    for command in (f"loadsgf {path}", f"loadsgf {path} 5"):
        assert refused(engine, command) == "cannot load file: it has more moves than the limit of 3"
        assert engine.game.move_number == 0
    say(engine, f"loadsgf {path} 4")
    assert (engine.game.move_number, engine.game.ending) == (3, "cutoff")
    say(engine, f"loadsgf {path} 2")
    assert (engine.game.move_number, engine.game.ending) == (1, None)
    path.write_text("(;SZ[5];B[aa];W[bb];B[cc])")
    say(engine, f"loadsgf {path}")
    assert (engine.game.move_number, engine.game.ending) == (3, "cutoff")


def test_what_a_game_cannot_take_of_a_record_is_said_on_stderr(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[5];B[aa];W[bb];B[aa];W[cc])")
    engine = go()
    assert say(engine, f"loadsgf {path}") == [""]
    assert (engine.game.move_number, engine.game.turn) == (2, 0)
    expected = "loadsgf: moves 3 to 4 are left out: illegal move B[aa]: occupied (at byte 20)\n"
    assert capsys.readouterr().err == expected
    path.write_text("(;SZ[5];B[aa];W[];B[];W[])")
    say(engine, f"loadsgf {path}")
    assert engine.game.is_over
    assert "move 4 is left out" in capsys.readouterr().err


@pytest.mark.parametrize("record", ["(;SZ[5]XBAN[])", "(;GM[4])", "(;B[aa", "(;SZ[99])", ""])
def test_a_record_that_is_no_game_is_refused(record: str, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(record)
    assert "cannot load file" in refused(go(), f"loadsgf {path}")


def test_reversi_is_played_by_its_own_names() -> None:
    engine = GTPEngine(sixplane.Reversi(), RandomAgent(seed=1))
    assert "fixed_handicap" not in say(engine, "list_commands")[0]
    say(engine, "boardsize 8", "clear_board", "komi 0", "play b d3", "play w c3")
    assert refused(engine, "play b a1") == "illegal move"
    assert refused(engine, "play b pass") == "illegal move"
    color = 0
    while not engine.game.is_over:
        say(engine, f"genmove {'bw'[color]}")
        color = 1 - color
    score = engine.game.score()
    assert say(engine, "final_score") == [f"{'B' if score > 0 else 'W'}+{abs(score):g}" if score else "0"]
    assert refused(engine, "genmove b") == "the game is over"
    assert len(say(engine, "final_status_list alive")[0].split()) == engine.game.planes[:2].sum()
    with pytest.raises(TypeError, match="Gomoku"):
        GTPEngine(sixplane.Gomoku(), RandomAgent())


def test_reversi_clients_may_leave_forced_passes_out() -> None:
    rng, seen = random.Random(1), 0
    for _ in range(20):
        game, engine = sixplane.Reversi(6), GTPEngine(sixplane.Reversi(6), RandomAgent())
        while not game.is_over:
            action = rng.choice(game.legal_actions.tolist())
            color = "bw"[game.turn]
            game.play(action)
            if action == 36:
                seen += 1
            else:
                say(engine, f"play {color} {game.action_to_name(action)}")
        assert np.array_equal(engine.game.planes[:2], game.planes[:2])
    assert seen


WORDS = st.sampled_from(
    re.findall(
        r"\S+",
        "play genmove undo b w black white a1 c3 e5 z9 pass resign boardsize 5 9 25 99 -1 komi 6.5 nan x 7 "
        "clear_board fixed_handicap 2 9 place_free_handicap set_free_handicap showboard final_score # "
        "final_status_list alive time_settings time_left 1e999 loadsgf / kata-set-rules chinese {} ko é "
        "kata-get-rules kata-set-rule rectangular_boardsize reg_genmove list_commands known_command "
        "lz-analyze analyze kata-analyze genmove_analyze interval ownership true maxmoves",
    )
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(WORDS | st.text(max_size=5), max_size=5), max_size=30), st.booleans())
def test_any_lines_get_a_reply_and_never_an_exception(lines: list[list[str]], is_go: bool) -> None:
    game: Any = sixplane.Go(5) if is_go else sixplane.Reversi(6)
    # A search that is planned is quick however long the interval of an analysis is.
    engine = GTPEngine(game, MCTSAgent(simulations=4, selection="gumbel", seed=1))
    for words in lines:
        answer = engine.answer(" ".join(words))
        assert answer == "" or (answer[0] in "=?" and answer.endswith("\n\n"))
        assert "\n\n" not in answer[:-2]
