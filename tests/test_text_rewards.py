"""Rewards of games as text: outcomes, and the value that moves lose."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

import sixplane
from sixplane import ladder
from sixplane.agents import AgentSpec, CapturingAgent, MCTSAgent
from sixplane.text import ConnectFourText, GomokuText, GoText, ReversiText, TextGame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sixplane import Game
    from sixplane.search import SearchResult

SMALL: list[tuple[type[TextGame], int]] = [
    (GoText, 4),
    (GomokuText, 6),
    (ReversiText, 4),
    (ConnectFourText, 5),
]


def names(text: str) -> list[str]:
    """The legal moves that a text lists."""
    return text.partition("Legal moves: ")[2].split()


@pytest.mark.parametrize("color", ["black", "white"])
@pytest.mark.parametrize(("make", "size"), SMALL)
def test_the_outcome_is_that_of_the_game_for_the_model(make: type[TextGame], size: int, color: str) -> None:
    env, rng, seen = make(size=size, max_moves=60), random.Random(2), set()
    for seed in range(40):
        text = env.reset(seed=seed, color=color)
        while not env.is_over:
            assert env.get_reward() == -1.0  # whoever leaves a game has lost it
            text = env.play(rng.choice(names(text)))
        outcome = env.game.outcome
        expected = 0.0 if outcome == "draw" else 1.0 if outcome == color else -1.0
        assert env.get_reward() == expected
        assert text.endswith({1.0: "You win.", 0.0: "It is a draw.", -1.0: "You lose."}[expected])
        seen.add(expected)
    assert {1.0, -1.0} <= seen


class Watched:
    """A search that remembers what it has found; each position is searched anew."""

    def __init__(self, spec: str) -> None:
        self.agent: Any = AgentSpec.parse(spec).make(0)
        self.found: list[tuple[Game, SearchResult]] = []

    def reseed(self, seed: int) -> None:
        self.agent.reseed(seed)

    def consider(self, game: Game) -> Iterator[SearchResult]:
        yield from self.agent.consider(game)
        self.found.append((game.copy(), self.result))

    @property
    def result(self) -> SearchResult:
        result: SearchResult = self.agent.result
        return result


SEARCHES = [
    (GoText, 5, "mcts:simulations=60"),
    (GomokuText, 7, "mcts:simulations=60,evaluator=score-table"),
    (ReversiText, 6, "mcts:simulations=60,exact=true"),
    (ReversiText, 8, "reversi8:simulations=16"),
]


@pytest.mark.parametrize(("make", "size", "spec"), SEARCHES)
def test_the_best_move_of_the_search_loses_nothing_and_no_move_more_than_a_win(
    make: type[TextGame], size: int, spec: str
) -> None:
    judge: Any = Watched(spec)
    env = make(size=size, reward="move", judge=judge, turns=1, max_illegal=None)
    rewards = []
    for seed in range(8):
        row = {"seed": seed, "opening_moves": 4, "color": "to_play"}
        legal = names(env.reset(**row))
        judge.found.clear()
        env.play(legal[seed % len(legal)])
        reward = env.get_reward()
        assert -1.0 <= reward <= 0.0
        assert env.is_over
        searched = len(judge.found)
        assert reward == env.get_reward()
        assert len(judge.found) == searched, "a move was judged twice"
        rewards.append(reward)
        before, result = judge.found[0]
        env.reset(**row)
        assert env.game == before
        env.play(before.action_to_name(result.best_action))
        assert env.get_reward() == 0.0
        env.reset(**row)
        env.play("nowhere")
        env.play(before.action_to_name(result.best_action))
        assert env.get_reward() == -0.5  # the mean of -1 and 0
    assert min(rewards) < 0.0


def test_where_values_are_proven_a_move_loses_what_the_solver_says() -> None:
    env = ReversiText(size=4, reward="move", judge="mcts:simulations=300,exact=true", turns=1)
    losses = set()
    for seed in range(60):
        text = env.reset(seed=seed, opening_moves=5, color="to_play")
        before = env.game
        value = _proven(before)
        env.play(names(text)[0])
        after = env.game
        # Without an answer of the opponent, who may only have passed.
        reached = -_proven(after) if after.turn != before.turn else _proven(after)
        if after.is_over:
            reached = {"draw": 0, env.color: 1}.get(str(after.outcome), -1)
        loss = (value - reached) / 2
        assert env.get_reward() == 0.0 - loss
        losses.add(loss)
    assert {0.0, 1.0} <= losses


def _proven(game: Game) -> int:
    """The value of a position for its player."""
    if game.is_over:
        return 0
    value = game.solve().value
    assert value is not None
    return int(value)


def test_the_reward_is_the_mean_of_the_moves_and_of_one_more_for_a_game_that_is_left() -> None:
    env = GoText(size=4, reward="move", judge="mcts:simulations=30", max_moves=12)
    text, before = env.reset(seed=1), 0.0
    assert env.get_reward() == -1.0
    for count in range(1, 7):
        text = env.play(names(text)[-2])
        # What is left counts one move of -1 more; what has ended does not.
        is_left = count < 6
        total = env.get_reward() * (count + is_left) + is_left
        assert -1.0 - 1e-9 <= total - before <= 1e-9
        before = total
    assert text.splitlines()[-1].startswith("The game is over: it was cut off.")


def test_the_default_judge_is_a_search_by_the_best_of_the_package() -> None:
    for make, size in ((GoText, 5), (ReversiText, 8), (GomokuText, 9)):
        env = make(size=size, reward="move", turns=1)
        legal = names(env.reset(opening_moves=4, color="to_play"))
        env.play(legal[0])
        first = env.get_reward()
        assert -1.0 <= first <= 0.0
        again = make(size=size, reward="move", turns=1)
        again.reset(opening_moves=4, color="to_play")
        again.play(legal[0])
        assert again.get_reward() == first


def test_the_default_judge_is_that_of_the_board_of_the_record() -> None:
    record = sixplane.Reversi(size=8).to_sgf()
    six, eight = (ReversiText(size=size, reward="move", turns=1) for size in (6, 8))
    row = {"seed": 3, "start": record, "opening_moves": 6, "color": "to_play"}
    rewards = []
    for move in names(six.reset(**row)):
        for env in (six, eight):
            env.reset(**row)
            env.play(move)
            rewards.append(env.get_reward())
        six.reset(seed=3)
        six.play(names(six.board())[0])
        assert -1.0 <= six.get_reward() <= 0.0
    assert rewards[::2] == rewards[1::2]
    assert min(rewards) < 0.0


@pytest.mark.parametrize(
    "judge",
    [
        "mcts:simulations=20,reward=margin",
        MCTSAgent(simulations=20, reward="margin"),
        CapturingAgent(MCTSAgent(simulations=20, reward="margin")),
    ],
    ids=lambda judge: type(judge).__name__,
)
def test_a_judge_that_searches_for_points_is_refused(judge: Any) -> None:
    with pytest.raises(ValueError, match=r"from -1 to 1: leave out reward=margin$"):
        ReversiText(size=6, reward="move", judge=judge)


def test_a_rung_that_searches_is_a_judge() -> None:
    rung = next(rung for rung in ladder.rungs(sixplane.Reversi()) if rung.spec.startswith("mcts:"))
    rewards = []
    for judge in (f"ladder:+{rung.number}", rung.spec):
        env = ReversiText(reward="move", judge=judge, turns=1)
        legal = names(env.reset(seed=1, opening_moves=6, color="to_play"))
        for move in legal:
            env.reset(seed=1, opening_moves=6, color="to_play")
            env.play(move)
            rewards.append(env.get_reward())
    assert rewards[: len(legal)] == rewards[len(legal) :]
    assert min(rewards) < 0.0


def test_a_rung_that_is_no_judge_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^the judge must be a search, .*, not 'ladder:\+0'$"):
        ReversiText(reward="move", judge="ladder:+0")
    with pytest.raises(ladder.LadderError, match="there is no ladder for Reversi 6x6"):
        ReversiText(size=6, reward="move", judge="ladder:+3")
    with pytest.raises(ladder.LadderError, match=r"and none \+999"):
        ReversiText(reward="move", judge="ladder:+999")


def test_a_judge_without_a_name_is_none() -> None:
    with pytest.raises(ValueError, match="no agent is called ''"):
        ReversiText(size=6, reward="move", judge="")


def test_turns_end_an_episode_by_the_score_of_the_board() -> None:
    env = GoText(size=5, komi=0.5, turns=2)
    assert "You play at most 2 moves." in env.reset()
    assert "It is your turn" in env.play("C3")
    assert env.get_reward() == -1.0
    answer = env.play("C2")
    assert env.is_over
    assert not env.game.is_over
    assert env.game.move_number == 3  # the opponent does not answer any more
    assert "you have played all your moves. " in answer
    expected = 1.0 if env.game.score() > 0 else -1.0
    assert env.get_reward() == expected
    assert "Nothing was played" in env.play("B2")
    gomoku = GomokuText(size=9, turns=1)
    gomoku.reset()
    assert gomoku.play("E5").endswith("you have played all your moves. It is a draw.")
    assert gomoku.get_reward() == 0.0
