"""Series of games: openings, schedules, players and what the games add up to."""

from __future__ import annotations

import itertools
import math
import os
import re
import signal
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import own_games as games
import sixplane
from sixplane.agents import AgentSpec, RandomAgent
from sixplane.jobs import JobError
from sixplane.match import Limits, Line, Tournament, standings
from sixplane.match.openings import random_openings
from sixplane.match.result import Winner
from sixplane.match.statistics import elo_difference, wilson_interval
from sixplane.planes import symmetries
from small_matches import entrants, small

#: Their classes are not what a type checker takes them for.
own_games: Any = games


@pytest.mark.parametrize("game", [sixplane.Go(9), sixplane.Reversi(), sixplane.Gomoku()])
def test_openings_are_distinct_up_to_symmetry_and_follow_from_the_seed(game: sixplane.Game) -> None:
    openings = random_openings(game, 40, 3, seed=5)
    seen = set()
    for opening in openings:
        after = game.replay(opening)
        assert not after.is_over
        assert game.num_actions - 1 not in opening
        seen |= {planes.tobytes() for planes in symmetries(after.planes)[0][:1]}
        for planes in symmetries(after.planes)[0][1:]:
            assert planes.tobytes() == after.planes.tobytes() or planes.tobytes() not in seen
    assert len(seen) == 40
    assert openings[:10] == random_openings(game, 10, 3, seed=5)
    assert openings != random_openings(game, 40, 3, seed=6)


def test_openings_get_longer_where_there_are_too_few() -> None:
    openings = random_openings(sixplane.Reversi(), 10, 1, seed=0)
    assert len(openings[0]) == 1  # by symmetry there is one first move
    assert len(openings[1]) > 1
    assert random_openings(sixplane.Go(5), 1, 0, seed=0) == [[]]
    with pytest.raises(ValueError, match="no 500 different openings"):
        random_openings(sixplane.Go(2, max_moves=3), 500, 1, seed=0)


def test_openings_stay_as_long_as_they_are_asked_for_where_there_are_enough() -> None:
    # There are some 850. Samples that were there before count only in a row.
    assert {len(opening) for opening in random_openings(sixplane.Go(9), 700, 2, seed=5)} == {2}


def test_openings_begin_at_the_position_of_the_game() -> None:
    game = sixplane.Go(5)
    game.play(12)
    openings = random_openings(game, 5, 2, seed=0)
    assert len(openings) == 5
    for opening in openings:
        after = game.copy()
        for action in opening:
            after.play(action)
        assert after.move_number == 3


def test_openings_pass_where_nothing_else_is_legal() -> None:
    (opening,) = random_openings(own_games.TwoStones(), 1, 4, seed=1)
    assert opening[1] == 25 and 25 not in opening[::2] + opening[3:]
    # In Reversi 4x4 a player may have to pass after four plays.
    game = sixplane.Reversi(size=4)
    openings = random_openings(game, 20, 6, seed=1)
    for opening in openings:
        for number, action in enumerate(opening):
            legal = game.replay(opening[:number]).legal_actions.tolist()
            assert (action == 16) == (legal == [16])
    assert any(16 in opening for opening in openings)
    assert sixplane.evaluate("random", "random", own_games.TwoStones(), games=2, seed=1).games == 2


def test_each_opening_is_played_with_both_colors() -> None:
    tournament = small("random", "b@random", "c@random", games=6, opening_moves=2)
    fixtures = tournament.fixtures
    assert [fixture.index for fixture in fixtures] == list(range(18))
    met = Counter((fixture.black, fixture.white, fixture.opening) for fixture in fixtures)
    assert set(met.values()) == {1}
    assert all((white, black, opening) in met for black, white, opening in met)
    assert len({fixture.opening for fixture in fixtures}) == 3
    assert len({fixture.seed for fixture in fixtures}) == 18


def test_unpaired_each_game_has_its_own_opening_and_colors_take_turns() -> None:
    fixtures = small("random", "b@random", games=5, paired=False).fixtures
    assert len({fixture.opening for fixture in fixtures}) == 5
    assert [fixture.black for fixture in fixtures] == ["random", "b", "random", "b", "random"]


def test_games_follow_from_the_seed_however_they_are_played() -> None:
    tournament = small("random", "b@random", games=4, seed=9)
    here = {played.fixture.index: played.result.record for played in tournament.run(processes=0)}
    apart = {played.fixture.index: played.result.record for played in tournament.run(processes=2)}
    assert here == apart
    assert len(here) == 4
    assert small("random", "b@random", games=8, seed=9).fixtures[:4] == tournament.fixtures
    for fixture in tournament.fixtures:
        assert here[fixture.index].actions[:4].tolist() == list(fixture.opening)


class Noting:
    """Notes the seeds of its agents."""

    def __init__(self, title: str, seeds: list[int]) -> None:
        self.title, self.seeds = title, seeds

    def make(self, seed: int) -> RandomAgent:
        self.seeds.append(seed)
        return RandomAgent(seed=seed)


def test_the_seeds_of_the_agents_follow_from_that_of_the_tournament_and_are_all_different() -> None:
    def seeds_of(seed: int) -> list[int]:
        seeds: list[int] = []
        players = [Noting("a", seeds), Noting("b", seeds)]
        list(Tournament(players, sixplane.Go(5), games=4, seed=seed).run(processes=0))
        return seeds

    assert seeds_of(1) == seeds_of(1)
    assert len({*seeds_of(1), *seeds_of(2)}) == 16


@dataclass(frozen=True)
class Unlucky:
    """Plays the first legal action; SIGTERM comes to its process once."""

    mark: Path
    title: str = "unlucky"

    def make(self, _seed: int) -> Unlucky:
        return self

    def select_action(self, game: sixplane.Game) -> int:
        if not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGTERM)
        return int(game.legal_actions[0])


@pytest.mark.parametrize("limits", [Limits(), Limits(None)])
def test_a_game_whose_process_is_terminated_is_played_again_and_nobody_loses_by_it(
    limits: Limits, tmp_path: Path
) -> None:
    players: list[Any] = [Unlucky(tmp_path / "mark"), AgentSpec.parse("random")]
    tournament = Tournament(players, sixplane.Reversi(4), games=2, opening_moves=0, limits=limits)
    apart = {played.fixture.index: played.result for played in tournament.run(processes=1)}
    assert (tmp_path / "mark").exists()
    here = {played.fixture.index: played.result for played in tournament.run(processes=0)}
    assert {result.ending for result in apart.values()} == {"rules"}
    assert {index: result.record for index, result in apart.items()} == {
        index: result.record for index, result in here.items()
    }


def test_less_than_no_process_is_an_error() -> None:
    asked = itertools.count()
    with pytest.raises(ValueError, match="processes must be at least 0, not -1"):
        list(small("random", "b@random").run(processes=-1, stop=lambda: next(asked) > 3))


def test_what_is_skipped_is_not_played_and_stop_stops() -> None:
    tournament = small("random", "b@random", games=6)
    for processes in (0, 2):
        indices = {played.fixture.index for played in tournament.run(processes, skip={0, 2, 3})}
        assert indices == {1, 4, 5}
        assert not list(tournament.run(processes, stop=lambda: True))


def test_an_entrant_that_cannot_be_handed_to_a_process_is_an_error() -> None:
    class Deadly(AgentSpec):
        pass

    with pytest.raises(JobError, match="cannot hand"):
        list(Tournament([*entrants("random"), Deadly("x")], sixplane.Go(5)).run())


def test_no_answer_took_less_than_the_mean_and_a_resignation_is_an_answer() -> None:
    match = small("random:resign_probability=1", "b@random:resign_probability=0.1", games=4)
    lines = [Line.of(played) for played in match.run(processes=0)]
    for line in lines:
        assert sum(line.asked) == line.moves - len(line.opening) + (line.ending == "resignation")
        for asked, seconds, slowest in zip(line.asked, line.seconds, line.slowest, strict=True):
            assert seconds <= asked * slowest + 1e-5
    assert any(line.ending == "resignation" and line.moves == len(line.opening) for line in lines)


def test_the_time_of_an_answer_is_that_of_the_color_that_gave_it() -> None:
    game = sixplane.Gomoku(5)
    game.play(12)
    game.set_turn("black")
    played = next(Tournament(entrants("random", "b@random"), game, games=2).run(processes=0))
    record = played.result.record
    seconds = tuple(range(1, record.move_number))
    of_black, of_white = seconds[::2], seconds[1::2]
    result = replace(played.result, move_seconds=seconds, seconds=(sum(of_black), sum(of_white)))
    line = Line.of(replace(played, result=result))
    assert line.slowest == [max(of_black), max(of_white)]
    assert line.asked == [len(of_black), len(of_white)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 3}, "games must be even and at least 1, not 3"),
        ({"games": 0, "paired": False}, "games must be at least 1, not 0"),
        ({"opening_moves": -1}, "opening_moves must be at least 0"),
        ({"games": 1.0}, "games must be an integer"),
    ],
)
def test_wrong_numbers_are_errors(options: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        small("random", "b@random", **options)


@pytest.mark.parametrize("limits", [{"isolate": True}, "x", 0, Limits])
def test_limits_of_another_type_are_refused_when_the_tournament_is_made(limits: Any) -> None:
    with pytest.raises(TypeError, match=r"limits must be a sixplane\.match\.Limits or None, not "):
        small("random", "b@random", limits=limits)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seconds_per_move": -1}, "seconds_per_move must be positive and finite, or None, not -1"),
        ({"seconds_per_move": math.inf}, "seconds_per_move must be positive and finite, or None, not inf"),
        ({"illegal_tries": 0}, "illegal_tries must be at least 1, not 0"),
    ],
)
def test_limits_that_no_game_can_have_are_refused_when_they_are_made(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Limits(**options)


def test_wrong_players_are_errors() -> None:
    with pytest.raises(
        TypeError, match="a player must have a title and make, as an AgentSpec has, not 'random'"
    ):
        Tournament(["random", "score-table"], sixplane.Gomoku())  # type: ignore[list-item]
    with pytest.raises(TypeError, match="game must be a game, not the class Gomoku"):
        Tournament(entrants("random", "score-table"), sixplane.Gomoku)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least two players, not 1"):
        small("random")
    with pytest.raises(ValueError, match="both called 'random'"):
        small("random", "random")
    over = sixplane.Go(5)
    over.resign()
    with pytest.raises(ValueError, match="is over"):
        Tournament(entrants("random", "b@random"), over)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dance", "no agent is called 'dance'; there are random, score-table"),
        ("", "no agent is called ''"),
        ("random:speed=3", "random has no option 'speed'; it has tries, resign_probability, avoid_eyes"),
        ("random:tries=x", "tries of random must be an integer, not 'x'"),
        ("random:tries=0", "tries must be from 1 to 10000, or None for every point, not 0"),
        ("random:tries=10001", "tries must be from 1 to 10000, or None for every point, not 10001"),
        ("random:tries", "tries of random must be an integer, not ''"),
        ("random:resign_probability=nan", "must be a number, not 'nan'"),
        ("random:", "random has no option ''"),
        ("score-table:x=1", "score-table has no option 'x'; it has random"),
        ("gtp:", "the command is empty"),
        ("gtp:a 'b", """the agent "gtp:a 'b": No closing quotation"""),
        ('gtp:"unclosed', """the agent 'gtp:"unclosed': No closing quotation"""),
        ("gomocup:seconds=1,'b", """the agent "gomocup:seconds=1,'b": No closing quotation"""),
        ("mcts:seconds=1,seconds=2", "seconds of mcts is given twice"),
        ("mcts:prior_visits=1,c=1,prior-visits=1", "prior_visits of mcts is given twice"),
        ("network:file=a.npz,threads=1,file=b,c.npz", "file of network is given twice"),
        ("go9:seconds=1,seconds=1", "seconds of go9 is given twice"),
        ("go9:name=go9", "go9 has no option 'name'"),
        ("\udcff@random", r"'\udcff' is no Unicode text: give the agent a name, TITLE@AGENT"),
        ("gomocup:seconds=1,seconds=2,x", "seconds of gomocup is given twice"),
    ],
)
def test_specs_say_what_is_wrong_with_them(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        AgentSpec.parse(text).make(0)


def test_specs_are_read() -> None:
    spec = AgentSpec.parse("random:avoid-eyes=none, tries=5")
    assert (spec.title, spec.options) == ("random:avoid_eyes=none,tries=5", {"avoid_eyes": None, "tries": 5})
    program = AgentSpec.parse("strong@gtp:prog --user a@b:c --x=1,2")
    assert (program.title, program.options) == ("strong", {"command": "prog --user a@b:c --x=1,2"})
    assert repr(program.make(1)) == "GTPAgent(['prog', '--user', 'a@b:c', '--x=1,2'])"
    assert AgentSpec.parse("gtp:prog a@b").title == "gtp:prog a@b"


def test_the_home_of_a_user_may_begin_a_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    spec = AgentSpec.parse("network:file=~/a,b~/last.npz,threads=2")
    assert spec.options == {"file": "/home/somebody/a,b~/last.npz", "threads": 2}
    assert AgentSpec.parse("mine@network:file=\udcff.npz").options == {"file": "\udcff.npz"}


@pytest.mark.parametrize(("points", "games"), [(0, 1), (7, 10), (30.5, 60), (60, 60), (0, 200), (1, 3)])
def test_the_interval_solves_wilsons_equation(points: float, games: int) -> None:
    low, high = wilson_interval(points, games)
    rate = points / games
    assert 0 <= low <= rate <= high <= 1
    for end in (low, high):
        # The ends are where the observed rate is 1.96 standard deviations from the true one.
        deviation = math.sqrt(end * (1 - end) / games)
        assert end in {0, 1} or abs(rate - end) / deviation == pytest.approx(1.959964, abs=1e-5)
    assert wilson_interval(games - points, games) == pytest.approx((1 - high, 1 - low))
    assert wilson_interval(0, 0) == (0, 1)


def test_elo_differences_are_those_of_the_expected_score() -> None:
    for difference in (-300.0, 0.0, 17.0, 400.0):
        assert elo_difference(1 / (1 + 10 ** (-difference / 400))) == pytest.approx(difference)
    assert (elo_difference(0), elo_difference(1)) == (-math.inf, math.inf)


def line(game: int, black: str, white: str, winner: Winner, **options: Any) -> Line:
    values: dict[str, Any] = {
        "ending": "rules", "detail": "", "forfeit": False, "score": 0.0, "moves": 20,
        "opening": [], "asked": [10, 5], "seconds": [1.0, 2.0], "slowest": [0.2, 0.7],
    }  # fmt: skip
    return Line(game=game, black=black, white=white, winner=winner, **(values | options))


def test_standings_add_up_the_games() -> None:
    lines = [
        line(0, "a", "b", "black"),
        line(1, "b", "a", "white"),
        line(2, "a", "b", "draw"),
        line(3, "b", "a", "black", ending="time", detail="white took 9 s", forfeit=True, moves=60),
    ]
    text = standings(["a", "b", "c"], reversed(lines))
    assert text == (
        "a against b\n"
        "  games             4\n"
        "  won, drawn, lost  2, 1, 1\n"
        "  won as black      1 of 2\n"
        "  won as white      1 of 2\n"
        "  score             62.5% (95 %: 21.9% to 90.8%)\n"
        "  Elo difference    +89 (95 %: -220 to +398)\n"
        "  mean length       30.0 moves\n"
        "  a                 0.200 s a move, at most 0.700 s; 1 forfeits\n"
        "  b                 0.200 s a move, at most 0.700 s; 0 forfeits\n"
        "\n"
        "lost by a rule of the referee\n"
        "  game 4  a lost on time, white took 9 s"
    )
