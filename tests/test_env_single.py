"""The Gymnasium environment of one game; run with the newest and the oldest supported Gymnasium."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
from typing import TYPE_CHECKING, Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import sixplane
from sixplane.envs.single import BoardGameEnv

if TYPE_CHECKING:
    from collections.abc import Iterator

OPTIONS: list[dict[str, Any]] = [
    {},
    {"size": 5, "reward": "score", "dtype": "float32"},
    {"size": (7, 9), "dtype": "bool", "komi": 0.5, "ko": "simple"},
    {"size": (4, 3), "history": 8, "suicide": True, "illegal": "raise"},
    {"size": [3, 4], "history": 1, "dtype": "float32", "max_moves": 10, "ko": "situational"},
    {"size": (4, 3), "view": "player", "max_moves": 10, "cutoff": "truncate"},
    {"size": 4, "view": "player", "history": 2, "max_moves": 10, "reward": "score"},
    {"size": 9, "handicap": 4, "illegal": "raise", "reward": "score"},
    {"game": "Reversi"},
    {"game": "Reversi", "size": (4, 6), "reward": "score", "dtype": "bool", "history": 2},
    {"game": "Reversi", "size": 6, "max_moves": 20, "illegal": "raise", "cutoff": "truncate"},
    {"game": "Reversi", "size": 4, "view": "player", "reward": "score", "dtype": "bool"},
    {"game": "ConnectFour"},
    {"game": "Hex", "size": 4, "swap": True, "history": 2},
    {"game": "TicTacToe", "history": 2, "view": "player"},
    {"game": "ConnectFour", "size": (4, 5), "history": 2, "view": "player"},
    {"game": "Gomoku"},
    {"game": "Gomoku", "size": (5, 7), "exact_five": True, "reward": "score", "dtype": "float32"},
    {"game": "Gomoku", "size": 6, "history": 3, "max_moves": 20, "illegal": "raise"},
]


def make(game: str = "Go", **options: Any) -> gym.Env[Any, Any]:
    return gym.make(f"sixplane/{game}-v0", **options)


def board_env(env: gym.Env[Any, Any]) -> BoardGameEnv:
    assert isinstance(env.unwrapped, BoardGameEnv)
    return env.unwrapped


def random_steps(env: gym.Env[Any, Any], seed: int) -> Iterator[tuple[int, Any]]:
    """A game of random legal actions, one in five a pass, so that it ends: (action, what `step` gave)."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    over = False
    while not over:
        legal = np.flatnonzero(info["action_mask"])
        action = int(legal[-1] if rng.random() < 0.2 else rng.choice(legal))
        result = env.step(action)
        yield action, result
        over, info = result[2] or result[3], result[4]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_gymnasiums_own_checker_finds_nothing(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    # It opens a window, and plays actions without looking at the mask.
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    check_env(make(**options | {"illegal": "lose"}).unwrapped)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_spec_survives_json(options: dict[str, Any]) -> None:
    env = make(**options)
    assert env.spec is not None
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert json.loads(env.spec.to_json())["id"] == f"sixplane/{options.get('game', 'Go')}-v0"
    assert again.observation_space == env.observation_space
    assert board_env(again).game == board_env(env).game


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_environment_agrees_with_the_game(options: dict[str, Any]) -> None:
    names = ("size", "komi", "ko", "suicide", "handicap", "exact_five", "swap", "max_moves")
    game_class = getattr(sixplane, options.get("game", "Go"))
    start = game_class(**{name: options[name] for name in names if name in options})
    history = options.get("history", 0)
    ends = set()
    for seed in range(10):
        env, game = make(**options), start.copy()
        for action, (observation, reward, terminated, truncated, info) in random_steps(env, seed):
            player = game.turn
            game.play(action)
            expected = game.history_planes(history) if history else game.planes
            if options.get("view") == "player" and not history and game.turn == 1:
                expected[[0, 1]] = expected[[1, 0]]
            assert observation.dtype == options.get("dtype", "uint8")
            assert env.observation_space.contains(observation)
            np.testing.assert_array_equal(observation, expected)
            np.testing.assert_array_equal(info["action_mask"], game.action_mask)
            np.testing.assert_array_equal(board_env(env).action_masks(), game.action_mask == 1)
            assert info["action_mask"].dtype == np.int8
            assert (info["turn"], info["move_number"]) == (game.turn, game.move_number)
            assert truncated is (game.is_truncated and options.get("cutoff") == "truncate")
            assert terminated is (game.is_over and not truncated)
            if game.is_over:
                value = {"black": 1, "draw": 0, "white": -1}[game.outcome or ""]
                assert info["outcome"] == value
                assert info["score"] == game.score()
                assert info["cutoff"] is game.is_truncated
                worth = game.score() if options.get("reward") == "score" else value
                sign = -1 if options.get("view") == "player" and player == 1 else 1
                assert reward == (0 if truncated else sign * worth)
                ends.add(value)
            else:
                assert reward == 0
                assert info.keys() == {"action_mask", "turn", "move_number"}
            assert type(reward) is float
        assert game.is_over
        assert board_env(env).game == game
    assert ends


def test_two_passes_end_the_game_and_the_turn_flips_after_the_last() -> None:
    env = make(size=3, komi=0.5)
    env.reset()
    env.step(4)
    _, reward, terminated, truncated, info = env.step(9)
    assert (reward, terminated, truncated, info["turn"]) == (0, False, False, 0)
    planes, reward, terminated, truncated, info = env.step(9)
    assert (reward, terminated, truncated, info["turn"]) == (1, True, False, 1)
    assert (info["outcome"], info["score"], info["move_number"]) == (1, 8.5, 3)
    assert planes[2:].all()


@pytest.mark.parametrize(
    ("cutoff", "expected"), [("adjudicate", (-1, True, False)), ("truncate", (0, False, True))]
)
def test_a_game_cut_off_is_adjudicated_or_truncated_but_never_both(
    cutoff: str, expected: tuple[int, bool, bool]
) -> None:
    env = make(size=5, max_moves=2, cutoff=cutoff)
    env.reset()
    env.step(0)
    _, reward, terminated, truncated, info = env.step(1)
    assert (reward, terminated, truncated) == expected
    assert (info["cutoff"], info["outcome"], info["score"]) == (True, -1, -7.5)
    # An illegal action is no cut-off, though it would have been the last one.
    env.reset()
    env.step(0)
    assert env.step(0)[1:3] == (1, True)
    assert board_env(env).game.is_truncated is False


def test_the_player_sees_its_own_stones_first_and_gets_its_own_reward() -> None:
    env = make("Gomoku", size=5, view="player")
    env.reset()
    for action in (0, 20, 1, 21, 2, 22, 3):
        planes, reward, *_ = env.step(action)
    assert reward == 0
    assert (planes[0, 4, :3].all(), planes[1, 0, :4].all(), planes[2].all()) == (True, True, True)
    planes, reward, *_ = env.step(4 * 5 + 3)
    assert (planes[0, 0, :4].all(), planes[1, 4, :4].all(), planes[2].any()) == (True, True, False)
    assert env.step(4)[1:3] == (1, True)
    # White's five and White's illegal action: each is a matter of who has played.
    for actions, worth in (((24, 0, 5, 1, 6, 2, 7, 3, 9, 4), 1), ((0, 0), -1)):
        env.reset()
        rewards = [env.step(action)[1] for action in actions]
        assert rewards == [0] * (len(actions) - 1) + [worth]


@pytest.mark.parametrize(("before", "loser", "value"), [([4], 1, 1), ([4, 0], 0, -1)])
def test_an_illegal_action_loses_for_its_player(before: list[int], loser: int, value: int) -> None:
    for reward_name, worth in (("outcome", value), ("score", value * 12)):
        env = make(size=(3, 4), reward=reward_name)
        env.reset()
        for action in before:
            planes, *_ = env.step(action)
        lost, reward, terminated, truncated, info = env.step(before[0])
        assert (reward, terminated, truncated) == (worth, True, False)
        assert (info["outcome"], info["turn"], info["move_number"]) == (value, loser, len(before))
        assert not info["action_mask"].any()
        np.testing.assert_array_equal(lost[:3], planes[:3])
        assert lost[3].all()
        assert not lost[4].any()
        assert lost[5].all()
        assert info["score"] == board_env(env).game.score()


def test_an_illegal_action_raises_if_asked_to_and_nothing_changes() -> None:
    env = make(size=5, illegal="raise")
    env.reset()
    env.step(7)
    before = board_env(env).game
    with pytest.raises(sixplane.IllegalActionError) as caught:
        env.step(7)
    assert caught.value.reason == "occupied"
    assert board_env(env).game == before
    env.step(8)


@pytest.mark.parametrize("illegal", ["lose", "raise"])
@pytest.mark.parametrize(
    ("action", "error"),
    [
        (26, sixplane.IllegalActionError),
        (-1, sixplane.IllegalActionError),
        (10**30, sixplane.IllegalActionError),
        (np.int64(-(2**63)), sixplane.IllegalActionError),
        (3.0, TypeError),
        (float("nan"), TypeError),
        (None, TypeError),
        (True, TypeError),
        ("3", TypeError),
        (np.float32(3), TypeError),
    ],
    ids=repr,
)
def test_what_is_no_action_raises_and_nothing_changes(
    illegal: str, action: object, error: type[Exception]
) -> None:
    env = BoardGameEnv("go", size=5, illegal=illegal)
    env.reset()
    env.step(12)
    before = env.game
    with pytest.raises(error) as caught:
        env.step(action)  # type: ignore[arg-type] # what is refused
    if error is sixplane.IllegalActionError:
        assert caught.value.reason == "off_board"  # type: ignore[attr-defined]
    assert env.game == before


@pytest.mark.parametrize("illegal", ["lose", "raise"])
def test_a_step_after_the_end_raises(illegal: str) -> None:
    env = make(size=5, illegal=illegal, max_moves=1)
    env.reset()
    env.step(0)
    before = board_env(env).game
    with pytest.raises(sixplane.IllegalActionError) as caught:
        env.step(1)
    assert caught.value.reason == "game_over"
    assert board_env(env).game == before


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64, np.uint16, np.array])
def test_any_integer_is_an_action(kind: Any) -> None:
    env = make(size=5)
    env.reset()
    env.step(kind(12))
    assert board_env(env).game.last_action == 12


def test_reset_takes_a_game_with_its_history() -> None:
    game = sixplane.Go(size=5, ko="simple", komi=0.5)
    for action in (1, 2, 3):
        game.play(action)
    env = make(size=5)
    planes, info = env.reset(options={"game": game})
    np.testing.assert_array_equal(planes, game.planes)
    assert info["move_number"] == 3
    env.step(4)
    assert game.move_number == 3
    assert board_env(env).game.actions.tolist() == [1, 2, 3, 4]
    env.reset()
    assert board_env(env).game == sixplane.Go(size=5)


def finished() -> sixplane.Go:
    game = sixplane.Go(size=5)
    game.resign()
    return game


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"game": sixplane.Go(size=(5, 6))}, ValueError, "5x5, not 5x6"),
        ({"game": finished()}, ValueError, "over"),
        ({"game": None}, TypeError, "must be a Go"),
        ({"gmae": sixplane.Go(size=5)}, ValueError, "'gmae'; allowed is 'game'"),
        ("x", TypeError, "options must be a dict or None, not 'x'"),
        ("", TypeError, "options must be a dict or None, not ''"),
        ([("game", 1)], TypeError, "options must be a dict or None"),
    ],
    ids=str,
)
def test_a_reset_that_fails_leaves_everything(options: Any, error: type[Exception], message: str) -> None:
    env = make(size=5)
    env.reset(seed=3)
    env.step(12)
    game, state = board_env(env).game, env.unwrapped.np_random.bit_generator.state
    with pytest.raises(error, match=message):
        env.reset(seed=4, options=options)
    assert board_env(env).game == game
    assert env.unwrapped.np_random.bit_generator.state == state


@pytest.mark.parametrize("options", [{}, {"opponent": "random"}], ids=str)
@pytest.mark.parametrize(
    ("seed", "error", "message"),
    [
        (b"12", TypeError, "seed must be an integer, not bytes"),
        ("12", TypeError, "seed must be an integer, not str"),
        (1.5, TypeError, "seed must be an integer, not float"),
        (True, TypeError, "seed must be an integer, not bool"),
        ([1], TypeError, "seed must be an integer, not list"),
        (-1, ValueError, "seed must be at least 0, not -1"),
    ],
    ids=repr,
)
def test_a_seed_that_is_none_is_refused_and_changes_nothing(
    options: dict[str, Any], seed: Any, error: type[Exception], message: str
) -> None:
    env = make(size=5, **options)
    env.reset(seed=3)
    env.step(12)
    game, random = board_env(env).game, copy.deepcopy(env.unwrapped.np_random)
    with pytest.raises(error, match=f"^{message}$"):
        env.reset(seed=seed)
    assert (board_env(env).game, env.unwrapped.np_random_seed) == (game, 3)
    assert env.unwrapped.np_random.random() == random.random()


def test_a_seed_may_be_an_integer_of_numpy() -> None:
    env = make(size=5)
    env.reset(seed=np.int64(4))  # type: ignore[arg-type] # Gymnasium's own type
    assert env.unwrapped.np_random.random() == np.random.default_rng(4).random()


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_copies_of_an_environment_keep_the_game(clone: Any, options: dict[str, Any]) -> None:
    env = make(**options)
    _, info = env.reset(seed=5)
    for _ in range(4):
        *_, info = env.step(np.flatnonzero(info["action_mask"])[0])
    again = clone(env)
    assert board_env(again).game == board_env(env).game
    assert again.unwrapped.np_random.random() == env.unwrapped.np_random.random()
    assert again.spec == env.spec
    action = board_env(env).game.legal_actions[-1]
    for ours, theirs in zip(env.step(action), again.step(action), strict=True):
        np.testing.assert_equal(theirs, ours)
    env.step(board_env(env).game.legal_actions[-1])
    assert board_env(again).game != board_env(env).game


def test_the_game_handed_out_is_a_copy() -> None:
    env = make(size=5)
    env.reset()
    board_env(env).game.play(3)
    assert board_env(env).game.move_number == 0


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_arrays_handed_out_are_the_callers(options: dict[str, Any]) -> None:
    env = make(**options)
    arrays = [
        array
        for _, (observation, _, _, _, info) in itertools.islice(random_steps(env, seed=6), 8)
        for array in (observation, info["action_mask"])
    ]
    for array in arrays:
        assert array.flags.writeable
        assert array.flags.c_contiguous
    for one, other in itertools.combinations(arrays, 2):
        assert not np.shares_memory(one, other)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"reward": "points"}, ValueError, "reward must be 'outcome' or 'score', not 'points'"),
        ({"reward": None}, TypeError, "reward must be 'outcome' or 'score'"),
        ({"view": "white"}, ValueError, "view must be 'black' or 'player', not 'white'"),
        ({"cutoff": True}, TypeError, "cutoff must be 'adjudicate' or 'truncate', not True"),
        ({"illegal": "ignore"}, ValueError, "illegal must be 'lose' or 'raise'"),
        ({"dtype": "float64"}, ValueError, "dtype must be 'uint8' or 'float32' or 'bool'"),
        ({"dtype": "nonsense"}, ValueError, "dtype must be 'uint8'"),
        ({"dtype": None}, ValueError, "dtype must be 'uint8'"),
        ({"history": -1}, ValueError, "history must be from 0 to 10000, not -1"),
        ({"history": 10**9}, ValueError, "history must be from 0 to 10000, not 1000000000"),
        ({"history": 1.5}, TypeError, "history must be an integer"),
        ({"history": True}, TypeError, "history must be an integer"),
        ({"render_mode": "film"}, ValueError, "render_mode must be 'ansi'"),
        (
            {"kommi": 3},
            TypeError,
            r"'kommi' \(did you mean komi\?\); the game takes size, .*komi, ko",
        ),
        ({"frameskip": 4}, TypeError, "got an unexpected keyword argument 'frameskip'; the game takes"),
        ({"size": 1}, ValueError, "25"),
        ({"size": "9"}, TypeError, "size"),
        ({"komi": 0.3}, ValueError, "komi"),
        ({"ko": "super"}, ValueError, "simple"),
        ({"handicap": 1}, ValueError, "handicap"),
        ({"max_moves": 0}, ValueError, "max_moves"),
    ],
    ids=str,
)
def test_bad_options_name_what_is_allowed(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        BoardGameEnv("go", **options)


def test_render_gives_the_board_as_text() -> None:
    env = make(size=5, render_mode="ansi")
    env.reset()
    env.step(12)
    assert env.render() == str(board_env(env).game)
    assert "render_fps" in env.metadata
    assert BoardGameEnv("go", size=5).render() is None


def test_gymnasiums_vector_of_environments_plays_on() -> None:
    envs = gym.make_vec("sixplane/Go-v0", 3, vectorization_mode="sync", size=3, max_moves=8)
    _, infos = envs.reset(seed=1)
    ends = 0
    for _ in range(40):
        actions = np.array([np.flatnonzero(mask)[0] if mask.any() else 0 for mask in infos["action_mask"]])
        _, _, terminated, truncated, infos = envs.step(actions)
        ends += int((terminated | truncated).sum())
    assert ends > 0
    envs.close()
