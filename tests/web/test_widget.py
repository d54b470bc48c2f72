"""The board of a notebook: a notebook executed for real, whose kernel hears what a front end would say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from kernel import WAITING, Notebook, open_notebook

from doc_blocks import blocks
from waiting import MINUTE

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def notebook() -> Iterator[Notebook]:
    with open_notebook() as notebook:
        notebook.run(
            "agent = MCTSAgent(simulations=300, seed=1)\n"
            "batch = sixplane.GameBatch(sixplane.Gomoku(7), 20, seed=1); batch.play_random(49)"
        )
        yield notebook


def names(state: dict[str, Any]) -> list[str]:
    return [name for _, name in state["moves"]]


def test_a_board_plays_by_clicks_and_tells_its_observers(notebook: Notebook) -> None:
    model = notebook.show(
        "board = Board(sixplane.Go(5), width=300)\n"
        "seen = []; board.observe(lambda change: seen.append(change.new.move_number), 'game'); board"
    )
    first = notebook.told(model)
    assert first["width"] == 300 and len(first["stones"]) == 2
    assert first["state"]["stones"] == "." * 25 and first["state"]["board"].startswith("<svg ")
    notebook.say(model, {"do": "play", "action": 12, "at": 0})
    notebook.say(model, {"do": "play", "action": 25, "at": 1})
    state = notebook.wait(model, 2)
    assert names(state) == ["C3", "pass"] and state["stones"][12] == "b" and state["turn"] == 0
    assert notebook.run("seen, board.game.actions.tolist()")["text/plain"] == "([1, 2], [12, 25])"
    notebook.say(model, {"do": "play", "action": 25, "at": 2})
    ended = notebook.told(model)["state"]
    assert ended["result"]["winner"] == "black" and ended["counting"] is None, "no buttons count dead stones"
    notebook.say(model, {"do": "undo"})
    notebook.say(model, {"do": "look", "at": 1})
    looked = notebook.told(model)["state"]
    assert (looked["at"], names(looked)) == (1, ["C3", "pass"])
    notebook.say(model, {"do": "undo"})
    assert names(notebook.told(model)["state"]) == ["C3"]
    notebook.say(model, {"do": "resign", "at": 1})
    assert notebook.told(model)["state"]["result"]["winner"] == "black"
    notebook.run("board.game = sixplane.Reversi()")
    # A click on the board before reaches the next one too late.
    notebook.say(model, {"do": "play", "action": 19, "at": 0, "serial": ended["serial"]})
    state = notebook.told(model)["state"]
    assert state["moves"] == []
    assert state["game"]["name"] == "reversi" and state["result"] is None and state["marks"] is False


def test_a_board_keeps_no_game_of_the_caller(notebook: Notebook) -> None:
    notebook.run("game = sixplane.Go(5); mine = Board(game); game.play(12); mine.game = game")
    notebook.run("mine.game = game; game.play(3)")
    assert notebook.run("mine.game is game, mine.game.move_number")["text/plain"] == "(False, 1)"
    said = notebook.run("mine.game = game; mine.game.move_number, len(mine.state['moves'])")["text/plain"]
    assert said == "(2, 2)"


def test_a_game_that_came_from_the_board_and_was_played_on_begins_another(notebook: Notebook) -> None:
    model = notebook.show(
        "own = Board(sixplane.Go(5)); heard = []\n"
        "def hear(change): heard.append((change.old.move_number, change.new.move_number))\n"
        "own.observe(hear, 'game'); own"
    )
    notebook.run("game = own.game; game.play(12); own.game = game")
    assert names(notebook.told(model)["state"]) == ["C3"]
    notebook.run("game.play(7); own.game.play(8); own.game = own.game.copy()")
    assert names(notebook.told(model)["state"]) == ["C3", "D4"]
    # What was played in the game of the board is not on the board: a game as it was there changes nothing.
    notebook.run("before = own.game.copy(); own.game.play(3); own.game = before")
    assert notebook.run("heard, own.game == before")["text/plain"] == "([(0, 1), (1, 2)], True)"
    notebook.say(model, {"do": "play", "action": 0, "at": 2})
    assert names(notebook.told(model)["state"]) == ["C3", "D4", "A5"]
    assert notebook.run("heard[2:], own.game.actions.tolist()")["text/plain"] == "([(2, 3)], [12, 8, 0])"


def test_an_observer_that_plays_on_in_what_it_is_told_changes_no_board(notebook: Notebook) -> None:
    model = notebook.show(
        "told = Board(sixplane.Go(5)); told.observe(lambda change: change.new.play(24), 'game'); told"
    )
    for at, action in enumerate((12, 13)):
        notebook.say(model, {"do": "play", "action": action, "at": at})
    notebook.run("told.game = sixplane.Go(5).replay([3])")
    assert names(notebook.told(model)["state"]) == ["D5"]
    notebook.say(model, {"do": "play", "action": 4, "at": 1})
    assert names(notebook.told(model)["state"]) == ["D5", "E5"]


def test_a_page_made_from_a_notebook_has_the_looks_of_the_board(notebook: Notebook) -> None:
    looks = "theme='slate', coordinates=False, numbers=True, marks=True, width=300"
    shown = notebook.run(
        f"kept = Board(sixplane.Go(5).replay([12, 7]), {looks})\n"
        "kept.game.play(3)\n"
        "from urllib.parse import unquote\n"
        "html = unquote(kept._repr_mimebundle_()[0]['text/html'])\n"
        "(kept.state['board'] in html, 'width=\"300\" height=\"300\" style' in html,"
        " '#5d7282' in html, 'move 2' in html)"
    )
    assert shown["text/plain"] == "(True, True, True, True)"


def test_a_width_that_cannot_be_shown_is_refused_when_it_is_set(notebook: Notebook) -> None:
    for width in (5, 119, 4097, 100_000):
        said = notebook.run(
            f"wide = Board(sixplane.Go(5))\ntry:\n    wide.width = {width}; said = ''\n"
            "except Exception as error:\n    said = type(error).__name__\nsaid, wide.width"
        )["text/plain"]
        assert said == "('TraitError', 480)"


def test_an_agent_answers_while_other_cells_run(notebook: Notebook) -> None:
    model = notebook.show(f"{WAITING}played = Board(sixplane.Go(7), agent=Waiting()); played")
    notebook.say(model, {"do": "play", "action": 24, "at": 0})
    assert notebook.told(model)["state"]["is_thinking"]
    assert notebook.run("sum(range(1_000_000))")["text/plain"] == "499999500000"
    assert notebook.told(model)["state"]["is_thinking"]
    notebook.run("may.set()")
    state = notebook.wait(model, 2)
    assert len(state["moves"]) == 2 and not state["is_thinking"] and state["turn"] == 0


def test_an_agent_may_begin_and_be_lent_to_two_boards(notebook: Notebook) -> None:
    models = [
        notebook.show(f"Board(sixplane.{game}, agent=agent, color='white')")
        for game in ("Go(5)", "Reversi(6)")
    ]
    for model in models:
        state = notebook.wait(model, 1)
        assert len(state["moves"]) == 1 and state["result"] is None
        assert state["players"][0] == {"name": "MCTSAgent", "is_person": False}


def test_what_an_agent_raises_is_one_line_and_can_be_taken_back(notebook: Notebook) -> None:
    model = notebook.show(
        "class Failing:\n    def select_action(self, game):\n        raise RuntimeError('<b>no</b>\\nidea')\n"
        "failing = Board(sixplane.Go(5), agent=Failing()); failing"
    )
    notebook.say(model, {"do": "play", "action": 12, "at": 0})
    result = notebook.wait(model, 2)["result"]
    assert result["winner"] == "black" and result["detail"] == "White: RuntimeError: <b>no</b> idea"
    notebook.say(model, {"do": "undo"})
    assert notebook.told(model)["state"]["result"] is None


BAD: list[Any] = [
    None,
    3,
    [],
    {},
    {"do": "play"},
    {"do": "play", "action": "12", "at": 0},
    {"do": "play", "action": 12.5, "at": 0},
    {"do": "play", "action": 12, "at": 0, "more": 1},
    {"do": "play", "action": 10**30, "at": 0},
    {"do": "play", "action": 12, "at": 1},
    {"do": "play", "action": 26, "at": 0},
    {"do": "undo"},
    {"do": "hint"},
    {"do": "page", "index": 0},
    {"do": "look", "at": -1},
    {"do": "look", "at": "1"},
    {"do": "__class__"},
    {"do": {"do": "play"}},
    {"do": "new", "game": "go"},
    {"do": "play", "action": 12, "at": 0, "<script>": "<script>"},
    "x" * 1_000_000,
]


def test_bad_messages_are_refused_in_words_and_change_nothing(notebook: Notebook) -> None:
    model = notebook.show("board = Board(sixplane.Go(5)); board")
    before = notebook.told(model).copy()
    for bad in BAD:
        notebook.say(model, bad)
    changes: tuple[dict[str, Any], ...] = (
        {"state": {}},
        {"stones": []},
        {"width": 1},
        {"_esm": "alert(1)"},
        {"game": 1, "index": 3},
    )
    for change in changes:
        notebook.set(model, change)
    notebook.send(model, {"method": "nothing"})
    assert notebook.told(model) == before
    assert notebook.run("board.width, board.game == sixplane.Go(5)")["text/plain"] == "(480, True)"
    assert notebook.ear is not None
    said = notebook.ear.said[model]
    assert len(said) == len(BAD) + len(changes)
    assert all(one["type"] == "refused" and 0 < len(one["text"]) <= 300 for one in said)
    assert {one["reason"] for one in said} == {"bad_message", "too_late", "off_board", "nothing_to_undo"}
    assert said[len(BAD)]["text"] == "a front end cannot set state"


def test_a_board_of_a_batch_pages_through_its_games(notebook: Notebook) -> None:
    model = notebook.show("paged = Board(batch, index=-1); paged")
    assert notebook.told(model)["state"]["page"] == {"index": 19, "count": 20}
    notebook.say(model, {"do": "page", "index": 3})
    state = notebook.told(model)["state"]
    assert state["page"]["index"] == 3 and state["result"] and not state["can_undo"]
    assert notebook.run("paged.game == batch[3], paged.index")["text/plain"] == "(True, 3)"
    for bad in (-1, 20, True, "1", None, 1.0):
        notebook.say(model, {"do": "page", "index": bad})
    notebook.say(model, {"do": "play", "action": 0, "at": len(state["moves"])})
    notebook.say(model, {"do": "look", "at": 2})
    looked = notebook.told(model)["state"]
    assert (looked["page"]["index"], looked["at"]) == (3, 2)
    notebook.run("paged.index = 4")
    assert notebook.told(model)["state"]["page"]["index"] == 4
    notebook.run("alone = Board(sixplane.Go(5))")
    for code in ("paged.index = 20", "paged.game = sixplane.Gomoku(7)", "alone.index = 1"):
        notebook.run(f"try:\n    {code}\nexcept Exception as error: print(type(error).__name__)")
        assert notebook.nb.cells[-1].outputs[0].text == "TraitError\n"
    assert notebook.told(model)["state"]["page"]["index"] == 4


@pytest.mark.parametrize(
    "call",
    [
        "Board(3)",
        "Board(batch, agent=agent)",
        "Board(sixplane.Go(), agent=3)",
        "Board(sixplane.Go(), agent='nobody')",
        "Board(sixplane.Go(), agent='human')",
        "Board(sixplane.Go(), agent=MCTSAgent)",
        "Board(sixplane.Go(), agent='score-table')",
        "Board(sixplane.Go(), color='red')",
        "Board(sixplane.Go(), theme='pink')",
        "Board(sixplane.Go(), width=3)",
        "Board(batch, index=20)",
    ],
)
def test_a_board_that_cannot_be_says_why(notebook: Notebook, call: str) -> None:
    shown = notebook.run(
        f"try:\n    {call}\nexcept (TypeError, ValueError, IndexError) as error: print(len(str(error)))"
    )
    assert 0 < int(shown["stdout"]) < 200


def test_modules_are_joined_in_order_and_only_as_ours_are_written(notebook: Notebook) -> None:
    assert notebook is not None
    from sixplane._modules import joined

    texts = {
        "entry": 'import { a, b as c } from "./one.js";\nimport * as two from "./two.js";\n'
        "export default [a, c, two.d];",
        "one": 'import { d } from "./two.js";\nexport const a = d;\nexport function b() {}',
        "two": "export class d {}\nconst own = 1;",
        "circle": 'import { x } from "./back.js";\nexport const y = x;',
        "back": 'import { y } from "./circle.js";\nexport const x = y;',
        "other": 'import y from "./one.js";',
        "late": 'import { z } from "./again.js";',
        "again": 'export { z } from "./one.js";',
    }
    text = joined("entry", texts.__getitem__)
    assert text.count("const $two = (() => {") == text.count("const $one = (() => {") == 1
    assert text.index("$two = ") < text.index("$one = ") < text.index("const { a, b: c } = $one;")
    assert "const two = $two;" in text and "return { d };" in text
    assert text.count("export ") == 1 and "import" not in text
    for name, said in (
        ("circle", "import each other"),
        ("other", "cannot be joined"),
        ("late", "cannot be joined"),
    ):
        with pytest.raises(ValueError, match=said):
            joined(name, texts.__getitem__)


def test_the_example_of_the_page_shows_a_board(notebook: Notebook) -> None:
    (example,) = (block.code for block in blocks(DOCS / "playing.md") if block.library == "widget")
    model = notebook.show(example)
    notebook.say(model, {"do": "play", "action": 40, "at": 0})
    assert names(notebook.wait(model, 2))[0] == "E5"


def test_a_board_brings_all_that_it_needs_to_be_shown_without_a_kernel(notebook: Notebook) -> None:
    model = notebook.show("last = Board(sixplane.Go(5).replay([12, 7])); last")
    notebook.say(model, {"do": "play", "action": 8, "at": 2})
    notebook.wait(model, 3)
    # A notebook that is saved with its widgets keeps this.
    kept = notebook.told(model)
    assert names(kept["state"]) == ["C3", "C4", "D4"]
    assert kept["_esm"].count("export ") == 1
    assert not re.search(r"^import|import\(|fetch\(|https?:(?!//www\.w3\.org/)", kept["_esm"], re.M)


def test_a_board_that_is_closed_takes_no_answer(notebook: Notebook) -> None:
    model = notebook.show(f"{WAITING}gone = Board(sixplane.Go(5), agent=Waiting()); gone")
    notebook.say(model, {"do": "play", "action": 12, "at": 0})
    assert notebook.told(model)["state"]["is_thinking"]
    notebook.run("from sixplane.web.background_agent import join_threads")
    done = notebook.run("gone.close(); may.set(); join_threads(60); gone.game.move_number")
    assert done["text/plain"] == "1"


def test_boards_with_one_agent_ask_it_one_after_another(notebook: Notebook) -> None:
    # Two that ask at once meet at the barrier; one alone breaks it.
    notebook.run(
        "import threading\nmeeting, have_met = threading.Barrier(2, timeout=0.5), []\n"
        "class Alone:\n    def select_action(self, game):\n        try:\n"
        "            meeting.wait(); have_met.append(True)\n"
        "        except threading.BrokenBarrierError:\n            pass\n"
        "        return int(game.legal_actions[0])\n"
        "alone = Alone()"
    )
    models = [notebook.show("Board(sixplane.Go(5), agent=alone, color='white')") for _ in range(2)]
    for model in models:
        assert len(notebook.wait(model, 1)["moves"]) == 1
    assert notebook.run("have_met")["text/plain"] == "[]"


def test_a_board_marks_the_legal_points_of_reversi_and_leaves_letters_out_where_asked(
    notebook: Notebook,
) -> None:
    marks = "Board(sixplane.Reversi()).state['marks'], Board(sixplane.Go(5)).state['marks']"
    assert notebook.run(marks)["text/plain"] == "(True, False)"
    layouts = (
        "[Board(sixplane.Go(5), coordinates=shown).state['layout']['margin'] for shown in (False, True)]"
    )
    assert notebook.run(f"bare, usual = {layouts}; bare < usual")["text/plain"] == "True"


def test_a_board_closes_the_agent_that_it_has_made_and_no_other(notebook: Notebook) -> None:
    notebook.run(
        "from sixplane.agents import AgentSpec, RandomAgent\n"
        "import threading\nclosed = []\n"
        "class Closing(RandomAgent):\n    def close(self):\n        closed.append(self)\n"
        "made, usual = Closing(seed=1), AgentSpec.make\n"
        "AgentSpec.make = lambda spec, seed: made"
    )
    notebook.run("ours = Board(sixplane.Go(5), agent='random'); AgentSpec.make = usual")
    notebook.run("ours.game = sixplane.Go(7); ours.game = sixplane.Go(9)  # with the same agent")
    notebook.run("theirs = Board(sixplane.Go(5), agent=Closing(seed=2)); theirs.close()")
    done = notebook.run(
        "ours.close(); ours.close()\n"
        "for thread in threading.enumerate():\n"
        "    if thread.name == 'closes an agent':\n        thread.join(60)\n"
        "len(closed), closed[0] is made"
    )
    assert done["text/plain"] == "(1, True)"


def test_a_level_is_called_by_its_strength_on_the_board_that_is_set(notebook: Notebook) -> None:
    model = notebook.show("levels = Board(sixplane.Go(9), agent='ladder:+3'); levels")
    first = notebook.told(model)["state"]["players"][1]["name"]
    notebook.run("levels.game = sixplane.Go(13)")
    second = notebook.told(model)["state"]["players"][1]["name"]
    assert first.startswith("Level 3, about ") and second.startswith("Level 3, about ") and first != second
    told = notebook.run(
        "table = Board(sixplane.Gomoku(), agent='score-table')\n"
        "try:\n    table.game = sixplane.Go(9)\nexcept Exception as error:\n"
        "    told = f'{type(error).__name__}: {error}'\ntold, table.game.name"
    )
    assert re.fullmatch(r"\(['\"]TraitError: .*Gomoku.*, 'gomoku'\)", told["text/plain"])


def test_a_board_with_a_program_that_is_left_open_lets_python_end() -> None:
    code = (
        "import sys, sixplane\nfrom sixplane.widget import Board\n"
        "board = Board(sixplane.Go(5), agent=f'gtp:{sys.executable} -m sixplane gtp --agent random')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], timeout=MINUTE, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("coordinates='no'", "TypeError: coordinates must be True or False, not str"),
        ("numbers=2", "TypeError: numbers must be True or False, not int"),
        ("marks='false'", "TypeError: marks must be True or False, not str"),
        ("index=7", "ValueError: index is the number of a game of a batch, and one game is shown, not 7"),
    ],
)
def test_a_board_refuses_what_it_cannot_show(notebook: Notebook, options: str, message: str) -> None:
    told = notebook.run(
        f"try:\n    Board(sixplane.Go(5), {options})\nexcept Exception as error:\n"
        "    told = f'{type(error).__name__}: {error}'\ntold"
    )
    assert told["text/plain"].strip("'\"") == message
