"""Where a file or a folder is expected, its name will do as well as a `Path`."""

from __future__ import annotations

from pathlib import Path

import sixplane
from sixplane.agents import AgentSpec
from sixplane.learn import Config, Metrics, Row
from sixplane.match import Tournament, TournamentFolder, rate


def test_figures_and_settings(tmp_path: Path) -> None:
    name = str(tmp_path / "metrics.csv")
    Metrics(name).add(Row(minutes=1, games=128))
    assert Metrics(name).rows == Metrics(Path(name)).rows
    (tmp_path / "run.toml").write_text("game = 'reversi'")
    assert Config.read(str(tmp_path / "run.toml")).game == "reversi"


def test_a_rating_and_a_match(tmp_path: Path) -> None:
    folder = str(tmp_path / "rating")
    first, again = (rate("random", sixplane.Reversi(), 8, folder=place) for place in (folder, Path(folder)))
    assert first == again
    entrants = [AgentSpec.parse("random"), AgentSpec.parse("score-table")]
    tournament = Tournament(entrants, sixplane.Gomoku(size=5), games=2)
    name = str(tmp_path / "match")
    with TournamentFolder(name, tournament) as match:
        for played in tournament.run(processes=0, live=name):
            match.write(played)
    with TournamentFolder(Path(name), tournament) as match:
        assert [line.game for line in match.lines] == [0, 1]
