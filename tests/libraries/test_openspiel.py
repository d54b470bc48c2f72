"""The games in OpenSpiel: its own tests, its search, and its rules beside ours."""

from __future__ import annotations

import pickle
import unittest
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import mcts
from open_spiel.python.rl_environment import Environment

import sixplane
import sixplane.openspiel

GAMES = [
    "sixplane_go(size=5,komi=0.5)",
    "sixplane_go(size=7,ko=simple,suicide=true)",
    "sixplane_reversi(size=6)",
    "sixplane_gomoku(size=7,exact_five=true)",
]


@pytest.mark.parametrize("name", GAMES)
def test_its_random_simulation_finds_no_fault(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=5, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_its_api_test_finds_no_fault(name: str) -> None:
    members = {"game": pyspiel.load_game(name), "game_name": name}
    case = type("Case", (api_test.EnforceAPIOnPartialTreeBase,), members)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun >= 5
    assert [text for _, text in (*result.failures, *result.errors)] == []
    assert not result.skipped


def test_parameters_are_the_rules() -> None:
    game = pyspiel.load_game("sixplane_go(size=7,komi=0.5,ko=situational,handicap=2)")
    board = game.new_initial_state().board_game
    assert board == sixplane.Go(size=7, komi=0.5, ko="situational", handicap=2, max_moves=147)
    assert game.max_game_length() == 147
    assert game.num_distinct_actions() == 50
    assert pyspiel.load_game("sixplane_reversi").new_initial_state().board_game.rows == 8
    limited = pyspiel.load_game("sixplane_go(size=5,max_moves=3)").new_initial_state()
    for action in (0, 1, 2):
        limited.apply_action(action)
    assert limited.is_terminal()
    with pytest.raises(ValueError, match="must each be even"):
        pyspiel.load_game("sixplane_reversi(size=5)")


@pytest.mark.parametrize(("ours", "theirs"), [("sixplane_reversi", "othello"), ("sixplane_gomoku", "gomoku")])
def test_random_games_agree_with_its_own(ours: str, theirs: str) -> None:
    rng = np.random.default_rng(3)
    one, other = pyspiel.load_game(ours), pyspiel.load_game(theirs)
    for _ in range(20):
        state, same = one.new_initial_state(), other.new_initial_state()
        while not state.is_terminal():
            assert not same.is_terminal()
            assert state.current_player() == same.current_player()
            assert state.legal_actions() == same.legal_actions()
            action = int(rng.choice(state.legal_actions()))
            state.apply_action(action)
            same.apply_action(action)
        assert same.is_terminal()
        assert state.returns() == same.returns()


@pytest.mark.parametrize("name", GAMES)
def test_a_copy_is_a_state_of_its_own(name: str) -> None:
    rng = np.random.default_rng(1)
    state = pyspiel.load_game(name).new_initial_state()
    for _ in range(7):
        state.apply_action(int(rng.choice(state.legal_actions())))
    for copy in (state.clone(), pickle.loads(pickle.dumps(state))):
        assert copy.board_game == state.board_game
        assert copy.history() == state.history()
        copy.apply_action(copy.legal_actions()[0])
        assert copy.board_game.move_number == state.board_game.move_number + 1


def test_the_board_of_a_state_is_a_copy_and_no_state_is_made_from_text() -> None:
    game = pyspiel.load_game("sixplane_go(size=5)")
    state = game.new_initial_state()
    state.board_game.play(12)
    assert state.board_game.move_number == 0
    with pytest.raises(NotImplementedError, match="apply the actions to a new one"):
        game.new_initial_state("B C3")


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_pickled_by_its_text(name: str) -> None:
    game = pyspiel.load_game(name)
    again = pickle.loads(pickle.dumps(game))
    assert type(again) is type(game) and str(again) == str(game)
    assert again.new_initial_state().board_game == game.new_initial_state().board_game


@pytest.mark.parametrize("name", GAMES)
def test_observations_are_the_planes_of_the_one_who_looks(name: str) -> None:
    rng = np.random.default_rng(1)
    state = pyspiel.load_game(name).new_initial_state()
    for _ in range(5):
        state.apply_action(int(rng.choice(state.legal_actions())))
    board = state.board_game
    np.testing.assert_array_equal(state.observation_tensor(0), board.planes.ravel())
    np.testing.assert_array_equal(state.observation_tensor(1), board.planes[[1, 0, 2, 3, 4, 5]].ravel())
    environment = Environment(state.get_game())
    step = environment.reset()
    assert len(step.observations["info_state"][0]) == board.planes.size


def test_size_0_is_the_usual_board_also_where_it_is_written() -> None:
    for name in ("sixplane_connect4", "sixplane_connect4(size=0)"):
        assert pyspiel.load_game(name).observation_tensor_shape() == [6, 6, 7]


def test_observers_have_no_parameters_and_those_that_recall_all_show_the_history() -> None:
    game: Any = pyspiel.load_game("sixplane_go(size=5)")
    state = game.new_initial_state()
    for action in (3, 4):
        state.apply_action(action)
    recalls = pyspiel.IIGObservationType(
        public_info=True, perfect_recall=True, private_info=pyspiel.PrivateInfoType.NONE
    )
    assert game.make_py_observer().string_from(state, 0) == str(state)
    assert game.make_py_observer(recalls).string_from(state, 0) == "3, 4"
    with pytest.raises(ValueError, match="the observation has no parameters, but got"):
        game.make_py_observer(params={"planes": 3})


def test_a_game_that_was_refused_can_be_shown() -> None:
    # As a debugger does it, or pytest: without a game behind it, OpenSpiel's own text ends the process.
    kind = sixplane.openspiel.GAME_CLASSES["reversi"]
    assert repr(kind.__new__(kind)) == "ReversiGame that was refused"


def test_its_search_wins_against_random_play() -> None:
    game = pyspiel.load_game("sixplane_gomoku(size=5)")
    rng = np.random.RandomState(1)
    won: Any = 0
    for seat in (0, 1):
        search = mcts.MCTSBot(game, 1.4, 60, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
        state = game.new_initial_state()
        while not state.is_terminal():
            mine = state.current_player() == seat
            state.apply_action(search.step(state) if mine else int(rng.choice(state.legal_actions())))
        won += state.returns()[seat]
    assert won >= 1
