"""Ratings of agents on a ladder."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import sixplane
from sixplane import Gomoku, Reversi, ladder
from sixplane.__main__ import main
from sixplane.agents import ProgramError, ProgramTimeoutError, RandomAgent
from sixplane.match import FolderError, Rater, rate, ratings
from sixplane.match.openings import OpeningsError
from sixplane.match.series import Score
from sixplane.nets import Architecture, Network

if TYPE_CHECKING:
    from pathlib import Path

GAME = Gomoku()
RUNGS = ladder.rungs(GAME)


def chance(difference: float) -> float:
    return 1 / (1 + 10 ** (-difference / 400))


class Simulated(Rater):
    """Rates an agent of known strength, whose games are chances."""

    def __init__(self, elo: float, seed: int, games: int = 200, **others: Any) -> None:
        super().__init__(RandomAgent(), GAME, games, seed, **others)
        self._jobs = None  # Chances need no processes.
        self.elo = elo
        self.played: list[tuple[int, int]] = []

    def _play(self, rung: ladder.Rung, games: int, rng: random.Random) -> Score:
        self.played.append((rung.number, games))
        return Score(float(sum(rng.random() < chance(self.elo - rung.elo) for _ in range(games))))


def rated(elo: float, seed: int, games: int = 200, processes: int = 1) -> Simulated:
    rater = Simulated(elo, seed, games, processes=processes)
    while rater.step():
        pass
    return rater


def test_ratings_recover_known_strengths() -> None:
    rng = np.random.default_rng(1)
    truth = {f"player {i}": elo for i, elo in enumerate((0, 90, 210, 300, 390, 520))}
    names = list(truth)
    pairs = [*pairwise(names), *zip(names[::2], names[2::2], strict=False)]
    results = [(a, b, float(rng.binomial(4000, chance(truth[a] - truth[b]))), 4000) for a, b in pairs]
    for name, rating in ratings(results, anchor="player 0").items():
        assert rating.elo == pytest.approx(truth[name], abs=20)


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    rng, count = random.Random(3), 200
    inside = 0
    for seed in range(count):
        elo = rng.uniform(RUNGS[0].elo, RUNGS[-1].elo)
        rating = rated(elo, seed, games=60).rating
        inside += rating.low <= elo <= rating.high
    # Four standard deviations of 200 trials of 95 %.
    assert inside / count == pytest.approx(0.95, abs=0.062)


@pytest.mark.parametrize("elo", [-300.0, 0.0, 777.0, RUNGS[-1].elo, RUNGS[-1].elo + 200])
def test_more_games_narrow_the_interval_around_the_truth(elo: float) -> None:
    few, many = rated(elo, 1, 60).rating, rated(elo, 1, 1000).rating
    assert many.high - many.low < 0.6 * (few.high - few.low)
    assert abs(many.elo - elo) < 1.5 * (many.high - many.low)


@pytest.mark.parametrize("processes", [1, 2, 3, 16])
@pytest.mark.parametrize("games", [1, 2, 7, 8, 9, 33, 200])
def test_no_more_games_are_played_than_asked_for(games: int, processes: int) -> None:
    rater = rated(500.0, 2, games, processes)
    assert sum(count for _, count in rater.played) == games == rater.rating.games
    assert not rater.step()


def test_a_long_rating_plays_hundreds_of_games_at_once() -> None:
    sizes = [count for _, count in rated(500.0, 2, 2000).played]
    assert sizes[:4] == [8, 8, 8, 12]
    assert max(sizes) == 256
    assert all(2 * size <= max(sum(sizes[:i]), 16) for i, size in enumerate(sizes)), (
        "at most half as many as were played"
    )


def test_series_side_by_side_are_played_against_several_rungs_and_share_the_games() -> None:
    rater = Simulated(500.0, 2, 400, processes=4)
    numbers: list[int] = []
    while rater.step():
        alone = Simulated(500.0, 2, 400)
        alone._series = [*rater._series[: len(numbers)]]
        assert alone.step()
        step = rater.played[len(numbers) :]
        numbers += [number for number, _ in step]
        assert sum(count for _, count in step) == alone.played[0][1], "as many games as one process plays"
        assert len(step) <= 4
        assert all(count % 2 == 0 for _, count in step), "each opening with both colors"
        assert len({number for number, _ in step}) > 1
    assert len(rater.played[-4:]) == 4


def test_the_rungs_that_are_played_are_near_the_agent() -> None:
    elo = 800.0
    later = rated(elo, 5, 400).played[6:]
    distances = [abs(RUNGS[number].elo - elo) for number, _ in later]
    assert np.median(distances) < 200
    assert len({number for number, _ in later}) > 1


@pytest.mark.parametrize("about", [-1000.0, 400.0, 1e9])
def test_a_guess_chooses_the_first_rung_and_nothing_else(about: float) -> None:
    rater = Simulated(400.0, 6, 200, about=about)
    while rater.step():
        pass
    (first, _), *_ = rater.played
    assert all(abs(RUNGS[first].elo - about) <= abs(rung.elo - about) for rung in RUNGS)
    assert rater.rating.low < 400 < rater.rating.high


@pytest.mark.parametrize("processes", [1, 2, 4, 16])
def test_200_games_tell_the_elo_within_60(processes: int) -> None:
    for elo in (200.0, 700.0, 1100.0):
        rating = rated(elo, 4, processes=processes).rating
        assert rating.high - rating.low < 120


def test_a_guess_begins_with_the_rungs_around_it() -> None:
    rater = Simulated(400.0, 6, 200, about=400.0, processes=4)
    rater.step()
    distances = sorted(range(len(RUNGS)), key=lambda number: abs(RUNGS[number].elo - 400))
    assert [number for number, _ in rater.played] == distances[: len(rater.played)]
    assert len(rater.played) == 4


def test_an_agent_that_always_wins_or_loses_has_a_rating() -> None:
    best, worst = (rated(elo, 1, 100).rating for elo in (1e5, -1e5))
    assert best.elo > RUNGS[-1].elo
    assert worst.elo < RUNGS[0].elo
    assert best.low < best.elo < best.high
    assert worst.low < worst.elo < worst.high


def test_a_rung_is_rated_as_its_table_says() -> None:
    rung = max((rung for rung in RUNGS if rung.elo < 600), key=lambda rung: rung.elo)
    rating = rate(rung.spec, GAME, games=40, seed=1)
    assert rating.low - 100 < rung.elo < rating.high + 100
    assert rate(rung.spec, GAME, games=40, seed=1) == rating


def test_a_folder_goes_on_where_it_stopped(tmp_path: Path) -> None:
    whole = rate("random", Reversi(), games=40, seed=3, folder=tmp_path / "whole")
    with Rater("random", Reversi(), 40, 3, tmp_path / "parts") as rater:
        rater.step()
        rater.step()
    with (tmp_path / "parts/rating.jsonl").open("ab") as file:
        file.write(b'{"rung": 0, "poi')  # a program that was killed
    parts = rate("random", Reversi(), games=40, seed=3, folder=tmp_path / "parts")
    assert parts == whole
    assert rate("random", Reversi(), games=20, seed=3, folder=tmp_path / "parts") == whole
    assert rate("random", Reversi(), games=60, seed=3, folder=tmp_path / "parts").games == 60


def test_without_a_seed_a_folder_goes_on_as_well(tmp_path: Path) -> None:
    first = rate("random", Reversi(), games=8, folder=tmp_path)
    assert rate("random", Reversi(), games=8, folder=tmp_path) == first
    assert rate("random", Reversi(), games=20, folder=tmp_path).games == 20


def test_the_games_of_a_network_are_not_those_of_a_later_one(tmp_path: Path) -> None:
    file, architecture = tmp_path / "net.npz", Architecture("reversi", blocks=1, channels=4)
    for seed in (1, 2):
        Network(architecture, architecture.random_parameters(seed=seed), backend="numpy").save(file)
        if seed == 1:
            rate(f"network:file={file}", Reversi(), games=8, folder=tmp_path / "rating")
    with pytest.raises(FolderError, match=r"holds another rating: it differs in network$"):
        rate(f"network:file={file}", Reversi(), games=8, folder=tmp_path / "rating")
    file.unlink()
    with pytest.raises(FolderError, match=r"cannot read .*net\.npz"):
        rate(f"network:file={file}", Reversi(), games=8, folder=tmp_path / "rating")


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    rate("random", Reversi(), games=8, seed=3, folder=tmp_path)
    for agent, game, seed, differs in (
        ("reversi8", Reversi(), 3, "agent"),
        ("random", Gomoku(), 3, "ladder, rules, position"),
        ("random", Reversi(), 4, "seed"),
    ):
        with pytest.raises(FolderError, match=f"holds another rating: it differs in {differs}$"):
            rate(agent, game, games=8, seed=seed, folder=tmp_path)
    file = tmp_path / "rating.jsonl"
    text = file.read_text()
    with pytest.raises(FolderError, match=r"holds another rating: it differs in rules, position$"):
        rate("random", Reversi(max_moves=9), games=8, seed=3, folder=tmp_path)
    assert "AP[" not in text, "the version is told once, by its name"
    file.write_text(text.replace(f'"{sixplane.__version__}"', '"0.0.1"'))
    with pytest.raises(FolderError, match=r"another rating: it differs in the version of sixplane$"):
        rate("random", Reversi(), games=8, seed=3, folder=tmp_path)
    for line in (
        "{}",
        '{"rung": 99, "points": 1.0, "games": 2}',
        '{"rung": 1, "points": 3.0, "games": 2}',
        "[",
    ):
        file.write_text(f"{text}{line}\n")
        with pytest.raises(FolderError, match=r"is no file of a rating: line 3: "):
            rate("random", Reversi(), games=8, seed=3, folder=tmp_path)
    file.write_text("[1]\n")
    with pytest.raises(FolderError, match="line 1: it describes no rating"):
        rate("random", Reversi(), games=8, seed=3, folder=tmp_path)
    with Rater("random", Reversi(), 8, 3, tmp_path / "used"), pytest.raises(FolderError, match="in use by"):
        rate("random", Reversi(), games=8, seed=3, folder=tmp_path / "used")
    (tmp_path / "file").write_text("")
    with pytest.raises(FolderError, match=r"cannot use the folder .*: it is a file"):
        rate("random", Reversi(), games=8, seed=3, folder=tmp_path / "file")


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ladder.LadderError, match="there is no ladder for Go 5x5"):
        rate("random", sixplane.Go(5))
    with pytest.raises(ValueError, match="games must be at least 1, not 0"):
        rate("random", GAME, games=0)
    with pytest.raises(ValueError, match="score-table plays Gomoku, not Reversi"):
        rate("score-table", Reversi())
    with pytest.raises(ValueError, match="processes must be at least 1, not 0"):
        rate("random", GAME, processes=0)
    with pytest.raises(ValueError, match="no agent is called"):
        rate("nobody", GAME)
    wrong: Any
    for wrong in (None, 3):
        with pytest.raises(TypeError, match="agent must be an agent, an evaluator or a spec, not "):
            rate(wrong, GAME)
        with pytest.raises(TypeError, match="game must be a game, not "):
            rate("random", wrong)
    with pytest.raises(ValueError, match="about must be a finite number, not nan"):
        Rater("random", GAME, about=float("nan"))


def test_a_folder_may_be_named_by_a_text(tmp_path: Path) -> None:
    folder: Any = str(tmp_path)
    assert rate("random", Reversi(), games=8, folder=folder) == rate("random", Reversi(), 8, folder=tmp_path)


def test_a_closed_rater_plays_no_more(tmp_path: Path) -> None:
    with Rater("random", Reversi(), games=16, folder=tmp_path) as rater:
        assert rater.step()
    with pytest.raises(RuntimeError, match="this rater was closed"):
        rater.step()
    assert rater.rating.games == 8


def test_a_rating_is_shown_as_a_picture() -> None:
    rating = rated(600.0, 1, 100).rating
    root = ET.fromstring(rating.to_svg(width=500))  # noqa: S314 - our own text
    titles = [node.text for node in root.iter("{http://www.w3.org/2000/svg}title")]
    assert titles[0] == f"{rating}."
    assert len(titles) == 1 + len(RUNGS)
    assert sum("score" in str(title) for title in titles) == len(rating.scores)
    places = [float(node.attrib["cx"]) for node in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert len(places) == len(RUNGS) + 1
    assert all(0 < place < 500 for place in places)
    html = rating._repr_html_()
    assert html.count("<tr>") == 1 + len(rating.scores)
    assert "<img" in html


def test_the_command_rates_an_agent(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = ["rate", "random", "--game", "reversi", "--games", "20", "--out", str(tmp_path)]
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("random on the ladder for Reversi 8x8\n  Elo    ")
    assert "\n  games  20\n" in printed
    picture = tmp_path / "rating.svg"
    assert printed.endswith(f"\n\nseed 0\nsaved {picture}\n"), "with a folder it is the same each time"
    assert ET.parse(picture).getroot().tag.endswith("svg")  # noqa: S314 - our own text
    assert main(command) == 0
    assert capsys.readouterr().out == printed
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    assert {file.name for file in before} == {"rating.jsonl", "rating.svg"}
    assert main(["match", "random", "b@random", "--game", "reversi", "--out", str(tmp_path)]) == 1
    assert "holds a rating (rating.jsonl)" in capsys.readouterr().err
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before
    assert main(["rate", "random", "--game", "reversi", "--games", "2"]) == 0
    assert "\nseed " in capsys.readouterr().out


def test_a_picture_alone_disturbs_neither_a_rating_nor_a_match(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for command in (["rate", "random"], ["match", "random", "b@random"]):
        folder = tmp_path / command[0]
        folder.mkdir()
        (folder / "rating.svg").write_text("")
        assert main([*command, "--game", "reversi", "--games", "2", "--out", str(folder)]) == 0
    assert capsys.readouterr().err.count("error") == 0


def test_a_picture_that_cannot_be_written_is_an_error_of_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "rating.svg").mkdir()
    command = ["rate", "random", "--game", "reversi", "--games", "8", "--out", str(tmp_path)]
    assert main(command) == 1
    shown = capsys.readouterr()
    assert "\n  games  8\n" in shown.out
    error = shown.err.splitlines()[-1]
    assert error == f"sixplane: error: cannot write {tmp_path / 'rating.svg'}: Is a directory"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["rating.jsonl", "rating.svg"]


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_program_that_does_not_start_leaves_no_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, processes: str
) -> None:
    folder = tmp_path / "rating"
    words = ["--game", "go", "--size", "9", "--processes", processes, "--out", str(folder)]
    assert main(["rate", "gtp:no-such-program", *words]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == (
        "sixplane: error: gtp:no-such-program cannot play: cannot start no-such-program: "
        "No such file or directory\n"
    )
    assert not folder.exists()


def test_the_help_names_the_boards_that_have_ladders(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["rate", "--help"])
    described = " ".join(capsys.readouterr().out.split())
    with pytest.raises(ladder.LadderError) as error:
        ladder.rungs(sixplane.Go(size=5))
    boards = str(error.value).partition("there are ladders for ")[2]
    assert f"what to play (go); {' and '.join(boards.rsplit(', ', 1))} have ladders" in described
    assert "FILE.py:CLASS" not in described


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["random", "--size", "5"], 2, "there is no ladder for Go 5x5; there are ladders for"),
        (["score-table", "--game", "reversi"], 1, "score-table cannot play: the score table plays Gomoku"),
        (["human"], 2, "a person plays in 'sixplane play'"),
        (["nobody"], 2, "no agent is called 'nobody'"),
    ],
)
def test_the_command_says_in_one_line_what_is_wrong(
    capsys: pytest.CaptureFixture[str], words: list[str], status: int, message: str
) -> None:
    assert main(["rate", *words]) == status
    error = capsys.readouterr().err
    assert error.startswith(f"sixplane: error: {message}")
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "status"), [(ProgramError, 1), (ProgramTimeoutError, 1), (OpeningsError, 2)]
)
def test_a_series_that_fails_ends_the_command_with_one_line_and_what_was_played(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: type[Exception], status: int
) -> None:
    real, calls = Rater._play, []

    def failing(rater: Rater, *arguments: Any) -> Score:
        calls.append(arguments)
        if len(calls) == 3:
            raise error("x has not answered")
        return real(rater, *arguments)

    monkeypatch.setattr(Rater, "_play", failing)
    command = ["rate", "mine@random", "--game", "reversi", "--games", "40", "--seed", "1"]
    assert main(command) == status
    shown = capsys.readouterr()
    assert shown.out.startswith("mine on the ladder for Reversi 8x8\n"), "the title that the agent was given"
    assert "\n  games  16\n" in shown.out
    assert shown.err.splitlines()[-1] == "sixplane: error: x has not answered"


def test_ctrl_c_keeps_what_was_played(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real, calls = Rater._play, []

    def interrupted(rater: Rater, *arguments: Any) -> Score:
        calls.append(arguments)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(rater, *arguments)

    monkeypatch.setattr(Rater, "_play", interrupted)
    command = ["rate", "random", "--game", "reversi", "--games", "40", "--out", str(tmp_path)]
    assert main(command) == 130
    shown = capsys.readouterr()
    assert "\n  games  16\n" in shown.out
    assert shown.err.endswith("sixplane: stopped after 16 of 40 games\n")
    assert f"\nsaved {tmp_path / 'rating.svg'}\n" in shown.out
    monkeypatch.undo()
    assert main(command) == 0
    assert "\n  games  40\n" in capsys.readouterr().out
