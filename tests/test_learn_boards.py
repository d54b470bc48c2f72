"""Runs that mix boards: their settings, whose turn it is, and that no call and no batch mixes any."""

from __future__ import annotations

import dataclasses
import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sixplane
from learn_runs import TINY, PassLearner, counted, run_until, start
from sixplane._core import parse_sgf
from sixplane.jobs import Processes
from sixplane.learn import Config, ConfigError, Metrics, Progress, diagnose
from sixplane.learn.boards import chosen
from sixplane.learn.folder import RunFolder
from sixplane.learn.recorder import Recorder
from sixplane.learn.self_play import SelfPlay, self_play
from sixplane.learn.window import ReplayWindow, ReplayWindows
from sixplane.nets import Architecture, Network
from sixplane.runs.calls import Call, RunFolderError
from sixplane.runs.metrics import BoardFigures, Row
from sixplane.runs.training import TrainingReader
from waiting import until

if TYPE_CHECKING:
    from pathlib import Path

    from sixplane.learn.samples import Samples
    from sixplane.learn.trainer import Run

#: Boards with a komi of their own, and the one of the run.
BOARDS = ({"size": 4, "share": 0.5, "rules": {"komi": 2.5}}, {"size": 3, "share": 0.5})
GAME = sixplane.Go(size=3)
MIXED: dict[str, Any] = {"size": None, "sizes": BOARDS, "rules": {"komi": 0.5}, "judge_games": 2}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sizes": []}, "sizes has no board: leave it out"),
        ({"sizes": 9}, "sizes must be a list of boards, not 9"),
        ({"sizes": "7,9"}, "sizes must be a list of boards, not '7,9'"),
        ({"sizes": [7, "nine"]}, "board 2 of sizes must be a size or a table, not 'nine'"),
        ({"sizes": [7, 9, 7]}, "sizes has 7x7 more than once"),
        ({"sizes": [7, {"size": [7, 7]}]}, "sizes has 7x7 more than once"),
        ({"sizes": [3] * 100_000}, "sizes has 3x3 more than once"),
        ({"sizes": [7, 1]}, "board 2 of sizes: a board of 1x1: "),
        ({"sizes": [7, True]}, "board 2 of sizes: size must be an integer, not bool"),
        ({"sizes": [[5, 7, 9]]}, "board 1 of sizes: a size must be an integer or (rows, cols)"),
        ({"sizes": [{"share": 1}]}, "board 1 of sizes has no size"),
        ({"sizes": [{"size": 7, "sharp": 1}]}, "board 1 of sizes: there is no setting 'sharp' (did you mean"),
        ({"sizes": [{"size": 7, "rules": 7.5}]}, "board 1 of sizes: rules must be a table, not 7.5"),
        ({"sizes": [{"size": 7, "rules": {"kom": 1}}]}, "7x7 of sizes: go has no rule 'kom'"),
        ({"sizes": [{"size": 7, "share": 0.4}, 9]}, "board 2 of sizes has no share: all or none"),
        ({"sizes": [{"size": 7, "share": 0.4}]}, "the shares of sizes must be 1 in sum, not 0.4"),
        ({"sizes": [{"size": 7, "share": -1}]}, "board 1 of sizes: share must be more than 0, not -1"),
        ({"sizes": [{"size": 7, "share": "all"}]}, "board 1 of sizes: share must be a number, not 'all'"),
        ({"sizes": [7, 9], "size": 13}, "size 13x13 is none of sizes: 7x7, 9x9"),
        ({"sizes": [7, 9], "size": "nine"}, "size must be an integer, not str"),
        ({"game": "reversi", "sizes": [6, 7]}, "7x7 of sizes: a Reversi board of 7x7"),
        ({"stages": [{"share": 1, "sizes": [7, 1]}]}, "stage 1: board 2 of sizes: a board of 1x1"),
        ({"stages": [{"share": 1, "sizes": [7], "size": 9}]}, "stage 1: size 9x9 is none of sizes: 7x7"),
        (
            {"sizes": [5, 7], "size": 5, "stages": [{"share": 1, "size": 9}]},
            "size 5x5 is that of no stage: they have 9x9",
        ),
    ],
    ids=lambda part: str(part)[:30],
)
def test_wrong_boards_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match="^" + re.escape(message)):
        Config.make(settings)


def test_what_a_board_does_not_say_is_the_stages_and_then_the_runs(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text(
        """
        minutes = 100
        sizes = [13, 9]
        rules = { suicide = true, komi = 6.5 }
        [[stages]]
        share = 0.25
        sizes = [{ size = [5, 7], share = 0.25 }, { size = 5, share = 0.75, rules = { komi = 24.5 } }]
        rules = { komi = 5.5 }
        [[stages]]
        share = 0.25
        size = 7
        [[stages]]
        share = 0.5
        """
    )
    config = Config.read(file)
    first, second, third = config.by_stage
    assert [stage.boards for stage in config.by_stage] == [((5, 5), (5, 7)), ((7, 7),), ((9, 9), (13, 13))]
    assert [board.rules["komi"] for board in first.by_board] == [24.5, 5.5] and first.shares == (0.75, 0.25)
    assert all(board.rules["suicide"] for board in first.by_board)
    assert [board.prototype().max_moves for board in first.by_board] == [75, 105]  # of their own boards
    assert second.by_board == (second,) and second.shares == (1.0,) and second.sizes is None
    assert third.shares == (0.5, 0.5)
    # The judge plays on the largest board, unless one is named.
    assert (third.prototype().rows, third.judged) == (13, third.by_board[1])
    assert dataclasses.replace(third, size=9).judged == third.by_board[0]
    assert Config.make(json.loads(json.dumps(config.to_table()))) == config


@pytest.mark.parametrize("shares", [(1.0,), (0.5, 0.5), (0.1, 0.3, 0.6), (0.01, 0.99)])
def test_shares_hold_wherever_the_numbers_begin_and_whatever_is_lost(shares: tuple[float, ...]) -> None:
    for first in (1, 77, 1_000_000, 2**40):
        # A run that is killed loses the calls in flight.
        numbers = [number for number in range(first, first + 1100) if number % 100 > 9]
        found = Counter(chosen(number, shares) for number in numbers)
        assert all(abs(found[place] / len(numbers) - share) < 0.02 for place, share in enumerate(shares))
    assert all(chosen(number, (0.0, 0.5, 0.0, 0.5, 0.0)) in {1, 3} for number in range(500))


def test_the_positions_of_reversi_are_shared_as_the_settings_say() -> None:
    # Every game of it has about as many positions as its board has points.
    config = Config(game="reversi", sizes=(4, {"size": 6}, 8))
    calls = Counter(config.place_of_call(number) for number in range(1, 5001))
    positions = [calls[place] * (rows * cols - 4) for place, (rows, cols) in enumerate(config.boards)]
    assert all(0.28 < each / sum(positions) < 0.37 for each in positions)


def komi_of(game: sixplane.Game) -> float:
    assert isinstance(game, sixplane.Go)
    return game.komi


class Noting(Processes):
    """Processes that note what they were begun with."""

    def __init__(self, noted: list[tuple[int, SelfPlay]]) -> None:
        super().__init__(1)
        self._noted = noted

    def begin(self, function: Any, *arguments: Any) -> Any:
        *_, seed, settings = arguments
        self._noted.append((seed, settings))
        return super().begin(function, *arguments)


class Watched(PassLearner):
    """Notes what it learns from."""

    seen: list[tuple[tuple[int, int], set[float]]]

    def step(self, samples: Samples, learning_rate: float) -> dict[str, float]:
        self.seen.append((samples.board, set(samples.komi.tolist())))
        return super().step(samples, learning_rate)


def test_calls_and_batches_have_one_board_each_in_proportion_to_the_shares(tmp_path: Path) -> None:
    begun: list[list[tuple[int, float, int]]] = []
    for name in ("one", "other"):
        noted: list[tuple[int, SelfPlay]] = []
        Watched.seen = []

        def has_seen_both(run: Run, noted: list[tuple[int, SelfPlay]] = noted) -> bool:
            calibrated = {one.prototype.rows for _, one in noted if one.calibration is not None}
            learned = [board for board, _ in Watched.seen]
            both = (4, 4) in learned and len(learned) - learned.index((4, 4)) > 40
            return run.progress.calls >= 12 and calibrated == {3, 4} and both

        run = run_until(
            tmp_path / name, has_seen_both, MIXED, learner=Watched, jobs=lambda _, noted=noted: Noting(noted)
        )
        begun.append([(seed, komi_of(one.prototype), one.prototype.rows) for seed, one in noted])
    # The same settings and seed give the same calls: another seed would not.
    count = min(map(len, begun))
    assert count >= 12 and begun[0][:count] == begun[1][:count]
    assert {(komi, rows) for _, komi, rows in begun[0]} == {(0.5, 3), (2.5, 4)}
    # Calls have positions of their board to calibrate a network by, as soon as there are some.
    assert noted[0][1].calibration is None
    seen = [(one.prototype.rows, one.calibration.shape) for _, one in noted if one.calibration is not None]
    assert {rows for rows, _ in seen} == {3, 4}
    assert all(0 < shape[0] <= 256 and shape[1:] == (6, rows, rows) for rows, shape in seen)
    # What was not played yet is not waited for; then every board has its turns.
    boards = [board for board, _ in Watched.seen]
    assert {(board, *komi) for board, komi in Watched.seen} == {((3, 3), 0.5), ((4, 4), 2.5)}
    since = boards.index((4, 4))
    assert 0.3 < sum(board == (4, 4) for board in boards[since:]) / len(boards[since:]) < 0.7
    # The network, the figures, the records and the page know all boards.
    assert run.network.sizes == ((3, 3), (4, 4)) and run.network.komi == 2.5
    out = tmp_path / "other"
    last = Metrics(out / "metrics.csv").rows[-1]
    assert sum(figures.positions for figures in last.boards.values()) == last.positions
    assert list(last.boards) == ["3x3", "4x4"]
    records = {parse_sgf(file.read_bytes()).games[0].follow()[0].rows for file in out.glob("records/*.sgf")}
    assert records == {3, 4}
    reader = TrainingReader(out)
    reader.update()
    summary = reader.summary()
    assert summary["title"] == "Go 3x3, 4x4: training" and "positions on 4x4" in summary["columns"]
    page = (out / "report.html").read_text()
    assert "Go 3x3, 4x4" in page and "policy_loss on 3x3" in page


def test_one_size_in_a_list_begins_the_calls_of_that_size(tmp_path: Path) -> None:
    begun = []
    for number, settings in enumerate(({}, {"size": None, "sizes": (3,)})):
        noted: list[tuple[int, SelfPlay]] = []
        jobs = lambda _, noted=noted: Noting(noted)  # noqa: E731
        run = run_until(tmp_path / str(number), lambda _: True, settings, jobs=jobs)
        told = [
            (seed, one.prototype.to_sgf(), repr(dataclasses.replace(one, live=None, prototype=GAME)))
            for seed, one in noted
        ]
        begun.append(told)
        assert len(run.config.by_stage[0].by_board) == 1
        rows = Metrics(tmp_path / str(number) / "metrics.csv").rows
        assert not any(row.boards for row in rows)
    assert begun[0] and begun[0] == begun[1]


def test_a_killed_run_goes_on_with_the_boards_of_its_calls(tmp_path: Path) -> None:
    for _ in range(2):
        before = len(counted(tmp_path))
        with start(tmp_path, **MIXED) as process:
            until(lambda before=before: len(counted(tmp_path)) > before + 3, process)  # type: ignore[misc]
    run = run_until(tmp_path, lambda run: run.progress.steps > 0, MIXED)
    numbers = counted(tmp_path)
    assert len(set(numbers)) == len(numbers) == run.progress.calls
    stage = run.config.by_stage[0]
    with np.load(tmp_path / "games" / f"{run.progress.files - 1:07}.npz") as file:
        number = json.loads(file["call"].tobytes())["number"]
        assert file["ownership"].shape[1:] == stage.boards[stage.place_of_call(number)]
    expected: Counter[str] = Counter()
    for line in (tmp_path / "calls.csv").read_text().splitlines()[1:]:
        cells = line.split(",")
        rows, cols = stage.boards[stage.place_of_call(int(cells[0]))]
        expected[f"{rows}x{cols}"] += int(cells[4])
    found = Metrics(tmp_path / "metrics.csv").rows[-1].boards
    assert {board: figures.positions for board, figures in found.items()} == expected


def test_games_of_another_board_than_that_of_the_call_are_no_games_of_the_run(tmp_path: Path) -> None:
    config = dataclasses.replace(TINY, out=str(tmp_path), **MIXED)
    samples = finished(3, 0.5)
    place = next(number for number in range(1, 9) if config.place_of_call(number) == 1)
    call = Call(place, 0, 0, 4, len(samples), samples.packed_bytes, 1.0, 0.5, 0.1, "host")
    with RunFolder(config) as folder:
        folder.save_games(0, call, samples)
        with pytest.raises(RunFolderError, match=r"planes must be uint8 of shape \(\d+, 6, 4, 4\)"):
            folder.load_games(0)


def finished(size: int, komi: float) -> Samples:
    architecture = Architecture("go", blocks=1, channels=2)
    game = sixplane.Go(size=size, komi=komi, max_moves=12)
    settings = SelfPlay(prototype=game, architecture=architecture, games=4, simulations=2)
    return self_play(0, architecture.random_parameters(seed=1), 7, settings).samples


def test_a_batch_of_mixed_boards_is_refused() -> None:
    samples = finished(3, 1.5)
    assert samples.board == (3, 3) and set(samples.komi.tolist()) == {1.5}
    with pytest.raises(ValueError, match="positions on 3x3 are not for the replay window of 4x4"):
        ReplayWindow(Config(size=4)).add(0, samples)
    other = finished(4, 1.5)
    for name in ("planes", "ownership", "policy", "masks"):
        with pytest.raises(ValueError, match="all positions of a batch are on boards of one size: planes of"):
            dataclasses.replace(samples, **{name: other.arrays()[name]})


def test_each_board_has_its_share_of_the_window() -> None:
    config = dataclasses.replace(
        TINY, size=None, sizes=({"size": 3, "share": 0.25}, {"size": 4, "share": 0.75}), window_share=0.0
    )
    windows, boards = ReplayWindows(config), {3: finished(3, 0.5), 4: finished(4, 0.5)}
    for number in range(1, 60):
        size = config.boards[config.place_of_call(number)][0]
        call = Call(number, 0, 0, 4, len(boards[size]), 1, 1.0, 0.5, 0.1, "host")
        windows.add(number - 1, call, boards[size])
        windows.count(call)
        windows.shrink()
    assert len(windows) == TINY.least_window
    assert sum(windows.positions.values()) == sum(
        len(boards[config.boards[config.place_of_call(number)][0]]) for number in range(1, 60)
    )
    steps = Counter(windows.sample(8, np.random.default_rng(0), step).board for step in range(400))
    assert steps[(3, 3)] == pytest.approx(100, abs=4)
    # Files are kept as long as a window needs them.
    assert 0 < windows.oldest_file(59) < 59


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"sizes": (4, 3)}, "komi on 4x4 2.5, not 0.5"),
        (
            {"sizes": (*(board | {"share": 0.25} for board in BOARDS), {"size": 5, "share": 0.5})},
            "size 3x3, ",
        ),
        ({"sizes": None, "size": 3}, "size 3x3, 4x4, not 3x3"),
        (
            {"sizes": ({**BOARDS[0], "share": 0.4}, {**BOARDS[1], "share": 0.6})},
            "shares 0.5, 0.5, not 0.6, 0.4",
        ),
        ({"rules": {"komi": 1.5}}, "komi on 3x3 0.5, not 1.5"),
        ({"sizes": BOARDS[::-1]}, ""),
        ({"size": 3}, "the judge's board 4x4, not 3x3"),
        ({"size": 4}, ""),
    ],
)
def test_a_folder_that_has_begun_refuses_other_boards(
    tmp_path: Path, changed: dict[str, Any], message: str
) -> None:
    config = dataclasses.replace(TINY, out=str(tmp_path), **MIXED)
    RunFolder(config).close()
    try:
        RunFolder(dataclasses.replace(config, **changed)).close()
        said = ""
    except RunFolderError as error:
        said = str(error).partition(" holds another run: ")[2]
    assert said.startswith(message) and bool(said) == bool(message)


def test_a_color_that_wins_on_one_board_of_several_is_found() -> None:
    figures = {
        "5x5": BoardFigures(black_wins=0.99, draws=0.0),
        "7x7": BoardFigures(black_wins=0.2, draws=0.0),
    }
    rows = [
        Row(minutes=i, positions=5000 * i, samples=9000 * i, black_wins=0.6, draws=0.0, boards=figures)
        for i in range(1, 11)
    ]
    assert [finding.text for finding in diagnose(rows)] == [
        "Black wins 99 % of the games on 5x5. Komi or more random opening moves would make them even."
    ]


def test_a_mean_loss_that_rises_with_the_bigger_board_is_no_fault() -> None:
    def rows(fall: float) -> list[Row]:
        return [
            Row(
                minutes=i,
                positions=5000 * i,
                samples=9000 * i,
                policy_loss=2.0 + 0.1 * i,
                boards={
                    "5x5": BoardFigures(policy_loss=2.0 - fall * i),
                    "9x9": BoardFigures(policy_loss=3.0 + 0.01 * i),
                },
            )
            for i in range(1, 13)
        ]

    assert diagnose(rows(fall=0.05)) == []
    (finding,) = diagnose(rows(fall=0.0))
    assert finding.kind == "flat_policy_loss" and "it was 3.01 at first" in finding.text


def test_figures_of_boards_are_read_as_they_were_written(tmp_path: Path) -> None:
    metrics = Metrics(tmp_path / "metrics.csv")
    rows = [
        Row(minutes=1.0, boards={"5x5": BoardFigures(positions=1_234_567, policy_loss=2.5)}),
        Row(minutes=2.0, stage=2),
        Row(minutes=3.0, stage=2, boards={"7x9": BoardFigures(positions=12, game_length=30.5)}),
    ]
    for row in rows:
        metrics.add(row)
    again = Metrics(tmp_path / "metrics.csv").rows
    assert repr([row.boards for row in again]) == repr([row.boards for row in rows])


def test_the_page_passes_over_boards_that_are_damaged(tmp_path: Path) -> None:
    reader = TrainingReader(tmp_path)
    damaged: list[object] = [[{"size": "x"}, 7, None, {}], [[[]]], {"size": 7}, 7, "7", [], [True, 2.5]]
    for sizes in damaged:
        settings = {"game": "go", "sizes": sizes, "stages": None}
        (tmp_path / "run.json").write_text(json.dumps(settings))
        reader.update()
        assert reader.summary()["title"].startswith("Go")


def test_a_network_says_all_boards_that_it_was_trained_on(tmp_path: Path) -> None:
    run = run_until(tmp_path, lambda run: run.progress.steps > 3, MIXED | {"sizes": (3, (3, 4))})
    network = Network.load(tmp_path / "last.npz")
    assert network.sizes == run.network.sizes == ((3, 3), (3, 4))
    for size in network.sizes:
        game = sixplane.Go(size=size, komi=1.5)
        assert network.for_game(game)(game.planes[None])[0].shape == (1, game.num_actions)


def test_files_are_kept_as_long_as_any_board_needs_them() -> None:
    config = dataclasses.replace(TINY, **MIXED)
    windows = ReplayWindows(config)
    for file, size in enumerate((3, 4)):
        numbers = range(1, 9)
        number = next(n for n in numbers if config.boards[config.place_of_call(n)] == (size, size))
        samples = finished(size, 0.5)
        windows.add(file, Call(number, 0, 0, 4, len(samples), 1, 1.0, 0.5, 0.1, "host"), samples)
    assert windows.oldest_file(2) == 0


def test_the_report_shows_a_game_on_the_board_of_the_judge_once_there_is_one(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, dataclasses.replace(TINY, **MIXED), Progress())
    shown = []
    architecture = Architecture("go", blocks=1, channels=2)
    for number, size in enumerate((3, 4, 3), 1):
        settings = SelfPlay(
            prototype=sixplane.Go(size, max_moves=12), architecture=architecture, games=2, simulations=2
        )
        games = self_play(0, architecture.random_parameters(1), 1, settings)
        recorder.add_games(games, Call(number, 0, 0, 2, 9, 900, 1.0, 0.5, 0.5, "host"))
        assert recorder._record is not None
        shown.append(recorder._record.rows)
    recorder.close()
    assert shown == [3, 4, 4]


def test_figures_of_positions_are_means_over_positions(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, dataclasses.replace(TINY, game="tictactoe", size=None), Progress())
    recorder.begin_calls(2, 1, 0.0)
    architecture = Architecture("tictactoe", blocks=1, channels=2)
    parameters = architecture.random_parameters(1)
    settings = SelfPlay(prototype=sixplane.TicTacToe(), architecture=architecture, games=2, simulations=2)
    games = self_play(0, parameters, 1, settings)
    for number, positions, figure in ((1, 30, 1.5), (2, 10, 0.5), (3, 0, 0.0)):
        call = Call(number, 0, 0, 2, positions, 900, 1.0, 0.5, 0.5, "host")
        recorder.add_games(games._replace(policy_entropy=figure, certain_share=figure / 2), call)
    recorder.write(Progress(seconds=60.0), 5, 1, Network(architecture, parameters, backend="numpy"))
    recorder.close()
    (row,) = Metrics(tmp_path / "metrics.csv").rows
    assert (row.policy_entropy, row.certain_share) == (1.25, 0.625)
