"""Reversi and Gomoku as Python sees them: whatever Go has, they have, and they answer as naive games do."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pytest

import sixplane
from naive_gomoku import NaiveGomoku
from naive_reversi import NaiveReversi
from sixplane import _core

if TYPE_CHECKING:
    from sixplane._core import Game

Naive = NaiveReversi | NaiveGomoku
Start = Callable[[], tuple["Game", Naive]]


def reversi(rows: int, cols: int) -> tuple[Game, Naive]:
    return sixplane.Reversi(size=(rows, cols)), NaiveReversi(rows, cols)


def gomoku(rows: int, cols: int, *, exact_five: bool) -> tuple[Game, Naive]:
    naive = NaiveGomoku(rows, cols, exact_five=exact_five)
    return sixplane.Gomoku(size=[rows, cols], exact_five=exact_five), naive


STARTS: list[Any] = [
    *(
        pytest.param(lambda size=size: reversi(*size), id=f"reversi-{size}")
        for size in [(4, 4), (4, 6), (6, 6), (8, 8), (10, 6), (12, 12)]
    ),
    *(
        pytest.param(
            lambda size=size, exact=exact: gomoku(*size, exact_five=exact), id=f"gomoku-{size}-{exact}"
        )
        for size in [(5, 5), (5, 7), (8, 8), (15, 15)]
        for exact in (False, True)
    ),
]


def walk(start: Start, seed: int, *, set_turns: bool = False) -> Iterator[tuple[Game, Naive]]:
    """Both games at the start and after each random step."""
    rng = random.Random(seed)
    game, naive = start()
    yield game, naive
    while not game.is_over:
        if set_turns and rng.random() < 0.1:
            color = rng.randrange(2)
            game.set_turn("white" if color else "black")
            naive.set_turn("XO"[color])
        else:
            action = rng.choice(naive.legal_actions)
            game.play(np.int16(action))
            naive.play(action)
        yield game, naive


def sight(game: Game) -> list[Any]:
    """All that can be seen of a game."""
    arrays: list[npt.NDArray[Any]] = [game.planes, game.action_mask, game.legal_actions, game.actions]
    arrays.append(game.history_planes(3))
    seen: list[Any] = [(array.dtype.name, array.shape, array.tobytes()) for array in arrays]
    ends = (game.is_over, game.is_truncated, game.outcome, game.score())
    return [*seen, ends, game.turn, game.move_number, game.last_action, game.hash, hash(game), str(game)]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("set_turns", [False, True])
def test_every_answer_is_the_naive_one(start: Start, set_turns: bool) -> None:
    # Two games on a large board have as many positions as four on a small one.
    for seed in range(4 if start()[0].num_actions < 100 else 2):
        for game, naive in walk(start, seed, set_turns=set_turns):
            planes, legal = naive.planes, naive.legal_actions
            assert np.array_equal(game.planes, planes), (game.planes, planes)
            assert game.legal_actions.tolist() == legal
            assert np.flatnonzero(game.action_mask).tolist() == legal
            assert game.score() == naive.score()
            assert game.is_over == naive.is_over
            outcome = {1: "black", 0: "draw", -1: "white"}[int(np.sign(naive.score()))]
            assert game.outcome == (outcome if naive.is_over else None)


@pytest.mark.parametrize("start", STARTS)
def test_a_refused_action_says_why_and_changes_nothing(start: Start) -> None:
    # A large board has more points to try in each position.
    step = 7 if start()[0].num_actions < 100 else 40
    for number, (game, naive) in enumerate(walk(start, 5)):
        if number % step and not game.is_over:
            continue
        before = sight(game)
        for action in range(-1, game.num_actions + 2):
            reason = naive.reason(action)
            if reason is None:
                continue
            with pytest.raises(sixplane.IllegalActionError) as refusal:
                game.play(action)
            assert refusal.value.reason == reason
        for unfit in (None, 1.0, True, "A1"):
            with pytest.raises(TypeError):
                game.play(unfit)  # type: ignore[arg-type]
        assert sight(game) == before


@pytest.mark.parametrize("start", STARTS)
def test_undo_is_the_inverse_of_play(start: Start) -> None:
    past = [sight(game) for game, _ in walk(start, 7, set_turns=True)]
    *_, (game, _) = walk(start, 7, set_turns=True)
    assert sight(game) == past.pop()
    while past:
        game.undo()
        assert sight(game) == past.pop()
    with pytest.raises(ValueError, match="start"):
        game.undo()


@pytest.mark.parametrize("start", STARTS)
def test_copies_pickles_records_and_replays_are_the_game(start: Start) -> None:
    for set_turns in (False, True):
        for game, _ in walk(start, 8, set_turns=set_turns):
            now = sight(game)
            twins = [game.copy(), copy.copy(game), copy.deepcopy(game)]
            twins += [pickle.loads(pickle.dumps(game, protocol)) for protocol in (0, pickle.HIGHEST_PROTOCOL)]
            twins.append(type(game).from_sgf(game.to_sgf()))
            if not set_turns:
                twins.append(game.replay(game.actions))
            for twin in twins:
                assert type(twin) is type(game)
                assert twin == game
                assert sight(twin) == now
        resigned = start()[0]
        resigned.resign("white")
        assert resigned.outcome == "black"
        again = pickle.loads(pickle.dumps(resigned))
        assert again == resigned
        assert type(game).from_sgf(resigned.to_sgf()) == resigned
        again.undo()
        assert again == start()[0]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("dtype", ["uint8", "bool", "float32"])
def test_planes_and_stones_set_up_the_position(start: Start, dtype: str) -> None:
    rules = {"exact_five": start()[0].exact_five} if isinstance(start()[0], sixplane.Gomoku) else {}  # type: ignore[attr-defined]
    for game, _ in walk(start, 9):
        cls: Any = type(game)
        twin = cls.from_planes(game.planes.astype(dtype), **rules)
        assert np.array_equal(twin.planes, game.planes)
        assert (twin.outcome, twin.hash, twin.move_number) == (game.outcome, game.hash, 0)
        black, white = (np.flatnonzero(plane) for plane in game.planes[:2])
        placed = cls.from_stones(black, white, game.turn, (game.rows, game.cols), **rules)
        text = "\n".join(line[2:-2] for line in str(game).splitlines()[1:-1]).translate(
            str.maketrans("()", "  ")
        )
        drawn = cls.from_text(text, game.turn, **rules)
        for twin in (placed, drawn):
            assert np.array_equal(np.delete(twin.planes, 4, 0), np.delete(game.planes, 4, 0))
            assert (twin.outcome, twin.score(), twin.hash) == (game.outcome, game.score(), game.hash)


@pytest.mark.parametrize("start", STARTS)
def test_names_are_inverse_to_actions(start: Start) -> None:
    game, _ = start()
    for action in range(game.num_actions):
        name = game.action_to_name(action)
        assert game.name_to_action(name) == game.name_to_action(name.lower()) == action
    bottom = f"A{game.rows}" if isinstance(game, sixplane.Reversi) else "A1"
    assert game.name_to_action(bottom) == (game.rows - 1) * game.cols
    if game.cols >= 9:
        assert game.action_to_name(8)[0] == "I"


@pytest.mark.parametrize("start", STARTS)
def test_self_play_takes_any_game(start: Start) -> None:
    game, _ = start()
    played = _core.selfplay(game, 0, 5, 3)
    assert played == _core.selfplay(game, 0, 5, 3, threads=1)
    assert all(type(one) is type(game) and one.is_over for one in played)
    assert played[3:] == _core.selfplay(game, 3, 2, 3)


def test_self_play_takes_nothing_else() -> None:
    with pytest.raises(TypeError, match="the prototype must be a game, not str"):
        _core.selfplay("go", 0, 1, 1)  # type: ignore[type-var]


@pytest.mark.parametrize("start", STARTS)
def test_the_move_limit_truncates(start: Start) -> None:
    game, _ = start()
    cls: Any = type(game)
    limited = cls(size=(game.rows, game.cols), max_moves=3)
    for _ in range(3):
        assert not limited.is_over
        limited.play(limited.legal_actions[0])
    assert (limited.is_over, limited.is_truncated, limited.max_moves) == (True, True, 3)
    assert not limited.action_mask.any()


def perft(game: Game, depth: int) -> int:
    actions = game.legal_actions
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        game.play(action)
        total += perft(game, depth - 1)
        game.undo()
    return total


def test_perft_of_reversi_is_the_known_one() -> None:
    game = sixplane.Reversi()
    assert [perft(game, depth) for depth in range(1, 7)] == [4, 12, 56, 244, 1_396, 8_200]


def test_new_games_have_the_documented_defaults() -> None:
    reversi, gomoku = sixplane.Reversi(), sixplane.Gomoku()
    assert (reversi.rows, reversi.cols, reversi.num_actions, reversi.max_moves) == (8, 8, 65, None)
    assert (gomoku.rows, gomoku.cols, gomoku.num_actions, gomoku.max_moves) == (15, 15, 226, None)
    assert gomoku.exact_five is False
    assert reversi == sixplane.Reversi(8, max_moves=None)
    assert gomoku == sixplane.Gomoku(15, exact_five=False, max_moves=None)
    assert gomoku != sixplane.Gomoku(exact_five=True)
    assert reversi != gomoku
    assert not gomoku.planes.any()
    black, white = (
        {reversi.action_to_name(p) for p in np.flatnonzero(plane)} for plane in reversi.planes[:2]
    )
    assert (black, white) == ({"E4", "D5"}, {"D4", "E5"})
    assert repr(reversi) == "<sixplane.Reversi 8x8, move 0, black to play>"
    assert repr(gomoku) == "<sixplane.Gomoku 15x15, move 0, black to play>"


@pytest.mark.parametrize("exact", [False, True])
def test_winning_line_is_the_run_that_won(exact: bool) -> None:
    row = "X X X . X X . . .\n"
    rest = ". . . . . . . . .\n" * 6
    game = sixplane.Gomoku.from_text(row + rest, exact_five=exact)
    assert game.winning_line() is None
    game.play(3)
    assert game.is_over is not exact
    assert game.winning_line() == (None if exact else [0, 1, 2, 3, 4, 5])
    game = sixplane.Gomoku.from_text(row.replace("X X X", ". X X") + rest, exact_five=exact)
    game.play(3)
    assert game.winning_line() == [1, 2, 3, 4, 5]


def test_every_five_of_a_board_wins_and_no_other_stones_do() -> None:
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(15):
            for col in range(15):
                run = [(row + i * down, col + i * right) for i in range(5)]
                on_board = all(0 <= r < 15 and 0 <= c < 15 for r, c in run)
                # Where the line leaves the board it goes on at the other edge, and must not win.
                points = [r % 15 * 15 + c % 15 for r, c in run]
                game = sixplane.Gomoku.from_stones(points[:4], [])
                game.play(points[4])
                assert game.outcome == ("black" if on_board else None)
                assert game.winning_line() == (points if on_board else None)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sixplane.Reversi(7), "even and from 4 to 24"),
        (lambda: sixplane.Reversi((8, 25)), "even and from 4 to 24"),
        (lambda: sixplane.Reversi(26), "from 2 to 25"),
        (lambda: sixplane.Gomoku(4), "from 5 to 25"),
        (lambda: sixplane.Gomoku((5, 26)), "from 2 to 25"),
        (lambda: sixplane.Reversi(max_moves=0), "max_moves must be from 1"),
        (lambda: sixplane.Reversi.from_text("X.\n.."), "a Reversi board of 2x2"),
        (lambda: sixplane.Gomoku.from_stones([0, 0], []), "given twice"),
        (lambda: sixplane.Gomoku.from_stones(range(5), range(15, 20)), "both colors have a winning line"),
    ],
)  # fmt: skip
def test_what_no_game_has_raises(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_options_of_another_type_raise() -> None:
    gomoku: Any = sixplane.Gomoku
    with pytest.raises(TypeError, match="exact_five must be True or False, not int"):
        gomoku(exact_five=1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'komi'"):
        gomoku(komi=3)
    reversi: Any = sixplane.Reversi
    with pytest.raises(TypeError, match='unexpected option "komi": allowed are max_moves'):
        reversi.from_text("....\n" * 4, komi=3)


def test_planes_that_no_play_leads_to_raise() -> None:
    planes = sixplane.Gomoku(5).planes
    planes[4] = 1
    with pytest.raises(ValueError, match="nobody passes"):
        sixplane.Gomoku.from_planes(planes)
    planes = sixplane.Reversi().planes
    planes[4] = 1
    with pytest.raises(ValueError, match="white did not have to pass"):
        sixplane.Reversi.from_planes(planes)
    planes[4], planes[3, 2, 3] = 0, 1
    with pytest.raises(ValueError, match="that no rule explains"):
        sixplane.Reversi.from_planes(planes)


def test_records_of_another_game_raise() -> None:
    text = sixplane.Go(9).to_sgf()
    for cls in (sixplane.Reversi, sixplane.Gomoku):
        with pytest.raises(sixplane.SGFError, match="a record of game") as error:
            cls.from_sgf(text)
        assert text.encode()[error.value.offset :].startswith(b"GM[1]")
    assert sixplane.Gomoku.from_sgf("(;GM[4]RU[Standard])").exact_five
    assert not sixplane.Gomoku.from_sgf("(;GM[4]RU[Standard])", exact_five=False).exact_five
