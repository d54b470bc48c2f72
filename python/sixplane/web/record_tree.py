"""The variations and comments of a record, up to moves that are illegal."""

from __future__ import annotations

from typing import Final, NamedTuple

from sixplane._core import Game, Hex, Node, Reversi, recorded_action
from sixplane.errors import IllegalActionError
from sixplane.games import COLORS, can_only_pass
from sixplane.web.record_marks import marks_of
from sixplane.web.tree import MOST_PLACES, ROOT, Tree

#: The most nodes of a record that are read; those without a move add no position.
MOST_NODES: Final = 200_000

#: The most actions that are played again to come back to where variations begin.
MOST_REPLAYED: Final = 1_000_000

#: The properties that are moves, and those that set up stones.
MOVES: Final = {"B": 0, "W": 1}
SETTING_UP: Final = frozenset({"AB", "AW", "AE"})

#: The words for the colors where the turn is set.
TURNS: Final = {"b": 0, "black": 0, "1": 0, "w": 1, "white": 1, "2": 1}

#: The words in place of a move by which a player of Hex resigns.
RESIGNATIONS: Final = frozenset({"resign", "forfeit"})


def add_variations(tree: Tree, root: Node) -> str:
    """Adds the variations and comments of a record to the tree of its main line.

    A variation ends where a move is illegal or stones are set up after the start.

    Returns:
        A note about what is left out, or an empty text.
    """
    replay = _Replay(tree)
    last_set_up = _last_set_up(root)
    stack = [(root, _At(ROOT, opening=0))]
    nodes, left_out, note = 0, 0, ""
    while stack:
        node, at = stack.pop()
        nodes += 1
        if nodes > MOST_NODES:
            note = f"the record has more than {MOST_NODES:,} nodes: some are left out"
            break
        if len(tree) >= MOST_PLACES or replay.replayed > MOST_REPLAYED:
            note = "the record has too many variations: some are left out"
            break
        after = replay.take(node, at)
        if after is None:
            left_out += 1
            continue
        children = node.children
        main, others = children[:1], children[1:]
        if others and after.opening is not None and after.opening <= last_set_up:
            # The start of the tree has stones that only the main line sets up.
            left_out += len(others)
            others = []
        stack += [(child, after._replace(opening=None, is_main=False)) for child in reversed(others)]
        stack += [(child, after) for child in main]
    replay.write_comments()
    tree.keep()
    if left_out and not note:
        ends = "1 variation ends" if left_out == 1 else f"{left_out} variations end"
        note = f"{ends} early: a move is illegal, or stones are set up after the start"
    return note


def _properties(node: Node) -> list[tuple[str, list[str]]]:
    """Returns names and values, the names without small letters: old records have `Black` for `B`."""
    return [("".join(filter(str.isupper, name)), values) for name, values in node.properties]


def _last_set_up(root: Node) -> int:
    """Counts the nodes of the main line after the root up to the last one that sets up the start."""
    last = 0
    for number, node in enumerate(root.main_line()):
        names = {name for name, _ in _properties(node)}
        if names & SETTING_UP:
            last = number
        if names & MOVES.keys():
            break
    return last


class _At(NamedTuple):
    """Where a node of a record stands."""

    place: int
    """The number of the position before the node."""
    opening: int | None = None
    """The number of the node up to the first move, where it sets up the start, which the tree has already."""
    turn: int | None = None
    """The turn that was set since the last move."""
    is_main: bool = True
    """Whether the node is on the main line from the position."""
    is_over: bool = False
    """Whether somebody has resigned."""


class _Replay:
    """Plays the nodes of a record in one game, which goes from position to position of a tree."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._start = tree.game(ROOT)
        self._games: dict[int, Game] = {}
        self._comments: dict[int, list[str]] = {}
        self.replayed = 0
        """The number of actions that were played again to come back to where variations begin."""

    def take(self, node: Node, at: _At) -> _At | None:
        """Adds a node, and returns where the next one stands; None if the game does not allow it."""
        properties = _properties(node)
        after: _At | None = at
        # A turn is set before the moves of its node.
        for name, values in properties if at.opening is None else []:
            if name in SETTING_UP:
                return None
            if name == "PL" and after is not None:
                after = self._set_turn(after, values[0])
        for name, values in properties:
            if name in MOVES and after is not None:
                after = self._play(after, MOVES[name], values)
        if after is None:
            return None
        comment = (node.text("C") or "").strip()
        if comment:
            self._comments.setdefault(after.place, []).append(comment)
        self._tree[after.place].marks |= marks_of(node, self._start)
        if at.opening is None or after.place != ROOT:
            return after._replace(opening=None)
        return after._replace(opening=at.opening + 1)

    def write_comments(self) -> None:
        """Writes the comments of all nodes into the tree."""
        for place, comments in self._comments.items():
            self._tree[place].comment = "\n".join(comments)

    def _set_turn(self, at: _At, value: str) -> _At | None:
        turn = TURNS.get(value.strip().lower())
        game = self._game(at.place)
        self._games = {at.place: game}
        if turn is None or at.is_over or game.is_over:
            return None
        self._show_turn(at, turn)
        return at._replace(turn=turn)

    def _show_turn(self, at: _At, turn: int) -> None:
        """Makes a turn that is set that of the position, unless the first line from there does not set it."""
        place = self._tree[at.place]
        if at.is_main and not place.children:
            place.turn = turn

    def _play(self, at: _At, color: int, values: list[str]) -> _At | None:
        tree, place, is_turn_set = self._tree, at.place, at.turn is not None
        if len(values) != 1 or at.is_over:
            return None
        game = self._game(place)
        if game.is_over:
            return None
        if isinstance(game, Hex) and values[0].strip().lower() in RESIGNATIONS:
            return at._replace(is_over=True)
        if at.turn is not None:
            game.set_turn(COLORS[at.turn])
        action = recorded_action(game, values[0])
        if action is None:
            return None
        if game.turn != color:
            if isinstance(game, Reversi) and can_only_pass(game):
                # Reversi's records leave forced passes out.
                passing = game.num_actions - 1
                place = tree.add(place, game.turn, passing, is_turn_set=is_turn_set)
                game.play(passing)
                is_turn_set = False
            else:
                game.set_turn(COLORS[color])
                is_turn_set = True
        try:
            game.play(action)
        except IllegalActionError:
            return None
        if is_turn_set:
            self._show_turn(at, color)
        place = tree.add(place, color, action, is_turn_set=is_turn_set)
        self._games = {place: game}
        return _At(place)

    def _game(self, place: int) -> Game:
        """Returns the game after the moves up to a position, which may be changed.

        That after the last move is used again.
        """
        if place in self._games:
            return self._games.pop(place)
        self.replayed += self._tree[place].depth
        return self._tree.played(place)
