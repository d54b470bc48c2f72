"""Agents: whoever picks the actions of a game.

| agent | plays |
|---|---|
| `RandomAgent` | all games: random legal actions |
| `ScoreTableAgent` | Gomoku: by a table of patterns, without search |
| `GTPAgent` | Go and Reversi: another program, as a child process |
| `HumanAgent` | all games: as a person types |
"""

from sixplane.agents.agent import RESIGN, Agent, Choice, Resignation
from sixplane.agents.gtp import GTPAgent
from sixplane.agents.gtp_program import GTPError, GTPTimeoutError
from sixplane.agents.human import HumanAgent
from sixplane.agents.random import RandomAgent
from sixplane.agents.score_table import ScoreTableAgent
from sixplane.agents.spec import AgentSpec

__all__ = [
    "RESIGN",
    "Agent",
    "AgentSpec",
    "Choice",
    "GTPAgent",
    "GTPError",
    "GTPTimeoutError",
    "HumanAgent",
    "RandomAgent",
    "Resignation",
    "ScoreTableAgent",
]
