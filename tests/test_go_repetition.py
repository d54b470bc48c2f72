"""`Go.play_repetition`: what simple ko allows, though superko forbids it."""

from __future__ import annotations

import copy
import pickle
import random
from itertools import product

import numpy as np
import pytest

import sixplane
from effort import share
from naive_go import NaiveGo


def allows(naive: NaiveGo, action: int) -> bool:
    """Whether an action is legal, or superko alone forbids it."""
    reason = naive.reason(action)
    return reason is None or (reason == "superko" and naive.point(action) != naive.ko_point)


def play(naive: NaiveGo, action: int) -> None:
    seen, naive.seen = naive.seen, []
    naive.play(action)
    naive.seen = seen + naive.seen


@pytest.mark.parametrize(("ko", "suicide"), [*product(("positional", "situational"), (False, True))])
def test_it_allows_what_simple_ko_allows_and_the_history_goes_on(ko: str, suicide: bool) -> None:
    rng, repetitions = random.Random(1), 0
    for rows, cols in ((2, 2), (2, 3), (3, 3), (3, 4)):
        for _ in range(share(12)):
            game = sixplane.Go((rows, cols), ko=ko, suicide=suicide)  # type: ignore[arg-type]
            naive = NaiveGo(rows, cols, ko=ko, suicide=suicide, komi=7.5)
            before: list[sixplane.Go] = []
            while not naive.is_over and len(before) < 60:
                assert np.array_equal(game.planes, naive.planes)
                actions = range(naive.pass_action)
                for action in actions:
                    if not allows(naive, action):
                        kept = game.copy()
                        with pytest.raises(sixplane.IllegalActionError) as refused:
                            game.play_repetition(action)
                        assert refused.value.reason == naive.reason(action)
                        assert game == kept
                repeats = [a for a in actions if naive.reason(a) == "superko" and allows(naive, a)]
                others = [a for a in actions if naive.reason(a) is None] or [naive.pass_action]
                action = rng.choice(repeats or others)
                repetitions += bool(repeats)
                before.append(game.copy())
                game.play_repetition(action)
                play(naive, action)
                if rng.random() < 0.1 and not game.is_over:
                    before.append(game.copy())
                    game.set_turn("black" if game.turn else "white")
                    naive.set_turn("O" if naive.turn == "X" else "X")
            assert np.array_equal(game.planes, naive.planes)
            for same in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game), game.copy()):
                assert same == game and hash(same) == hash(game)
                assert np.array_equal(same.planes, game.planes)
            while before:
                game.undo()
                assert game == before[-1] and np.array_equal(game.planes, before.pop().planes)
    assert repetitions > share(100)


def test_it_plays_what_play_does_and_refuses_what_is_over() -> None:
    game = sixplane.Go(size=3).replay([3, 4, 7, 5, 8, 6])
    with pytest.raises(sixplane.IllegalActionError, match="superko"):
        game.play(7)
    game.play_repetition(7)
    game.play_repetition(9)
    game.play_repetition(9)
    assert game.is_over
    for action in (0, 9, 99):
        with pytest.raises(sixplane.IllegalActionError, match="over"):
            game.play_repetition(action)
    with pytest.raises(TypeError):
        game.play_repetition("B1")  # type: ignore[arg-type]
    with pytest.raises(sixplane.IllegalActionError):
        sixplane.Go(size=3, ko="simple").play_repetition(10)


def test_a_ko_that_the_start_holds_is_no_repetition() -> None:
    game = sixplane.Go.from_text(". X O .\nX . X O\n. X O .\n. . . .", turn="white")
    game.play(5)
    start = sixplane.Go.from_planes(game.planes)
    for one in (game, start):
        with pytest.raises(sixplane.IllegalActionError):
            one.play_repetition(6)
    assert start.move_number == 0


def test_batches_and_searches_go_on_from_a_repetition() -> None:
    game = sixplane.Go(size=3).replay([3, 4, 7, 5, 8, 6])
    game.play_repetition(7)
    batch = sixplane.GameBatch.from_games([game, game])
    assert np.array_equal(batch.action_masks[1], game.action_mask)
    best = sixplane.search.MCTS(simulations=100, seed=1).search(game).best_action
    batch.play([best, best])
    game.play(best)
    assert np.array_equal(batch.planes[0], game.planes)


def test_replays_and_records_end_before_a_repetition() -> None:
    game = sixplane.Go(size=3).replay([3, 4, 7, 5, 8, 6])
    game.play_repetition(7)
    with pytest.raises(sixplane.IllegalActionError, match="superko"):
        game.replay(game.actions)
    with pytest.warns(sixplane.SGFWarning, match="superko"):
        assert sixplane.Go.from_sgf(game.to_sgf()).move_number == 6
