"""The two levels of Go agree: the game object and the functions on planes of `sixplane.gogame`.

Under simple ko without suicide, and without what planes cannot hold (resignation, truncation).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given

from go_walks import Seen, Walk, law, walks
from sixplane import Go, gogame


def assert_same(state: npt.NDArray[np.float64], game: Go) -> None:
    """All planes but, at the end, the invalid one: there the functions compute it, the game fills it."""
    planes = [0, 1, 2, 4, 5] if game.is_over else [0, 1, 2, 3, 4, 5]
    assert np.array_equal(state[planes], game.planes[planes])


def test_planes_of_the_game_equal_planes_of_the_functions() -> None:
    seen = Seen()

    @law(300)
    @given(walks(kos=["simple"]))
    def check(walk: Walk) -> None:
        walk.rules["suicide"] = False
        state = np.zeros((6, *walk.size))
        for game, naive, event in walk.play(set_turns=False):
            if event is not None:
                assert event.action is not None
                before = state.copy()
                after = gogame.next_state(state, event.action)
                assert np.array_equal(state, before)
                state = after
            assert_same(state, game)
            assert gogame.areas(state) == game.areas()
            assert gogame.turn(state) == game.turn
            assert gogame.winning(state, walk.rules["komi"]) == np.sign(game.score())
            if not game.is_over:
                assert np.array_equal(gogame.valid_moves(state), game.action_mask)
            seen["kos"] += naive.ko_point is not None
            seen["ends"] += game.is_over
            seen["captures"] += sum(game.captures) > 0

    check()
    seen.demand("kos", "ends", "captures")
