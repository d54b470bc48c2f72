"""Records of Go and those of sgfmill, a reader and writer of its own, are read by each other."""

from __future__ import annotations

import random
from typing import Any

import pytest
from sgfmill import ascii_boards, boards, sgf, sgf_moves

import sixplane

RULES: list[dict[str, Any]] = [
    {"size": 9},
    {"size": 19, "ko": "simple", "komi": 0},
    {"size": 2, "ko": "situational", "komi": -3.5},
    {"size": 13, "handicap": 5, "suicide": True},
    {"size": 25, "ko": "situational", "suicide": True, "max_moves": 300},
    {"size": 5, "ko": "simple", "suicide": True},
]


def random_game(rng: random.Random, rules: dict[str, Any]) -> sixplane.Go:
    """A game of random legal actions; some of them end by resignation."""
    game = sixplane.Go(**rules)
    for _ in range(rng.randrange(4 * rules["size"] ** 2)):
        if game.is_over:
            return game
        legal = [int(action) for action in game.legal_actions]
        game.play(rng.choice(legal[:-1] or legal) if rng.random() < 0.95 else legal[-1])
    if not game.is_over and rng.random() < 0.5:
        game.resign()
    return game


def stones(game: sixplane.Go) -> set[tuple[str, tuple[int, int]]]:
    """The board as sgfmill lists it: row 0 is at the bottom."""
    found = set()
    for color, plane in zip("bw", game.planes, strict=False):
        rows, cols = plane.nonzero()
        for row, col in zip(rows, cols, strict=True):
            found.add((color, (game.rows - 1 - int(row), int(col))))
    return found


def point(game: sixplane.Go, action: int) -> tuple[int, int] | None:
    row, col = divmod(int(action), game.cols)
    return None if row == game.rows else (game.rows - 1 - row, col)


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_sgfmill_reads_what_sixplane_writes(rules: dict[str, Any]) -> None:
    rng = random.Random(1)
    for _ in range(5):
        game = random_game(rng, rules)
        text = game.to_sgf(black_name="A [sic] \\", white_name="B: é")
        record = sgf.Sgf_game.from_bytes(text.encode())
        root = record.get_root()
        assert record.get_size() == game.rows
        assert record.get_komi() == game.komi
        assert record.get_handicap() == (game.handicap or None)
        assert record.get_player_name("b") == "A [sic] \\"
        assert record.get_player_name("w") == "B: é"
        assert (root.get("FF"), root.get("GM"), root.get("CA")) == (4, 1, "UTF-8")
        assert root.get("AP") == ("sixplane", sixplane.__version__)
        winner = {"black": "b", "white": "w", "draw": None, None: None}[game.outcome]
        assert record.get_winner() == winner
        assert root.has_property("RE") == game.is_over

        board, plays = sgf_moves.get_setup_and_moves(record)
        first = "w" if rules.get("handicap") else "b"
        colors = [first, "w" if first == "b" else "b"]
        expected = [(colors[i % 2], point(game, action)) for i, action in enumerate(game.actions)]
        assert plays == expected
        for color, move in plays:
            if move is not None:
                board.play(*move, color)
        assert set(board.list_occupied_points()) == stones(game)

        given = {"max_moves": rules["max_moves"]} if "max_moves" in rules else {}
        assert sixplane.Go.from_sgf(text, **given) == game
        assert sixplane.Go.from_sgf(text.encode(), **given) == game


@pytest.mark.parametrize("size", [2, 7, 9, 19, 20, 25])
def test_sixplane_reads_what_sgfmill_writes(size: int) -> None:
    rng = random.Random(size)
    for encoding in ["UTF-8", "ISO-8859-1", "Shift_JIS", "GB18030"]:
        record = sgf.Sgf_game(size, encoding=encoding)
        root = record.get_root()
        root.set("KM", 6.5)
        root.set("RU", "AGA")
        root.set("C", "a ] \\ (; :" + ("é" if encoding != "Shift_JIS" else "表ソ"))
        root.set("PB", "name")
        game = sixplane.Go(size, komi=6.5, ko="situational")
        for _ in range(size * size):
            legal = [int(action) for action in game.legal_actions]
            if game.is_over:
                break
            action = rng.choice(legal)
            color = "bw"[game.turn]
            game.play(action)
            record.extend_main_sequence().set_move(color, point(game, action))
        record.get_root()[0].new_child().set("C", "a variation")
        assert sixplane.Go.from_sgf(record.serialise()) == game


def test_sixplane_reads_stones_that_sgfmill_sets_up() -> None:
    board = boards.Board(9)
    board.apply_setup([(0, 0), (4, 4)], [(8, 8), (3, 4)], [])
    record = sgf.Sgf_game(9)
    sgf_moves.set_initial_position(record, board)
    record.get_root().set("PL", "w")
    record.extend_main_sequence().set_move("w", (2, 4))
    game = sixplane.Go.from_sgf(record.serialise())
    board.play(2, 4, "w")
    assert set(board.list_occupied_points()) == stones(game), ascii_boards.render_board(board)
    assert (game.turn, game.move_number) == (0, 1)


@pytest.mark.parametrize("place", [-1, 3, 2**40])
def test_a_comment_after_more_actions_than_were_played_is_an_error(place: int) -> None:
    with pytest.raises(ValueError, match=f"a text after {place} actions, but the game has 2"):
        sixplane.Go(9).replay([3, 4]).to_sgf(comments={2: "kept", place: "lost"})


def test_comments_stand_where_they_were_put() -> None:
    game = sixplane.Go(5)
    game.play(3)
    game.set_turn("black")
    game.play(4)
    text = game.to_sgf(comments={0: "start [0]", 2: "two\nlines"}, result="Void", date="2016-03-09")
    record = sgf.Sgf_game.from_string(text)
    found = [
        (node.properties(), node.get("C")) for node in record.get_main_sequence() if "C" in node.properties()
    ]
    assert [comment for _, comment in found] == ["start [0]", "two\nlines"]
    assert found[1][0] == ["B", "C"]
    assert (record.get_root().get("RE"), record.get_root().get("DT")) == ("Void", "2016-03-09")
    assert sixplane.Go.from_sgf(text) == game


def test_given_rules_go_before_those_of_the_record() -> None:
    text = "(;GM[1]SZ[5]KM[3.75]RU[Japanese];B[cc])"
    game = sixplane.Go.from_sgf(text, komi=0.5, suicide=True, max_moves=1)
    assert (game.komi, game.ko, game.suicide, game.is_truncated) == (0.5, "simple", True, True)


@pytest.mark.parametrize(
    ("text", "at", "says"),
    [
        ("", "", "no game tree"),
        ("(;SZ[5];B[aa];W[aa])", "W[aa]", "occupied"),
        ("(;SZ[5];B[aa];W[];B[];W[])", "W[])", "game_over"),
        ("(;SZ[5]XBAN[])", "])", "no point"),
        ("(;SZ[5]PL[3])", "3])", "no color"),
        ("(;SZ[5]KM[0.3])", "0.3", "komi"),
        ("(;SZ[1])", "1]", "from 2 to 25"),
        ("(;GM[2])", "GM", "game"),
        ("((;SZ[5]))", "(;SZ", "begins"),
        ("(;" * 10_001, "(;" * 1, "nested"),
        ("(;SZ[5];B[aa];AB[bb])", "AB", "after the first move"),
    ],
)
def test_what_is_no_record_says_where_and_why(text: str, at: str, says: str) -> None:
    with pytest.raises(sixplane.SGFError, match=says) as caught:
        sixplane.Go.from_sgf(text, strict=True)
    assert text[caught.value.offset :].startswith(at)
    with pytest.raises(sixplane.SGFError) as again:
        sixplane.Go.from_sgf(text.encode(), strict=True)
    assert again.value.offset == caught.value.offset
