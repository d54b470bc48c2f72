"""The widget: a game, or the games of a batch, as a board in a notebook."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import files
from typing import Final, get_args

import anywidget
import msgspec
import traitlets

from sixplane._arguments import flag, integer
from sixplane._core import Game, GameBatch
from sixplane._modules import joined
from sixplane.agents.agent import Agent, checked_agent
from sixplane.agents.called import called
from sixplane.agents.spec import HUMAN, AgentSpec
from sixplane.games import COLORS, info_of
from sixplane.play.players import Players
from sixplane.render.html import image
from sixplane.web.messages import GameMessage, Look, MessageForm, Play, Resign, Undo, refusals
from sixplane.web.page import Page
from sixplane.web.refusal import RefusedError, one_line
from sixplane.web.requested import Display, Theme
from sixplane.web.tree import Source
from sixplane.web.view import LONGEST_LINE, stone_pictures
from sixplane.widget.shared_agents import Nobody, NotebookSession, OwnSession

#: The folders of the modules and style sheets.
FOLDERS: Final = (("sixplane.widget", "static"), ("sixplane.web", "static"))

#: The widths in pixels of the narrowest and the widest board.
NARROWEST: Final = 120
WIDEST: Final = 4096


class TurnTo(MessageForm, frozen=True, tag="page"):
    """Shows a game of the batch."""

    index: int


def _read(name: str) -> str:
    """Returns the text of a file of the widget or of the pages."""
    for package, folder in FOLDERS:
        file = files(package) / folder / name
        if file.is_file():
            return file.read_text(encoding="utf-8")
    raise FileNotFoundError(name)


def _module() -> str:
    """Returns the module that a notebook gets, which contains its style sheets."""
    sheets = _read("board.css") + _read("widget.css")
    return f"const SHEETS = {json.dumps(sheets)};\n{joined('widget', lambda name: _read(f'{name}.js'))}"


class Board(anywidget.AnyWidget):  # type: ignore[misc] # anywidget is optional
    """Shows a game and takes clicks, or pages through the games of a batch.

    A click plays for the color to play. With an agent, clicks play for the person's color only. The agent
    thinks in a thread, so other cells can run meanwhile. It loses the game if it raises an error, exits or
    returns no legal action. The board then shows the error in one line, and *Undo* continues the game. Where
    the agent has found a proof (`exact=True`), the board says it when the person looks back.

    `game` is the game, which is a new object after every change. `board.observe(function, "game")` calls a
    function after each change, perhaps in the thread of the agent. `board.game = other` begins another game.

    Args:
        game: a game, which is copied, or a batch.
        agent: an agent of `sixplane.agents`, or its spec, such as `"mcts:simulations=100"`; None: clicks play
            both colors. Boards with the same agent ask it one after another.
        color: the color of the person, if there is an agent.
        index: the number of the game of a batch that is shown first.
        width: the width of the board in pixels, if there is enough space.
        theme: `"classic"`, `"paper"` or `"slate"`.
        coordinates: whether letters and numbers stand around the board.
        numbers: whether to write the numbers of their moves on the stones.
        marks: whether to mark the legal points (Reversi) or the illegal ones (Go, Gomoku); None: in Reversi
            only.

    Raises:
        TypeError: `game` is no game or batch, `agent` is no agent, or a batch has an agent.
        ValueError: an option has a wrong value, or the agent does not play this game.
        ModuleNotFoundError: anywidget is not installed.

    Example:
        >>> import sixplane
        >>> from sixplane.agents import MCTSAgent
        >>> from sixplane.widget import Board
        >>> board = Board(sixplane.Go(size=9), agent=MCTSAgent(simulations=200))
        >>> board.game.turn
        0
    """

    _esm = _module()

    state = traitlets.Dict(help="What the front end shows and cannot change.").tag(sync=True)
    stones = traitlets.List(help="Pictures of a black and a white stone.").tag(sync=True)
    width = traitlets.Int(480, min=NARROWEST, max=WIDEST, help="The width in pixels.").tag(sync=True)
    game = traitlets.Instance(Game, help="The game that is shown.")
    index = traitlets.Int(0, help="The number of the game of a batch that is shown.")

    _is_ready = False
    #: That of the agent, if the board has made it.
    _spec: AgentSpec | None = None
    _batch: GameBatch | None = None

    def __init__(
        self,
        game: Game | GameBatch,
        agent: Agent | str | None = None,
        *,
        color: str = "black",
        index: int = 0,
        width: int = 480,
        theme: Theme = "classic",
        coordinates: bool = True,
        numbers: bool = False,
        marks: bool | None = None,
    ) -> None:
        if not isinstance(game, (Game, GameBatch)):
            raise TypeError(f"a board shows a game or a batch, not {type(game).__name__}")
        batch = game if isinstance(game, GameBatch) else None
        if batch is not None and agent is not None:
            raise TypeError("an agent cannot play in a batch, which is only looked at")
        if color not in COLORS:
            raise ValueError(f"color must be 'black' or 'white', not {color!r}")
        if theme not in get_args(Theme):
            raise ValueError(f"theme must be one of {', '.join(get_args(Theme))}, not {theme!r}")
        if not NARROWEST <= integer("width", width) <= WIDEST:
            raise ValueError(f"width must be from {NARROWEST} to {WIDEST} pixels, not {width}")
        if batch is None and integer("index", index):
            raise ValueError(f"index is the number of a game of a batch, and one game is shown, not {index}")
        coordinates, numbers = flag("coordinates", coordinates), flag("numbers", numbers)
        self._batch = batch
        first: Game = game[index] if isinstance(game, GameBatch) else game
        marked = info_of(first).marks_legal if marks is None else flag("marks", marks)
        # What the agent found is said where a person looks back.
        of: Source = "white" if color == "black" else "black"
        display = Display(theme=theme, numbers=numbers, marks=marked, coordinates=coordinates, of=of)
        if isinstance(agent, str):
            self._spec = AgentSpec.parse(agent)
            agent = _made(self._spec, first)
        self._players = _players_of(agent, color, is_looked_at=batch is not None)
        if self._spec is not None:
            self._players = self._players_in(first)
        session = NotebookSession if self._spec is None else OwnSession
        self._session = session(self._players, first, self._update, self._send_progress)
        self._page = Page(self._session, display)
        start = 0 if batch is None else index % len(batch)
        self._kept = first.copy()
        super().__init__(
            game=first, stones=stone_pictures(), width=width, index=start, state=self._state(start)
        )
        self._is_ready = True
        self.observe(self._game_set, "game")
        self.observe(self._index_set, "index")
        self.on_msg(self._asked)
        if batch is None:
            self._session.start()

    def close(self) -> None:
        """Removes the board from the notebook, stops its agent, and closes one that was made from a spec."""
        if self._is_ready:
            self._session.close()
        super().close()

    def set_state(self, sync_data: Mapping[str, object]) -> None:
        """Refuses changes by a front end, which may only send messages."""
        self._refuse("bad_message", f"a front end cannot set {', '.join(sorted(map(str, sync_data)))}")

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict[str, object], dict[str, object]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        # Where no widgets are shown, such as in a notebook converted to HTML, the picture is shown.
        data, metadata = bundle
        return {**data, "text/html": image(self.state["board"], self.width)}, metadata

    def _state(self, index: int) -> dict[str, object]:
        page = None if self._batch is None else {"index": index, "count": len(self._batch)}
        return {**self._page.state(), "marks": self._page.display.marks, "page": page}

    def _update(self) -> None:
        """Updates the front end and the observers; the session is locked."""
        if not self._is_ready:
            return
        self.state = self._state(self.index)
        self.game = self._session.snapshot().game

    def _send_progress(self, part: float) -> None:
        self.send({"type": "progress", "part": round(part, 3)})

    @traitlets.validate("game")  # type: ignore[untyped-decorator]
    def _game_may_be_set(self, proposal: Mapping[str, Game]) -> Game:
        # The caller may play on in the game that is set.
        game = proposal["value"].copy()
        if self._batch is not None and game != self._session.snapshot().game:
            raise traitlets.TraitError("a board of a batch shows the games of the batch: set its index")
        if self._spec is not None and game != self._session.snapshot().game:
            try:
                self._spec.check_game(game)
            except ValueError as error:
                raise traitlets.TraitError(str(error)) from error
        # Whoever has read the one before may have played on in it: the new one is compared with a copy of it.
        self._trait_values["game"], self._kept = self._kept, game.copy()
        return game

    @traitlets.validate("index")  # type: ignore[untyped-decorator]
    def _index_may_be_set(self, proposal: Mapping[str, int]) -> int:
        index = proposal["value"]
        games = 1 if self._batch is None else len(self._batch)
        if not 0 <= index < games:
            raise traitlets.TraitError(f"there are games 0 to {games - 1}, and no game {index}")
        return index

    def _game_set(self, change: Mapping[str, Game]) -> None:
        # The session has its own changes already.
        if change["new"] != self._session.snapshot().game:
            self._session.new(self._players_in(change["new"]), change["new"])

    def _players_in(self, game: Game) -> Players:
        """Returns the players of another game: a level has another strength on another board."""
        if self._spec is None:
            return self._players
        name = called(self._spec, game)
        black, white = ("" if seat is None else name for seat in self._players.seats)
        return replace(self._players, names=(black, white))

    def _index_set(self, change: Mapping[str, int]) -> None:
        assert self._batch is not None  # noqa: S101 - else there is one index
        self._session.new(self._players, self._batch[change["new"]])

    def _asked(self, _widget: object, content: object, _buffers: object) -> None:
        """Does what a front end asks for, or sends it the reason why not."""
        try:
            with refusals():
                message = msgspec.convert(content, Play | Resign | Undo | Look | TurnTo)
            if isinstance(message, GameMessage):
                message.do(self._session)
            elif isinstance(message, Look):
                self._page.look(message.at)
                self._session.changed()
            else:
                self._turn_to(message.index)
        except RefusedError as error:
            self._refuse(error.reason, str(error))

    def _refuse(self, reason: str, text: str) -> None:
        self.send({"type": "refused", "reason": reason, "text": one_line(text, LONGEST_LINE)})

    def _turn_to(self, index: int) -> None:
        games = 0 if self._batch is None else len(self._batch)
        if not 0 <= index < games:
            raise RefusedError("bad_message", f"the board has {games} games of a batch, and no game {index}")
        self.index = index


def _made(spec: AgentSpec, game: Game) -> Agent:
    """Makes an agent that plays a game."""
    if spec.kind == HUMAN:
        raise ValueError("human is no agent: without an agent, clicks play both colors")
    spec.check_game(game)
    return spec.make(secrets.randbits(63))


def _players_of(agent: Agent | None, color: str, *, is_looked_at: bool) -> Players:
    """Returns the players: persons, an agent and a person, or nobody."""
    nobody = Nobody()
    if is_looked_at:
        return Players((nobody, nobody), ("", ""), nobody)
    if agent is None:
        return Players((None, None), ("", ""), nobody)
    name = type(checked_agent("agent", agent)).__name__
    if color == "black":
        return Players((None, agent), ("", name), nobody)
    return Players((agent, None), (name, ""), nobody)
