"""What a person takes back."""

from __future__ import annotations

import pytest

import sixplane
from sixplane.agents import RandomAgent
from sixplane.play.players import Players

#: White plays twice in a row, which a record may hold, and then Black.
TWICE = "(;GM[1]FF[4]SZ[5];B[cc];W[cd];W[dd];B[aa])"


def points(game: sixplane.Game) -> list[str]:
    return [game.action_to_name(action) for action in game.actions.tolist()]


def taken_back(persons: tuple[bool, bool], game: sixplane.Game) -> list[list[str]]:
    """What was played each time that a person takes a move back."""
    agent = RandomAgent(seed=1)
    black, white = (None if person else agent for person in persons)
    players = Players((black, white), ("", ""), agent)
    found, before = [], players.before_last_person(game)
    while before is not None:
        found.append(points(before))
        before = players.before_last_person(before)
    return found


@pytest.mark.parametrize(
    ("persons", "left"),
    [
        ((True, True), [["C3", "C2", "D2"], ["C3", "C2"], ["C3"], []]),
        ((True, False), [["C3", "C2", "D2"], []]),
        ((False, True), [["C3", "C2"], ["C3"]]),
        ((False, False), []),
    ],
)
def test_the_last_move_of_a_person_is_taken_back(persons: tuple[bool, bool], left: list[list[str]]) -> None:
    game = sixplane.Go.from_sgf(TWICE)
    assert points(game) == ["C3", "C2", "D2", "A5"]
    assert taken_back(persons, game) == left


@pytest.mark.parametrize(
    ("persons", "numbers"),
    [
        ((True, True), [6, 4, 3, 2, 1, 0]),
        ((True, False), [6, 4, 2, 0]),
        ((False, True), [3, 1]),
        ((False, False), [6, 4, 3, 2, 1, 0]),
    ],
)
def test_a_choice_is_a_move_of_a_person_or_where_none_plays_of_an_agent_but_no_forced_pass(
    persons: tuple[bool, bool], numbers: list[int]
) -> None:
    # White's pass after five moves is forced.
    game = sixplane.Reversi.from_sgf("(;GM[2]SZ[4];B[a2];W[a3];B[b4];W[c1];B[a4];W[PA];B[b1])")
    agent = RandomAgent(seed=1)
    black, white = (None if person else agent for person in persons)
    players = Players((black, white), ("", ""), agent)
    found, before = [], players.before_choice(game)
    while before is not None:
        found.append(before.move_number)
        before = players.before_choice(before)
    assert found == numbers


def test_a_resignation_of_a_person_is_taken_back_alone() -> None:
    game = sixplane.Go(5).replay([12, 13])
    game.resign("black")
    assert taken_back((True, False), game) == [["C3", "D3"], []]
    game = sixplane.Go(5).replay([12])
    game.resign("white")
    assert taken_back((True, False), game) == [[]]


def test_a_loss_before_any_move_of_a_person_is_taken_back_alone() -> None:
    game = sixplane.Go(5)
    game.resign("black")
    assert taken_back((False, True), game) == [[]]
    # The person resigns while the agent thinks about its first move.
    game = sixplane.Go(5)
    game.resign("white")
    assert taken_back((False, True), game) == [[]]
    assert taken_back((False, False), game) == []
