"""The recorder of a run, which writes figures and a report for people."""

from __future__ import annotations

import dataclasses
import itertools
import math
import time
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np

from sixplane._core import Game
from sixplane._files import write_file
from sixplane.agents.called import known_players
from sixplane.games import info_of
from sixplane.learn.boards import Board, named
from sixplane.learn.config import Config
from sixplane.learn.judge import Judgement, elo_of_versions
from sixplane.learn.progress import Progress
from sixplane.learn.self_play import FinishedGames
from sixplane.match.statistics import wilson_interval
from sixplane.nets import Network
from sixplane.runs.calls import Call
from sixplane.runs.metrics import BoardFigures, Metrics, MetricsError, Row, Strength
from sixplane.runs.page import report_html
from sixplane.runs.play_time import PlayTime, Share
from sixplane.runs.sample import examine
from sixplane.runs.tensorboard import TensorBoard

#: The most positions of the game in the report. On big boards a game has many, and each is drawn.
MOST_POSITIONS: Final = 100


class Recorder:
    """Gathers figures, and writes them as a row of `metrics.csv` and in `report.html`."""

    def __init__(self, folder: Path, config: Config, progress: Progress) -> None:
        self._folder = folder
        self._config = config
        self._stage = config.by_stage[progress.stage]
        game = self._stage.prototype()
        self._title = f"{info_of(game).title} {', '.join(map(named, self._stage.boards))}"
        file = folder / "metrics.csv"
        try:
            self._metrics = Metrics(file)
        except MetricsError:
            numbers = itertools.count(2)
            damaged = folder / "metrics-damaged.csv"
            while damaged.exists():
                damaged = folder / f"metrics-damaged-{next(numbers)}.csv"
            file.replace(damaged)
            self._metrics = Metrics(file)
        self._metrics.forget_after(progress.seconds / 60)
        events, players = folder / "tensorboard", known_players(game)
        # Those of the last row stay, which may have ended a stage.
        package = find_spec("tensorboard")
        # A folder of this name, such as the run's own, has no origin.
        has_it = package is not None and package.origin is not None
        self._board = TensorBoard(events, progress.positions + 1, players) if has_it else None
        self._judged = game.rows, game.cols
        self._record: Game | None = None
        self._play_time = PlayTime(progress.seconds, progress.tasks)
        self._begin(progress)

    def _begin(self, progress: Progress) -> None:
        self._before = progress.copy()
        self._played: list[FinishedGames] = []
        self._calls: list[Call] = []
        self._losses: list[tuple[Board, dict[str, float]]] = []
        self._has_looked = False

    def begin_calls(self, tasks: int, workers: int, seconds: float) -> None:
        """Notes that so many calls were begun by now, and that so many run at the same time."""
        self._play_time.begin(tasks, workers, seconds)
        self._has_looked = True

    def add_games(self, games: FinishedGames, call: Call) -> None:
        """Adds finished games, whose samples are not kept."""
        # Copies: on a cluster, an array keeps all that came with it in memory.
        arrays = {name: getattr(games, name).copy() for name in ("outcomes", "lengths", "openings")}
        nothing = games.samples.take(np.zeros(0, np.int64))
        self._played.append(games._replace(samples=nothing, **arrays))
        self._calls.append(call)
        self._play_time.end(call)
        # The report shows a game on the board of the judge as soon as there is one.
        if self._record is None or _board(games.record) == self._judged:
            self._record = games.record

    def add_losses(self, losses: dict[str, float], board: Board) -> None:
        """Adds the losses of one step of learning, and the board of its positions."""
        self._losses.append((board, losses))

    def write(
        self,
        progress: Progress,
        window: int,
        workers: int,
        network: Network,
        positions: Mapping[Board, int] | None = None,
    ) -> None:
        """Writes a row about the time since the last row, and the report.

        `window` counts the positions in the replay windows, and `positions` those of the stage on each board,
        where it mixes some.
        """
        row = self._row(progress, window, workers, positions or {})
        *earlier, (play, inside) = self._play_time.row(progress.seconds, workers)
        # Calls that have ended tell what they took of the rows before.
        self._correct(earlier)
        if not math.isnan(row.driver_share):
            row = dataclasses.replace(row, play_share=play, network_share=inside)
        self._metrics.add(row)
        if self._board is not None:
            self._board.add(row)
        sample = None if self._record is None else examine(self._record, network, most=MOST_POSITIONS)
        page = report_html(
            self._metrics.rows,
            title=self._title,
            settings=self._config.to_table(),
            sample=sample,
            refresh=60,
        )
        write_file(self._folder / "report.html", page.encode())
        self._begin(progress)

    def _correct(self, shares: list[Share]) -> None:
        """Corrects the time of self-play in the last rows."""
        rows = self._metrics.rows
        for i, (play, inside) in enumerate(shares, len(rows) - len(shares)):
            if not math.isnan(rows[i].driver_share):
                rows[i] = dataclasses.replace(rows[i], play_share=play, network_share=inside)

    def _mean_of_positions(self, name: str) -> float:
        """Returns the mean of a figure of the finished games over their positions; NaN if they have none."""
        weights = [call.positions for call in self._calls]
        figures = [getattr(games, name) for games in self._played]
        return float(np.average(figures, weights=weights)) if any(weights) else math.nan

    def _row(self, progress: Progress, window: int, workers: int, positions: Mapping[Board, int]) -> Row:
        before = self._before
        seconds = max(progress.seconds - before.seconds, 1e-9)

        def spent(part: str) -> float:
            name = f"{part}_seconds"
            return float(getattr(progress, name) - getattr(before, name))

        numbers: dict[str, float] = {}
        # After the end of a run only the judge works, which says nothing of how the run goes.
        if self._has_looked or self._played or self._losses:
            # The learner has a processor of its own as far as there is one.
            numbers = {
                f"{part}_share": spent(part) / (seconds * (workers + 1))
                for part in ("train", "driver", "judge")
            }
            numbers["positions_per_second"] = (progress.positions - before.positions) / seconds
            numbers["driver_load"] = spent("driver") / seconds
        if played := self._played:
            openings = np.concatenate([games.openings for games in played])
            staleness = [call.staleness for call in self._calls]
            numbers |= _results(played) | {
                "distinct_openings": len(np.unique(openings)) / len(openings),
                "policy_entropy": self._mean_of_positions("policy_entropy"),
                "staleness": float(np.mean(staleness)),
                "most_staleness": max(staleness),
                "call_bytes": float(np.mean([call.bytes for call in self._calls])),
            }
            if decided := sum(games.decided for games in played):
                numbers["wrongly_decided"] = sum(games.wrongly_decided for games in played) / decided
            if self._stage.search["exact"]:
                numbers["certain_share"] = self._mean_of_positions("certain_share")
        if self._losses:
            weights = self._config.loss_weights
            means = _means([losses for _, losses in self._losses], weights)
            numbers |= {f"{name}_loss": mean for name, mean in means.items()}
            numbers["loss"] = sum(weight * means[name] for name, weight in weights.items())
        for rating in progress.ratings[len(before.ratings) :]:
            numbers |= {f"ladder_{name}": float(value) for name, value in rating._asdict().items()}
        series: dict[str, list[Judgement]] = {}
        for one in progress.judgements[len(before.judgements) :]:
            # All earlier versions count as one opponent.
            name = "an earlier version" if one.opponent.startswith("version ") else one.opponent
            series.setdefault(name, []).append(one)
        strengths = {name: _strength(played) for name, played in series.items()}
        if strengths and (elo := elo_of_versions(progress.judgements)):
            newest = elo[max(elo)]
            numbers |= {"elo": newest.elo, "elo_low": newest.low, "elo_high": newest.high}
        return Row(
            time=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            minutes=progress.seconds / 60,
            stage=progress.stage + 1,
            games=progress.games,
            positions=progress.positions,
            samples=progress.samples,
            version=progress.version,
            window=window,
            strengths=strengths,
            boards=self._boards(positions),
            **numbers,
        )

    def _boards(self, positions: Mapping[Board, int]) -> dict[str, BoardFigures]:
        """Returns the figures of each board of a stage that mixes some."""
        found: dict[str, BoardFigures] = {}
        for board in self._stage.boards if len(self._stage.boards) > 1 else ():
            played = [games for games in self._played if _board(games.record) == board]
            losses = [losses for of, losses in self._losses if of == board]
            means = _means(losses, ("policy", "value")) if losses else {}
            found[named(board)] = BoardFigures(
                positions=positions.get(board, math.nan),
                **{f"{name}_loss": mean for name, mean in means.items()},
                **(_results(played) if played else {}),
            )
        return found

    def close(self) -> None:
        """Closes the files for TensorBoard."""
        if self._board is not None:
            self._board.close()


def _strength(series: list[Judgement]) -> Strength:
    """Returns the result of all series against one opponent together."""
    points, games = sum(one.points for one in series), sum(one.games for one in series)
    return Strength(points / games, *wilson_interval(points, games))


def _board(game: Game) -> Board:
    return game.rows, game.cols


def _results(played: list[FinishedGames]) -> dict[str, float]:
    outcomes, lengths = (
        np.concatenate([getattr(games, name) for games in played]) for name in ("outcomes", "lengths")
    )
    return {
        "black_wins": float((outcomes == 1).mean()),
        "draws": float((outcomes == 0).mean()),
        "game_length": float(lengths.mean()),
    }


def _means(losses: list[dict[str, float]], names: Iterable[str]) -> dict[str, float]:
    """Returns the mean of each part of the loss; NaN: a learner of somebody else does not give it."""
    return {name: float(np.mean([one.get(name, math.nan) for one in losses])) for name in names}
