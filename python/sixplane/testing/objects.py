"""Laws of games as Python objects: copies, pickles, equality, hashes, names and replays."""

from __future__ import annotations

import copy
import operator
import pickle

from sixplane.errors import IllegalActionError
from sixplane.testing.law import law
from sixplane.testing.protocol import AnyGame
from sixplane.testing.trial import Trial, snapshot, stones


def prove_twin(trial: Trial, twin: AnyGame, made: str) -> None:
    """Proves that a twin equals the game, and that a change to one does not change the other."""
    before = trial.snapshots[-1]
    trial.demand(type(twin) is type(trial.game), f"{made} is of another class")
    trial.demand(twin is not trial.game, f"{made} is the game itself")
    trial.demand(
        twin == trial.game and operator.ne(twin, trial.game) is False, f"{made} is not equal to the game"
    )
    trial.demand_same(snapshot(twin), before, f"in {made}")
    # What is done to either leaves the other alone.
    twin.resign() if trial.game.is_over is False else twin.undo()
    trial.demand_same(snapshot(trial.game), before, f"after a change to {made}")
    trial.demand(twin != trial.game, f"after a change to it, {made} is still equal to the game")
    if trial.game.is_over is False:
        twin.undo()
        action = trial.some_legal_action()
        twin.play(action)
        trial.demand_same(snapshot(trial.game), before, f"after play({action}) in {made}")
        twin.undo()
        # A twin knows the past as well.
        for step, expected in zip(trial.steps[:-4:-1], trial.snapshots[-2:-5:-1], strict=False):
            twin.undo()
            trial.demand_same(snapshot(twin), expected, f"after undo() of {step} in {made}")
        trial.demand_same(snapshot(trial.game), before, f"after undo() in {made}")


@law("copies")
def copies_are_games_of_their_own(trial: Trial) -> None:
    """The copies of `copy()`, `copy.copy` and `copy.deepcopy` are equal, and independent from then on."""
    prove_twin(trial, trial.game.copy(), "copy()")
    prove_twin(trial, copy.copy(trial.game), "copy.copy")
    prove_twin(trial, copy.deepcopy(trial.game), "copy.deepcopy")
    trial.note("copies", 3)


@law("pickles")
def pickles_are_games_of_their_own(trial: Trial) -> None:
    """The pickles of every protocol are equal, and independent."""
    protocol = trial.rng.randint(0, pickle.HIGHEST_PROTOCOL)
    pickled = pickle.dumps(trial.game, protocol)
    prove_twin(trial, pickle.loads(pickled), f"a pickle of protocol {protocol}")  # noqa: S301 - made just above
    trial.note("pickles")


@law("equal games", at_end=True)
def hash_agrees_with_equality(trial: Trial) -> None:
    """The same steps from the same start make an equal game with an equal `hash()`."""
    again = trial.start.copy()
    for step in trial.steps:
        step.take(again)
    ahead = trial.game.copy()
    if not ahead.is_over:
        ahead.resign()
        ahead.undo()
    for twin in (again, ahead, copy.deepcopy(trial.game)):
        trial.demand(twin == trial.game, "the same steps gave a game that is not equal")
        trial.demand(hash(twin) == hash(trial.game), "equal games have different hash()")
        trial.note("equal games")


@law("pairs of different histories")
def different_histories_are_different_games(trial: Trial) -> None:
    """Games differ by an action, a resignation, a set turn, or the way to the same position."""
    game = trial.game
    trial.demand(
        not any(game == other for other in (None, 1, "game", object())), "a game is equal to what is no game"
    )
    others: list[AnyGame] = []
    if not game.is_over:
        legal = game.legal_actions.tolist()
        for action in trial.rng.sample(legal, min(2, len(legal))):
            others.append(game.copy())
            others[-1].play(action)
        for color in (0, 1):
            resigned, turned = game.copy(), game.copy()
            resigned.resign(color)
            turned.set_turn(color)
            others += [resigned, turned]
        twice = game.copy()
        twice.set_turn(0)
        twice.set_turn(0)
        others.append(twice)
    if (swapped := transposed(trial)) is not None:
        others.append(swapped)
    for i, other in enumerate(others):
        for another in [game, *others[:i]]:
            trial.demand(other != another, "games with different histories are equal")
            trial.note("pairs of different histories")


def transposed(trial: Trial) -> AnyGame | None:
    """Returns the game with two actions of one player exchanged, if the rules allow it."""
    actions = trial.game.actions.tolist()
    if len(actions) < 3 or actions[-1] == actions[-3] or not trial.is_plain:  # noqa: PLR2004
        return None
    actions[-1], actions[-3] = actions[-3], actions[-1]
    try:
        return trial.game.replay(actions)
    except IllegalActionError:
        return None


@law("positions", "positions met again")
def the_hash_is_of_the_position_alone(trial: Trial) -> None:
    """The hash has 64 bits, which are the same for the same stones and turn, and for no others."""
    games = [trial.game]
    if (swapped := transposed(trial)) is not None:
        games.append(swapped)
    if hasattr(trial.game, "from_planes"):
        games.append(type(trial.game).from_planes(trial.game.planes, **trial.rules))
    if not trial.game.is_over:
        for turns in ((0,), (1,), (1, 0), (0, 1)):
            turned = trial.game.copy()
            for turn in turns:
                if not turned.is_over:
                    turned.set_turn(turn)
            games.append(turned)
    for game in games:
        key = game.hash
        trial.demand(type(key) is int and 0 <= key < 2**64, f"hash is {key!r}, not 64 bits")
        position = stones(game), game.turn
        known = trial.keys.setdefault(position, key)
        trial.demand(known == key, "one position has two hashes")
        trial.demand(trial.keys.setdefault(key, position) == position, "two positions have one hash")
        trial.note("positions")
    trial.note("positions met again", len(games) - len({game.hash for game in games}))


@law("games replayed", "replays refused", at_end=True)
def replaying_the_actions_gives_the_game(trial: Trial) -> None:
    """A replay begins at the starting position, refuses illegal actions, and never changes this game."""
    origin = trial.game.replay([])
    trial.demand(origin.move_number == 0 and not len(origin.actions), "replay([]) is not at the start")
    played = origin.copy()
    for _ in range(trial.rng.randint(0, 20)):
        if not played.is_over:
            played.play(int(trial.rng.choice(played.legal_actions)))
    games = [origin, played, *([trial.game] if trial.is_plain else [])]
    for game in games:
        actions = game.actions
        for given in (actions, actions.tolist(), iter(actions.tolist())):
            again = trial.game.replay(given)
            trial.demand(again == game, f"replay({actions.tolist()}) is not equal to the game so played")
            trial.demand_same(snapshot(again), snapshot(game), f"in replay({actions.tolist()})")
        trial.note("games replayed")
    with trial.raises(IllegalActionError, "replay of an action off the board"):
        trial.game.replay([trial.points + 1])
    with trial.raises(TypeError, "replay of a float"):
        trial.game.replay([0.5])
    trial.note("replays refused")
    trial.demand_same(snapshot(trial.game), trial.snapshots[-1], "after replays")


@law("names", at_end=True)
def names_and_actions_are_inverse(trial: Trial) -> None:
    """Every action has a name of its own; no other text is a name."""
    game, names = trial.game, set()
    for action in range(trial.points + 1):
        name = game.action_to_name(action)
        back = game.name_to_action(name)
        trial.demand(
            type(name) is str and back == action, f"action {action} has the name {name!r} of action {back!r}"
        )
        names.add(name)
        trial.note("names")
    trial.demand(len(names) == trial.points + 1, "two actions have one name")
    trial.demand(game.action_to_name(trial.points) == "pass", 'the pass is not named "pass"')
    for text in ("", "A0", "A99", "?", "résigne"):
        with trial.raises(ValueError, f"name_to_action({text!r})"):
            game.name_to_action(text)
    for beyond in (-1, trial.points + 1):
        with trial.raises(IllegalActionError, f"action_to_name({beyond})"):
            game.action_to_name(beyond)
