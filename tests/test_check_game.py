"""`check_game` accepts the games that keep the contract, and finds every law that is broken."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import broken_games
import plain_tictactoe
import sixplane
import sixplane.testing
from effort import share
from sixplane.testing import LawBroken, Report, SixPlaneGame, check, check_game, law
from sixplane.testing.protocol import MEMBERS
from wrapped_go import WrappedGo

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parent.parent

BROKEN = {
    name: value
    for name, value in vars(broken_games).items()
    if isinstance(value, type)
    and issubclass(value, WrappedGo)
    and value not in (WrappedGo, broken_games.RaisingGo)
}


#: The game classes of sixplane, whichever they are.
GAMES = [
    value
    for value in list(vars(sixplane).values())  # the names below are found on demand, by imports
    if isinstance(value, type)
    and value not in (sixplane.Game, sixplane.OwnGame)  # their base classes, which make no games
    and all(hasattr(value, name) for name in MEMBERS)
]


@pytest.mark.parametrize(
    ("size", "rules"),
    [
        ((2, 2), {"ko": "simple", "suicide": True}),
        ((2, 5), {"ko": "situational", "suicide": True}),
        ((3, 3), {"ko": "positional", "suicide": True, "komi": 0.0}),
        ((4, 4), {"ko": "simple", "komi": -3.5}),
        ((5, 4), {"ko": "situational"}),
        ((5, 5), {}),
        ((7, 9), {"ko": "simple"}),
        ((9, 9), {"max_moves": 60}),
        ((19, 19), {}),
    ],
)
def test_go_keeps_all_laws(size: tuple[int, int], rules: dict[str, Any]) -> None:
    report = check_game(sixplane.Go(size=size, **rules), rules=rules, games=share(12))
    assert report.not_offered == ()
    assert len(report.laws) == len(check.LAWS)


@pytest.mark.parametrize("game_class", GAMES)
@pytest.mark.parametrize(
    "options", [{}, {"size": 6}, {"size": (6, 8)}, {"size": 6, "max_moves": 12}], ids=str
)
def test_every_game_of_sixplane_keeps_all_laws(game_class: Any, options: dict[str, Any]) -> None:
    if game_class is sixplane.TicTacToe:  # of one size
        options = options | {"size": 3}
    rules = {name: value for name, value in options.items() if name != "size"}
    report = check_game(game_class(**options), rules=rules, games=share(12))
    assert report.not_offered == ()


def test_go_is_among_the_games() -> None:
    assert sixplane.Go in GAMES


def test_a_position_with_a_history_keeps_all_laws() -> None:
    game = sixplane.Go(size=4, handicap=0)
    for action in (0, 1, 5, 16, 4):
        game.play(action)
    game.set_turn("white")
    before = game.copy()
    check_game(game, games=share(24))
    assert game == before


def test_a_handicap_game_keeps_all_laws() -> None:
    check_game(sixplane.Go(size=7, handicap=3), games=share(12))


def test_a_class_of_ones_own_keeps_all_laws() -> None:
    game: SixPlaneGame = plain_tictactoe.TicTacToe()
    report = check_game(game, games=share(24))
    offered = {law.name for law in check.LAWS if not law.needs}
    assert set(report.laws) == offered
    assert set(report.not_offered) == {law.name for law in check.LAWS} - offered


def test_the_example_runs() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", ROOT / "examples" / "tictactoe.py"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "laws kept" in done.stdout


def test_the_wrapper_alone_breaks_no_law() -> None:
    assert check_game(WrappedGo(), rules={"komi": 0.5}, games=share(24)).not_offered == ()


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_law_is_found_by_its_name(name: str) -> None:
    game = BROKEN[name]()
    with pytest.raises(LawBroken) as broken:
        check_game(game, rules={"komi": 0.5})
    assert broken.value.law == name.removesuffix("_2")
    # The steps lead there again.
    again = broken.value.start.copy()
    assert again.move_number == 0
    assert broken.value.actions == [step.value for step in broken.value.steps if step.verb == "play"]
    for step in broken.value.steps[:-1]:
        step.take(again)


def test_every_law_can_be_broken() -> None:
    assert {name.removesuffix("_2") for name in BROKEN} == {law.name for law in check.LAWS}


def test_a_broken_law_says_which_and_how() -> None:
    with pytest.raises(LawBroken) as broken:
        check_game(broken_games.the_pass_plane_is_one_after_a_pass_only(), rules={"komi": 0.5})
    lines = str(broken.value).splitlines()
    law = "the_pass_plane_is_one_after_a_pass_only"
    assert lines[0] == f"{law}: plane 4 does not agree with the last step"
    assert lines[-1].endswith("play 9")
    assert isinstance(broken.value, AssertionError)


def test_an_error_of_the_game_is_a_broken_law() -> None:
    with pytest.raises(LawBroken, match="lost") as broken:
        check_game(broken_games.RaisingGo(), rules={"komi": 0.5})
    assert isinstance(broken.value.__cause__, KeyError)


def test_what_is_no_game_breaks_a_law() -> None:
    nothing: Any = object()
    with pytest.raises(LawBroken, match=r"it_has_the_members_of_a_game: no action_mask, .* undo"):
        check_game(nothing)


def test_a_premise_that_was_never_met_breaks_its_law() -> None:
    with pytest.raises(LawBroken, match="never met in 1 games: finished games"):
        check_game(sixplane.Go(size=5), games=1, steps=2)


def test_reasons_of_a_games_own_are_told() -> None:
    game = broken_games.the_reason_is_the_first_that_holds_2()
    check_game(game, rules={"komi": 0.5}, games=share(24), reasons=["no liberty"])


def test_a_finished_game_is_not_checked() -> None:
    game = sixplane.Go(size=5)
    game.resign()
    with pytest.raises(ValueError, match="over"):
        check_game(game)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"game": sixplane.Go}, "game must be a game, not the class Go"),
        ({"game": plain_tictactoe.TicTacToe}, "game must be a game, not the class TicTacToe"),
        ({"games": 0}, "games must be at least 1, not 0"),
        ({"games": 2.5}, "games must be an integer, not float"),
        ({"steps": 0}, "steps must be at least 1, not 0"),
        ({"steps": -5}, "steps must be at least 1, not -5"),
        ({"steps": "9"}, "steps must be an integer, not str"),
    ],
)
def test_wrong_arguments_are_errors_and_break_no_law(options: dict[str, Any], message: str) -> None:
    usual: dict[str, Any] = {"game": sixplane.Go(size=4)}
    with pytest.raises((TypeError, ValueError), match=message):
        check_game(**(usual | options))


def test_a_check_follows_from_its_seed() -> None:
    def run(seed: int) -> Report:
        return check_game(sixplane.Go(size=4), seed=seed, games=4)

    assert run(1) == run(1) != run(2)


def test_every_law_has_a_sentence_and_a_premise() -> None:
    for one in check.LAWS:
        assert isinstance(one, law.Law)
        assert one.premises and one.prove.__doc__, one.name


def test_importing_sixplane_does_not_import_it() -> None:
    code = "import sys, sixplane; print('sixplane.testing' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False\n"


@pytest.mark.parametrize("module", [sixplane.testing, check])
def test_its_examples_run(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0 and not result.failed
