"""Known players: programs of others in the tables of the ladders, and whose names stand on an axis of Elo."""

from __future__ import annotations

import importlib
import json
import re
import shutil
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sixplane
from sixplane import ladder
from sixplane.agents import AgentSpec
from sixplane.agents.called import NAME_SHARE, called, known_players
from sixplane.games import GAMES
from sixplane.ladder import table as tables

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / "python/sixplane/ladder/tables").glob("*.json"))
PAGE = (ROOT / "docs/strength.md").read_text()

#: The boards on which programs of others have been rated, and these programs.
PROGRAMS = {"go9": "GNU Go", "reversi8": "gtp-rhino", "gomoku15": "figrid-board"}


def game_of(file: Path) -> sixplane.Game:
    facts = json.loads(file.read_text())
    game_class: Any = GAMES[facts["game"]].game_class
    game: sixplane.Game = game_class(size=(facts["rows"], facts["cols"]))
    return game


BOARDS = {file.stem: game_of(file) for file in FILES}
PLAYERS = [(board, player) for board, game in BOARDS.items() for player in ladder.table_of(game).players]


def name_of(cell: str) -> str:
    """What a table calls a player that the page of strengths names so."""
    return called(AgentSpec.parse(cell.strip("`"))) if cell.startswith("`") else cell


@pytest.fixture
def strength(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The program that rates known players."""
    monkeypatch.syspath_prepend(ROOT / "benches")
    yield importlib.import_module("strength")
    for name in ("strength", "ladder"):
        del sys.modules[name]


@pytest.fixture
def ladders(strength: Any) -> Any:
    """The program that makes the tables, which the other one uses."""
    return sys.modules[strength.write_facts.__module__]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the tables."""
    for file in FILES:
        shutil.copy(file, tmp_path)
    return tmp_path


@pytest.mark.parametrize(("board", "player"), PLAYERS, ids=lambda value: str(getattr(value, "name", value)))
def test_the_page_of_strengths_has_every_known_player(board: str, player: ladder.KnownPlayer) -> None:
    assert player.low < player.elo < player.high
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", player.date)
    table = PAGE.partition(f"| rung | {ladder.table_of(BOARDS[board]).board} |")[2].partition("\n\n")[0]
    rows = dict(re.findall(r"^\| \| (.+?) \| (.+ \| .+) \|$", table, re.M))
    numbers = f"{player.elo:.0f} ({player.low:.0f} to {player.high:.0f}) | {player.games:,}"
    assert {name_of(cell): row for cell, row in rows.items()}[player.name] == numbers


@pytest.mark.parametrize("board", BOARDS)
def test_the_marks_of_an_axis_are_in_order_and_have_room_for_their_names(board: str) -> None:
    marks = known_players(BOARDS[board])
    assert marks[0] == ("random", 0.0)
    assert len(marks) <= 8
    assert len({name for name, _ in marks}) == len(marks)
    assert all(len(name) <= 28 for name, _ in marks), "a longer name leaves too little of the picture"
    room = NAME_SHARE * marks[-1][1]
    assert all(above - below >= room for (_, below), (_, above) in pairwise(marks))
    # The strongest program of others is one, whatever else is near.
    if board in PROGRAMS:
        assert any(name.startswith(PROGRAMS[board]) for name, _ in marks)
    known = {player.elo for player in ladder.table_of(BOARDS[board]).players}
    assert {elo for _, elo in marks} <= known | {rung.elo for rung in ladder.rungs(BOARDS[board])}


def table_with(monkeypatch: pytest.MonkeyPatch, players: tuple[ladder.KnownPlayer, ...]) -> sixplane.Game:
    """A board whose table has these known players."""
    game = sixplane.Reversi()
    table = ladder.table_of(game)._replace(players=players)
    monkeypatch.setattr(ladder, "table_of", lambda _: table)
    return game


def player(name: str, elo: float) -> ladder.KnownPlayer:
    return ladder.KnownPlayer(name, elo, elo - 50, elo + 50, 100, "2026-11-27")


def test_of_players_that_are_near_each_other_a_strong_program_of_others_is_a_mark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rungs = dict(known_players(table_with(monkeypatch, ())))
    assert list(rungs)[:3] == ["random", "100 playouts", "reversi8"]
    near = rungs["reversi8"]
    game = table_with(monkeypatch, (player("Ada 2, fast", near - 60), player("Ada 2, slow", near + 10)))
    assert [name for name, _ in known_players(game)] == [
        "Ada 2, slow" if name == "reversi8" else name for name in rungs
    ]
    # One setting needs no words, and a search of ours is no program of others.
    game = table_with(
        monkeypatch,
        (player("reversi8, 9 simulations", near - 5), player("Ada 2, slow", near), player("Bo, 1 s", 4000)),
    )
    names = [name for name, _ in known_players(game)]
    assert names[0] == "random" and names[-1] == "Bo" and "Ada 2" in names
    assert not {"reversi8", "reversi8, 9 simulations"} & {*names}


def test_a_table_without_known_players_has_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = folder / "reversi8.json"
    facts = json.loads(file.read_text())
    del facts["players"]
    file.write_text(json.dumps(facts))
    (folder / "tables").mkdir()
    shutil.move(file, folder / "tables")
    monkeypatch.setattr(tables, "__file__", str(folder / "table.py"))
    (table,) = tables._tables.__wrapped__().values()
    assert table.players == ()
    assert table.rungs == ladder.rungs(sixplane.Reversi())


@pytest.mark.parametrize("board", BOARDS)
def test_a_table_is_written_as_it_stands(board: str, folder: Path, strength: Any) -> None:
    file = folder / f"{board}.json"
    before = file.read_bytes()
    strength.write_facts(file, json.loads(before))
    assert file.read_bytes() == before


@pytest.mark.parametrize("board", PROGRAMS)
def test_players_that_were_rated_come_into_the_table(board: str, folder: Path, strength: Any) -> None:
    file = folder / f"{board}.json"
    before = json.loads(file.read_text())
    titles = [player.title for player in strength.PLAYERS[board]]
    listed = {each["name"] for each in before["players"]}
    other = next(title for title in reversed(titles) if name_of(title) in listed)
    rows = [strength.Row(4000.04, "", title, 3900.06, 4100, 60) for title in titles if title != other]
    strength.write_players(board, [*rows, strength.Row(1, "", "nobody's", 0, 2, 8)], folder)
    after = json.loads(file.read_text())
    kept, *others = after.pop("players")
    assert kept == next(each for each in before.pop("players") if each["name"] == name_of(other))
    assert after == before
    # How strong a search for seconds is depends on the machine.
    assert [each["name"] for each in others] == sorted(
        name_of(row.name) for row in rows if "seconds" not in row.name
    )
    for each in others:
        assert (each["elo"], each["low"], each["high"], each["games"]) == (4000.0, 3900.1, 4100, 60)
    text = file.read_text()
    strength.write_players(board, [], folder)
    assert file.read_text() == text, "who was not rated again stays"


def test_a_table_that_is_made_anew_keeps_its_known_players(folder: Path, ladders: Any) -> None:
    results = ladders.Results(Path(shutil.copy(ladders.RESULTS / "reversi8.jsonl", folder)), "reversi8")
    file = folder / "reversi8.json"
    before = json.loads(file.read_text())
    ladders.write_table("reversi8", results, 600, folder)
    after = json.loads(file.read_text())
    assert after["players"] == before["players"] != []
    assert len(after["rungs"]) == len(before["rungs"])
    file.unlink()
    ladders.write_table("reversi8", results, 600, folder)
    results.close()
    assert "players" not in json.loads(file.read_text())
