"""Agents: they choose the actions of a game.

| agent | plays |
|---|---|
| `RandomAgent` | all games: random legal actions |
| `ScoreTableAgent` | Gomoku: by a table of patterns, without search |
| `MCTSAgent` | all games: the best action of a tree search |
| `CapturingAgent` | all games: as another agent, and in Go it captures dead stones before it passes |
| `PartlyRandomAgent` | all games: as another agent, and a share of its moves at random |
| `BestAgent` | all games: as the best of these that needs nothing beside the package, by the board |
| `NetworkAgent` | all games: by the policy of an evaluator, such as a trained network |
| `PolicyAgent` | all games: what a function of planes and masks says, for many games at once |
| `GTPAgent` | Go and Reversi: another program, as a child process |
| `GomocupAgent` | Gomoku: another program, as a child process |
| `HumanAgent` | all games: as a person types |
"""

from sixplane.agents.agent import RESIGN, STOP, Agent, Choice, Resignation
from sixplane.agents.best import BestAgent
from sixplane.agents.dead_stones import CapturingAgent
from sixplane.agents.gomocup import GomocupAgent
from sixplane.agents.gtp import GTPAgent
from sixplane.agents.human import HumanAgent
from sixplane.agents.mcts import MCTSAgent
from sixplane.agents.network import NetworkAgent
from sixplane.agents.partly_random import PartlyRandomAgent
from sixplane.agents.policy import PolicyAgent
from sixplane.agents.program import ProgramError, ProgramTimeoutError
from sixplane.agents.random import RandomAgent
from sixplane.agents.score_table import Pattern, ScoreTableAgent, ScoreTableEvaluator
from sixplane.agents.spec import AgentSpec

__all__ = [
    "RESIGN",
    "STOP",
    "Agent",
    "AgentSpec",
    "BestAgent",
    "CapturingAgent",
    "Choice",
    "GTPAgent",
    "GomocupAgent",
    "HumanAgent",
    "MCTSAgent",
    "NetworkAgent",
    "PartlyRandomAgent",
    "Pattern",
    "PolicyAgent",
    "ProgramError",
    "ProgramTimeoutError",
    "RandomAgent",
    "Resignation",
    "ScoreTableAgent",
    "ScoreTableEvaluator",
]
