"""The report of a run: one page that stands alone, is well formed, and has what was measured."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections import namedtuple
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sixplane
from run_rows import healthy
from sixplane.learn import Row, SampleGame, Strength, examine, report_html, write_report
from sixplane.learn.chart import SIZE, Curve, curves, shares

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
Evaluation = namedtuple("Evaluation", ["logits", "values", "ownership", "scores"])


class Likes:
    """A network that likes an action, is sure that the player to play wins, and that it owns the board."""

    def __init__(self, action: int) -> None:
        self.action = action
        self.bound: Any = None

    def for_game(self, game: sixplane.Game) -> Likes:
        self.bound = game
        return self

    def evaluate(self, planes: NDArray[Any]) -> Evaluation:
        count, _, rows, cols = planes.shape
        logits = np.zeros((count, rows * cols + 1))
        logits[:, self.action] = 4
        return Evaluation(logits, np.ones(count), np.ones((count, rows, cols)), np.zeros(count))

    def __call__(self, planes: NDArray[Any]) -> Any:
        return self.evaluate(planes)[:2]


def played(game: Any, count: int) -> Any:
    rng = np.random.default_rng(3)
    while not game.is_over and game.move_number < count:
        game.play(int(rng.choice(game.legal_actions)))
    return game


def page_of(rows: list[Row], **options: Any) -> ET.Element:
    text = report_html(rows, title="Go 5x5", **options)
    HTMLParser().feed(text)
    return ET.fromstring(text.removeprefix("<!DOCTYPE html>\n"))  # noqa: S314 - our own text


def words(element: ET.Element) -> str:
    return " ".join(" ".join(element.itertext()).split())


def test_the_page_stands_alone_and_has_the_latest_figures(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_report(
        path, healthy(60), title="Reversi <8x8> & more", settings={"workers": 2, "rules": {"a": "<"}}
    )
    text = path.read_text()
    assert list(tmp_path.iterdir()) == [path]
    addresses = set(re.findall(r"https?://[^\"' )]+", text))
    assert addresses == {HTML[1:-1], SVG[1:-1]}
    assert not re.search(r"<(link|img|iframe)\b|\bsrc=|url\(|@import", text)
    root = ET.fromstring(text.removeprefix("<!DOCTYPE html>\n"))  # noqa: S314 - our own text
    said = words(root)
    for expected in (
        "Reversi <8x8> & more",
        "Trained for 1 h 00 min, as of 2026-11-22T09:00:00Z",
        "54,000",
        "3,240,000",
        "Score against opponents",
        "rollouts, 400 99.8 %",
        "policy loss 1.71",
        "play, in the network 39 %",
        "workers 2",
    ):
        assert expected in said, expected


def test_what_only_a_trainer_knows_is_explained_beside_its_curve() -> None:
    page = report_html(healthy(60), title="Go")
    for title in (
        "Policy loss, and the entropy",
        "Different openings",
        "Where the time goes",
        "Time of the driver",
        "Staleness",
    ):
        note = re.search(rf'<figcaption>{title}[^<]*</figcaption><p class="note">([^<]+)\.</p>', page)
        assert note is not None, title
    assert '<figcaption>Length of a game</figcaption><ul class="keys">' in page


def test_every_curve_ends_at_its_last_value() -> None:
    minutes = np.arange(1.0, 6)
    values = np.array([1, 3, np.nan, 2, 4.0])
    figure = ET.fromstring(curves("Speed", [Curve("a", minutes, values)], bounds=(0, 4)))  # noqa: S314
    path = next(path for path in figure.iter(f"{SVG}path") if path.get("class") == "line c0")
    points = [tuple(map(float, point.split())) for point in path.attrib["d"][1:].split("L")]
    assert len(points) == 4
    assert list(points[-1]) == [548, 10]  # the corner: the longest time, the highest value
    titles = [title.text for title in figure.iter(f"{SVG}title")]
    assert titles == ["1 min, a 1", "2 min, a 3", "4 min, a 2", "5 min, a 4"]
    assert "a 4" in words(figure)


def test_no_number_below_a_curve_is_cut_off() -> None:
    times = np.arange(101.0)
    figure = curves("score", [Curve("it", times, times)], axis="games")
    labels = re.findall(r'<text class="middle" x="([\d.]+)" y="220">([^<]+)</text>', figure)
    assert labels[-1][1] == "100 games"
    # The digits of a font of 13 pixels are at most 7.5 wide.
    assert all(float(x) + 7.5 / 2 * len(text) <= SIZE[0] for x, text in labels)


def test_an_interval_that_is_not_known_is_left_out() -> None:
    times, values, ends = np.arange(3.0), np.array([1, 2, 3.0]), np.array([np.nan, 1, np.inf])
    for count in (1, 2, 3):
        given = Curve("a", times[:count], values[:count], ends[:count], values[:count] + 1)
        text = curves("Strength", [given], until=9)
        assert "nan" not in text and "inf" not in text


def test_long_runs_make_no_longer_pages() -> None:
    short, long = (len(report_html(healthy(count), title="x")) for count in (600, 6000))
    assert long < 1.3 * short


@pytest.mark.parametrize("rows", [[], [Row(minutes=0)], [Row(minutes=0.1, loss=1.0)], healthy(1), healthy(2)])
def test_pages_of_the_first_moments_are_whole(rows: list[Row]) -> None:
    root = page_of(rows)
    assert "Go 5x5" in words(root)
    assert "nan" not in words(root).split()


def test_what_was_not_measured_has_no_figure() -> None:
    said = words(page_of([Row(minutes=1, policy_loss=3.0), Row(minutes=2, policy_loss=2.0)]))
    assert "Policy loss" in said
    assert "Value loss" not in said
    assert "Elo" not in said
    assert curves("x", [Curve("a", np.arange(2.0), np.full(2, np.nan))]) == ""
    assert shares("x", np.arange(2.0), {"a": np.full(2, np.nan)}) == ""


def test_findings_are_shown() -> None:
    root = page_of(healthy(30, black_wins=0.99, draws=0.0, policy_loss=4.0))
    (alarms,) = (each for each in root.iter(f"{HTML}ul") if each.get("class") == "alarms")
    assert [item.get("class") for item in alarms] == ["flat_policy_loss", "one_color"]
    assert "Black wins 99 % of the games" in words(alarms)
    assert not [each for each in page_of(healthy(30)).iter(f"{HTML}ul") if each.get("class") == "alarms"]


def test_of_many_opponents_the_last_have_curves_and_all_have_a_line() -> None:
    half = Strength(0.5, 0.4, 0.6)
    rows = [Row(minutes=i, strengths={f"player {i}": half}) for i in range(1, 9)]
    root = page_of(rows)
    figure = next(each for each in root.iter(f"{HTML}figure") if "Score against" in words(each))
    keys = [words(key).rsplit(" ", 2)[0] for key in figure.iter(f"{HTML}li")]
    assert keys == [f"player {i}" for i in range(3, 9)]
    (table,) = (each for each in root.iter(f"{HTML}table"))
    assert len(list(table.iter(f"{HTML}tr"))) == 8


def test_strange_names_of_opponents_do_no_harm() -> None:
    rows = [Row(minutes=1, strengths={"</style><script>alert('&')": Strength(0.5, 0.4, 0.6)})]
    assert "</style><script>alert('&')" in words(page_of(rows))


@pytest.mark.parametrize("game", [sixplane.Go(5), sixplane.Reversi(4), sixplane.Gomoku((5, 6))], ids=repr)
def test_a_game_is_examined_in_blacks_view(game: Any) -> None:
    record = played(game, 9)
    network = Likes(action=3)
    sample = examine(record, network)
    assert network.bound == record
    count = record.move_number
    assert sample.policies.shape == (count, record.num_actions)
    np.testing.assert_allclose(sample.policies.sum(axis=1), 1)
    past = record.replay([])
    for move, action in enumerate(record.actions.tolist()):
        assert (sample.policies[move] > 0).tolist() == past.action_mask.astype(bool).tolist()
        assert sample.values[move] == (-1 if past.turn else 1)
        assert sample.ownership is not None
        assert (sample.ownership[move] == sample.values[move]).all()
        past.play(action)
    assert sample.ownership is not None
    final = sixplane.GameBatch.from_games([record]).ownership()[0]
    assert (sample.ownership[-1] == final).all()
    assert (sample.policies[0].argmax() == 3) == (record.replay([]).action_mask[3] == 1)


def test_a_change_of_turn_and_a_resignation_are_no_actions() -> None:
    game = sixplane.Go(5)
    game.play(3)
    game.set_turn("black")
    game.play(8)
    game.resign()
    sample = examine(game, Likes(0))
    assert sample.values.tolist() == [1, 1]
    assert "2. Black" in words(page_of(healthy(1), sample=sample))


def test_any_function_of_planes_may_examine_a_game() -> None:
    record = played(sixplane.Go(4), 6)
    sample = examine(record, lambda planes: (np.zeros((len(planes), 17)), np.zeros(len(planes))))
    assert sample.ownership is None
    assert "Ownership: whose" not in words(page_of(healthy(3), sample=sample))
    with pytest.raises(ValueError, match="has nothing to examine"):
        examine(sixplane.Go(4), Likes(0))


@pytest.mark.parametrize("game", [sixplane.Go(5), sixplane.Reversi(6), sixplane.Gomoku(6)], ids=repr)
def test_the_sample_game_plays_by_itself_and_tells_of_each_move(game: Any) -> None:
    record = played(game, 200)
    assert record.is_over
    sample: SampleGame = examine(record, Likes(action=8))
    root = page_of(healthy(6), sample=sample, refresh=60)
    body = root.find(f"{HTML}body")
    assert body is not None and body.get("data-refresh") == "60"
    assert "Pause" in words(body)
    (section,) = (each for each in root.iter(f"{HTML}div") if each.get("id") == "game")
    pictures = list(section.iter(f"{SVG}svg"))
    assert len(pictures) == 3
    sheets = [style.text or "" for picture in pictures for style in picture.iter(f"{SVG}style")]
    assert len(sheets) == 3
    times = {time for sheet in sheets for time in re.findall(r"animation-duration:([\d.]+)s", sheet)}
    assert times == {f"{0.7 * record.move_number + 3.5:.3f}".rstrip("0").rstrip(".")}
    (told,) = (each for each in root.iter(f"{HTML}script") if each.get("id") == "told")
    lines = json.loads(told.text or "")
    assert len(lines) == record.move_number + 1
    assert lines[0].startswith("Start · value +1.00 for Black · next, Black: ")
    assert lines[1].startswith(f"1. Black {record.action_to_name(int(record.actions[0]))} · value -1.00")
    assert "wins" in lines[-1] or "draw" in lines[-1]
