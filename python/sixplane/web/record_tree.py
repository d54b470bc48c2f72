"""The variations and comments of a record, up to moves that are illegal."""

from __future__ import annotations

from typing import Final

from sixplane._core import Game, Node, recorded_action
from sixplane.errors import IllegalActionError
from sixplane.games import can_only_pass
from sixplane.web.record_marks import marks_of
from sixplane.web.tree import MOST_PLACES, ROOT, Tree

#: The most characters of a comment; the rest is cut off.
LONGEST_COMMENT: Final = 4_000

#: The most nodes of a record that are read; those without a move add no position.
MOST_NODES: Final = 200_000

#: The most actions that are played again to come back to where variations begin.
MOST_REPLAYED: Final = 1_000_000

COLORS: Final = {"B": 0, "W": 1}
SETTING_UP: Final = frozenset({"AB", "AW", "AE"})


def add_variations(tree: Tree, root: Node) -> str:
    """Adds the variations and comments of a record to the tree of its main line.

    A variation ends where a move is illegal or stones are set up after the start.

    Returns:
        A note about what is left out, or an empty text.
    """
    replay = _Replay(tree)
    # Nodes of the main line before its first move set up the start, which the tree has already.
    stack = [(root, ROOT, True)]
    nodes, left_out, note = 0, 0, ""
    while stack:
        node, place, is_start = stack.pop()
        nodes += 1
        if nodes > MOST_NODES:
            note = f"the record has more than {MOST_NODES:,} nodes: some are left out"
            break
        if len(tree) >= MOST_PLACES or replay.replayed > MOST_REPLAYED:
            note = "the record has too many variations: some are left out"
            break
        after = replay.take(node, place, is_start=is_start)
        if after is None:
            left_out += 1
            continue
        children = node.children
        stack += [
            (child, after, is_start and after == ROOT and index == 0)
            for index, child in reversed(list(enumerate(children)))
        ]
    tree.keep()
    if left_out and not note:
        ends = "1 variation ends" if left_out == 1 else f"{left_out} variations end"
        note = f"{ends} early: a move is illegal, or stones are set up after the start"
    return note


class _Replay:
    """Plays the nodes of a record in one game, which goes from position to position of a tree."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._start = tree.game(ROOT)
        self._games: dict[int, Game] = {}
        self.replayed = 0
        """The number of actions that were played again to come back to where variations begin."""

    def take(self, node: Node, place: int, *, is_start: bool) -> int | None:
        """Adds a node after a position, and gives the new position; None if the game does not allow it."""
        tree = self._tree
        properties = node.properties
        if not is_start and any(name in SETTING_UP for name, _ in properties):
            return None
        for name, values in properties:
            if name in COLORS:
                found = self._play(place, COLORS[name], values)
                if found is None:
                    return None
                place = found
        comment = (node.text("C") or "")[:LONGEST_COMMENT].strip()
        if comment:
            before = tree[place].comment
            tree[place].comment = f"{before}\n{comment}"[:LONGEST_COMMENT] if before else comment
        tree[place].marks |= marks_of(node, self._start)
        return place

    def _play(self, place: int, color: int, values: list[str]) -> int | None:
        if len(values) != 1:
            return None
        tree = self._tree
        game = self._game(place)
        action = recorded_action(game, values[0])
        if action is None or game.is_over:
            return None
        if game.turn != color:
            if can_only_pass(game):
                # Reversi's records leave forced passes out.
                place = tree.add(place, game.turn, game.num_actions - 1)
                game.play(game.num_actions - 1)
            else:
                game.set_turn("white" if color else "black")
        try:
            game.play(action)
        except IllegalActionError:
            return None
        after = tree.add(place, color, action)
        self._games = {after: game}
        return after

    def _game(self, place: int) -> Game:
        """Returns the game at a position, which may be changed; the one after the last move is reused."""
        if place in self._games:
            return self._games.pop(place)
        self.replayed += self._tree[place].depth
        return self._tree.game(place)
