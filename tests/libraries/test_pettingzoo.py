"""The games in PettingZoo, by its own checks and by their rules."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest

import sixplane
import sixplane.pettingzoo as games

with warnings.catch_warnings():
    # Its tests import its own games in a way that it has deprecated.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, render_test, seed_test

GAMES: dict[str, dict[str, Any]] = {
    "go": {"size": 5, "komi": 0.5, "max_moves": 60},
    "reversi": {"size": 6},
    "gomoku": {"size": 7},
}

#: What PettingZoo says of every observation that is a dict, and of an empty board with Black to play, but
#: for the games on a list in its test.
KNOWN = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Observation numpy array is all zeros.",
}


def over(env: Any) -> bool:
    """Whether the agent to act can only take its last step."""
    agent = env.agent_selection
    return bool(env.terminations[agent] or env.truncations[agent])


def act(env: Any, rng: np.random.Generator) -> int | None:
    """A random legal action, or None at the end."""
    mask = env.last()[0]["action_mask"]
    return None if over(env) else int(sixplane.sample_legal(mask, rng))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("view", ["black", "player"])
def test_its_own_checks_find_no_fault(name: str, view: str) -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        api_test(games.env(name, view=view, **GAMES[name]), num_cycles=300)
    assert {str(warning.message) for warning in seen} <= KNOWN


@pytest.mark.parametrize("name", GAMES)
def test_seeds_and_every_render_mode(name: str) -> None:
    seed_test(lambda: games.env(name, **GAMES[name]), num_cycles=20)
    render_test(lambda render_mode=None: games.env(name, render_mode=render_mode, **GAMES[name]))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("view", ["black", "player"])
def test_a_game_is_the_game(name: str, view: str) -> None:
    rng = np.random.default_rng(5)
    env = games.env(name, view=view, history=0, **GAMES[name])
    env.reset()
    game = env.unwrapped.game
    assert game == getattr(sixplane, name.title())(**GAMES[name])
    while not game.is_over:
        mover = games.AGENTS[game.turn]
        assert env.agent_selection == mover
        for color, agent in enumerate(games.AGENTS):
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            turned = game.planes[[1, 0, 2, 3, 4, 5]] if view == "player" and color == 1 else game.planes
            np.testing.assert_array_equal(seen["observation"], turned)
            mask = game.action_mask if agent == mover else np.zeros_like(game.action_mask)
            np.testing.assert_array_equal(seen["action_mask"], mask)
        action = act(env, rng)
        assert action is not None
        env.step(action)
        game.play(action)
        info = env.infos[env.agent_selection]
        assert info["move_number"] == game.move_number
        # TorchRL wants the keys of the end in all steps.
        assert list(info)[2:] == ["outcome", "score", "cutoff", "illegal"]
        assert game.is_over or list(info.values())[2:] == [0, 0.0, False, False]
    value = {"black": 1.0, "draw": 0.0, "white": -1.0}[game.outcome]
    assert env.terminations == dict.fromkeys(games.AGENTS, True)
    assert env.truncations == dict.fromkeys(games.AGENTS, False)
    totals = {}
    for agent in env.agent_iter():
        _, totals[agent], terminated, _, info = env.last()
        assert terminated
        assert info["outcome"] == value
        assert info["score"] == game.score()
        env.step(None)
    assert totals == {"black_0": value, "white_0": -value}
    assert env.agents == []


def test_the_score_can_be_the_reward_and_a_limit_can_truncate() -> None:
    rng = np.random.default_rng(0)
    env = games.env("reversi", size=4, reward="score")
    env.reset()
    while env.agents and not over(env):
        env.step(act(env, rng))
    score = env.unwrapped.game.score()
    assert score != 0
    assert env.rewards == {"black_0": score, "white_0": -score}
    env = games.env("go", size=5, max_moves=3, cutoff="truncate")
    env.reset()
    for action in (0, 1, 2):
        env.step(action)
    assert env.truncations == {"black_0": True, "white_0": True}
    assert env.terminations == {"black_0": False, "white_0": False}
    assert env.rewards == {"black_0": 0.0, "white_0": 0.0}


def test_an_illegal_action_loses_or_raises() -> None:
    env = games.env("go", size=5)
    env.reset()
    env.step(0)
    env.step(0)
    assert env.terminations == {"black_0": True, "white_0": True}
    assert env.rewards == {"black_0": 1, "white_0": -1}
    assert env.infos["black_0"]["outcome"] == 1
    env = games.env("go", size=5, reward="score")
    env.reset()
    env.step(0)
    env.step(0)
    assert env.rewards == {"black_0": 25, "white_0": -25}
    raw = games.raw_env("go", size=5, illegal="raise")
    raw.reset()
    raw.step(0)
    before = raw.game
    for wrong in (0, 26, -1):
        with pytest.raises(sixplane.IllegalActionError):
            raw.step(wrong)
    for alien in (None, 1.5, "1"):
        with pytest.raises(TypeError):
            raw.step(alien)  # type: ignore[arg-type] # what is refused
    assert raw.game == before
    assert raw.agent_selection == "white_0"


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("again", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_where_the_game_is(name: str, again: Any) -> None:
    rng = np.random.default_rng(7)
    env = games.env(name, **GAMES[name])
    env.reset()
    for _ in range(6):
        env.step(act(env, rng))
    twin = again(env)
    assert twin.unwrapped.game == env.unwrapped.game
    assert twin.observation_space("black_0") is twin.observation_space("black_0")
    assert twin.observation_space("black_0") == env.observation_space("black_0")
    while env.agents:
        action = act(env, rng)
        assert twin.agent_selection == env.agent_selection
        env.step(action)
        twin.step(action)
    assert twin.unwrapped.game == env.unwrapped.game
    twin.reset()
    assert env.unwrapped.game.is_over


def test_a_given_game_goes_on() -> None:
    start = sixplane.Go(size=5)
    start.play(12)
    env = games.env("go", size=5)
    env.reset(options={"game": start})
    assert env.agent_selection == "white_0"
    env.step(0)
    assert start.move_number == 1
    with pytest.raises(ValueError, match="must be 5x5, not 7x7"):
        env.reset(options={"game": sixplane.Go(size=7)})
    assert env.unwrapped.game.move_number == 2


def test_a_game_that_is_over_says_so_until_the_next_begins() -> None:
    env = games.env("go", size=5)
    # A game is there before the first reset.
    assert env.last()[1:4] == (0.0, False, False)
    env.reset()
    env.step(25)
    env.step(25)
    with pytest.raises(ValueError, match="the only valid action is None"):
        env.step(0)
    for _ in games.AGENTS:
        assert env.last()[2]
        env.step(None)
    assert env.agents == []
    calls: list[Any] = [
        env.last,
        lambda: env.last(observe=False),
        lambda: env.step(None),
        lambda: env.step(0),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="both agents have had their last step: reset begins the next"):
            call()
    assert env.observe("black_0")["observation"][5].all()
    env.reset()
    env.step(12)
    assert env.last()[4]["move_number"] == 1


def test_an_agent_that_does_not_exist_is_told() -> None:
    env = games.env("go", size=5)
    with pytest.raises(ValueError, match="there is no agent 'x'; there are black_0, white_0"):
        env.observe("x")


def test_it_is_registered() -> None:
    env = pettingzoo.make("aec", "sixplane/gomoku_v0", size=9)
    env.reset()
    assert str(env.unwrapped) == "sixplane_gomoku_v0"
    assert env.unwrapped.game == sixplane.Gomoku(size=9)


def test_wrong_options_are_refused() -> None:
    with pytest.raises(ValueError, match="there is no game 'chess'; there are connect4, go, "):
        games.env("chess")
    with pytest.raises(TypeError, match="unexpected keyword argument 'ladder'"):
        games.env("go", ladder=1)  # type: ignore[call-arg] # what is refused
    with pytest.raises(ValueError, match="view must be 'black' or 'player'"):
        games.env("go", view="white")


def test_human_shows_every_step_in_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    import pygame

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")

    def shown() -> Any:
        return pygame.surfarray.array3d(pygame.display.get_surface())  # type: ignore[arg-type] # it is there

    env = games.env("go", size=5, render_mode="human")
    env.reset()
    pictures = [shown()]
    env.step(12)
    pictures.append(shown())
    env.reset()
    pictures.append(shown())
    assert not np.array_equal(pictures[0], pictures[1])
    assert np.array_equal(pictures[0], pictures[2])
    env.close()
    assert pygame.display.get_surface() is None
