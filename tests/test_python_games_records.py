"""Records of games written in Python hold their options; the page, links and commands open them."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import own_games as games
import sixplane
from commands import run_command
from sixplane import GameRulesError
from sixplane.cli.game_options import options_of
from sixplane.envs.making import make, make_vec
from sixplane.envs.settings import Settings
from sixplane.games.own import RESERVED
from sixplane.games.plays import follow
from sixplane.testing import check_game
from sixplane.text import TextGame
from sixplane.web.links import position_of, text_of
from sixplane.web.opponents import catalogue
from sixplane.web.records import open_record
from sixplane.web.refusal import RefusedError

own_games: Any = games

RACE = """
import numpy as np
import sixplane

@sixplane.game_class
class Race:
    "Whoever puts the last of so many stones wins; a wide board."
    default_size = (2, 9)
    def __init__(self, stones: int = -1, share: float = 0.3, wraps: bool = False, word="a]\\\\b:c\\u00e9"):
        if stones == 0:
            raise ValueError("a race of no stones")
        self.stones = stones
    def setup(self, rows, cols):
        if rows != 2:
            raise ValueError("a race has two rows")
        return tuple(np.zeros((2, rows, cols), bool))
    def legal(self, position):
        return position.empty
    def ending(self, position):
        return ("full", 1.0) if (~position.empty).sum() >= (self.stones if self.stones > 0 else 4) else None

@sixplane.game_class
class Needs:
    default_size = (2, 3)
    def __init__(self, length: int = 0):
        if length < 3:
            raise ValueError("a length of 3 or more is needed")
        self.length = length
    def legal(self, position):
        return position.empty
    def ending(self, position):
        return None if position.empty.any() else ("full", 0.0)
"""


def classes() -> tuple[Any, Any]:
    module = sys.modules["race"] = ModuleType("race")  # pickles find the classes there
    exec(RACE, vars(module))  # noqa: S102 - the rules of the tests
    return module.Race, module.Needs


def entry_of(now: sixplane.Game, title: str) -> dict[str, Any] | None:
    return next((one for one in catalogue(now) if one["title"] == title), None)


def test_a_record_holds_the_options() -> None:
    race, _ = classes()
    game = race(stones=6, share=0.25, wraps=True).replay([0, 3])
    text = game.to_sgf()
    assert 'RU[{"share": 0.25, "stones": 6, "word": "a\\]\\\\\\\\b:c\\\\u00e9", "wraps": true}]' in text
    assert race.from_sgf(text) == game and race.from_sgf(text).word == "a]\\b:cé"
    # What the reader says goes first, and then what the record says.
    assert race.from_sgf(text, stones=5).stones == 5 and race.from_sgf(text, stones=5).share == 0.25
    assert sixplane.sgf.parse(text).games[0].follow(usual=race(stones=9))[0] == game
    assert race.from_sgf("(;GM[1000]SZ[9:2];B[aa])", stones=7).stones == 7
    assert "RU" not in own_games.Nim().to_sgf() and "XGAME[Nim]" in own_games.Nim().to_sgf()
    assert (race.from_sgf("(;GM[1000]XGAME[Race])").rows, race.from_sgf("(;GM[1000])").cols) == (2, 9)
    with pytest.raises(TypeError, match="unexpected option 'wrap'"):
        race.from_sgf(text, wrap=True)


def test_a_record_is_not_read_as_another_game() -> None:
    race, needs = classes()
    with pytest.raises(sixplane.SGFError, match=r"a record of the game Race, not of Needs"):
        needs.from_sgf(race().to_sgf())
    with pytest.raises(RefusedError, match="a record of the game Race, not of Needs"):
        open_record(race().to_sgf().encode(), needs(length=3))


def test_a_record_is_read_by_a_class_whose_usual_options_make_no_game() -> None:
    _, needs = classes()
    game = needs(size=(2, 4), length=5).replay([0, 1])
    assert needs.from_sgf(game.to_sgf()) == game
    with pytest.raises(sixplane.SGFError, match="a length of 3 or more is needed"):
        needs.from_sgf("(;GM[1000]SZ[3:2])")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("x", "options in JSON are needed, not x"),
        ("[1\\]", "options in JSON are needed"),
        ("[" * 100_000, "options in JSON are needed"),
        ('{"share": Infinity}', "share must be finite, not inf"),
        ('{"a": 1}', "unexpected option 'a': allowed are stones"),
        ('{"stones": 1.5}', "stones must be int, not float"),
        (f'{{"share": 1{"0" * 400}}}', "share is too large"),
        ('{"stones": 0}', "a race of no stones"),
    ],
)
def test_options_that_the_rules_do_not_have_are_no_record(options: str, says: str) -> None:
    race, _ = classes()
    with pytest.raises(sixplane.SGFError, match=says):
        race.from_sgf(f"(;GM[1000]SZ[9:2]RU[{options}];B[aa])")


def test_the_page_opens_its_own_records_and_links() -> None:
    race, _ = classes()
    game, now = race(stones=6).replay([0, 3]), race()
    assert position_of(text_of(game), now) == game
    assert open_record(game.to_sgf().encode(), now).game == game
    other = sixplane.Go(5).replay([12])
    assert position_of(text_of(other), now) == open_record(other.to_sgf().encode(), now).game == other
    for shown in (other, None):
        with pytest.raises(RefusedError, match="its class reads it"):
            open_record(game.to_sgf().encode(), shown)
        with pytest.raises(sixplane.SGFError):
            follow(sixplane.sgf.parse(game.to_sgf()).games[0], shown)


def test_the_page_offers_boards_that_a_game_has() -> None:
    race, needs = classes()
    entry = entry_of(sixplane.Go(), "Race")
    assert entry is not None and (entry["size"], entry["sides"]) == ([2, 9], [[2], [2, 9]])
    assert [rule["value"] for rule in entry["rules"]] == [-1, 0.3, False, "a]\\b:cé"]
    # A class whose usual options make no game is there while such a game is played.
    assert entry_of(race(), "Needs") is None
    entry = entry_of(needs(size=(5, 4), length=7), "Needs")
    assert entry is not None and entry["size"] == [5, 4] and entry["rules"][0]["value"] == 7
    assert options_of(needs(length=4))[1:] == ["--size 2x3", "--length 4"]


def test_commands_go_on_with_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "race_file.py").write_text(RACE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    chosen = ("play", "--game", "race_file.py:Race", "--opponent", "human")
    done = subprocess.run(
        [sys.executable, "-m", "sixplane", *chosen, "--stones", "5"],
        input="A1\nsave first.sgf\nA2\nload first.sgf\nsave second.sgf\nquit\n",
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0 and "loaded first.sgf" in done.stdout, done.stdout + done.stderr
    assert Path("second.sgf").read_text() == Path("first.sgf").read_text()
    for given, status in ((), 0), (("--stones", "5"), 0), (("--stones", "6"), 2):
        done = run_command(*chosen, *given, "--load", "first.sgf")
        assert done.returncode == status, done.stdout + done.stderr
    done = run_command("gtp", "--game", "race_file.py:Race")
    assert (done.returncode, done.stderr) == (
        2,
        "sixplane: error: GTP is for Go and Reversi, not race_file:Race\n",
    )


def test_options_may_be_numbers_of_numpy() -> None:
    race, _ = classes()
    made = race(stones=np.int64(6), share=np.float32(0.25), wraps=np.True_)
    assert made == race(stones=6, share=0.25, wraps=True)
    assert [type(value) for value in (made.stones, made.share, made.wraps)] == [int, float, bool]
    for given in {"stones": True}, {"share": np.False_}, {"wraps": 1}, {"word": b"a"}:
        with pytest.raises(TypeError, match=f"{next(iter(given))} must be"):
            race(**given)


def test_names_that_environments_and_constructors_take_are_reserved() -> None:
    makers = (
        Settings, make, make_vec, TextGame,
        sixplane.Go.from_stones, sixplane.Go.from_text, sixplane.Go.from_sgf,
    )  # fmt: skip
    names = {name for maker in makers for name in inspect.signature(maker).parameters}
    names -= {"info", "options", "rules"}
    names |= {"device", "flatten"}  # of the adapters of TorchRL and OpenSpiel
    assert names <= RESERVED | set(dir(sixplane.OwnGame))


def test_the_check_of_games_takes_the_options_from_the_game() -> None:
    race, _ = classes()
    assert check_game(race(stones=6, wraps=True), games=4).not_offered == ()
    assert check_game(sixplane.Go(4, komi=1.5, ko="simple", max_moves=9), games=4).not_offered == ()


@pytest.mark.parametrize("error", [KeyError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("member", ["__init__", "setup", "legal"])
def test_an_error_that_is_no_refusal_is_no_error_of_the_record(
    member: str, error: type[BaseException]
) -> None:
    race, _ = classes()
    text = race(stones=6).replay([0, 3]).to_sgf()
    rules = type(race().rules)
    usual = vars(rules)[member]

    def fails(*_: object, **_options: object) -> None:
        raise error("too bad")

    setattr(rules, member, fails)
    for _ in range(2):
        with pytest.raises(GameRulesError if error is KeyError else error, match="too bad"):
            # Other options, since those that have been made are remembered.
            race.from_sgf(text, stones=5)
    setattr(rules, member, usual)
    assert race.from_sgf(text, stones=5).stones == 5
    with pytest.raises(sixplane.SGFError, match="a race has two rows"):
        race.from_sgf("(;GM[1000]SZ[9:3];B[aa])")


def test_an_option_of_minus_zero_is_zero() -> None:
    class Even:
        default_size = 3

        def __init__(self, bonus: float = -0.0) -> None:
            self.bonus = bonus

        def legal(self, position: Any) -> Any:
            return position.empty

        def ending(self, position: Any) -> Any:
            return None if position.empty.any() else ("full", self.bonus)

    even: Any = sixplane.game_class(Even)
    plain = even()
    assert str(plain.bonus) == str(plain.rules.bonus) == "0.0"
    for same in (even(bonus=-0.0), even(bonus=np.float32(-0.0)), even.from_sgf(plain.to_sgf(), bonus=-0.0)):
        assert same == plain
    assert len(sixplane.GameBatch.from_games([even(bonus=0), even(bonus=-0.0)])) == 2


@pytest.mark.parametrize("share", [float("inf"), float("-inf"), float("nan"), np.float32("inf")])
def test_an_option_must_be_finite(share: float) -> None:
    race, _ = classes()
    with pytest.raises(ValueError, match=f"share must be finite, not {float(share)}"):
        race(share=share)


def test_the_usual_value_of_an_option_must_be_finite() -> None:
    class Endless:
        def __init__(self, bonus: float = float("inf")) -> None:
            self.bonus = bonus

        def legal(self, position: Any) -> Any:
            return position.empty

        def ending(self, _position: Any) -> Any:
            return None

    with pytest.raises(TypeError, match=r"the option bonus of .*Endless needs a finite default, not inf"):
        sixplane.game_class(Endless)
