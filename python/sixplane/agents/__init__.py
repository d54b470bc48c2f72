"""Agents: whoever picks the actions of a game.

| agent | plays |
|---|---|
| `RandomAgent` | all games: random legal actions |
| `ScoreTableAgent` | Gomoku: by a table of patterns, without search |
| `HumanAgent` | all games: as a person types |
"""

from sixplane.agents.agent import RESIGN, Agent, Choice, Resignation
from sixplane.agents.human import HumanAgent
from sixplane.agents.random import RandomAgent
from sixplane.agents.score_table import ScoreTableAgent

__all__ = [
    "RESIGN",
    "Agent",
    "Choice",
    "HumanAgent",
    "RandomAgent",
    "Resignation",
    "ScoreTableAgent",
]
