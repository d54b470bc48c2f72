"""The opponents and the games that a page may ask for."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from sixplane import ladder
from sixplane._core import Game
from sixplane.agents.agent import Agent
from sixplane.agents.called import called, described, level_name, rung_of
from sixplane.agents.spec import HUMAN, AgentSpec
from sixplane.errors import GameRulesError
from sixplane.games import GAMES, GameInfo, info_named, info_of
from sixplane.games.own import OWN_GAMES
from sixplane.play.players import Players
from sixplane.web.refusal import RefusedError, rules_failed

if TYPE_CHECKING:
    # It needs a library, of which the server says how to get it.
    from sixplane.web.requested import RequestedGame

PERSON: Final = "person"

#: The levels of the agents that come with the package, the weakest first, with the limits of their search.
#: None stands for random play.
LEVELS: Final[Mapping[str, Mapping[str, float] | None]] = {
    "beginner": None,
    "easy": {"simulations": 50},
    "medium": {"simulations": 1000},
    "strong": {"seconds": 1.0},
    "stronger": {"seconds": 5.0},
    "strongest": {"seconds": 20.0},
}

#: The sides to try, to find which boards a game has.
SIDES: Final = range(1, 41)


@dataclass(frozen=True)
class Opponents:
    """Makes the players of new games.

    A page may name any agent of this package, but start no program and open no file: for that the agent
    must have been named on the command line.
    """

    default: Callable[[Game], str]
    """A function of a game: the spec of the agent that plays it unless another is named."""
    check: Callable[[AgentSpec, Game, float | None], None]
    """Prepares an agent for a game with a time limit, or raises a `ValueError` if it cannot play."""
    given: Mapping[str, AgentSpec]
    """The specs of the agents named on the command line, by their titles."""
    hint: str | None = None
    """The spec of the agent that gives hints; None: the default agent."""
    delay: float = 0.3
    """Seconds between the moves of two agents."""

    def players(self, request: RequestedGame, game: Game | None = None) -> tuple[Players, Game]:
        """Makes the players and the start of a new game, which may take up to a minute.

        Args:
            request: game and players that the page asks for.
            game: position to continue from, whatever game is requested; None: a new game.

        Raises:
            RefusedError: there is no such game or agent, or the agent cannot play it.
        """
        game = _game(request) if game is None else game
        if request.opponent == PERSON:
            agent, name, level = None, request.opponent_name, None
        else:
            agent, name, level = self._agent(request.opponent, game, request.seconds)
        person: tuple[Agent | None, str] = (None, request.name)
        if request.watch:
            person = self._agent(request.watch, game, request.seconds)[:2]
        color = request.color if request.color != "random" else secrets.choice(("black", "white"))
        seats = (person, (agent, name)) if color == "black" else ((agent, name), person)
        (black, black_name), (white, white_name) = seats
        names, hint = (black_name, white_name), self.hint_agent(game)
        return Players((black, white), names, hint, request.seconds, self.delay, level), game

    def persons(self, game: Game, names: tuple[str, str]) -> Players:
        """Returns two persons with these names, for a game that was opened."""
        return Players((None, None), names, self.hint_agent(game))

    def hint_agent(self, game: Game) -> Agent:
        """Returns a new agent that gives hints."""
        return AgentSpec.parse(self.hint or self.default(game)).make(secrets.randbits(63))

    def _agent(self, text: str, game: Game, seconds: float | None) -> tuple[Agent, str, ladder.Rung | None]:
        """Makes an agent, and gives its name and the rung that it is, too."""
        try:
            spec = self._spec(text, game)
            spec.check_game(game)
            self.check(spec, game, seconds)
            name = f"{text.capitalize()} ({described(spec)})" if text in LEVELS else called(spec, game)
            return spec.make(secrets.randbits(63)), name, rung_of(spec, game)
        except (TypeError, ValueError) as error:
            raise RefusedError("bad_opponent", str(error)) from error

    def _spec(self, text: str, game: Game) -> AgentSpec:
        if text in self.given:
            return self.given[text]
        if text not in LEVELS:
            spec = AgentSpec.parse(text)
            if spec.opens_files:
                raise ValueError("only the command line may name programs and files: use --opponent")
            if spec.kind == HUMAN:
                raise ValueError("human is no agent: choose another person as the opponent")
            return spec
        limits = LEVELS[text]
        if limits is None:
            return AgentSpec("random", title=text)
        # The network of the package is no opponent for a beginner.
        of_game = info_of(game).player.replace("{threads}", "1")
        spec = AgentSpec.parse(self.default(game) if "seconds" in limits else f"mcts:{of_game}")
        options = {name: value for name, value in spec.options.items() if name != "seconds"}
        return dataclasses.replace(spec, title=text, options=options | dict(limits))


def _game(request: RequestedGame) -> Game:
    try:
        info = info_named(request.game)
        if others := request.rules.keys() - set(info.rule_names):
            raise ValueError(f"{info.title} has no rule {min(others)!r}")
        return info.game_class(size=request.size, max_moves=request.max_moves, **request.rules)
    except (TypeError, ValueError) as error:
        raise RefusedError("bad_game", str(error)) from error
    except GameRulesError as error:
        raise RefusedError("bad_rules", rules_failed(error)) from error


def catalogue(now: Game) -> list[dict[str, object]]:
    """Returns all games with their boards and rules, for the panel of a new game.

    A class of your own whose usual options make no game is left out. If the page begins with a game of your
    own, `now`, its board and options are offered.
    """
    entries = [_entry(info, info.game_class()) for info in GAMES.values()]
    for info in OWN_GAMES.values():
        with suppress(TypeError, ValueError, GameRulesError):
            game = now if isinstance(now, info.game_class) else info.game_class()
            entries.append(_entry(cast("GameInfo[Game]", info), game))
    return entries


def _entry(info: GameInfo[Game], game: Game) -> dict[str, object]:
    rules = {rule.name: getattr(game, rule.name) for rule in info.rules}
    sides = [side for side in SIDES if _has_board(info, side, rules)]
    return {
        "name": game.name,
        "title": info.title,
        "size": [game.rows, game.cols],
        "sides": [sorted({*sides, side}) for side in (game.rows, game.cols)],
        "levels": {f"{side}x{side}": names for side in sides if (names := _levels(info, side, rules))},
        "has_pass": info.has_pass,
        "marks_legal": info.marks_legal,
        "rules": [
            {
                "name": rule.name,
                "kind": rule.kind.__name__,
                "help": rule.help,
                "value": rules[rule.name],
                "choices": list(rule.choices),
            }
            for rule in info.rules
        ],
    }


def _has_board(info: GameInfo[Game], side: int, rules: Mapping[str, object]) -> bool:
    try:
        info.game_class(size=side, **rules)
    except (ValueError, GameRulesError):
        return False
    return True


def _levels(info: GameInfo[Game], side: int, rules: Mapping[str, object]) -> list[str]:
    """Returns the names of the levels of a board, the weakest first; none where there is no ladder."""
    try:
        return [level_name(rung) for rung in ladder.rungs(info.game_class(size=side, **rules))]
    except ladder.LadderError:
        return []
