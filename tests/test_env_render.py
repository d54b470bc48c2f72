"""Environments as pixels, in films and in a window."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import sixplane
from sixplane.render import rgb_array
from sixplane.render.window import Window


@pytest.fixture(autouse=True)
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.mark.parametrize(
    ("name", "size"),
    [("ConnectFour", 4), ("Go", 3), ("Gomoku", 5), ("Reversi", 4), ("TicTacToe", 3), ("Hex", 4)],
)
def test_rgb_array_is_the_picture_of_the_game(name: str, size: int) -> None:
    env = gym.make(f"sixplane/{name}-v0", size=size, max_moves=12, render_mode="rgb_array")
    assert {"ansi", "rgb_array", "human"} == set(env.metadata["render_modes"])
    env.action_space.seed(1)
    _, info = env.reset(seed=1)
    shapes, over = set(), False
    while not over:
        frame: Any = env.render()
        assert frame.dtype == np.uint8
        shapes.add(frame.shape)
        game: Any = env.unwrapped.game  # type: ignore[attr-defined]
        picture = rgb_array(game.to_svg(width=480, footer=True))
        assert np.array_equal(frame, picture[: len(frame)])
        _, _, ended, cut, info = env.step(env.action_space.sample(mask=info["action_mask"]))
        over = ended or cut
    # Films want one size, and an even one.
    assert len(shapes) == 1
    assert all(shape[0] % 2 == shape[1] % 2 == 0 for shape in shapes)
    env.close()


def test_record_video_films_a_game(tmp_path: Path) -> None:
    # In a process of its own: moviepy starts ffmpeg and warns of what is not ours.
    code = f"""
import gymnasium as gym, sixplane
env = gym.make("sixplane/Go-v0", size=5, max_moves=12, render_mode="rgb_array")
env = gym.wrappers.RecordVideo(env, {str(tmp_path)!r})
_, info = env.reset(seed=1)
env.action_space.seed(1)
over = False
while not over:
    _, _, ended, cut, info = env.step(env.action_space.sample(mask=info["action_mask"]))
    over = ended or cut
env.close()
from imageio_ffmpeg import count_frames_and_secs
print(count_frames_and_secs({str(tmp_path / "rl-video-episode-0.mp4")!r})[0])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-1] == "13"


def test_human_shows_every_step_in_a_window() -> None:
    import pygame

    env = gym.make("sixplane/Reversi-v0", render_mode="human")
    env.unwrapped.metadata["render_fps"] = 1000
    env.reset(seed=1)
    surface = pygame.display.get_surface()
    assert surface is not None
    before = pygame.surfarray.array3d(surface)
    env.step(19)
    after = pygame.surfarray.array3d(pygame.display.get_surface())  # type: ignore[arg-type]
    assert not np.array_equal(before, after)
    game = env.unwrapped.game  # type: ignore[attr-defined]
    picture = rgb_array(game.to_svg(width=480, footer=True))
    # pygame rounds in another way where colors are mixed with what is behind.
    assert np.abs(after.transpose(1, 0, 2).astype(int) - picture).max() <= 2

    copies: list[Any] = [copy.deepcopy(env.unwrapped), pickle.loads(pickle.dumps(env.unwrapped))]
    assert [again.game for again in copies] == [game, game]
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    assert env.render() is None
    assert pygame.display.get_surface() is None
    env.close()
    env.close()


def test_a_window_that_the_user_closes_stays_closed_until_the_environment_is() -> None:
    import pygame

    env = gym.make("sixplane/Go-v0", size=5, render_mode="human")
    env.unwrapped.metadata["render_fps"] = 1000
    env.reset(seed=1)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    for _ in range(2):
        env.step(env.unwrapped.game.legal_actions[0])  # type: ignore[attr-defined]
        assert pygame.display.get_surface() is None
    env.reset()
    assert pygame.display.get_surface() is None
    env.close()
    env.reset()
    assert pygame.display.get_surface() is not None
    env.close()


def test_an_environment_that_is_closed_leaves_the_window_to_another() -> None:
    import pygame

    one, other = (gym.make("sixplane/Go-v0", size=5, render_mode="human") for _ in range(2))
    for env in (one, other):
        env.unwrapped.metadata["render_fps"] = 1000
        env.reset(seed=1)
        env.step(12)
    one.close()
    other.step(7)
    surface = pygame.display.get_surface()
    assert surface is not None, "the next picture opens it again"
    game = other.unwrapped.game  # type: ignore[attr-defined]
    assert game.actions.tolist() == [12, 7]
    picture = rgb_array(game.to_svg(width=480, footer=True))
    shown = pygame.surfarray.array3d(surface).transpose(1, 0, 2).astype(int)
    assert np.abs(shown - picture).max() <= 2
    one.close()
    assert pygame.display.get_surface() is surface, "what is closed closes no other"
    other.close()
    assert pygame.display.get_surface() is None


def test_a_window_that_another_closes_answers_as_if_it_were_closed() -> None:
    one, other = Window(), Window()
    for window in (one, other):
        window.show(sixplane.Go(size=5).to_svg(width=200))
    other.close()
    assert list(one.events()) == []
    assert one.ask(("p",)) is None
    one.show(sixplane.Go(size=5).to_svg(width=200))
    assert one.is_open
    one.close()


@pytest.mark.parametrize(
    ("driver", "status", "said"),
    [
        ({}, 0, "UserWarning: nobody sees this window: there is no screen (is DISPLAY set?)"),
        ({"SDL_VIDEODRIVER": "x11"}, 1, "RuntimeError: no window can be opened: "),
    ],
    ids=str,
)
def test_human_without_a_screen_says_so(driver: dict[str, str], status: int, said: str) -> None:
    code = (
        "import gymnasium, sixplane\n"
        "env = gymnasium.make('sixplane/Go-v0', size=5, render_mode='human')\n"
        "env.reset()\n"
        "env.step(0)\n"
    )
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "XDG_RUNTIME_DIR"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden} | driver
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == status
    assert done.stderr.count(said) == 1


@pytest.mark.parametrize("missing", ["PIL", "resvg_py", "pygame"])
def test_a_mode_whose_library_is_missing_is_not_offered_and_names_the_extra(
    missing: str, tmp_path: Path
) -> None:
    code = f"""
import sys
sys.modules[{missing!r}] = None
import sixplane, gymnasium
from sixplane.envs.single import BoardGameEnv
from sixplane.render.pixels import rgb_array
from sixplane.render.window import Window
print(BoardGameEnv.metadata["render_modes"])
for make in (lambda: BoardGameEnv("go", render_mode="human"),
             lambda: gymnasium.make("sixplane/Go-v0", render_mode="human"),
             lambda: rgb_array(sixplane.Go().to_svg()) + Window().show(sixplane.Go().to_svg())):
    try:
        make()
    except ModuleNotFoundError as error:
        print(error)
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    modes, direct, made, drawn = done.stdout.splitlines()
    assert modes == ("['ansi', 'rgb_array']" if missing == "pygame" else "['ansi']")
    assert direct == made == f"render_mode 'human' needs {missing}: pip install 'sixplane[window]'"
    assert ("sixplane[window]" if missing == "pygame" else "sixplane[render]") in drawn


def test_sixplane_draws_without_any_library() -> None:
    code = (
        "import sys, sixplane; sixplane.Go().to_svg(); print({'PIL', 'resvg_py', 'pygame'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
    assert sixplane.Go().to_svg()
