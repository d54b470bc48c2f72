"""The laws of Go as Python sees it, each named by the sentence it proves.

A law counts how often its premises were met, and fails if one of them never was.
"""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sixplane
from go_walks import Seen, Walk, law, walks
from naive_go import NaiveGo


def sight(game: sixplane.Go) -> dict[str, Any]:
    """All that can be seen of a game."""
    arrays: list[npt.NDArray[Any]] = [game.planes, game.action_mask, game.legal_actions, game.actions]
    arrays += [game.history_planes(4), game.ownership(), game.chains(), game.liberties()]
    return {
        "arrays": [(array.dtype.name, array.shape, array.tobytes()) for array in arrays],
        "turn": game.turn,
        "ends": (game.is_over, game.is_truncated, game.outcome),
        "counts": (game.score(), game.captures, game.areas(), game.move_number, game.last_action),
        "hashes": (game.hash, hash(game)),
        "text": (str(game), repr(game)),
    }


def assert_same(game: sixplane.Go, naive: NaiveGo) -> None:
    """Both show the same planes and the same mask."""
    planes = naive.planes
    assert np.array_equal(game.planes, planes), (game.planes, planes)
    assert np.array_equal(game.action_mask, naive.action_mask)


def test_mask_agrees_with_play() -> None:
    seen = Seen()

    @law(120)
    @given(walks())
    def check(walk: Walk) -> None:
        for game, naive, _ in walk.play():
            assert_same(game, naive)
            before = sight(game)
            for action in range(game.num_actions):
                twin, reason = game.copy(), naive.reason(action)
                assert game.action_mask[action] == (reason is None)
                seen[reason or "legal"] += 1
                if reason is None:
                    twin.play(action)
                    continue
                with pytest.raises(sixplane.IllegalActionError) as refusal:
                    twin.play(action)
                assert refusal.value.reason == reason
                assert sight(twin) == before
            assert sight(game) == before

    check()
    seen.demand("legal", "game_over", "occupied", "suicide", "superko")


def test_an_illegal_play_changes_nothing() -> None:
    seen = Seen()
    anything = st.one_of(
        st.integers(), st.floats(), st.booleans(), st.none(), st.text(), st.binary(), st.tuples(st.integers())
    )

    @law(60)
    @given(walks(most=30), st.lists(anything, min_size=3, max_size=8))
    def check(walk: Walk, offers: list[Any]) -> None:
        for game, naive, _ in walk.play():
            before, twin = sight(game), game.copy()
            for offer in offers:
                # A legal action is refused too, in a type that is no action.
                is_action = type(offer) is int and 0 <= offer < game.num_actions
                unfit: Any = float(offer) if is_action else offer
                with pytest.raises((TypeError, sixplane.IllegalActionError)) as refusal:
                    game.play(unfit)
                seen[refusal.type.__name__] += 1
            assert sight(game) == before
            assert game == twin
            # The naive game never heard of it.
            assert_same(game, naive)

    check()
    seen.demand("TypeError", "IllegalActionError")


def test_undo_is_the_inverse_of_play() -> None:
    seen = Seen()

    @law(300)
    @given(walks())
    def check(walk: Walk) -> None:
        past = [(sight(game), naive.planes) for game, naive, _ in walk.play()]
        *_, (game, _, event) = walk.play()
        end = game.copy()
        assert sight(game) == past.pop()[0]
        while past:
            game.undo()
            before, planes = past.pop()
            assert sight(game) == before
            assert np.array_equal(game.planes, planes)
            seen["steps"] += 1
        with pytest.raises(ValueError, match="start"):
            game.undo()
        seen["ends"] += end.is_over
        seen["captures"] += sum(end.captures) > 0
        seen["set turns"] += event is not None and event.action is None

    check()
    seen.demand("steps", "ends", "captures", "set turns")


def test_incremental_hash_equals_fresh_hash() -> None:
    seen = Seen()

    @law(80)
    @given(walks())
    def check(walk: Walk) -> None:
        for game, naive, _ in walk.play():
            stones: dict[str, list[int]] = {"X": [], "O": []}
            for point, color in naive.stones.items():
                stones[color].append(naive.action(point))
            turn = game.turn
            fresh = sixplane.Go.from_stones(stones["X"], stones["O"], turn, walk.size)  # type: ignore[arg-type]
            assert game.hash == fresh.hash
            seen["captures"] += sum(game.captures) > 0

    check()
    seen.demand("captures")


@pytest.mark.parametrize("symmetry", range(8))
def test_symmetry_commutes_with_play(symmetry: int) -> None:
    seen = Seen()

    def turned(grid: Any) -> Any:
        if symmetry & 1:
            grid = np.flip(grid, -1)
        if symmetry & 2:
            grid = np.flip(grid, -2)
        return np.swapaxes(grid, -1, -2) if symmetry & 4 else grid

    @law(25)
    @given(walks())
    def check(walk: Walk) -> None:
        rows, cols = walk.size
        size = (cols, rows) if symmetry & 4 else walk.size
        # Where each point of the turned board comes from, and so where each point goes.
        sources = turned(np.arange(rows * cols).reshape(rows, cols)).ravel()
        goes = {int(source): target for target, source in enumerate(sources)} | {rows * cols: rows * cols}
        twin = sixplane.Go(size=size, **walk.rules)
        for game, _, event in walk.play():
            if event is not None and event.action is not None:
                twin.play(goes[event.action])
            elif event is not None:
                event.take(twin)
            assert np.array_equal(twin.planes, turned(game.planes))
            assert np.array_equal(twin.liberties(), turned(game.liberties()))
            assert np.array_equal(twin.ownership(), turned(game.ownership()))
            assert twin.captures == game.captures
            seen["captures"] += sum(game.captures) > 0

    check()
    seen.demand("captures")


def test_from_planes_gives_the_same_future_under_simple_ko() -> None:
    seen = Seen()
    dtypes = ("uint8", "bool", "float32", "float64", "int8", "int64", "uint16")

    @law(80)
    @given(walks(kos=["simple"], most=80), st.sampled_from(dtypes), st.integers(1, 7))
    def check(walk: Walk, dtype: str, every: int) -> None:
        copies: list[sixplane.Go] = []
        for step, (game, naive, event) in enumerate(walk.play()):
            for twin in copies:
                assert event is not None
                event.take(twin)
                assert np.array_equal(twin.planes, game.planes)
                assert twin.hash == game.hash
                assert twin.outcome == game.outcome
                seen["steps of the future"] += 1
            if step % every == 0 or naive.ko_point is not None or naive.is_over:
                twin = sixplane.Go.from_planes(game.planes.astype(dtype), **walk.rules)
                assert np.array_equal(twin.planes, game.planes)
                assert twin.move_number == 0
                copies = [*copies[-3:], twin]
                seen["kos"] += naive.ko_point is not None
                seen["ends"] += naive.is_over
                seen["passes"] += naive.passes > 0

    check()
    seen.demand("steps of the future", "kos", "ends", "passes")


def test_stones_and_liberties_equal_a_naive_recount() -> None:
    seen = Seen()

    @law(80)
    @given(walks())
    def check(walk: Walk) -> None:
        for game, naive, _ in walk.play():
            labels, liberties = game.chains(), game.liberties()
            assert (labels > 0).sum() == len(naive.stones)
            chains = naive.chains()
            assert labels.max() == len(chains)
            for chain in chains:
                label = labels[min(chain)]
                assert {(int(r), int(c)) for r, c in zip(*np.nonzero(labels == label), strict=True)} == chain
                assert all(liberties[at] == len(naive.liberties(naive.stones, chain)) for at in chain)
                seen["chains"] += 1
            owners = {None: 0, "X": 1, "O": -1}
            expected = [owners[naive.owner(point)] for point in naive.all_points]
            assert game.ownership().ravel().tolist() == expected
            assert game.areas() == naive.areas()
            assert game.score() == naive.score()
            assert game.captures == (naive.captures["X"], naive.captures["O"])
            for rule in ("diagonal", "chain", "playout"):
                for number, color in enumerate(("X", "O")):
                    for action in range(game.num_actions - 1):
                        eye = naive.is_eye(action, color, rule)  # type: ignore[arg-type]
                        assert game.is_eye(action, number, rule) == eye  # type: ignore[arg-type]
                        seen[rule] += eye

    check()
    seen.demand("chains", "diagonal", "chain", "playout")


@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
@pytest.mark.parametrize("suicide", [False, True])
def test_superko_mask_equals_a_naive_replay_of_the_history(ko: str, suicide: bool) -> None:
    seen = Seen()
    rng = np.random.default_rng(7)
    for size in [(2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (4, 3), (4, 4)]:
        walk = Walk(size, {"ko": ko, "suicide": suicide, "komi": 0.5}, [])
        played = 0
        while played < 250:
            game, naive = walk.games()
            while not naive.is_over and game.move_number < 120:
                assert_same(game, naive)
                *points, action = naive.legal_actions
                if points and rng.random() < 0.9:
                    action = int(rng.choice(points))
                reasons = [naive.reason(point) for point in range(game.num_actions)]
                seen["repetitions"] += reasons.count("superko") + reasons.count("ko")
                before = len(naive.stones)
                game.play(action)
                naive.play(action)
                seen["suicides"] += len(naive.stones) < before and game.planes[:2].sum() < before - 1
                played += 1
                seen["moves"] += 1
            assert_same(game, naive)
    seen.demand("repetitions", "moves")
    assert seen["moves"] >= 1_750


def test_history_planes_are_the_boards_of_the_last_actions() -> None:
    seen = Seen()

    @law(60)
    @given(walks(), st.integers(1, 9))
    def check(walk: Walk, k: int) -> None:
        boards: list[Any] = []
        for game, _, _ in walk.play():
            if game.move_number == len(boards):
                boards.append(game.planes[:2])
            expected = np.zeros((2 * k + 1, *walk.size), np.uint8)
            for back, board in enumerate(reversed(boards[-k:])):
                expected[2 * back : 2 * back + 2] = board[::-1] if game.turn else board
            expected[-1] = game.turn
            assert np.array_equal(game.history_planes(k), expected)
            seen["boards before the start"] += len(boards) < k

    check()
    seen.demand("boards before the start")


def test_copies_and_pickles_are_games_of_their_own() -> None:
    seen = Seen()

    @law(60)
    @given(walks(), st.integers(0, pickle.HIGHEST_PROTOCOL))
    def check(walk: Walk, protocol: int) -> None:
        for game, _, _ in walk.play():
            now = sight(game)
            twins = [game.copy(), copy.copy(game), copy.deepcopy(game)]
            twins.append(pickle.loads(pickle.dumps(game, protocol)))
            for twin in twins:
                assert twin == game
                assert sight(twin) == now
                if not twin.is_over:
                    twin.play(twin.num_actions - 1)
                    assert twin != game
                    twin.undo()
                    assert twin == game
                if game.move_number or game.turn:
                    twin.undo()
                    seen["undone"] += 1
            assert sight(game) == now

    check()
    seen.demand("undone")


def test_replaying_the_actions_gives_the_game() -> None:
    seen = Seen()

    @law(60)
    @given(walks())
    def check(walk: Walk) -> None:
        *_, (game, _, _) = walk.play(set_turns=False)
        again = game.replay(game.actions)
        assert again == game
        assert sight(again) == sight(game)
        assert game.replay([]).move_number == 0
        seen["ends"] += game.is_over

    check()
    seen.demand("ends")
