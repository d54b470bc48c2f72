"""The judge of a run: the ladder of the board, known players and the past of the run, and what is written."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sixplane
from learn_runs import TINY, run_until
from run_rows import healthy
from sixplane.agents import ScoreTableEvaluator
from sixplane.ladder import rungs
from sixplane.learn import Metrics, Progress
from sixplane.learn.judge import Judge, Judgement, elo_of_versions
from sixplane.learn.recorder import Recorder
from sixplane.learn.self_play import SelfPlay, self_play
from sixplane.match import Rating, arena
from sixplane.match.statistics import wilson_interval
from sixplane.nets import Architecture, Network
from sixplane.runs.calls import Call

GOMOKU = sixplane.Gomoku(size=7)


def test_on_a_board_with_a_ladder_versions_are_rated_on_it(tmp_path: Path) -> None:
    game = sixplane.Gomoku()
    seen: list[Rating] = []
    judge = Judge(game, 40, seen, [])
    assert judge.summary() == "not rated yet"
    table: Any = ScoreTableEvaluator()
    judge.judge(1, table, tmp_path, seconds=600)
    judge.judge(2, table, tmp_path, seconds=0)
    first, second = seen
    # However little time there is, one series is played.
    assert (first.games, second.games) == (40, 8)
    (rung,) = (rung for rung in rungs(game) if rung.spec == "score-table")
    assert first.low < rung.elo < first.high
    assert judge.summary().startswith(f"Elo {second.elo:.0f} (95 %: ")
    assert "on the ladder for Gomoku 15x15" in judge.summary()
    assert not list(tmp_path.iterdir())


def test_a_sure_win_leads_to_the_next_player(tmp_path: Path) -> None:
    seen: list[Judgement] = []
    strong: Any = ScoreTableEvaluator()
    judge = Judge(GOMOKU, 40, [], seen)
    for version in range(4):
        judge.judge(version, strong, tmp_path, seconds=60)
    opponents = [one.opponent for one in seen]
    # The first impression has too few games to be sure of anything.
    assert opponents[0] == "random"
    assert opponents[-1] == "score-table"
    assert opponents == sorted(opponents)
    assert all(one.score == 1 and one.simulations == 0 for one in seen if one.opponent == "random")


def test_short_series_together_lead_to_the_next_player(tmp_path: Path) -> None:
    strong: Any = ScoreTableEvaluator()
    for games in (16, 30):
        seen: list[Judgement] = []
        judge = Judge(GOMOKU, games, [], seen)
        for version in range(3):
            judge.judge(version, strong, tmp_path, seconds=0)
        assert {(one.opponent, one.score) for one in seen} == {("random", 1)}
        judge.judge(3, strong, tmp_path, seconds=0)
        assert seen[-1].opponent == "score-table"


def test_series_that_were_lost_long_ago_do_not_hold_the_judge_back(tmp_path: Path) -> None:
    strong: Any = ScoreTableEvaluator()
    lost = [Judgement(version, "random", 0, 2.0, 16, 0.03, 0.36) for version in range(20)]
    won = [Judgement(version, "random", 0, 16.0, 16, 0.8, 1.0) for version in (20, 21)]
    opponents = []
    for more in ([], [Judgement(22, "random", 0, 16.0, 16, 0.8, 1.0)]):
        seen = [*lost, *won, *more]
        Judge(GOMOKU, 16, [], seen).judge(23, strong, tmp_path, seconds=0)
        opponents.append(seen[-1].opponent)
    assert opponents == ["random", "score-table"]


def test_series_of_one_version_have_games_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds: list[int] = []

    def noted(*arguments: Any, **options: Any) -> Any:
        seeds.append(options["seed"])
        return arena(*arguments, **options)

    monkeypatch.setattr("sixplane.learn.judge.arena", noted)
    strong: Any = ScoreTableEvaluator()
    seen: list[Judgement] = []
    Judge(GOMOKU, 40, [], seen).judge(1, strong, tmp_path, seconds=60)
    assert [one.opponent for one in seen][:2] == ["random", "random"]
    assert len(set(seeds[:2])) == 2


def test_strength_without_a_ladder_is_of_a_known_player_and_the_elo() -> None:
    seen: list[Judgement] = []
    judge = Judge(GOMOKU, 16, [], seen)
    assert (judge.short(), "there is no ladder" in judge.summary()) == ("", True)
    seen.append(Judgement(1, "random", 0, 8.0, 16, 0.28, 0.72))
    assert judge.short() == "50% against random"
    seen += [
        Judgement(2, "random", 0, 13.0, 16, 0.57, 0.93),
        Judgement(2, "version 1", 32, 12.0, 16, 0.5, 0.9),
    ]
    elo, low, high, _ = elo_of_versions(seen)[2]
    strength = f"81% against random, Elo {elo:+.0f} ({low:+.0f} to {high:+.0f}) over the first version judged"
    assert judge.short() == strength
    assert judge.summary().startswith(f"{strength}; there is no ladder for Gomoku 7x7")


def test_versions_play_those_before_them_and_elo_connects_all(tmp_path: Path) -> None:
    (tmp_path / "networks").mkdir()
    architecture = Architecture("gomoku", blocks=1, channels=2)
    seen: list[Judgement] = []
    for version in range(1, 5):
        network = Network(architecture, architecture.random_parameters(version), backend="numpy")
        Judge(sixplane.Gomoku(size=5), 16, [], seen).judge(version, network, tmp_path, seconds=1)
        network.save(tmp_path / "networks" / f"{version:06}.npz")
    pairs = [(one.version, one.opponent) for one in seen if one.opponent.startswith("version")]
    assert pairs == [(2, "version 1"), (3, "version 2"), (4, "version 2")]
    assert elo_of_versions(seen).keys() == {1, 2, 3, 4}
    assert elo_of_versions(seen)[1].elo == 0
    assert all(one.games == 16 for one in seen)


@pytest.mark.parametrize(
    "game",
    [sixplane.Hex(2), sixplane.ConnectFour(4, max_moves=1), sixplane.Gomoku(max_moves=2)],
    ids=lambda game: game.name,
)
def test_a_board_with_few_openings_is_judged_by_two_games(game: sixplane.Game, tmp_path: Path) -> None:
    seen: list[Judgement] = []
    equal: Any = lambda planes: (np.zeros((len(planes), game.num_actions)), np.zeros(len(planes)))  # noqa: E731
    Judge(game, 8, [], seen).judge(1, equal, tmp_path, seconds=0)
    assert [one.games for one in seen] == [2]


def test_no_judgement_has_more_games_than_were_asked_for(tmp_path: Path) -> None:
    strong: Any = ScoreTableEvaluator()
    seen: list[Judgement] = []
    Judge(GOMOKU, 5, [], seen).judge(1, strong, tmp_path, seconds=60)
    # It wins all of them; the next series is against another player.
    assert seen[0].opponent == "random"
    assert len({one.opponent for one in seen}) == len(seen)
    assert all(one.games == 4 for one in seen), "each opening is played with both colors"


def test_a_version_that_is_no_longer_there_is_passed_over(tmp_path: Path) -> None:
    architecture = Architecture("gomoku", blocks=1, channels=2)
    network = Network(architecture, architecture.random_parameters(1), backend="numpy")
    seen = [Judgement(1, "random", 0, 8.0, 16, 0.3, 0.7)]
    Judge(sixplane.Gomoku(size=5), 16, [], seen).judge(2, network, tmp_path, seconds=1)
    assert [one.opponent for one in seen[1:]] == ["random"]


def test_a_missing_version_leaves_the_others_their_elo(tmp_path: Path) -> None:
    (tmp_path / "networks").mkdir()
    architecture = Architecture("gomoku", blocks=1, channels=2)
    seen: list[Judgement] = []
    for version in range(1, 7):
        network = Network(architecture, architecture.random_parameters(version), backend="numpy")
        Judge(sixplane.Gomoku(size=5), 16, [], seen).judge(version, network, tmp_path, seconds=1)
        if version in {1, 2, 5, 6}:
            network.save(tmp_path / "networks" / f"{version:06}.npz")
    pairs = [(one.version, one.opponent) for one in seen if one.opponent.startswith("version")]
    assert pairs == [(2, "version 1"), (3, "version 2"), (4, "version 2"), (5, "version 2"), (6, "version 2")]
    # Games that no longer connect with the newest version have no place on its scale.
    apart = [Judgement(9, "version 8", 32, 8.0, 16, 0.3, 0.7)]
    assert elo_of_versions([*seen, *apart]).keys() == {8, 9}
    assert elo_of_versions(seen).keys() == {1, 2, 3, 4, 5, 6}


def test_a_damaged_list_of_figures_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "metrics.csv").write_bytes(b"\xff damaged")
    Recorder(tmp_path, TINY, Progress()).close()
    assert (tmp_path / "metrics-damaged.csv").read_bytes() == b"\xff damaged"
    assert not (tmp_path / "metrics.csv").exists()


def test_a_row_is_of_the_time_since_the_row_before(tmp_path: Path) -> None:
    config = replace(TINY, out=str(tmp_path))
    architecture = Architecture("go", blocks=1, channels=2)
    network = Network(architecture, architecture.random_parameters(1), sizes=[3], backend="numpy")
    progress = Progress()
    recorder = Recorder(tmp_path, config, progress)
    for minute in (1, 2):
        progress.seconds = 60.0 * minute
        progress.positions += 600 * minute
        recorder.begin_calls(tasks=1, workers=1, seconds=progress.seconds - 60)
        recorder.add_losses({"policy": float(minute), "value": 0.5, "ownership": 1.0, "score": 1.0}, (6, 6))
        progress.judgements.append(Judgement(minute, "random", 0, 12.0, 16, 0.5, 0.9))
        if minute == 2:
            progress.ratings.append(Rating(700.0, 600.0, 800.0, 40))
        recorder.write(progress, window=5, workers=1, network=network)
    recorder.close()
    rows = Metrics(tmp_path / "metrics.csv").rows
    assert [row.positions_per_second for row in rows] == [10, 20]
    assert [row.policy_loss for row in rows] == [1, 2]
    assert rows[1].loss == pytest.approx(2 + 0.5 + config.ownership_weight + config.score_weight)
    assert [row.play_share for row in rows] == [0.5, 0.5]
    assert rows[0].strengths["random"].score == 0.75
    assert math.isnan(rows[0].ladder_elo)
    assert (rows[1].ladder_elo, rows[1].ladder_low, rows[1].ladder_high) == (700, 600, 800)
    assert rows[1].ladder_games == 40
    assert "Go 3x3" in (tmp_path / "report.html").read_text()


def test_all_series_of_a_judgement_count_in_its_row(tmp_path: Path) -> None:
    architecture = Architecture("go", blocks=1, channels=2)
    network = Network(architecture, architecture.random_parameters(1), sizes=[3], backend="numpy")
    progress = Progress()
    recorder = Recorder(tmp_path, TINY, progress)
    progress.judgements += [
        Judgement(0, "random", 0, 16.0, 16, 0.8, 1.0),
        Judgement(0, "random", 0, 3.0, 4, 0.3, 1),
    ]
    recorder.write(progress, window=5, workers=1, network=network)
    recorder.close()
    (row,) = Metrics(tmp_path / "metrics.csv").rows
    assert row.strengths["random"] == pytest.approx((0.95, *wilson_interval(19, 20)), rel=1e-5)


def test_every_judgement_has_a_row_of_the_version_that_was_judged(tmp_path: Path) -> None:
    # No checkpoint is due, and versions come quickly.
    settings = {"checkpoint_every": 3600.0, "publish_every": 0.01, "judge_every": 0.05, "judge_games": 2}
    run = run_until(tmp_path, lambda run: len({one.version for one in run.progress.judgements}) > 2, settings)
    judged = {one.version for one in run.progress.judgements}
    rows = [row for row in Metrics(tmp_path / "metrics.csv").rows if row.strengths]
    assert [row.version for row in rows] == sorted(judged)
    assert {int(file.stem) for file in tmp_path.glob("networks/*.npz")} == judged


def test_a_call_that_ends_corrects_the_rows_before_it(tmp_path: Path) -> None:
    architecture = Architecture("go", blocks=1, channels=2)
    network = Network(architecture, architecture.random_parameters(1), sizes=[3], backend="numpy")
    game = sixplane.Go(3, max_moves=12)
    settings = SelfPlay(prototype=game, architecture=architecture, games=2, simulations=2)
    games = self_play(0, architecture.random_parameters(1), 1, settings)
    recorder = Recorder(tmp_path, TINY, Progress())
    recorder.begin_calls(tasks=2, workers=1, seconds=0.0)
    for minute in (1, 2, 3):
        if minute == 3:
            count = len(games.samples)
            recorder.add_games(games, Call(1, 0, 0, 2, count, 900, 150.0, 120.0, 2.5, "host"))
            recorder.begin_calls(tasks=2, workers=1, seconds=150.0)
        else:
            recorder.begin_calls(tasks=2, workers=1, seconds=60.0 * minute)
        recorder.write(Progress(seconds=60.0 * minute), window=5, workers=1, network=network)
        rows = Metrics(tmp_path / "metrics.csv").rows
        assert [row.play_share for row in rows] == pytest.approx([0.5] * minute)
        known = 0.8 if minute == 3 else math.nan
        assert [row.network_share for row in rows] == pytest.approx([known] * minute, nan_ok=True)
    recorder.close()


def test_the_report_has_some_positions_of_a_long_game_by_the_network_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = sixplane.Go(size=3, komi=0.5, max_moves=300)
    rng = np.random.default_rng(1)
    while not game.is_over:
        game.play(int(rng.choice(game.legal_actions[:-1] if len(game.legal_actions) > 1 else [9])))
    assert game.move_number > 150
    architecture = Architecture("go", blocks=1, channels=2)
    network = Network(architecture, architecture.random_parameters(1), sizes=[3], backend="numpy")
    monkeypatch.setattr(Network, "with_backend", None)
    recorder = Recorder(tmp_path, TINY, Progress())
    recorder._record = game
    recorder.write(Progress(seconds=60.0), window=5, workers=1, network=network)
    recorder.close()
    page = (tmp_path / "report.html").read_text()
    said = f"{game.move_number} actions, .*101 of its {game.move_number + 1} positions are shown"
    assert re.search(said, page)


def test_the_figures_of_games_are_those_of_all_calls_of_the_row(tmp_path: Path) -> None:
    architecture = Architecture("go", blocks=1, channels=2)
    network = Network(architecture, architecture.random_parameters(1), sizes=[3], backend="numpy")
    game = sixplane.Go(3, max_moves=12)
    settings = SelfPlay(prototype=game, architecture=architecture, games=4, simulations=2)
    games = self_play(0, architecture.random_parameters(1), 1, settings)
    recorder = Recorder(tmp_path, TINY, Progress())
    recorder.begin_calls(tasks=2, workers=1, seconds=0.0)
    for number, outcomes, openings, wrong, staleness in (
        (1, [1, 1, 1, 0], [1, 1, 2, 3], 0, 1),
        (2, [1, -1, -1, 0], [1, 4, 5, 6], 2, 4),
    ):
        told = games._replace(
            outcomes=np.array(outcomes, np.int8),
            lengths=np.array([4, 6, 8, 10]) * number,
            openings=np.array(openings, np.uint64),
            policy_entropy=float(number),
            decided=5,
            wrongly_decided=wrong,
        )
        recorder.add_games(told, Call(number, 0, staleness, 4, 40, 900 * number, 9.0, 5.0, 0.5, "host"))
    progress = Progress(seconds=60.0, train_seconds=30.0, driver_seconds=12.0, judge_seconds=6.0)
    recorder.write(progress, window=5, workers=2, network=network)
    progress.seconds = 120.0
    recorder.write(progress, window=5, workers=2, network=network)
    recorder.close()
    row, after = Metrics(tmp_path / "metrics.csv").rows
    found = (row.black_wins, row.draws, row.game_length, row.distinct_openings, row.wrongly_decided)
    assert found == (0.5, 0.25, 10.5, 0.75, 0.2)
    assert (row.staleness, row.most_staleness, row.call_bytes) == (2.5, 4, 1350)
    assert row.policy_entropy == 1.5
    # Two workers and the learner have a processor each.
    assert (row.train_share, row.driver_share) == pytest.approx((30 / 180, 12 / 180), rel=1e-5)
    assert (row.judge_share, row.driver_load) == pytest.approx((6 / 180, 12 / 60), rel=1e-5)
    # Those of one row are none of the next.
    assert math.isnan(after.black_wins) and math.isnan(after.staleness) and math.isnan(after.train_share)


def test_rows_after_the_checkpoint_that_a_run_goes_on_from_are_forgotten(tmp_path: Path) -> None:
    architecture = Architecture("go", blocks=1, channels=2)
    network = Network(architecture, architecture.random_parameters(1), sizes=[3], backend="numpy")
    metrics = Metrics(tmp_path / "metrics.csv")
    for row in healthy(4):
        metrics.add(row)
    recorder = Recorder(tmp_path, TINY, Progress(seconds=120.0))
    recorder.write(Progress(seconds=150.0), window=5, workers=1, network=network)
    recorder.close()
    assert [row.minutes for row in Metrics(tmp_path / "metrics.csv").rows] == [1, 2, 2.5]


def test_the_time_of_the_judge_is_counted(tmp_path: Path) -> None:
    settings = {"checkpoint_every": 3600.0, "publish_every": 0.01, "judge_every": 0.05, "judge_games": 2}
    run = run_until(tmp_path, lambda run: len(run.progress.judgements) > 0, settings)
    assert 0 < run.progress.judge_seconds < run.seconds
