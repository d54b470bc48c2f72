"""The report of a run: one page that stands alone, and has what was measured."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections import namedtuple
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sixplane
from run_rows import healthy
from sixplane.agents.called import known_players
from sixplane.learn import Config, Row, SampleGame, Strength, examine, report_html
from sixplane.runs.sample import sample_view
from sixplane.search import MCTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

SVG = "http://www.w3.org/2000/svg"
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


def played(game: sixplane.Game, count: int) -> Any:
    rng = np.random.default_rng(3)
    while not game.is_over and game.move_number < count:
        game.play(int(rng.choice(game.legal_actions)))
    return game


def content_of(page: str) -> dict[str, Any]:
    """What a saved page shows: the data that its script reads."""
    (text,) = re.findall(r'<script type="application/json" id="saved">(.*?)</script>', page)
    found: dict[str, Any] = json.loads(text)
    return found


def summary_of(rows: list[Row], **settings: Any) -> dict[str, Any]:
    found: dict[str, Any] = content_of(report_html(rows, title="Go 5x5", settings=settings))["summary"]
    return found


def test_the_page_stands_alone_and_has_the_latest_figures() -> None:
    settings = {"workers": 2, "rules": {"a": "<"}, "minutes": 120}
    text = report_html(healthy(60), title="Reversi <8x8> & more", settings=settings)
    # Names of namespaces are no addresses, and `@import {` is a comment on types; and the page forbids its
    # browser to load anything.
    assert set(re.findall(r"https?://[^\"' )]+", text)) == {SVG}
    assert not re.search(r"<(link|img|iframe)\b|\bsrc=|url\(|@import (?!\{)|^import\b", text, re.MULTILINE)
    assert "content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\"" in text
    assert "<title>Reversi &lt;8x8&gt; &amp; more</title>" in text
    summary = content_of(text)["summary"]
    facts = dict(summary["facts"])
    assert facts["trained"] == "1 h 00 min" and facts["games"] == "54,000"
    assert facts["positions"] == "3,240,000" and facts["policy loss"] == "1.706"
    assert (summary["part"], summary["whole"]) == (0.5, "2 h 00 min")
    assert (summary["title"], summary["as_of"]) == ("Reversi <8x8> & more", "2026-11-22T09:00:00Z")
    assert summary["settings"] == [["workers", "2"], ["rules", '{"a": "<"}'], ["minutes", "120"]]


def test_columns_are_of_one_length_and_have_what_is_known() -> None:
    losses = [1.23456789, math.nan, math.inf, 2.0]
    columns = summary_of([Row(minutes=i, loss=loss) for i, loss in enumerate(losses)])["columns"]
    assert columns["minutes"] == [0, 1, 2, 3]
    assert columns["loss"] == [1.23457, None, None, 2]
    assert "value_loss" not in columns and "time" not in columns


def test_long_runs_make_no_longer_pages() -> None:
    short, long = (report_html(healthy(count), title="x") for count in (600, 6000))
    assert len(long) < 1.3 * len(short)


def test_the_last_values_of_a_long_run_are_shown() -> None:
    # The loss is no longer known at the end, and Elo only where the judge looked.
    rows = healthy(6000, loss=lambda minute: 1.0 if minute < 3001 else math.nan)
    columns = summary_of(rows)["columns"]
    at = columns["minutes"].index(3000)
    assert columns["loss"][at] == 1 and not any(columns["loss"][at + 1 :])
    judged = [minute for minute, elo in zip(columns["minutes"], columns["elo"], strict=True) if elo]
    assert columns["minutes"][-1] == judged[-1] == 6000 and len(judged) >= 100


@pytest.mark.parametrize("rows", [[], [Row(minutes=0)], [Row(minutes=0.1, loss=1.0)], healthy(1), healthy(2)])
def test_pages_of_the_first_moments_are_whole(rows: list[Row]) -> None:
    page = report_html(rows, title="Go 5x5")
    HTMLParser().feed(page)
    facts = dict(content_of(page)["summary"]["facts"])
    assert facts["games"] == (f"{rows[-1].games:,}" if rows else "0")
    assert not any("nan" in text for text in facts.values())


def test_findings_are_shown() -> None:
    flat, one_color = summary_of(healthy(30, black_wins=0.99, draws=0.0, policy_loss=4.0))["alarms"]
    assert "does not fall" in flat and "Black wins 99 % of the games" in one_color
    assert summary_of(healthy(30))["alarms"] == []


def test_each_opponent_has_its_results_with_their_intervals() -> None:
    rows = [Row(minutes=i, strengths={f"player {i % 2}": Strength(0.5, 0.4, i / 10)}) for i in range(1, 5)]
    assert summary_of(rows)["scores"] == {
        "player 1": [[1, 0.5, 0.4, 0.1], [3, 0.5, 0.4, 0.3]],
        "player 0": [[2, 0.5, 0.4, 0.2], [4, 0.5, 0.4, 0.4]],
    }
    unknown = Row(minutes=1, strengths={"x": Strength(0.5, math.nan, math.inf)})
    assert summary_of([unknown])["scores"] == {"x": [[1, 0.5, None, None]]}


def test_known_players_of_the_board_are_marks_on_its_axis() -> None:
    rows = [Row(minutes=1, ladder_elo=700.0, ladder_low=600.0, ladder_high=800.0, ladder_games=40)]
    summary = summary_of(rows, game="gomoku", size=15)
    names, elos = zip(*summary["players"], strict=True)
    assert names[0] == "random" and "figrid-board 1.2.0" in names
    assert elos[0] == 0 and list(elos) == sorted(elos)
    assert dict(summary["facts"])["Elo, ladder"] == "700"
    assert (
        summary_of(rows, game="reversi", size=[8, 8])["players"]
        == summary_of(rows, game="reversi")["players"]
    )


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"game": "go", "size": 7},
        {"game": ["go"]},
        {"game": "go", "size": {}},
        {"game": "go", "size": 10**30},
    ],
)
def test_a_board_without_a_ladder_has_no_known_players(settings: dict[str, Any]) -> None:
    assert summary_of(healthy(2), **settings)["players"] == []


TWO_STAGES = [{"size": 9, "share": 0.5}, {"size": 15, "share": 0.5}]


def test_stages_begin_at_their_times_and_the_newest_is_looked_at() -> None:
    first = healthy(20, stage=1, ladder_elo=lambda minute: 30.0 * minute, positions_per_second=9000.0)
    second = healthy(40, stage=2, black_wins=0.5, positions_per_second=100.0)[20:]
    settings: dict[str, Any] = {"game": "gomoku", "minutes": 60, "stages": TWO_STAGES}
    before, after = summary_of(first, **settings), summary_of(first + second, **settings)
    assert before["stages"] == [[0, "9x9"]] and after["stages"] == [[0, "9x9"], [20, "15x15"]]
    # Slower on a larger board is no fault, and the Elo of one board is not that of another.
    as_one = [dataclasses.replace(row, stage=1) for row in first + second]
    assert after["alarms"] == [] and summary_of(as_one)["alarms"] != []
    assert dict(before["facts"])["Elo, ladder"] == "600" and "Elo, ladder" not in dict(after["facts"])
    assert dict(after["facts"])["stage"] == "2, 15x15"
    assert before["players"] == [] and after["players"][0][0] == "random"
    assert after["columns"]["minutes"][-1] == 40
    assert summary_of(healthy(5), game="gomoku")["stages"] == []


@pytest.mark.parametrize(
    ("run", "first", "second", "board"),
    [
        ({"size": 9}, {"sizes": [5, 9, 13]}, {"sizes": [9, 13]}, 9),
        ({"size": [9, 9]}, {"sizes": [{"size": 9, "share": 0.5}, {"size": 13, "share": 0.5}]}, {}, 9),
        ({"size": 13}, {"sizes": [5, 9]}, {"size": 13}, 9),
        ({"size": 13}, {"sizes": [9, 13], "size": 9}, {"size": 13}, 9),
        ({}, {"sizes": [5, 9, 13]}, {"size": 9}, 13),
        ({"sizes": [9, 13], "size": 9}, {}, {"size": 13}, 9),
        ({"sizes": [9, 13], "size": 9}, {"size": 13}, {}, 13),
    ],
)
def test_known_players_are_those_of_the_board_of_the_judge(
    run: dict[str, Any], first: dict[str, Any], second: dict[str, Any], board: int
) -> None:
    settings = run | {"stages": [stage | {"share": 0.5} for stage in (first, second)]}
    assert Config(game="go", **settings).by_stage[0].judged.boards == ((board, board),)
    assert summary_of(healthy(2), game="go", **settings)["players"] == [
        list(player) for player in known_players(sixplane.Go(board))
    ]


@pytest.mark.parametrize("stages", [7, "9x9", [7], [], {"size": 9}, [{"size": {}}]])
def test_strange_stages_do_no_harm(stages: Any) -> None:
    found = summary_of(healthy(5, stage=1), game="go", stages=stages)
    assert [minutes for minutes, _ in found["stages"]] == ([0] if stages else [])


def test_strange_names_of_opponents_do_no_harm() -> None:
    name = "</style></script><script>alert('&')"
    page = report_html([Row(minutes=1, strengths={name: Strength(0.5, 0.4, 0.6)})], title=name)
    assert "<script>alert" not in page
    assert list(content_of(page)["summary"]["scores"]) == [name]


@pytest.mark.parametrize("game", [sixplane.Go(5), sixplane.Reversi(4), sixplane.Gomoku((5, 6))], ids=repr)
def test_a_game_is_examined_in_blacks_view(game: sixplane.Game) -> None:
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


def test_long_games_are_examined_at_even_distances() -> None:
    record = played(sixplane.Go(9), 120)
    sample = examine(record, Likes(action=3), most=20)
    assert sample.moves is not None and sample.ownership is not None
    moves = sample.moves.tolist()
    assert len(moves) == len(sample.values) == len(sample.ownership) - 1 == 20
    assert (moves[0], moves[-1]) == (0, 119) and {6, 7} >= set(np.diff(moves).tolist())
    whole = examine(record, Likes(action=3))
    assert (sample.policies == whole.policies[moves]).all()
    assert (sample.values == whole.values[moves]).all()
    view, everything = sample_view(sample), sample_view(whole)
    assert view["moves"] == [*moves, 120] and everything["moves"] == list(range(121))
    assert view["lines"] == [everything["lines"][move] for move in view["moves"]]
    assert view["text"] == f"{everything['text']} 21 of its 121 positions are shown, at even distances."
    assert examine(record, Likes(action=3), most=120).moves is None
    with pytest.raises(ValueError, match="most must be at least 1, not 0"):
        examine(record, Likes(action=3), most=0)


def test_a_change_of_turn_and_a_resignation_are_no_actions() -> None:
    game = sixplane.Go(5)
    game.play(3)
    game.set_turn("black")
    game.play(8)
    game.resign()
    sample = examine(game, Likes(0))
    assert sample.values.tolist() == [1, 1]
    assert sample_view(sample)["lines"][2].startswith("2. Black")


def test_any_function_of_planes_may_examine_a_game() -> None:
    record = played(sixplane.Go(4), 6)
    sample = examine(record, lambda planes: (np.zeros((len(planes), 17)), np.zeros(len(planes))))
    assert sample.ownership is None
    assert [title.partition(":")[0] for title, _ in sample_view(sample)["pictures"]] == ["Policy"]
    with pytest.raises(ValueError, match="has nothing to examine"):
        examine(sixplane.Go(4), Likes(0))


def answer(value: Any = 0.0, logits: Any = 0.0) -> Any:
    """An evaluator that says the same of all positions of 4x4."""
    return lambda planes: (np.zeros((len(planes), 17)) + logits, np.full(len(planes), value, np.float32))


@pytest.mark.parametrize(
    "evaluator",
    [
        lambda planes: (np.zeros((len(planes), 17)), np.zeros((len(planes), 1))),
        lambda planes: (np.zeros((len(planes), 16)), np.zeros(len(planes))),
        lambda planes: (np.zeros((len(planes), 1)), np.zeros(len(planes))),
        lambda planes: (np.zeros((len(planes), 17)), 0.5),
        lambda planes: (np.zeros((len(planes), 17)), np.zeros(len(planes), complex)),
        lambda planes: np.zeros((3, len(planes), 17)),
        lambda _planes: None,
        answer(value=3.0), answer(value=-1.5), answer(value=math.nan),
        answer(logits=math.nan), answer(logits=math.inf), answer(logits=-math.inf),
        answer(logits=np.where(np.arange(17) == 2, math.nan, 0)),
    ],
)  # fmt: skip
def test_what_no_search_takes_of_an_evaluator_is_refused_in_its_words(evaluator: Any) -> None:
    said = []
    for refuse in (
        lambda: MCTS(evaluator, simulations=2).search(sixplane.Go(4)),
        lambda: examine(played(sixplane.Go(4), 1), evaluator),
    ):
        with pytest.raises((TypeError, ValueError)) as error:
            refuse()
        said.append((error.type, str(error.value)))
    assert said[0] == said[1]


def test_an_evaluator_leaves_actions_out_as_in_a_search() -> None:
    record = sixplane.Go(4).replay([3, 5])
    logits = np.where(np.arange(17) == 7, 0, -math.inf)
    logits[3] = math.nan  # it is illegal in the second position, and not read there
    with pytest.raises(ValueError, match="in position 0 the logit of action 3 is NaN"):
        examine(record, answer(logits=logits))
    logits[3] = -math.inf
    sample = examine(record, answer(value=1.0005, logits=logits))
    assert (sample.policies[:, 7] == 1).all() and sample.values == pytest.approx([1.0005, -1.0005])


@pytest.mark.parametrize("game", [sixplane.Go(5), sixplane.Reversi(6), sixplane.Gomoku(6)], ids=repr)
def test_the_sample_game_plays_by_itself_and_tells_of_each_move(game: sixplane.Game) -> None:
    record = played(game, 200)
    assert record.is_over
    sample: SampleGame = examine(record, Likes(action=8))
    content = content_of(report_html(healthy(6), title="Go", sample=sample, refresh=60))
    assert content["refresh"] == 60
    shown = content["sample"]
    assert [title.partition(":")[0] for title, _ in shown["pictures"]] == ["Policy", "Ownership"]
    times = {
        time for _, svg in shown["pictures"] for time in re.findall(r"animation-duration:([\d.]+)s", svg)
    }
    seconds = shown["seconds"] * record.move_number + shown["hold"]
    assert times == {f"{seconds:.3f}".rstrip("0").rstrip(".")}
    assert shown["values"] == sample.values.tolist()
    lines = shown["lines"]
    assert len(lines) == record.move_number + 1
    assert lines[0].startswith("Start · value +1.00 for Black · next, Black: ")
    assert lines[1].startswith(f"1. Black {record.action_to_name(int(record.actions[0]))} · value -1.00")
    assert "wins" in lines[-1] or "draw" in lines[-1]
