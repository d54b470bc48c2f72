"""Live analysis over GTP, as Lizzie and Sabaki ask for it."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pytest

import sixplane
from gtp_talk import refused, say
from sixplane.agents import RESIGN, MCTSAgent, RandomAgent
from sixplane.protocols.gtp import GTPEngine
from sixplane.search import SearchResult

if TYPE_CHECKING:
    from collections.abc import Iterator


class FixedThinker:
    """Shows the same each time, with more visits."""

    def __init__(self, shown: int = 3, choice: Any = 12) -> None:
        self.shown, self.choice = shown, choice
        self.limits: list[float] = []
        self.intervals: list[float | None] = []
        self.broken: str | None = None
        self.allowed: list[int] | None = None

    def consider(
        self,
        game: sixplane.Game,
        interval: float | None = None,
        *,
        endless: bool = False,
        allowed: Any = None,
    ) -> Iterator[SearchResult]:
        assert not game.is_over
        self.intervals.append(interval)
        self.allowed = None if allowed is None else np.flatnonzero(allowed).tolist()
        for more in range(1_000_000 if endless else self.shown):
            if self.broken is not None:
                raise RuntimeError(self.broken)
            visits, q = np.zeros(26, np.int64), np.full(26, np.nan, np.float32)
            visits[[12, 7, 3]] = 6 + more, 3, 1
            q[[12, 7, 3]] = 0.5, -0.25, 0
            policy = np.zeros(26, np.float32)
            prior, nothing = np.full(26, 1 / 26, np.float32), float("nan")
            proofs = np.full(26, 2, np.int8)
            yield SearchResult(
                visits, q, policy, 0.5, 12, [12, 13], 10, 0.1, 99, prior, nothing, False, None, proofs
            )

    def decide(self, _game: sixplane.Game) -> Any:
        return self.choice

    def priors(self, game: sixplane.Game) -> Any:
        return np.full(game.num_actions, 0.01)

    def variation(self, action: int) -> list[int]:
        return [12, 13] if action == 12 else [action]

    def variation_visits(self, action: int) -> list[int]:
        return [6, 4] if action == 12 else [2]

    def select_action(self, game: sixplane.Game) -> Any:
        return game.legal_actions[0]

    def limit_time(self, seconds: float) -> None:
        self.limits.append(seconds)


INFOS = (
    "info move C3 visits {} winrate 7500 prior 100 order 0 pv C3 D3 "
    "info move C4 visits 3 winrate 3750 prior 100 order 1 pv C4 "
    "info move D5 visits 1 winrate 5000 prior 100 order 2 pv D5"
)


def test_analysis_reports_as_leela_zero_and_katago_do() -> None:
    engine = GTPEngine(sixplane.Go(5), RandomAgent(seed=1), FixedThinker())
    say(engine, "play b a1")
    for command in ("lz-analyze 50", "analyze w 50", "lz-analyze w interval 50", "analyze W 50 minmoves 1"):
        assert engine.answer(f"3 {command}") == f"=3\n{INFOS.format(6)}\n\n"
    kata = engine.answer("kata-analyze W 10 ownership true maxmoves 1")
    found = re.fullmatch(
        r"=\ninfo move C3 visits 6 winrate 0.7500 scoreLead (\S+) prior 0.0100 order 0 pv C3 D3 "
        r"ownership ((?:\S+ ?){25})\n\n",
        kata,
    )
    assert found, kata
    owners = [float(value) for value in found[2].split()]
    assert all(-1 <= value <= 1 for value in owners)
    # From White's view, and White has komi.
    assert float(found[1]) == pytest.approx(sum(owners) + 7.5, abs=0.05)


@pytest.mark.parametrize(
    "wrong",
    [
        "interval x", "interval nan", "interval -1", "interval 1e999", "interval", "interval 1_0",
        "maxmoves many", "maxmoves -1", "minmoves 1.5", "minmoves", "minmoves 3 4 5", "maxmoves 3 maxmoves 3",
        "ownershipStdev true", "movesOwnership true", "movesOwnershipStdev true", "noResultValue true",
        "foo true", "foo", "w", "50 60", "50 interval 60", "ownership", "ownership yes", "ownership 1",
        "rootInfo maybe", "pvVisits", "pvEdgeVisits 2", "avoid", "avoid b", "avoid b c3", "avoid b c3 0",
        "avoid b c3 x", "avoid b c3 -1", "avoid b z9 1", "avoid b c3,z9 1", "avoid b c3, 1", "avoid b , 1",
        "avoid green c3 1", "avoid c3 b 1", "avoid b c3 d4 1", "allow b c3 1 allow b d4 1",
        "allow b c3 1 avoid b d4 1", "avoid b c3 1 allow b d4 1", "allow b c3 1 2 3", "a color", "color b",
    ],
)  # fmt: skip
def test_what_an_analysis_does_not_understand_is_refused(wrong: str) -> None:
    engine = GTPEngine(sixplane.Go(5), FixedThinker())
    for command in ("kata-analyze b", "kata-genmove_analyze b"):
        assert refused(engine, f"{command} {wrong}") == "syntax error"


def test_the_additions_of_katago_are_none_of_leela_zeros() -> None:
    engine = GTPEngine(sixplane.Go(5), FixedThinker())
    for name in ("ownership", "rootInfo", "pvVisits", "pvEdgeVisits"):
        assert engine.answer(f"kata-analyze 1 {name} true").startswith("=\ninfo move C3")
        for command in ("lz-analyze", "analyze", "lz-genmove_analyze b"):
            assert refused(engine, f"{command} 1 {name} true") == "syntax error"


def test_katago_reports_visits_of_variations_and_of_the_root() -> None:
    engine = GTPEngine(sixplane.Go(5), FixedThinker())
    assert engine.answer("kata-analyze b 10 maxmoves 2 pvVisits true rootInfo true pvEdgeVisits true") == (
        "=\ninfo move C3 visits 6 winrate 0.7500 prior 0.0100 order 0 pv C3 D3 pvVisits 6 4 pvEdgeVisits 6 4 "
        "info move C4 visits 3 winrate 0.3750 prior 0.0100 order 1 pv C4 pvVisits 2 pvEdgeVisits 2 "
        "rootInfo visits 10 winrate 0.7500\n\n"
    )
    assert "rootInfo" not in engine.answer("kata-analyze 10 rootInfo false pvVisits FALSE")
    assert re.search(
        r" rootInfo visits 10 winrate 0.7500 scoreLead \S+ ownership ",
        engine.answer("kata-analyze 10 ROOTINFO True ownership true"),
    )


def test_a_report_has_at_least_as_many_moves_as_asked_for() -> None:
    engine = GTPEngine(sixplane.Go(5), FixedThinker())
    for words, count in [
        ("", 3), ("minmoves 2", 3), ("minmoves 5", 5), ("minmoves 99", 26), ("minmoves 9 maxmoves 4", 4),
        ("minmoves 9 avoid b a1,b1 1", 9), ("minmoves 9 allow b c3,c4,d5,a1 1", 4),
    ]:  # fmt: skip
        answer = engine.answer(f"lz-analyze 1 {words}")
        moves = re.findall(r"info move (\S+) visits (\d+) winrate (\d+)", answer)
        assert len(moves) == count == len({name for name, _, _ in moves}), words
        # What was never visited is worth what the position is.
        assert all(win == "7500" for _, visits, win in moves if visits == "0")


def test_moves_are_avoided_and_allowed_at_the_root() -> None:
    thinker = FixedThinker()
    engine = GTPEngine(sixplane.Go(5), thinker)
    every = range(26)
    for words, expected in [
        ("b 1", None),
        ("b 1 avoid b c3 1", [a for a in every if a != 12]),
        ("b 1 avoid B C3,pass,c3 50 avoid black c4 1", [a for a in every if a not in {7, 12, 25}]),
        ("b 1 allow b c3,a1 1", [12, 20]),
        ("1 b allow white c3 1 allow black pass,d5 7", [3, 25]),
        ("b 1 avoid w c3 1", None),
        ("w 1 avoid b c3 1 allow w c4 1", [7]),
    ]:
        for command in ("lz-analyze", "kata-analyze", "lz-genmove_analyze"):
            assert engine.answer(f"{command} {words}").startswith("=")
            assert thinker.allowed == expected, words
            say(engine, "clear_board")
    say(engine, "play b c3")
    everywhere = ",".join(f"{col}{row}" for col in "abcde" for row in range(1, 6))
    for words in ("allow w c3 1", f"avoid w {everywhere},pass 1"):
        assert refused(engine, f"kata-analyze w 1 {words}") == "no allowed move is legal"


def test_a_search_keeps_to_the_moves_that_are_allowed() -> None:
    engine = GTPEngine(sixplane.Go(5), MCTSAgent(simulations=60, seed=1))

    def moves(words: str) -> list[str]:
        return re.findall(r"info move (\S+)", engine.answer(f"kata-analyze b 1 {words}"))

    assert set(moves("allow b a1,e5 1")) == {"A1", "E5"}
    assert "C3" not in moves("avoid b c3 99 minmoves 99")
    assert len(set(moves("minmoves 99"))) == 26
    for name in ("A2", "pass", "E1"):
        answer = engine.answer(f"kata-genmove_analyze b 1 allow b {name} 1 pvVisits true")
        assert answer.endswith(f"\nplay {name}\n\n")
        line, visits = re.findall(r" pv ([\w ]+) pvVisits ([\d ]+)", answer)[-1]
        assert len(line.split()) == len(visits.split())
        assert sorted(map(int, visits.split()), reverse=True) == list(map(int, visits.split()))
        say(engine, "undo")


def test_who_does_not_search_is_analyzed_by_another_but_moves_itself() -> None:
    engine = GTPEngine(sixplane.Go(5), RandomAgent(seed=1), FixedThinker())
    listed = say(engine, "list_commands")[0].split()
    assert {"analyze", "lz-analyze", "kata-analyze"} <= set(listed)
    assert not [name for name in listed if "genmove_analyze" in name]
    assert refused(engine, "genmove_analyze b 10") == "unknown command"


def test_who_searches_shows_its_own_search_and_plays_by_it() -> None:
    thinker = FixedThinker()
    engine = GTPEngine(sixplane.Go(5), thinker, FixedThinker(shown=0))
    answers: list[str] = []

    class Lines:
        """Three commands, of which none has come before the one before is answered."""

        left: ClassVar = ["lz-genmove_analyze b 100000", "time_settings 0 10 1", "7 genmove_analyze w 10"]

        def get(self) -> str | None:
            return self.left.pop(0) if self.left else None

        def has_line(self) -> bool:
            return False

    engine.run(Lines(), answers.append)
    # One report at the end though the interval was long, and of the whole search.
    assert "".join(answers[:3]) == f"=\n{INFOS.format(8)}\nplay C3\n\n"
    # What it chose then was occupied: no move is named, and none is played.
    assert "".join(answers[4:]) == f"=7\n{INFOS.format(8)}\n\n"
    assert thinker.limits == [pytest.approx(9.0)]
    assert thinker.intervals == [0.1, 0.1]
    assert engine.game.actions.tolist() == [12]
    for name in ("analyze", "genmove_analyze", "lz-genmove_analyze", "kata-genmove_analyze"):
        assert say(engine, f"known_command {name}") == ["true"]


def test_no_line_that_waits_cuts_the_search_for_a_move_short() -> None:
    for command in ("genmove_analyze", "lz-genmove_analyze", "kata-genmove_analyze"):
        engine = GTPEngine(sixplane.Go(5), MCTSAgent(simulations=3000, seed=1))
        # This source says that the next line has come.
        visits = re.findall(r"info move \S+ visits (\d+)", engine.answer(f"{command} b 100000"))
        assert sum(map(int, visits)) >= 2990, command


def test_whatever_a_thinker_does_is_answered() -> None:
    thinker = FixedThinker(choice=RESIGN)
    engine = GTPEngine(sixplane.Go(5), thinker)
    assert engine.answer("genmove_analyze b 10").endswith("\nplay resign\n\n")
    assert engine.game.move_number == 0
    thinker.broken = "no idea"
    for command in ("genmove_analyze b 10", "lz-analyze b 10"):
        assert refused(engine, command) == "no analysis: RuntimeError: no idea"


def test_limits_of_time_are_lifted_again() -> None:
    thinker = FixedThinker()
    engine = GTPEngine(sixplane.Go(5), thinker)
    say(engine, "genmove b", "time_settings 0 10 1", "genmove w", "undo", "time_settings 0 10 0")
    say(engine, "reg_genmove w", "reg_genmove w")
    assert thinker.limits == [pytest.approx(9), math.inf]


def test_ownership_is_that_of_the_ends() -> None:
    from sixplane.protocols.gtp.analysis import ownership_of

    wall = sixplane.Go.from_text("X.X.XO.O\nXXXXXOOO\nX.X.XO.O\nXXXXXOOO", ko="simple")
    assert np.array_equal(np.sign(ownership_of(wall, 0, 20)), wall.ownership())
    discs = ownership_of(sixplane.Reversi(4), 0, 50)
    assert discs.shape == (4, 4)
    assert np.abs(discs).max() <= 1


def test_every_report_takes_new_random_games_into_the_ownership() -> None:
    class TwoReports:
        """Says that the next line has come when there are two reports."""

        lines: ClassVar[list[str]] = ["kata-analyze 1 ownership true maxmoves 1"]

        def get(self) -> str | None:
            return self.lines.pop() if self.lines else None

        def has_line(self) -> bool:
            return len(re.findall("ownership", "".join(written))) >= 2

    written: list[str] = []
    GTPEngine(sixplane.Go(5), MCTSAgent(seed=1)).run(TwoReports(), written.append)
    first, second, *_ = re.findall("ownership (.*)", "".join(written))
    assert first != second
