"""Board games whose whole state is six planes.

A state is a `uint8` array `(6, rows, cols)` of zeros and ones:

| # | plane | 1 means |
|---|---|---|
| 0 | black | a black stone is here |
| 1 | white | a white stone is here |
| 2 | turn | (whole plane) white is to play |
| 3 | invalid | the player to play may **not** play here |
| 4 | pass | (whole plane) the previous action was a pass |
| 5 | done | (whole plane) the game is over |

An action is the integer `row * cols + col`, row 0 at the top; `rows * cols` is a pass.

Every public module, such as `sixplane.search`, is an attribute after `import sixplane`; the first use loads
it. Importing sixplane registers its environments with Gymnasium, if version 1.1 or newer is
installed; it does not import Gymnasium.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from sixplane._callbacks import set_callbacks
from sixplane._core import ConnectFour, Game, GameBatch, Go, Gomoku, Hex, Reversi, TicTacToe, __version__
from sixplane._other_names import OF_PACKAGE, missing_attribute
from sixplane._registration import register_environments
from sixplane.errors import GameRulesError, IllegalActionError, SGFError, SGFWarning
from sixplane.masks import sample_legal
from sixplane.sgf import read_sgf

if TYPE_CHECKING:
    from sixplane import agents as agents
    from sixplane import batch as batch
    from sixplane import envs as envs
    from sixplane import errors as errors
    from sixplane import exact as exact
    from sixplane import gogame as gogame
    from sixplane import govars as govars
    from sixplane import gymgo as gymgo
    from sixplane import jobs as jobs
    from sixplane import ladder as ladder
    from sixplane import learn as learn
    from sixplane import match as match
    from sixplane import nets as nets
    from sixplane import openspiel as openspiel
    from sixplane import pettingzoo as pettingzoo
    from sixplane import planes as planes
    from sixplane import play as play
    from sixplane import protocols as protocols
    from sixplane import render as render
    from sixplane import rllib as rllib
    from sixplane import sb3 as sb3
    from sixplane import search as search
    from sixplane import sgf as sgf
    from sixplane import state_utils as state_utils
    from sixplane import testing as testing
    from sixplane import text as text
    from sixplane import torchrl as torchrl
    from sixplane import web as web
    from sixplane import widget as widget
    from sixplane._core import OwnGame as OwnGame
    from sixplane.games.own import game_class as game_class
    from sixplane.match import evaluate as evaluate

__all__ = [
    "ConnectFour",
    "Game",
    "GameBatch",
    "GameRulesError",
    "Go",
    "Gomoku",
    "Hex",
    "IllegalActionError",
    "OwnGame",
    "Reversi",
    "SGFError",
    "SGFWarning",
    "TicTacToe",
    "__version__",
    "evaluate",
    "game_class",
    "read_sgf",
    "sample_legal",
]

set_callbacks()
register_environments()
del register_environments, set_callbacks

_MODULES = frozenset((
    "agents", "batch", "envs", "errors", "exact", "gogame", "govars", "gymgo", "jobs", "ladder", "learn",
    "match", "nets", "openspiel", "pettingzoo", "planes", "play", "protocols", "render", "rllib", "sb3",
    "search", "sgf", "state_utils", "testing", "text", "torchrl", "web", "widget",
))  # fmt: skip

#: Public names that are loaded with the first use, and their modules.
_PLACES = {"OwnGame": "sixplane.games.own", "evaluate": "sixplane.match", "game_class": "sixplane.games.own"}

#: Libraries that a module may need and that may be missing.
_LIBRARIES = frozenset((
    "anywidget", "gymnasium", "msgspec", "pettingzoo", "pyspiel", "ray", "stable_baselines3", "torchrl",
    "traitlets",
))  # fmt: skip

if not TYPE_CHECKING:  # a type checker reads the imports above instead

    def __getattr__(name: str) -> object:
        if name in _MODULES:
            try:
                return import_module(f"sixplane.{name}")
            except ModuleNotFoundError as error:
                if error.name not in _LIBRARIES:
                    raise
                # For `hasattr` and `help` it is an attribute that is not there.
                raise AttributeError(str(error)) from error
        if name in _PLACES:
            return getattr(import_module(_PLACES[name]), name)
        raise missing_attribute(sys.modules[__name__], "module 'sixplane'", name, OF_PACKAGE)


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES})
