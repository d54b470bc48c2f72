"""The random player and the person at the keyboard."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sixplane
from sixplane.agents import (
    RESIGN,
    STOP,
    Agent,
    AgentSpec,
    BestAgent,
    CapturingAgent,
    HumanAgent,
    MCTSAgent,
    NetworkAgent,
    PartlyRandomAgent,
    RandomAgent,
    ScoreTableAgent,
)
from sixplane.agents.called import called
from sixplane.testing import check_game

# White's eye A1 and Black's are by one rule or another; row 1 at the bottom.
EYES = """
    . X . X O
    X X X X O
    O O O O O
    O . O . O
    O O O O O
"""


def choices(agent: Agent, game: Any, count: int = 400) -> Counter[Any]:
    return Counter(agent.select_action(game) for _ in range(count))


def test_agents_are_agents() -> None:
    assert isinstance(RandomAgent(), Agent)
    assert isinstance(ScoreTableAgent(), Agent)
    assert isinstance(HumanAgent(), Agent)
    assert not isinstance(check_game, Agent)


def test_random_choices_are_uniform_over_the_points_that_are_not_eyes() -> None:
    game = sixplane.Go.from_text(
        """
        . X . .
        X X . .
        . . . .
        . . . O""",
        turn="black",
    )
    seen = choices(RandomAgent(seed=1), game, 3000)
    assert set(seen) == set(game.legal_actions.tolist()) - {0, 16}
    assert max(seen.values()) < 1.4 * min(seen.values())
    assert 0 in choices(RandomAgent(avoid_eyes=None, seed=1), game)


@pytest.mark.parametrize("rule", ["diagonal", "chain", "playout", None])
def test_own_eyes_are_known_by_the_rule_given(rule: Any) -> None:
    game = sixplane.Go.from_text(EYES, turn="white")
    legal = game.legal_actions.tolist()
    allowed = {p for p in legal if p == 25 or rule is None or not game.is_eye(p, "white", rule)}
    points = allowed - {25} or {25}
    assert set(choices(RandomAgent(avoid_eyes=rule, seed=2), game)) == points


def test_a_random_player_refuses_a_finished_game() -> None:
    game = sixplane.Go(size=2)
    game.resign()
    with pytest.raises(ValueError, match="the game is over"):
        RandomAgent().select_action(game)


def test_with_tries_it_passes_when_no_try_will_do() -> None:
    # 2 of 9 points are left: one try misses them in 7 of 9.
    game = sixplane.Go.from_text("X X X\nX X X\nX . .", turn="black")
    seen = choices(RandomAgent(tries=1, avoid_eyes=None, seed=3), game, 1800)
    assert set(seen) == {7, 8, 9}
    assert 1300 < seen[9] < 1500
    many = choices(RandomAgent(tries=50, avoid_eyes=None, seed=3), game, 200)
    assert set(many) <= {7, 8, 9} and many[9] < 5


def test_with_tries_it_passes_only_where_that_is_legal() -> None:

    game = sixplane.Reversi()
    assert set(choices(RandomAgent(tries=1, seed=4), game)) == set(game.legal_actions.tolist())
    stuck = sixplane.Reversi.from_text("X O . .\n. . . .\n. . . .\n. . . .", turn="white")
    assert set(choices(RandomAgent(tries=5, seed=4), stuck)) == {16}
    assert set(choices(RandomAgent(seed=4), stuck)) == {16}


def test_resigns_as_often_as_asked() -> None:
    game = sixplane.Go(5)
    assert choices(RandomAgent(resign_probability=0.25, seed=5), game, 4000)[RESIGN] == pytest.approx(
        1000, abs=100
    )
    assert RESIGN not in choices(RandomAgent(seed=5), game)


@pytest.mark.parametrize("game", [sixplane.Go(5), sixplane.Reversi(6), sixplane.Gomoku(7)])
@pytest.mark.parametrize("tries", [None, 5])
def test_games_come_to_an_end_and_repeat_with_the_seed(game: Any, tries: int | None) -> None:
    def play(seed: int) -> Any:
        one, agent = game.copy(), RandomAgent(seed=seed, tries=tries)
        while not one.is_over:
            one.play(agent.select_action(one))
        return one

    assert play(1) == play(1)
    assert play(1) != play(2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"avoid_eyes": "square"}, "avoid_eyes must be one of"),
        ({"resign_probability": 1.5}, "from 0 to 1"),
        ({"resign_probability": float("nan")}, "from 0 to 1"),
        ({"tries": 0}, "tries must be from 1 to 10000"),
        ({"tries": 1.5}, "tries must be an integer"),
        ({"seed": "a"}, "seed must be an integer"),
        ({"seed": -1}, "seed must be at least 0, not -1"),  # Python's generator takes it for 1
    ],
)
def test_wrong_options_are_errors(options: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        RandomAgent(**options)


def uniform(planes: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.zeros((len(planes), 10)), np.zeros(len(planes))


#: Each makes an agent of a seed. A ladder has no board of the small games that the others play.
MAKERS: dict[str, Callable[[Any], Any]] = {
    "random": lambda seed: RandomAgent(seed=seed),
    "partly random": lambda seed: PartlyRandomAgent(MCTSAgent(simulations=5, seed=seed), 0.5, seed=seed),
    "search": lambda seed: MCTSAgent(simulations=5, temperature=1, seed=seed),
    "capturing": lambda seed: CapturingAgent(MCTSAgent(simulations=5, temperature=1, seed=seed)),
    "network": lambda seed: NetworkAgent(uniform, temperature=1, seed=seed),
    "best of a network": lambda seed: NetworkAgent(uniform, seed=seed),
    "best": lambda seed: BestAgent(seed=seed),
    "ladder": lambda seed: AgentSpec.parse("ladder:+3").make(seed),
}


def test_a_score_table_that_begins_anew_chooses_as_a_new_one_with_this_seed() -> None:
    game = sixplane.Gomoku().replay([112])  # the reply is a random neighbor

    def replies(agent: ScoreTableAgent) -> list[int]:
        return [agent.select_action(game) for _ in range(9)]

    agent = ScoreTableAgent(seed=1)
    of_one = replies(agent)
    agent.reseed(7)
    assert replies(agent) == replies(ScoreTableAgent(seed=7)) != of_one


def test_a_copy_of_a_search_resigns_as_its_original_does() -> None:
    agent = MCTSAgent(simulations=5, resign_below=2.0)  # no value is that good
    assert agent.select_action(sixplane.Go(3)) is RESIGN
    for other in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert other.select_action(sixplane.Go(3)) is RESIGN


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("has_played", [False, True])
def test_a_refused_seed_leaves_the_agent_as_it_was(make: Callable[[Any], Any], has_played: bool) -> None:
    one, other = make(1), make(1)
    game = sixplane.Reversi() if hasattr(one, "rung") else sixplane.TicTacToe()
    if isinstance(one, BestAgent):
        one.limit_time(0.01)
    elif has_played:
        assert one.select_action(game) == other.select_action(game)
    for seed in (-1, "x", True, 1.5):
        with pytest.raises((TypeError, ValueError), match="seed must be"):
            one.reseed(seed)
        with pytest.raises((TypeError, ValueError), match="seed must be"):
            make(seed)
    for agent in (one, copy.deepcopy(one)):
        assert agent.select_action(game) in game.legal_actions
    if not isinstance(one, BestAgent):  # its search ends by the clock
        assert [one.select_action(game) for _ in range(4)] == [other.select_action(game) for _ in range(5)][
            1:
        ]


@pytest.mark.parametrize("name", ["search", "network", "best of a network", "best", "ladder"])
def test_a_seed_that_no_search_takes_is_refused_at_once(name: str) -> None:
    agent = MAKERS[name](2**63 - 1)
    for seed in (2**63, 2**64):
        with pytest.raises(ValueError, match=f"seed must be from 0 to 9223372036854775807, not {seed}"):
            MAKERS[name](seed)
        with pytest.raises(ValueError, match=f"seed must be from 0 to 9223372036854775807, not {seed}"):
            agent.reseed(seed)


class Keyboard:
    """What is typed, and what was shown."""

    def __init__(self, *typed: str) -> None:
        self.typed = list(typed)
        self.prompts: list[str] = []
        self.told: list[str] = []

    def ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if not self.typed:
            raise EOFError
        return self.typed.pop(0)

    def human(self, **options: Any) -> HumanAgent:
        return HumanAgent(self.ask, self.told.append, shows_board=False, **options)


def test_a_person_is_asked_again_until_the_move_is_legal() -> None:
    game = sixplane.Go(5)
    game.play(game.name_to_action("C3"))
    keyboard = Keyboard("", "E9", "what", "c3", "  d4 ")
    assert keyboard.human().select_action(game) == game.name_to_action("D4")
    assert keyboard.prompts == ["white: "] * 5
    usage, off, nonsense, occupied = keyboard.told
    assert usage.startswith("type a point such as") and "pass, resign, quit, or help" in usage
    assert '"E9" names no action on 5x5' in off
    assert '"what" names no action' in nonsense
    assert occupied == "C3 is not legal: the point is occupied"
    assert game.move_number == 1


def test_a_person_passes_and_resigns() -> None:
    assert Keyboard("PASS").human().select_action(sixplane.Go(5)) == 25
    assert Keyboard("Resign").human().select_action(sixplane.Go(5)) is RESIGN
    reversi = Keyboard("help", "pass", "c4")
    game = sixplane.Reversi()
    assert reversi.human().select_action(game) == game.name_to_action("C4")
    assert (
        "pass" not in reversi.told[0] and reversi.told[1] == "PASS is not legal: a pass is not allowed here"
    )


def test_hints_and_commands_are_offered() -> None:
    class Leave(Exception):
        pass

    def leave(_game: object) -> str:
        raise Leave

    game = sixplane.Gomoku(9)
    keyboard = Keyboard("help", "hint", "undo", "quit")
    commands = {"undo": lambda game: f"back from {game.move_number}", "quit": leave}
    human = keyboard.human(hint=ScoreTableAgent(seed=1), commands=commands)
    with pytest.raises(Leave):
        human.select_action(game)
    assert keyboard.told[0].endswith("resign, undo, quit, hint, or help")
    assert keyboard.told[1:] == ["hint: E5", "back from 0"]
    for typed in ([], ["q"], ["Quit"], ["what", "Q"]):
        assert Keyboard(*typed).human().select_action(game) is STOP
    unknown = Keyboard("hint", "a1")
    assert unknown.human().select_action(game) == game.name_to_action("A1")
    assert '"hint" names no action' in unknown.told[0]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("random", "random"),
        ("random:tries=1", "random:tries=1"),
        ("score-table", "score table"),
        ("mcts", "playouts"),
        ("mcts:simulations=200,threads=2", "200 playouts"),
        ("mcts:simulations=200,c=0.5", "mcts:simulations=200,c=0.5"),
        ("mcts@mcts:seconds=1,rave=1000", "playouts, 1 s"),
        ("mcts:evaluator=score-table,seconds=0.5", "score table, 0.5 s"),
        ("network@network:name=go9,seconds=1,threads=2", "go9, 1 s"),
        ("network:simulations=40,leaves=4", "network, 40 simulations"),
        ("Ada@mcts:seconds=1", "Ada"),
        ("gtp:/usr/games/gnugo --mode gtp", "gnugo"),
        ("Bob@gtp:gnugo", "Bob"),
        ("gomocup:seconds=0.5,/opt/pbrain-x -v", "pbrain-x, 0.5 s"),
    ],
)
def test_an_agent_is_called_by_what_it_is(text: str, name: str) -> None:
    assert called(AgentSpec.parse(text)) == name


@pytest.mark.parametrize("text", ["network:file=run/net.0,simulations=10", "mcts:seconds=2,c=0.5"])
def test_a_spec_is_written_as_it_is_read(text: str) -> None:
    assert str(AgentSpec.parse(text)) == text
    assert str(AgentSpec.parse("mcts:seconds=2.0")) == "mcts:seconds=2"
