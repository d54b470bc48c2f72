"""The widget: a game, or the games of a batch, as a board in a notebook."""

from __future__ import annotations

import json
import secrets
from importlib.resources import files
from typing import TYPE_CHECKING, Final, get_args

import anywidget
import msgspec
import traitlets

from sixplane._arguments import integer
from sixplane._core import Game, GameBatch
from sixplane._modules import joined
from sixplane.agents.agent import Agent
from sixplane.agents.spec import AgentSpec
from sixplane.games import COLORS, info_of
from sixplane.play.players import Players
from sixplane.render.html import image
from sixplane.web.display import Display, Theme
from sixplane.web.messages import GameMessage, Look, MessageForm, Play, Resign, Undo, refusals
from sixplane.web.page import Page
from sixplane.web.refusal import RefusedError, one_line
from sixplane.web.view import LONGEST_LINE, stone_pictures
from sixplane.widget.shared_agents import Nobody, NotebookSession

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Board"]

#: The folders of the modules and style sheets.
FOLDERS: Final = (("sixplane.widget", "static"), ("sixplane.web", "static"))

#: Pixels: the narrowest and the widest board.
NARROWEST: Final = 120
WIDEST: Final = 4096


class TurnTo(MessageForm, frozen=True, tag="page"):
    """Shows a game of the batch."""

    index: int


def _read(name: str) -> str:
    """The text of a file of the widget or of the page."""
    for package, folder in FOLDERS:
        file = files(package) / folder / name
        if file.is_file():
            return file.read_text(encoding="utf-8")
    raise FileNotFoundError(name)


def _module() -> str:
    """The one module that a notebook gets, with its style sheets in it."""
    sheets = _read("board.css") + _read("widget.css")
    return f"const SHEETS = {json.dumps(sheets)};\n{joined('widget', lambda name: _read(f'{name}.js'))}"


class Board(anywidget.AnyWidget):  # type: ignore[misc] # anywidget is optional
    """A board that shows a game and takes clicks, or that pages through the games of a batch.

    A click plays for the color to play. With an agent, it is the person's color that clicks play for, and the
    agent answers from a thread, so that other cells can run meanwhile. What the agent raises, and an illegal
    action, loses it the game, and is shown in one line; `undo` goes back.

    `game` is the game, a new object after every change; `board.observe(function, "game")` calls a function
    then, which may be in the thread of the agent. To begin another game, set it: `board.game = other`.

    Args:
        game: a game, which is copied, or a batch.
        agent: an agent of `sixplane.agents`, or the spec of one, such as `"mcts:simulations=100"`; None: both
            colors are played by clicks. Boards with the same agent ask it one after another.
        color: with an agent, the person's.
        index: of the game of a batch that is shown first.
        width: of the board in pixels, if there is so much space.
        theme: `"classic"`, `"paper"` or `"slate"`.
        coordinates: whether letters and numbers stand around the board.
        numbers: whether the stones carry the numbers of their moves.
        marks: whether to mark where one may play (Reversi) or may not (Go); None: the first alone.

    Raises:
        TypeError: no game or batch, no agent, or an agent for a batch.
        ValueError: an option that has no such value, or an agent that does not play this game.
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

    state = traitlets.Dict(help="What the front end shows; it cannot change it.").tag(sync=True)
    stones = traitlets.List(help="A black and a white stone as pictures.").tag(sync=True)
    width = traitlets.Int(480, help="The width of the board in pixels.").tag(sync=True)
    game = traitlets.Instance(Game, help="The game that is shown.")
    index = traitlets.Int(0, help="Which game of a batch is shown.")

    _is_ready = False
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
            raise TypeError("no agent plays in a batch: it is only looked at")
        if color not in COLORS:
            raise ValueError(f"color must be 'black' or 'white', not {color!r}")
        if theme not in get_args(Theme):
            raise ValueError(f"theme must be one of {', '.join(get_args(Theme))}, not {theme!r}")
        if not NARROWEST <= integer("width", width) <= WIDEST:
            raise ValueError(f"width must be from {NARROWEST} to {WIDEST} pixels, not {width}")
        self._batch = batch
        first: Game = game[index] if isinstance(game, GameBatch) else game
        marked = info_of(first).marks_legal if marks is None else marks
        display = Display(theme=theme, numbers=numbers, marks=marked, coordinates=coordinates)
        self._players = _players_of(first, agent, color, is_looked_at=batch is not None)
        self._session = NotebookSession(self._players, first, self._update, self._send_progress)
        self._page = Page(self._session, display)
        start = 0 if batch is None else index % len(batch)
        # The game of the session; another one is set by the user.
        self._own_game = first.copy()
        super().__init__(
            game=self._own_game,
            stones=stone_pictures(),
            width=width,
            index=start,
            state=self._state(start),
        )
        self._is_ready = True
        self.observe(self._game_set, "game")
        self.observe(self._index_set, "index")
        self.on_msg(self._asked)
        if batch is None:
            self._session.start()

    def close(self) -> None:
        """Takes the board from the notebook, and ends its thinking."""
        if self._is_ready:
            self._session.close()
        super().close()

    def set_state(self, sync_data: Mapping[str, object]) -> None:
        """Refuses what a front end wants to change: it may only ask."""
        self._refuse("bad_message", f"a front end cannot set {', '.join(sorted(map(str, sync_data)))}")

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict[str, object], dict[str, object]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        # What shows no widgets, such as a page that a notebook was made into, shows the picture.
        data, metadata = bundle
        return {**data, "text/html": image(self.game.to_svg(width=self.width))}, metadata

    def _state(self, index: int) -> dict[str, object]:
        page = None if self._batch is None else {"index": index, "count": len(self._batch)}
        return {**self._page.state(), "marks": self._page.display.marks, "page": page}

    def _update(self) -> None:
        """Tells the front end and the observers how the game stands; the session is locked."""
        if not self._is_ready:
            return
        self.state = self._state(self.index)
        self._own_game = self._session.snapshot().game
        self.game = self._own_game

    def _send_progress(self, part: float) -> None:
        self.send({"type": "progress", "part": round(part, 3)})

    @traitlets.validate("game")  # type: ignore[untyped-decorator]
    def _game_may_be_set(self, proposal: Mapping[str, Game]) -> Game:
        game = proposal["value"]
        if self._batch is not None and game is not self._own_game:
            raise traitlets.TraitError("a board of a batch shows the games of the batch: set its index")
        return game

    @traitlets.validate("index")  # type: ignore[untyped-decorator]
    def _index_may_be_set(self, proposal: Mapping[str, int]) -> int:
        index = proposal["value"]
        games = 1 if self._batch is None else len(self._batch)
        if not 0 <= index < games:
            raise traitlets.TraitError(f"there are games 0 to {games - 1}, and no game {index}")
        return index

    def _game_set(self, change: Mapping[str, Game]) -> None:
        if change["new"] is not self._own_game:
            self._session.new(self._players, change["new"])

    def _index_set(self, change: Mapping[str, int]) -> None:
        assert self._batch is not None  # noqa: S101 - else there is one index
        self._session.new(self._players, self._batch[change["new"]])

    def _asked(self, _widget: object, content: object, _buffers: object) -> None:
        """Does what a front end asks for, or says why not."""
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


def _players_of(game: Game, agent: Agent | str | None, color: str, *, is_looked_at: bool) -> Players:
    """The players: persons, an agent and a person, or nobody."""
    nobody = Nobody()
    if is_looked_at:
        return Players((nobody, nobody), ("", ""), nobody)
    if agent is None:
        return Players((None, None), ("", ""), nobody)
    if isinstance(agent, str):
        spec = AgentSpec.parse(agent)
        spec.check_game(game)
        agent, name = spec.make(secrets.randbits(63)), spec.title
    elif isinstance(agent, Agent):
        name = type(agent).__name__
    else:
        raise TypeError(f"an agent has select_action, or is the spec of one; not {agent!r}")
    if color == "black":
        return Players((None, agent), ("", name), nobody)
    return Players((agent, None), (name, ""), nobody)
