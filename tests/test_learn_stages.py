"""Runs of several stages: their settings, going from one board to the next, and what cannot change."""

from __future__ import annotations

import dataclasses
import json
import re
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from learn_runs import TINY, PassLearner, counted, run_until, start
from sixplane._core import parse_sgf
from sixplane.jobs import Processes
from sixplane.learn import Config, ConfigError, Metrics, Progress
from sixplane.learn.folder import RunFolder, minutes_ended, stages_ended
from sixplane.learn.trainer import Run, train
from sixplane.nets import Network
from sixplane.runs.calls import RunFolderError
from waiting import until

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from sixplane.learn.samples import Samples

SMALL = {"size": 3, "share": 0.5}
BIG = {"size": 4, "share": 0.5, "rules": {"komi": 0.5}}
#: An hour each, so that a stage is over when a test says so.
TWO: dict[str, Any] = {"size": None, "minutes": 120, "stages": (SMALL, BIG)}
#: Two seconds and an hour.
SHORT: dict[str, Any] = {
    "size": None,
    "minutes": 60,
    "stages": ({"size": 3, "minutes": 0.04}, {"size": 4, "minutes": 59, "rules": {"komi": 0.5}}),
    "judge_games": 2,
}


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        ([], "stages has no stage"),
        ("9x9", "stages must be a list of tables or \"auto\", not '9x9'"),
        ([9, 13], "stage 1 must be a table, not 9"),
        ([{"size": 9}], "stage 1 has no time: minutes or share is needed"),
        ([SMALL, {"size": 4, "share": 0.5, "minutes": 30}], "stage 2 has both minutes and share"),
        ([SMALL, {"size": 4, "share": 0.4}], "the shares of the stages must be 1 in sum, not 0.9"),
        ([{"minutes": 40}, {"minutes": 21}], "the stages take 61 minutes, and the run has 60"),
        ([{"minutes": 40}, {"share": 0.5}], "the stages take 70 minutes, and the run has 60"),
        (
            [{"minutes": 60}, {"minutes": 1e-11}],
            "the last stage has no time: those before it take the run's 60 minutes",
        ),
        ([{"minutes": 0}], "stage 1: minutes must be more than 0, not 0"),
        ([{"share": "half"}], "stage 1: share must be a number, not 'half'"),
        ([{"share": float("nan")}], "stage 1: share must be more than 0, not nan"),
        ([SMALL, {"size": 1, "share": 0.5}], "stage 2: size 1: "),
        ([SMALL, {"sice": 9, "share": 0.5}], "stage 2: there is no setting 'sice' (did you mean size?)"),
        ([{"batch": 9, "share": 1}], "stage 1: there is no setting 'batch'"),
        ([{"blocks": 0, "share": 1}], "stage 1: blocks must be a positive integer, not 0"),
        (
            [SMALL | {"blocks": 5}, BIG],
            "stage 2: blocks must be 5 or more, as before, not 4",
        ),
        (
            [SMALL, BIG | {"share": 0.2}, BIG | {"share": 0.3, "channels": 31}],
            "stage 3: channels must be 32 or more, as before, not 31",
        ),
        ([{"share": 1, "rules": 7.5}], "stage 1: rules must be a table, not 7.5"),
        ([{"share": 1, "rules": {"kom": 7.5}}], "stage 1: go has no rule 'kom' (did you mean komi?)"),
        ([{"share": 1, "simulations": 0}], "stage 1: simulations must be a positive integer, not 0"),
    ],
)
def test_wrong_stages_are_refused(stages: Any, message: str) -> None:
    with pytest.raises(ConfigError, match="^" + re.escape(message)):
        Config.make({"stages": stages})


def test_a_size_that_no_stage_has_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"^size 7x7 is that of no stage: they have 3x3, 4x4$"):
        Config(size=7, stages=(SMALL, BIG))
    assert Config(size=4, stages=({"size": 3, "share": 0.5}, {"share": 0.5})).by_stage[1].size == 4


@pytest.mark.parametrize(
    ("boards", "message"),
    [
        ({"sizes": (5, 7)}, "sizes are the boards of no stage: each says its own, so leave sizes out"),
        ({"sizes": (3, 4)}, "sizes are the boards of no stage: "),
        ({"sizes": (3, 4), "size": 4}, "sizes are the boards of no stage: "),
        (
            {"size": 3},
            "size 3x3 is not the board of the last stage, 4x4: each says its own, so leave size out",
        ),
        ({"size": 5}, "size 5x5 is that of no stage: they have 3x3, 4x4"),
    ],
    ids=str,
)
def test_boards_beside_stages_that_say_their_own_are_refused(
    tmp_path: Path, boards: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match="^" + re.escape(message)):
        Config(stages=(SMALL, BIG), **boards)
    # As options of the command, they are not the file's fault.
    file = tmp_path / "run.toml"
    file.write_text("stages = [{ size = 3, share = 0.5 }, { sizes = [4], share = 0.5 }]")
    with pytest.raises(ConfigError, match="^" + re.escape(message)):
        Config.read(file, **boards)


def test_boards_beside_stages_are_taken_where_a_stage_has_them() -> None:
    assert Config(size=4, stages=(SMALL, BIG)).by_stage[-1].boards == ((4, 4),)
    half = {"share": 0.5}
    assert [one.boards for one in Config(size=3, stages=(half, BIG)).by_stage] == [((3, 3),), ((4, 4),)]
    assert Config(sizes=(4, 5), stages=(SMALL, half)).by_stage[-1].boards == ((4, 4), (5, 5))


def test_the_size_of_the_run_is_the_board_of_the_judge_in_every_stage_that_mixes_it() -> None:
    mixed, other = {"sizes": [7, 9, 13], "share": 0.5}, {"sizes": [13, 19], "share": 0.5}
    stages = Config(size=9, stages=(mixed, other)).by_stage
    assert [one.judged.boards for one in stages] == [((9, 9),), ((19, 19),)]
    assert [len(one.boards) for one in stages] == [3, 2]
    assert Config(size=9, stages=(mixed | {"share": 1},)).by_stage[0].judged.size == (9, 9)
    assert Config(stages=(mixed | {"share": 1},)).by_stage[0].judged.size == (13, 13)
    own = Config(size=13, stages=(mixed | {"size": 7}, {"size": 13, "share": 0.5})).by_stage
    assert own[0].judged.size == (7, 7)
    with pytest.raises(ConfigError, match=r"^size 9x9 is not the board of the last stage, 13x13: "):
        Config(size=9, stages=({"sizes": [9], "share": 0.5}, {"size": 13, "share": 0.5}))


def test_what_a_stage_does_not_say_is_the_runs(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text(
        """
        minutes = 100
        simulations = 8
        [rules]
        suicide = true
        komi = 6.5
        [[stages]]
        size = [5, 7]
        minutes = 30
        rules = { komi = 5.5 }
        last_simulations = 16
        [[stages]]
        size = 13
        share = 0.6
        games_at_once = 32
        """
    )
    config = Config.read(file)
    first, second = config.by_stage
    assert (first.size, first.minutes, first.rules) == ((5, 7), 30, {"suicide": True, "komi": 5.5})
    # The last stage takes what is left.
    assert (second.size, second.minutes, second.rules) == (13, 100, {"suicide": True, "komi": 6.5})
    assert [(one.simulations, one.last_simulations) for one in config.by_stage] == [(8, 16), (8, 32)]
    assert [one.games_at_once for one in config.by_stage] == [64, 32]
    assert [one.prototype().max_moves for one in config.by_stage] == [105, 507]  # of their own boards
    assert Config.make(json.loads(json.dumps(config.to_table()))) == config
    assert Config().by_stage == (Config(),)


def test_a_large_board_is_learned_after_the_usual_one() -> None:
    config = Config(size=13, minutes=90, rules={"komi": 6.5})
    first, second = config.by_stage
    assert (first.boards, second.boards) == (((9, 9),), ((13, 13),))
    assert 0 < first.minutes < second.minutes == 90
    assert [one.rules for one in (first, second)] == [{"komi": 6.5}] * 2
    assert [one.boards for one in Config(game="reversi", size=(8, 16)).by_stage] == [((8, 8),), ((8, 16),)]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"size": 11},
        {"size": 13, "stages": None},
        {"size": 13, "stages": ({"share": 1},)},
        {"size": 13, "initial_network": "go9"},
        {"sizes": (9, 13)},
        {"size": 19, "rules": {"handicap": 9}},
        {"game": "gomoku", "size": 19},
    ],
    ids=str,
)
def test_other_runs_have_one_stage(settings: dict[str, Any]) -> None:
    assert len(Config(**settings).by_stage) == 1


def test_the_folder_of_a_run_says_which_stages_it_has(tmp_path: Path) -> None:
    RunFolder(Config(size=13, out=str(tmp_path))).close()
    config = Config(size=13, out=str(tmp_path)).chosen()
    assert config.stages == ({"size": 9, "share": 0.75}, {"share": 0.25})
    assert Config.make(json.loads((tmp_path / "run.json").read_bytes())) == config
    assert run_until(tmp_path / "run", lambda _: True, {"size": 13}).config.stages == config.stages
    # The same command goes on, and other settings have stages of their own.
    RunFolder(Config(size=13, out=str(tmp_path), minutes=90)).close()
    assert len(dataclasses.replace(Config(size=13), size=5).by_stage) == 1
    with pytest.raises(RunFolderError, match="stage 1: size 9x9, not 19x19"):
        RunFolder(dataclasses.replace(config, stages=({"size": 19, "share": 0.5}, {"share": 0.5})))


class Noting(Processes):
    """Processes that note what they were begun with."""

    def __init__(self, noted: list[Any]) -> None:
        super().__init__(1)
        self._noted = noted

    def begin(self, function: Any, *arguments: Any) -> Any:
        version, weights, seed, settings = arguments
        told = dataclasses.replace(settings, live=None, prototype=settings.prototype.to_sgf())
        self._noted.append((function, version, sorted(weights), seed, repr(told)))
        return super().begin(function, *arguments)


def test_a_run_of_one_stage_begins_the_calls_of_a_run_without_stages(tmp_path: Path) -> None:
    begun: list[list[Any]] = []
    for number, settings in enumerate(({}, {"size": None, "stages": ({"size": 3, "share": 1},)})):
        noted: list[Any] = []
        out = tmp_path / str(number)
        run_until(out, lambda _: True, settings, jobs=lambda _, noted=noted: Noting(noted))
        begun.append(noted)
    assert begun[0] and begun[0] == begun[1]


class Watched(PassLearner):
    """Says what it begins with and what it learns from."""

    begun: list[int]
    boards: list[tuple[int, ...]]
    komi: set[tuple[int, float]]

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        super().restore(arrays)
        self.begun.append(self.steps)

    def step(self, samples: Samples, learning_rate: float) -> dict[str, float]:
        self.boards.append(samples.board)
        self.komi |= {(samples.board[0], komi) for komi in samples.komi.tolist()}
        return super().step(samples, learning_rate)


def test_the_next_stage_goes_on_with_the_weights_and_learns_from_its_own_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Watched.begun, Watched.boards, Watched.komi = [], [], set()
    runs: list[Run] = []
    ahead = 0.0
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + ahead, sleep=time.sleep)
    monkeypatch.setattr("sixplane.learn.trainer.time", clock)

    def done(run: Run) -> bool:
        nonlocal ahead
        if not runs or run is not runs[-1]:
            runs.append(run)
        if run.progress.version:
            ahead = 3600.0  # the first stage has learned from its games, and its time is over
        return run.progress.stage == 1 and run.progress.positions > 600 + run.progress.stage_positions

    last = run_until(tmp_path, done, TWO, learner=Watched)
    first, second = runs
    assert second is last and second.network.sizes == ((4, 4),) and second.network.komi == 0.5
    # The optimizer has its steps, and the network its version.
    (steps,) = Watched.begun
    assert Watched.komi == {(3, 7.5), (4, 0.5)} and steps == Watched.boards.index((4, 4)) > 0
    assert set(Watched.boards[:steps]) == {(3, 3)} and set(Watched.boards[steps:]) == {(4, 4)}
    assert second.progress.version > first.progress.version > 0
    # Files of the first stage are gone; each record is of the board of its call.
    assert min(int(file.stem) for file in tmp_path.glob("games/*.npz")) >= second.progress.stage_files > 0
    boards = [
        parse_sgf(file.read_bytes()).games[0].follow()[0].rows
        for file in sorted(tmp_path.glob("records/*.sgf"))
    ]
    assert boards == sorted(boards) and set(boards) == {3, 4}
    rows = Metrics(tmp_path / "metrics.csv").rows
    stages = [row.stage for row in rows]
    assert stages == sorted(stages) and set(stages) == {1, 2}
    assert [row.minutes for row in rows] == sorted(row.minutes for row in rows)
    assert "4x4 (stage 2 of 2)" in second.line()
    assert "Go 4x4" in (tmp_path / "report.html").read_text()
    # More minutes for a stage that has ended do not bring it back.
    longer = TWO | {"minutes": 240, "stages": (SMALL | {"share": 0.75}, BIG | {"share": 0.25})}
    assert run_until(tmp_path, lambda _: True, longer).progress.stage == 1


def test_a_killed_run_goes_on_in_its_stage_and_counts_every_game_once(tmp_path: Path) -> None:
    config = dataclasses.replace(TINY, out=str(tmp_path), **SHORT)
    # Once after some games, whatever the stage, and twice after some of the second.
    for stage in (0, 1, 1):
        before = len(counted(tmp_path))
        with start(tmp_path, **SHORT) as process:
            until(lambda stage=stage: stages_ended(config) >= stage, process)  # type: ignore[misc]
            before = max(before, len(counted(tmp_path)))
            until(lambda before=before: len(counted(tmp_path)) > before, process)  # type: ignore[misc]
    assert stages_ended(config) == 1
    run = run_until(tmp_path, lambda run: run.progress.steps > 0, SHORT)
    assert run.progress.stage == 1
    numbers = counted(tmp_path)
    assert len(set(numbers)) == len(numbers) == run.progress.calls
    assert run.progress.games == TINY.games_at_once * len(numbers)


def test_a_damaged_checkpoint_leads_to_one_of_the_same_stage(tmp_path: Path) -> None:
    run_until(tmp_path, lambda run: run.progress.stage == 1, SHORT)
    newest, before = tmp_path / "checkpoint.npz", tmp_path / "checkpoint-before.npz"
    newest.write_bytes(b"")
    assert run_until(tmp_path, lambda _: True, SHORT).progress.stage == 1
    newest.write_bytes(b"")
    before.write_bytes(b"")
    with pytest.raises(RunFolderError, match="is no checkpoint of this run"):
        run_until(tmp_path, lambda _: True, SHORT)


def test_a_run_of_an_older_version_is_of_the_first_stage() -> None:
    table = {name: value for name, value in Progress(games=3).to_table().items() if "stage" not in name}
    assert Progress.from_table(table) == Progress(games=3)


def test_a_run_of_an_older_version_has_learned_from_whole_batches() -> None:
    table = Progress(steps=5, samples=640).to_table()
    del table["samples"]
    assert Progress.from_table(table, batch=128) == Progress(steps=5, samples=640)


def refusal(before: Config, **changed: Any) -> str:
    """Why a folder that has begun refuses other settings; empty: it takes them."""
    RunFolder(before).close()
    try:
        RunFolder(dataclasses.replace(before, **changed)).close()
    except RunFolderError as error:
        return str(error).partition(" holds another run: ")[2]
    return ""


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"stages": (SMALL | {"share": 1},)}, "2 stages (3x3, then 4x4), not 1 (3x3)"),
        ({"stages": None}, "2 stages (3x3, then 4x4), not 1 (9x9)"),
        ({"stages": (BIG, SMALL)}, "stage 1: size 3x3, not 4x4, stage 1: max_moves 27, not 48, "),
        ({"stages": (SMALL, BIG | {"rules": {}})}, "stage 2: komi 0.5, not 7.5"),
        ({"stages": (SMALL | {"share": 0.25}, BIG | {"share": 0.75})}, "stage 1: 60 minutes, not 30"),
        ({"blocks": 2}, "stage 1: blocks 1, not 2, stage 2: blocks 1, not 2"),
        ({"minutes": 150}, ""),
        ({"stages": (SMALL | {"share": 0.75}, BIG | {"share": 0.25}), "minutes": 240}, ""),
        (
            {
                "stages": (*(one | {"share": 0.4} for one in (SMALL, BIG)), {"size": 5, "share": 0.2}),
                "minutes": 150,
            },
            "",
        ),
    ],
)
def test_only_more_stages_and_more_minutes_are_taken_by_a_folder_that_has_begun(
    tmp_path: Path, changed: dict[str, Any], message: str
) -> None:
    before = dataclasses.replace(TINY, out=str(tmp_path), **TWO)
    said = refusal(before, **changed)
    assert said.startswith(message) and bool(said) == bool(message)


def test_a_run_without_stages_goes_on_as_the_first_stage(tmp_path: Path) -> None:
    first = dataclasses.replace(TINY, minutes=0.03, out=str(tmp_path))
    train(first, learner=PassLearner)
    assert minutes_ended(first) is not None
    shares: dict[str, Any] = {"size": None, "minutes": 60}
    other: dict[str, Any] = {"stages": ({"size": 4, "minutes": 0.03}, {"size": 3, "share": 0.5})}
    assert refusal(first, **shares, **other).startswith("stage 1: size 3x3, not 4x4")
    more: dict[str, Any] = {"stages": ({"size": 3, "minutes": 0.03}, {"size": 4, "share": 0.5})}
    assert minutes_ended(dataclasses.replace(first, **shares, **more)) is None
    before = Network.load(tmp_path / "last.npz")
    run = run_until(tmp_path, lambda run: run.network.sizes == ((4, 4),), shares | more)
    assert run.progress.stage == 1 and run.progress.version == before.training["version"]
    for name, array in before.parameters.items():
        assert np.allclose(run.network.parameters[name], array, atol=1e-3)
