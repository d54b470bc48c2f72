"""One seat of an environment, with an agent in the other; run with all supported versions of Gymnasium."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import sixplane
from sixplane.agents import RESIGN, RandomAgent, ScoreTableAgent
from sixplane.envs import MaskInObservation, VsOpponent
from sixplane.envs.single import BoardGameEnv


class Scripted:
    """Answers what it was given, and keeps the games it was shown."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.games: list[Any] = []

    def select_action(self, game: sixplane.Game) -> Any:
        self.games.append(game)
        return self.answers.pop(0)


def make(opponent: Any = None, seat: str = "black", game: str = "Go", **options: Any) -> VsOpponent:
    env = gym.make(f"sixplane/{game}-v0", **options)
    return VsOpponent(env, RandomAgent(seed=0) if opponent is None else opponent, seat=seat)


def board(env: gym.Env[Any, Any]) -> BoardGameEnv:
    assert isinstance(env.unwrapped, BoardGameEnv)
    return env.unwrapped


@pytest.mark.parametrize("seat", ["black", "white", "random"])
@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("Go", {"size": 5}),
        ("Go", {"size": 4, "view": "player", "max_moves": 12, "cutoff": "truncate"}),
        ("Reversi", {"size": 4}),
        ("Gomoku", {"size": 6, "history": 2, "view": "player", "reward": "score"}),
    ],
)
def test_gymnasiums_own_checker_finds_nothing(game: str, options: dict[str, Any], seat: str) -> None:
    env = make(game=game, seat=seat, **options)
    with warnings.catch_warnings():
        # It tells that a wrapper is checked, which is meant.
        warnings.filterwarnings("ignore", message=".*different from the unwrapped version.*")
        check_env(env, skip_render_check=True)


@pytest.mark.parametrize("seat", ["black", "white", "random"])
@pytest.mark.parametrize("game", ["Go", "Reversi", "Gomoku"])
def test_the_learner_sees_its_own_turns_and_rewards(game: str, seat: str) -> None:
    env = make(game=game, seat=seat, size=6)
    rng = np.random.default_rng(1)
    seats, rewards = set(), set()
    for seed in range(12):
        planes, info = env.reset(seed=seed)
        assert seat == "random" or info["seat"] == ("black", "white").index(seat)
        seats.add(info["seat"])
        over = False
        while not over:
            assert info["turn"] == info["seat"] == env.seat == planes[2, 0, 0]
            assert (env.action_masks() == info["action_mask"]).all()
            action = rng.choice(np.flatnonzero(info["action_mask"]))
            planes, reward, terminated, truncated, info = env.step(action)
            assert (planes == board(env).game.planes).all()
            over = terminated or truncated
            assert over or reward == 0
        assert reward == (info["outcome"] if info["seat"] == 0 else -info["outcome"])
        rewards.add(reward)
    assert seats == {"black": {0}, "white": {1}, "random": {0, 1}}[seat]
    assert {1.0, -1.0} <= rewards


@pytest.mark.parametrize("history", [0, 3])
@pytest.mark.parametrize("game", ["Go", "Reversi", "Gomoku"])
def test_the_player_view_shows_the_learners_side_to_the_end(game: str, history: int) -> None:
    options: dict[str, Any] = {"size": 5 if game != "Reversi" else 4, "history": history, "max_moves": 40}
    last_movers = set()
    for seed in range(12):
        env = make(game=game, seat="random", view="player", **options)
        absolute = make(game=game, seat="random", **options)
        rng = np.random.default_rng(seed)
        planes, info = env.reset(seed=seed)
        theirs, _ = absolute.reset(seed=seed)
        over = False
        while not over:
            own, other = board(env).game.planes[[env.seat, 1 - env.seat]]
            np.testing.assert_array_equal(planes[0], own)
            np.testing.assert_array_equal(planes[1], other)
            if history:
                np.testing.assert_array_equal(planes, theirs)
            action = rng.choice(np.flatnonzero(info["action_mask"]))
            planes, reward, terminated, truncated, info = env.step(action)
            theirs, worth, *_ = absolute.step(action)
            assert reward == worth
            over = terminated or truncated
        last = board(env).game
        np.testing.assert_array_equal(planes[:2], last.planes[[env.seat, 1 - env.seat]])
        assert (planes[-1] if history else planes[2]).all() == (last.turn == 1)
        last_movers.add(last.turn == env.seat)
    assert last_movers == {True, False}


def test_the_first_observation_is_from_the_learners_side_whoever_began() -> None:
    env = make(Scripted(0, 1, 2), "white", size=5, view="player")
    planes, _ = env.reset()
    assert planes[1, 0, 0] == 1 and not planes[0].any()
    # A game given to a reset may begin with either color.
    game = sixplane.Go(size=5)
    game.play(7)
    planes, _ = env.reset(options={"game": game})
    assert planes[1, 1, 2] == 1 and planes[2].all()


def test_scores_are_the_learners() -> None:
    for seat, own in (("black", [12, 25]), ("white", [25])):
        other = Scripted(25) if seat == "black" else Scripted(12, 25)
        env = make(other, seat, size=5, reward="score")
        env.reset()
        for action in own:
            step = env.step(action)
        assert step[1] == (17.5 if seat == "black" else -17.5)
        assert step[4]["score"] == 17.5


def test_seeds_decide_seat_and_opponent() -> None:
    def episode(seed: int) -> tuple[Any, ...]:
        env = make(RandomAgent(), "random", size=5)
        env.reset(seed=seed)
        for action in range(25):
            if env.action_masks()[action] and env.step(action)[2]:
                break
        return env.seat, *board(env).game.actions.tolist()

    assert episode(3) == episode(3)
    assert len({episode(seed) for seed in range(8)}) == 8
    # Without a seed, each reset goes on drawing.
    env = make(RandomAgent(), "random", size=5)
    env.reset(seed=0)
    drawn = {(env.reset()[1]["seat"], board(env).game.last_action) for _ in range(30)}
    assert len(drawn) > 5


def test_the_learner_plays_its_own_forced_pass_and_the_opponent_is_not_asked_for_its() -> None:
    stuck = "X O . .\n. . . .\n. . . .\n. . . ."
    env = make(Scripted(2), "white", "Reversi", size=4)
    _, info = env.reset(options={"game": sixplane.Reversi.from_text(stuck, turn="white")})
    assert np.flatnonzero(info["action_mask"]).tolist() == [16]
    _, reward, terminated, _, info = env.step(16)
    assert (reward, terminated, info["score"]) == (-1, True, 3)
    opponent = Scripted()
    env = make(opponent, "black", "Reversi", size=4)
    _, info = env.reset(options={"game": sixplane.Reversi.from_text(stuck, turn="white")})
    assert info["move_number"] == 1 and not opponent.games
    assert env.step(2)[1] == 1


def test_an_opponent_that_resigns_loses() -> None:
    env = make(Scripted(RESIGN), size=5)
    env.reset()
    _, reward, terminated, truncated, info = env.step(12)
    assert (reward, terminated, truncated, info["outcome"]) == (1, True, False, 1)
    scored = make(Scripted(RESIGN), size=5, reward="score")
    scored.reset()
    assert scored.step(12)[1] == 25


def test_a_game_over_before_the_learners_first_move_ends_at_its_first_step() -> None:
    env = make(Scripted(RESIGN, 12), "white", size=5)
    _, info = env.reset()
    assert info["outcome"] == -1 and not env.action_masks().any()
    planes, reward, terminated, _, info = env.step(3)
    assert (reward, terminated, planes[5].all()) == (1, True, True)
    with pytest.raises(sixplane.IllegalActionError):
        env.step(3)
    env.reset()
    assert env.action_masks().any()


def test_wrappers_between_see_a_resignation() -> None:
    inner = gym.wrappers.TransformReward(
        MaskInObservation(gym.make("sixplane/Go-v0", size=5)), lambda reward: 3 * float(reward)
    )
    env = VsOpponent(inner, Scripted(RESIGN, 12))
    env.reset()
    observation: Any
    observation, reward, terminated, _, _ = env.step(12)
    assert (reward, terminated) == (3, True)
    assert observation in env.observation_space and not observation["action_mask"].any()
    env.reset()
    assert env.step(3)[1:4] == (0, False, False), "the opponent plays on in the next game"


def test_a_wrapper_that_fails_at_a_resignation_leaves_the_game_as_it_was() -> None:
    class Failing(gym.Wrapper[Any, Any, Any, Any]):
        steps = 0

        def step(self, action: Any) -> Any:
            self.steps += 1
            if self.steps == 2:
                raise RuntimeError("it failed")
            return self.env.step(action)

    env = VsOpponent(Failing(gym.make("sixplane/Go-v0", size=5)), Scripted(RESIGN, 12))
    env.reset()
    with pytest.raises(RuntimeError, match="it failed"):
        env.step(3)
    assert board(env).game.move_number == 0
    assert env.step(3)[2] is False and board(env).game.move_number == 2


def test_what_a_reset_returned_is_the_callers_though_the_game_is_over() -> None:
    env = make(Scripted(RESIGN), "white", size=5)
    first, before = env.reset()
    kept = first.copy()
    first[:] = 7
    before["outcome"] = before["action_mask"][0] = 5
    planes, _, _, _, info = env.step(3)
    assert np.array_equal(planes, kept) and info["outcome"] == -1 and not info["action_mask"].any()


def test_what_is_no_action_of_the_opponents_raises() -> None:
    env = make(Scripted(26, None), "black", size=5)
    env.reset()
    off_board = "action 26 is off the board: an action is 0 to 25"
    errors = {sixplane.IllegalActionError: off_board, TypeError: "action must be an integer, not NoneType"}
    for error, said in errors.items():
        with pytest.raises(error, match=f"the opponent's {said}"):
            env.step(3)
        assert board(env).game.move_number == 0


def test_the_learners_illegal_action_loses_or_raises() -> None:
    env = make(Scripted(), "black", size=5)
    env.reset()
    with pytest.raises(sixplane.IllegalActionError, match="off the board"):
        env.step(26)
    assert board(env).game.move_number == 0
    white = make(Scripted(12), "white", size=5)
    white.reset()
    assert white.step(12)[1:3] == (-1, True)
    strict = make(Scripted(12), "white", size=5, illegal="raise")
    strict.reset()
    with pytest.raises(sixplane.IllegalActionError):
        strict.step(12)
    assert board(strict).game.actions.tolist() == [12]


def test_a_failing_opponent_leaves_the_game_as_it_was() -> None:
    env = make(Scripted(12), size=5)
    env.reset()
    assert env.step(12)[1:3] == (1, True), "its illegal action loses"
    strict = make(Scripted(12, "nonsense", 0), size=5, illegal="raise")
    strict.reset()
    with pytest.raises(sixplane.IllegalActionError):
        strict.step(12)
    with pytest.raises(TypeError):
        strict.step(12)
    assert board(strict).game.move_number == 0
    strict.step(12)
    assert board(strict).game.actions.tolist() == [12, 0]


def test_an_opponent_that_fails_in_a_reset_leaves_everything() -> None:
    env = make(Scripted(12, "nonsense"), "white", size=5, illegal="raise")
    env.reset(seed=3)
    before, state = board(env).game, env.unwrapped.np_random.bit_generator.state
    with pytest.raises(TypeError):
        env.reset(seed=4)
    assert board(env).game == before
    assert (env.seat, env.np_random_seed) == (1, 3)
    assert env.unwrapped.np_random.bit_generator.state == state


def test_the_opponent_cannot_tamper_with_the_game() -> None:
    opponent = Scripted(0, 1)
    env = make(opponent, size=5)
    env.reset()
    env.step(12)
    opponent.games[0].resign()
    _, _, terminated, _, info = env.step(13)
    assert not terminated and info["move_number"] == 4


def test_copies_and_pickles_play_on() -> None:
    env = make(ScoreTableAgent(seed=5), "white", "Gomoku", size=9)
    env.reset(seed=1)
    env.step(0)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert board(other).game == board(env).game
        other.step(1)
        assert board(other).game.move_number == 5
    assert board(env).game.move_number == 3


def test_spec_names_the_wrapper() -> None:
    for options in ({}, {"opponent": None}):
        spec = VsOpponent(gym.make("sixplane/Go-v0", **options), RandomAgent(seed=0), seat="white").spec
        assert spec is not None and [one.name for one in spec.additional_wrappers] == ["VsOpponent"]
        assert gym.make(spec).reset(seed=1)[1]["seat"] == 1


@pytest.mark.parametrize(
    ("game", "opponent", "seat"),
    [
        ("Go", "random:avoid_eyes=none", "random"),
        ("Reversi", "mcts:simulations=20", "white"),
        ("Gomoku", "score-table", None),
    ],
)
def test_an_opponent_by_its_spec_survives_json(game: str, opponent: str, seat: str | None) -> None:
    seated = {} if seat is None else {"seat": seat}
    env = gym.make(f"sixplane/{game}-v0", size=6, view="player", opponent=opponent, **seated)  # type: ignore[arg-type]
    assert env.spec is not None and env.spec.additional_wrappers == ()
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    wrapped = gym.make(f"sixplane/{game}-v0", size=6, view="player")
    third: Any = VsOpponent(wrapped, opponent, **seated)
    fourth = gym.make(gym.envs.registration.EnvSpec.from_json(third.spec.to_json()))
    assert again.spec == env.spec and fourth.spec == third.spec
    assert board(again).settings.view == "player"
    for seed in range(3):
        assert len({tuple(episode(env, seed)) for env in (env, again, third, fourth)}) == 1
    env.close()


def episode(env: gym.Env[Any, Any], seed: int) -> list[Any]:
    """Seat, result and actions of a game in which the learner plays at random."""
    _, info = env.reset(seed=seed)
    rng, over = np.random.default_rng(seed), False
    while not over:
        _, reward, over, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
    return [info["seat"], reward, *board(env).game.actions.tolist()]


@pytest.mark.parametrize("seat", ["black", "white", "random"])
@pytest.mark.parametrize(
    "options",
    [{"size": 4}, {"size": 4, "view": "player", "dtype": "float32", "max_moves": 9, "cutoff": "truncate"}],
    ids=str,
)
def test_gymnasiums_own_checker_finds_nothing_in_one_by_id(seat: str, options: dict[str, Any]) -> None:
    env = gym.make("sixplane/Go-v0", opponent="random", seat=seat, disable_env_checker=True, **options)
    assert isinstance(env.env, VsOpponent)  # type: ignore[attr-defined]
    with warnings.catch_warnings():
        # It tells that a wrapper is checked, which is meant.
        warnings.filterwarnings("ignore", message=".*different from the unwrapped version.*")
        check_env(env, skip_render_check=True)


@pytest.mark.parametrize(
    ("game", "options", "error", "message"),
    [
        ("Go", {"opponent": "nobody"}, ValueError, "no agent is called 'nobody'; there are random"),
        ("Go", {"opponent": "mcts:sims=3"}, ValueError, "mcts has no option 'sims'; it has"),
        ("Go", {"opponent": "mcts:simulations=-1"}, ValueError, "simulations"),
        ("Go", {"opponent": "score-table"}, ValueError, "score-table plays Gomoku, not Go"),
        ("Reversi", {"opponent": "mcts:evaluator=score-table"}, ValueError, "plays Gomoku, not Reversi"),
        ("Gomoku", {"opponent": "gtp:gnugo --mode gtp"}, ValueError, "GTP is for Go and Reversi, not Gomoku"),
        ("Go", {"opponent": "gomocup:pbrain"}, ValueError, "the protocol of Gomocup is for Gomoku, not Go"),
        ("Go", {"opponent": 3}, TypeError, "an agent with select_action, or the spec of one, not 3"),
        ("Go", {"opponent": "random", "seat": "north"}, ValueError, "seat must be 'black' or 'white'"),
        ("Go", {"seat": "black"}, ValueError, "seat='black' needs an opponent"),
        ("Go", {"opponent": "random", "frameskip": 4}, TypeError, "unexpected keyword argument 'frameskip'"),
        ("Go", {"oponent": "random"}, TypeError, r"argument 'oponent' \(did you mean opponent\?\)"),
        ("Go", {"threads": 2}, TypeError, r"argument 'threads' \(an option of gymnasium.make_vec\);"),
    ],
    ids=str,
)
def test_a_wrong_spec_is_an_error_when_the_environment_is_made(
    game: str, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        gym.make(f"sixplane/{game}-v0", **options)


def test_an_opponent_made_from_its_spec_is_closed_and_any_other_is_not() -> None:
    closed = []

    class Closing(RandomAgent):
        def close(self) -> None:
            closed.append(self)

    given = Closing()
    env = make(given, size=5)
    env.close()
    assert not closed
    for how in ("another", "end"):
        own = make("random", size=5)
        made: Any = own.opponent
        made.close = lambda made=made: closed.append(made)
        own.opponent = made  # as it is
        assert not closed
        if how == "another":
            own.opponent = given
            assert own.opponent is given
        own.close()
        assert closed.pop() is made and not closed


def test_another_opponent_is_given_as_the_first_one_was() -> None:
    for env in (make("random", game="Gomoku"), gym.make_vec("sixplane/Gomoku-v0", 2, opponent="random")):
        wrapped: Any = env
        wrapped.opponent = "score-table"
        assert isinstance(wrapped.opponent, ScoreTableAgent)
        for wrong, error, message in ((5, TypeError, "an agent with"), ("mtcs", ValueError, "mtcs")):
            with pytest.raises(error, match=message):
                wrapped.opponent = wrong
        assert isinstance(wrapped.opponent, ScoreTableAgent)
        wrapped.close()


def test_wrong_arguments_are_errors() -> None:
    with pytest.raises(ValueError, match="has an opponent already"):
        VsOpponent(make(size=5), RandomAgent())
    by_itself = gym.wrappers.TimeLimit(gym.wrappers.Autoreset(gym.make("sixplane/Go-v0")), 5)
    with pytest.raises(ValueError, match="begins games by itself: put Autoreset around VsOpponent"):
        VsOpponent(by_itself, RandomAgent())
    with pytest.raises(TypeError, match="for the environments of sixplane"):
        VsOpponent(gym.make("CartPole-v1"), RandomAgent())
    with pytest.raises(TypeError, match="an agent with select_action"):
        make(opponent=3)
    with pytest.raises(TypeError, match="not the class RandomAgent"):
        make(opponent=RandomAgent)
    with pytest.raises(ValueError, match="seat must be 'black' or 'white' or 'random'"):
        make(seat="north")


def test_a_resignation_is_a_legal_action_to_wrappers_where_nobody_may_pass() -> None:
    class Strict(gym.ActionWrapper[Any, Any, Any]):
        def action(self, action: Any) -> Any:
            assert self.env.unwrapped.action_masks()[action]  # type: ignore[attr-defined]
            return action

    env = VsOpponent(Strict(gym.make("sixplane/Gomoku-v0", size=6)), Scripted(RESIGN), seat="black")
    env.reset(seed=1)
    _, reward, terminated, _, _ = env.step(3)
    assert (reward, terminated) == (1.0, True)
