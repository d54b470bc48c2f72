"""Laws of games as Python objects: copies, pickles, equality, hashes, names, replays."""

from __future__ import annotations

import copy
import operator
import pickle
from typing import TYPE_CHECKING, Any

from sixplane.errors import IllegalActionError
from sixplane.testing.law import law
from sixplane.testing.scene import sight, stones

if TYPE_CHECKING:
    from sixplane.testing.protocol import AnyGame
    from sixplane.testing.scene import Scene


def prove_twin(scene: Scene, twin: AnyGame, made: str) -> None:
    """Proves that it is an equal game, and one of its own."""
    before = scene.sights[-1]
    scene.demand(type(twin) is type(scene.game), f"{made} is of another class")
    scene.demand(twin is not scene.game, f"{made} is the game itself")
    scene.demand(
        twin == scene.game and operator.ne(twin, scene.game) is False, f"{made} is not equal to the game"
    )
    scene.demand_same(sight(twin), before, f"in {made}")
    # What is done to either leaves the other alone.
    twin.resign() if scene.game.is_over is False else twin.undo()
    scene.demand_same(sight(scene.game), before, f"after a change to {made}")
    scene.demand(twin != scene.game, f"after a change to it, {made} is still equal to the game")
    if scene.game.is_over is False:
        twin.undo()
        action = scene.some_legal_action()
        twin.play(action)
        scene.demand_same(sight(scene.game), before, f"after play({action}) in {made}")
        twin.undo()
        # A twin knows the past as well.
        for step, expected in zip(scene.steps[:-4:-1], scene.sights[-2:-5:-1], strict=False):
            twin.undo()
            scene.demand_same(sight(twin), expected, f"after undo() of {step} in {made}")
        scene.demand_same(sight(scene.game), before, f"after undo() in {made}")


@law("copies")
def copies_are_games_of_their_own(scene: Scene) -> None:
    """`copy()`, `copy.copy` and `copy.deepcopy`: equal, and independent from then on."""
    prove_twin(scene, scene.game.copy(), "copy()")
    prove_twin(scene, copy.copy(scene.game), "copy.copy")
    prove_twin(scene, copy.deepcopy(scene.game), "copy.deepcopy")
    scene.note("copies", 3)


@law("pickles")
def pickles_are_games_of_their_own(scene: Scene) -> None:
    """With every protocol: equal, and independent."""
    protocol = scene.dice.randint(0, pickle.HIGHEST_PROTOCOL)
    pickled = pickle.dumps(scene.game, protocol)
    prove_twin(scene, pickle.loads(pickled), f"a pickle of protocol {protocol}")  # noqa: S301 - made just above
    scene.note("pickles")


@law("equal games", at_end=True)
def hash_agrees_with_equality(scene: Scene) -> None:
    """The same steps from the same start make an equal game with an equal `hash()`."""
    again = scene.start.copy()
    for step in scene.steps:
        step.take(again)
    ahead = scene.game.copy()
    if not ahead.is_over:
        ahead.resign()
        ahead.undo()
    for twin in (again, ahead, copy.deepcopy(scene.game)):
        scene.demand(twin == scene.game, "the same steps gave a game that is not equal")
        scene.demand(hash(twin) == hash(scene.game), "equal games have different hash()")
        scene.note("equal games")


@law("pairs of different histories")
def different_histories_are_different_games(scene: Scene) -> None:
    """Another action, a resignation, a set turn, or the same position reached another way."""
    game = scene.game
    scene.demand(
        not any(game == other for other in (None, 1, "game", object())), "a game is equal to what is no game"
    )
    others: list[AnyGame] = []
    if not game.is_over:
        legal = game.legal_actions.tolist()
        for action in scene.dice.sample(legal, min(2, len(legal))):
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
    if (swapped := transposed(scene)) is not None:
        others.append(swapped)
    for i, other in enumerate(others):
        for another in [game, *others[:i]]:
            scene.demand(other != another, "games with different histories are equal")
            scene.note("pairs of different histories")


def transposed(scene: Scene) -> AnyGame | None:
    """The game with two actions of one player exchanged, if the rules allow it."""
    actions = scene.game.actions.tolist()
    if len(actions) < 3 or actions[-1] == actions[-3] or not scene.is_plain:  # noqa: PLR2004
        return None
    actions[-1], actions[-3] = actions[-3], actions[-1]
    try:
        return scene.game.replay(actions)
    except IllegalActionError:
        return None


@law("positions", "positions met again")
def the_hash_is_of_the_position_alone(scene: Scene) -> None:
    """64 bits; the same for the same stones and turn, however reached, and for no others."""
    games = [scene.game]
    if (swapped := transposed(scene)) is not None:
        games.append(swapped)
    if hasattr(scene.game, "from_planes"):
        games.append(type(scene.game).from_planes(scene.game.planes, **scene.rules))
    if not scene.game.is_over:
        for turns in ((0,), (1,), (1, 0), (0, 1)):
            turned = scene.game.copy()
            for turn in turns:
                if not turned.is_over:
                    turned.set_turn(turn)
            games.append(turned)
    for game in games:
        key = game.hash
        scene.demand(type(key) is int and 0 <= key < 2**64, f"hash is {key!r}, not 64 bits")
        position: Any = (stones(game), game.turn)
        known = scene.keys.setdefault(position, key)
        scene.demand(known == key, "one position has two hashes")
        scene.demand(scene.keys.setdefault(key, position) == position, "two positions have one hash")
        scene.note("positions")
    scene.note("positions met again", len(games) - len({game.hash for game in games}))


@law("games replayed", "replays refused", at_end=True)
def replaying_the_actions_gives_the_game(scene: Scene) -> None:
    """From the starting position; an illegal action is refused, and this game never changes."""
    origin = scene.game.replay([])
    scene.demand(origin.move_number == 0 and not len(origin.actions), "replay([]) is not at the start")
    played = origin.copy()
    for _ in range(scene.dice.randint(0, 20)):
        if not played.is_over:
            played.play(int(scene.dice.choice(played.legal_actions)))
    games = [origin, played, *([scene.game] if scene.is_plain else [])]
    for game in games:
        actions = game.actions
        for given in (actions, actions.tolist(), iter(actions.tolist())):
            again = scene.game.replay(given)
            scene.demand(again == game, f"replay({actions.tolist()}) is not equal to the game so played")
            scene.demand_same(sight(again), sight(game), f"in replay({actions.tolist()})")
        scene.note("games replayed")
    with scene.raises(IllegalActionError, "replay of an action off the board"):
        scene.game.replay([scene.points + 1])
    with scene.raises(TypeError, "replay of a float"):
        scene.game.replay([0.5])
    scene.note("replays refused")
    scene.demand_same(sight(scene.game), scene.sights[-1], "after replays")


@law("names", at_end=True)
def names_and_actions_are_inverse(scene: Scene) -> None:
    """Every action has a name of its own; no other text is a name."""
    game, names = scene.game, set()
    for action in range(scene.points + 1):
        name = game.action_to_name(action)
        back = game.name_to_action(name)
        scene.demand(
            type(name) is str and back == action, f"action {action} has the name {name!r} of action {back!r}"
        )
        names.add(name)
        scene.note("names")
    scene.demand(len(names) == scene.points + 1, "two actions have one name")
    scene.demand(game.action_to_name(scene.points) == "pass", 'the pass is not named "pass"')
    for text in ("", "A0", "A99", "?", "résigne"):
        with scene.raises(ValueError, f"name_to_action({text!r})"):
            game.name_to_action(text)
    for beyond in (-1, scene.points + 1):
        with scene.raises(IllegalActionError, f"action_to_name({beyond})"):
            game.action_to_name(beyond)
