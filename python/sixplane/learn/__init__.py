"""Training from nothing: workers play, a learner learns, a judge measures, everything in one folder.

`train` runs it; `sixplane train` is the same as a command. It needs the packages of `sixplane[train]`.

| name | what it is |
|---|---|
| `Config` | the settings of a run |
| `train` | trains a network, or resumes a run that was stopped |
| `self_play` | the work of a worker: games of a network against itself; `SelfPlay` has its settings |
| `Learner` | the interface of what learns from positions; PyTorch's is the default |
| `Run`, `Progress` | a run in progress, and what it counts |
| `Metrics`, `Row`, `Strength`, `BoardFigures` | the figures of a run: `metrics.csv` |
| `Judgement` | the result of one series of games of the judge |
| `report_html`, `examine`, `diagnose` | the page of a run, a game as the network sees it, what looks wrong |
"""

from sixplane.learn.config import Config, ConfigError
from sixplane.learn.judge import Judgement
from sixplane.learn.learner import Learner
from sixplane.learn.progress import Progress
from sixplane.learn.samples import Samples
from sixplane.learn.self_play import FinishedGames, SelfPlay, self_play
from sixplane.learn.trainer import Run, train
from sixplane.runs.calls import RunFolderError
from sixplane.runs.diagnosis import Finding, diagnose
from sixplane.runs.metrics import BoardFigures, Metrics, MetricsError, Row, Strength
from sixplane.runs.page import report_html
from sixplane.runs.sample import SampleGame, examine

__all__ = [
    "BoardFigures",
    "Config",
    "ConfigError",
    "Finding",
    "FinishedGames",
    "Judgement",
    "Learner",
    "Metrics",
    "MetricsError",
    "Progress",
    "Row",
    "Run",
    "RunFolderError",
    "SampleGame",
    "Samples",
    "SelfPlay",
    "Strength",
    "diagnose",
    "examine",
    "report_html",
    "self_play",
    "train",
]
