"""The native vector environment equals Gymnasium's own over the environment of one game.

Run with the newest and the oldest supported Gymnasium.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import sixplane
from effort import share
from vector_results import MODES, assert_same, crossed, make, make_sync, spoken_of

#: Small boards, so that games end often, with draws where the rules have any.
GAMES: dict[str, list[dict[str, Any]]] = {
    "Go": [
        {"size": (2, 3), "komi": 0.5, "max_moves": 12},
        {"size": 3, "komi": 1, "ko": "situational", "suicide": True},
        {"size": (4, 3), "ko": "simple", "max_moves": 15},
    ],
    "Reversi": [{"size": 4}, {"size": (4, 6), "max_moves": 11}],
    "Gomoku": [{"size": (5, 6), "max_moves": 14}, {"size": 5, "exact_five": True}],
    "ConnectFour": [{}, {"size": (4, 5), "max_moves": 9}],
    "TicTacToe": [{}],
    "Hex": [{"size": 4, "swap": True}, {"size": (3, 5), "max_moves": 7}],
}
GRID = list(itertools.product(GAMES, MODES, ["lose", "raise"], ["outcome", "score"]))
VIEWS = [
    {"view": view, "cutoff": cutoff} for view in ("player", "black") for cutoff in ("truncate", "adjudicate")
]
SIGHTS: list[dict[str, Any]] = [
    {"dtype": dtype, "history": history} for dtype in ("uint8", "float32", "bool") for history in (0, 3)
]


def random_actions(masks: Any, rng: np.random.Generator, illegal: float) -> Any:
    """Legal for the most part, passes more often than by chance; anything where all is illegal."""
    actions = []
    for mask in masks:
        legal = np.flatnonzero(mask)
        if not legal.size or rng.random() < illegal:
            actions.append(rng.integers(len(mask)))
        else:
            actions.append(legal[-1] if rng.random() < 0.2 else rng.choice(legal))
    return np.array(actions)


def walk_both(
    game: str, mode: str, count: int, steps: int, options: dict[str, Any], *, seed: int = 0
) -> dict[str, int]:
    """Steps both side by side; how many games ended, and how."""
    ours, theirs = make(game, count, mode, **options), make_sync(game, count, mode, **options)
    for name in ("single_observation_space", "observation_space", "single_action_space", "action_space"):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert ours.metadata["autoreset_mode"] is ours.autoreset_mode is MODES[mode]
    assert ours.metadata == theirs.metadata

    rng = np.random.default_rng(seed)
    ended = {"terminated": 0, "truncated": 0, "both": 0, "draws": 0, "cutoff": 0}
    one, other = ours.reset(seed=seed), theirs.reset(seed=seed)
    assert_same(one, other, "reset")
    masks = one[1]["action_mask"].copy()
    illegal = 0.03 if options.get("illegal") == "lose" else 0.0
    for t in range(steps):
        actions = random_actions(masks, rng, illegal)
        one, other = ours.step(actions), theirs.step(actions)
        assert_same(one, other, f"step {t}")
        observations, _, terminated, truncated, info = one
        assert observations in ours.observation_space
        over = terminated | truncated
        ended["terminated"] += int(terminated.sum())
        ended["truncated"] += int(truncated.sum())
        ended["both"] += int((terminated & truncated).sum())
        ends = info.get("final_info", info)
        if "outcome" in ends:
            ended["draws"] += int((ends["outcome"][ends["_outcome"]] == 0).sum())
            ended["cutoff"] += int(ends["cutoff"].sum())
        masks = info["action_mask"].copy()
        if mode == "disabled" and over.any() and rng.random() < 0.95:
            # More games than those that are over, now and then.
            mask = over | (rng.random(count) < 0.1)
            one = ours.reset(options={"reset_mask": mask})
            assert_same(spoken_of(one), theirs.reset(options={"reset_mask": mask}), f"masked reset {t}")
            masks = one[1]["action_mask"].copy()
        elif mode == "disabled" and over.any():
            one = ours.reset()
            assert_same(one, theirs.reset(), f"reset {t}")
            masks = one[1]["action_mask"].copy()
        assert np.array_equal(ours.unwrapped.action_masks(), masks)
    ours.close()
    theirs.close()
    return ended


@pytest.mark.parametrize(("case", "sight"), crossed(GRID, SIGHTS), ids=str)
def test_every_step_equals_gymnasiums_own_vector(
    case: tuple[str, str, str, str], sight: dict[str, Any]
) -> None:
    game, mode, illegal, reward = case
    number = GRID.index(case) + SIGHTS.index(sight)
    rules = GAMES[game][number % len(GAMES[game])]
    options = rules | sight | VIEWS[number % len(VIEWS)] | {"illegal": illegal, "reward": reward}
    ended = walk_both(game, mode, 16, 80, options, seed=number)
    assert ended["terminated"] + ended["truncated"] > 10


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("game", "rules"), [(game, rules) for game in GAMES for rules in GAMES[game]], ids=str
)
def test_a_long_walk_equals_gymnasiums_own_vector(game: str, rules: dict[str, Any], mode: str) -> None:
    options = rules | {"illegal": "lose", "reward": "score", "cutoff": "truncate"}
    ended = walk_both(game, mode, 24, share(240), options, seed=7)
    assert ended["terminated"] > share(20)
    assert (ended["truncated"] > 5) == ("max_moves" in rules)


@pytest.mark.parametrize("sight", [{}, {"history": 2}], ids=str)
@pytest.mark.parametrize("view", VIEWS, ids=lambda view: f"{view['view']}-{view['cutoff']}")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("game", "limits"),
    [
        ("Go", {"size": 3, "max_moves": 9, "max_episode_steps": 6}),
        ("Gomoku", {"size": 5, "max_moves": 12, "max_episode_steps": 12}),
    ],
    ids=["Go", "Gomoku"],
)
def test_a_limit_of_steps_truncates_as_in_gymnasiums_own_vector(
    game: str, limits: dict[str, Any], mode: str, view: dict[str, Any], sight: dict[str, Any]
) -> None:
    options = limits | view | sight | {"reward": "score", "illegal": "lose"}
    ended = walk_both(game, mode, 12, 100, options, seed=3)
    assert ended["truncated"] > 10
    assert ended["terminated"] > 10
    if game == "Go" or view["cutoff"] == "adjudicate":
        assert ended["both"] > 0
    assert (ended["cutoff"] > 0) == (game == "Gomoku")


def test_the_walks_see_draws() -> None:
    assert walk_both("Go", "same_step", 20, 100, GAMES["Go"][1])["draws"] > 5
    assert walk_both("Gomoku", "next_step", 20, 100, GAMES["Gomoku"][0])["draws"] > 5


@pytest.mark.parametrize("mode", MODES)
def test_threads_change_nothing(mode: str) -> None:
    options = {"size": 3, "history": 2, "dtype": "float32"}
    envs = [make("Go", 1000, mode, threads=threads, **options) for threads in (1, 2, 3, None)]
    rng = np.random.default_rng(1)
    results = [env.reset() for env in envs]
    for _ in range(40):
        actions = random_actions(results[0][-1]["action_mask"], rng, 0)
        results = [env.step(actions) for env in envs]
        for result in results[1:]:
            assert_same(result, results[0], "step")
        if mode == "disabled" and (over := results[0][2]).any():
            results = [env.reset(options={"reset_mask": over}) for env in envs]
            for result in results[1:]:
                assert_same(result, results[0], "reset")


def begun(game: str, options: dict[str, Any], moves: int) -> Any:
    """A running game a few moves in."""
    rules = {name: value for name, value in options.items() if name != "history"}
    start = getattr(sixplane, game)(**rules)
    for _ in range(moves):
        start.play(start.legal_actions[0])
    return start


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("game", "options", "other"),
    [
        ("Go", {"size": 3, "history": 2}, {"size": 3, "komi": 2, "ko": "simple", "max_moves": 9}),
        ("Reversi", {"size": 4, "max_moves": 9}, {"size": 4, "max_moves": 5}),
        ("Gomoku", {"size": 5}, {"size": 5, "exact_five": True, "max_moves": 7}),
    ],
    ids=str,
)
def test_starting_from_a_game_equals_gymnasiums_own_vector(
    game: str, options: dict[str, Any], other: dict[str, Any], mode: str
) -> None:
    # Rules of its own hold until the game that was given is over.
    start = begun(game, other, 3)
    rng = np.random.default_rng(2)
    ours, theirs = make(game, 6, mode, **options), make_sync(game, 6, mode, **options)
    for given in ({"game": start}, None, {"game": begun(game, options, 2)}, {}):
        one = ours.reset(options=given)
        assert_same(one, theirs.reset(options=given), "reset")
        for t in range(12):
            actions = random_actions(one[-1]["action_mask"], rng, 0)
            one = ours.step(actions)
            assert_same(one, theirs.step(actions), f"step {t}")
            if mode == "disabled" and (over := one[2] | one[3]).any():
                again = {"reset_mask": over, "game": start}
                one = ours.reset(options=again)
                assert_same(spoken_of(one), theirs.reset(options=again), f"masked reset {t}")
    assert start.move_number == 3


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_a_masked_reset_in_the_other_modes_equals_gymnasiums_own_vector(mode: str) -> None:
    rng = np.random.default_rng(5)
    ours, theirs = make("Go", 8, mode, size=3), make_sync("Go", 8, mode, size=3)
    one = ours.reset()
    theirs.reset()
    over = np.zeros(8, dtype=bool)
    masks = one[1]["action_mask"]
    for t in range(80):
        actions = random_actions(masks, rng, 0.02)
        one = ours.step(actions)
        assert_same(one, theirs.step(actions), f"step {t}")
        masks, over = one[4]["action_mask"].copy(), one[2] | one[3]
        # Some of the finished, some of the others.
        mask = rng.random(8) < 0.3
        if mask.any() and over.any():
            two = ours.reset(options={"reset_mask": mask})
            assert_same(spoken_of(two), theirs.reset(options={"reset_mask": mask.copy()}), f"reset {t}")
            masks = two[1]["action_mask"]


@pytest.mark.parametrize("seed", [5, [3, None, 9, 4], None])
def test_seeds_are_those_of_gymnasiums_own_vector(seed: Any) -> None:
    ours, theirs = make("Go", 4, "disabled", size=3), make_sync("Go", 4, "disabled", size=3)
    for env in (ours, theirs):
        env.reset(seed=[20, 21, 22, 23])
        env.reset(seed=seed, options={"reset_mask": np.array([True, True, False, True])})
    assert ours.np_random_seed == theirs.np_random_seed
    draws = [[generator.random() for generator in env.np_random] for env in (ours, theirs)]
    assert draws[0] == draws[1]
    again = [[generator.random() for generator in env.np_random] for env in (ours, theirs)]
    assert again[0] == again[1] != draws[0]


@pytest.mark.parametrize(
    ("seed", "expected"),
    [(np.array([5, 9]), (5, 9)), (np.array([5, 9], np.uint8), (5, 9)), (np.array(5), (5, 6))],
    ids=repr,
)
def test_an_array_of_seeds_is_like_a_list_and_one_without_axes_like_an_integer(
    seed: Any, expected: tuple[int, int]
) -> None:
    envs = make("Go", 2, "disabled", size=3)
    envs.reset(seed=seed)
    assert envs.np_random_seed == expected


@pytest.mark.parametrize("seed", [b"12", bytearray(b"12"), "12", 1.5, True, [1.5, 2], [True, 1]], ids=repr)
@pytest.mark.parametrize("options", [{}, {"opponent": "random"}], ids=str)
def test_seeds_that_are_no_integers_are_refused_and_nothing_changes(
    options: dict[str, Any], seed: Any
) -> None:
    envs = make("Go", 2, "disabled", size=3, **options)
    envs.reset(seed=[5, 9])
    envs.step(np.array([4, 0]))
    games = (envs.env if options else envs).games
    before = games.planes.copy()
    words = "seed must be an integer, (a list of them or None, )?not (bytes|bytearray|str|float|bool)"
    with pytest.raises(TypeError, match=f"^{words}$"):
        envs.reset(seed=seed)
    assert envs.np_random_seed == (5, 9)
    np.testing.assert_array_equal(games.planes, before)
