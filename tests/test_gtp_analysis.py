"""Live analysis over GTP, as Lizzie, Sabaki and KaTrain ask for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pytest

import sixplane
from gtp_talk import refused, say
from sixplane.agents import RESIGN, RandomAgent
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

    def consider(
        self, game: Any, interval: float | None = None, *, endless: bool = False
    ) -> Iterator[SearchResult]:
        assert not game.is_over
        self.intervals.append(interval)
        for more in range(1_000_000 if endless else self.shown):
            if self.broken is not None:
                raise RuntimeError(self.broken)
            visits, q = np.zeros(26, np.int64), np.full(26, np.nan, np.float32)
            visits[[12, 7, 3]] = 6 + more, 3, 1
            q[[12, 7, 3]] = 0.5, -0.25, 0
            policy = np.zeros(26, np.float32)
            prior, nothing = np.full(26, 1 / 26, np.float32), float("nan")
            yield SearchResult(visits, q, policy, 0.5, 12, [12, 13], 10, 0.1, 99, prior, nothing, False)

    def decide(self, _game: Any) -> Any:
        return self.choice

    def priors(self, game: Any) -> Any:
        return np.full(game.num_actions, 0.01)

    def select_action(self, game: Any) -> Any:
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
    for wrong in ("interval x", "interval nan", "maxmoves many"):
        assert refused(engine, f"kata-analyze b {wrong}") == "syntax error"


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
    assert thinker.limits == [pytest.approx(9), 1e6]


def test_ownership_is_that_of_the_ends() -> None:
    from sixplane.protocols.gtp.analysis import ownership_of

    wall = sixplane.Go.from_text("X.X.XO.O\nXXXXXOOO\nX.X.XO.O\nXXXXXOOO", ko="simple")
    assert np.array_equal(np.sign(ownership_of(wall, 0, 20)), wall.ownership())
    discs = ownership_of(sixplane.Reversi(4), 0, 50)
    assert discs.shape == (4, 4)
    assert np.abs(discs).max() <= 1
