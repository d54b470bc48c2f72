"""What an agent is called where a person reads it: by what it is, such as `go9, 1 s`."""

from __future__ import annotations

import shlex
from pathlib import PurePath
from typing import Final

from sixplane import ladder
from sixplane._core import Game
from sixplane.agents.spec import AgentSpec

#: The Elo of a level is said as a multiple of this; its interval is wider.
ROUNDED: Final = 50

#: Options of which a name says enough, or which change nothing that a person would notice.
SAID: Final = {
    "name", "file", "command", "evaluator", "simulations", "seconds", "threads", "backend", "leaves",
}  # fmt: skip

#: The simulations of searches that are known players; None: those that do not search. The highest rung is a
#: known player, however long it searches.
SIMULATIONS: Final = (None, 100, 400, 1600)

#: What makes a rung of a player that is weaker than people know it.
WEAKENED: Final = {"random", "temperature"}

#: The share of an axis of Elo, from random play to the strongest known player, that a name needs for itself.
NAME_SHARE: Final = 1 / 9


def called(spec: AgentSpec, game: Game | None = None) -> str:
    """Names an agent: by the title that somebody gave it, else by its kind and how long it thinks.

    Args:
        spec: the agent.
        game: the game that it plays, on whose ladder an opponent of known strength is a level.

    Example:
        >>> import sixplane
        >>> from sixplane.agents.spec import AgentSpec
        >>> called(AgentSpec.parse("ladder:0"), sixplane.Reversi())
        'Level 0, random moves'
        >>> [called(AgentSpec.parse(text)) for text in ("mcts:simulations=200", "Ada@random")]
        ['200 playouts', 'Ada']
    """
    # The default agents have their kind as their title.
    if spec.title not in {str(spec), spec.kind}:
        return spec.title
    if game is not None and (rung := rung_of(spec, game)) is not None:
        return level_name(rung)
    if spec.title != spec.kind and not spec.options.keys() <= SAID:
        return spec.title
    return described(spec)


def described(spec: AgentSpec) -> str:
    """Describes an agent by its kind and how long it thinks, whatever its title."""
    options, simulations = spec.options, spec.options.get("simulations")
    who = {"mcts": "playouts", "score-table": "score table"}.get(spec.kind, spec.kind)
    if "command" in options:
        who = PurePath(shlex.split(str(options["command"]))[0]).name
    elif "evaluator" in options:
        who = "score table"
    elif spec.kind == "network":
        who = str(options.get("name") or PurePath(str(options.get("file", who))).stem)
    parts = [who]
    if simulations is not None and who == "playouts":
        parts = [f"{simulations} playouts"]
    elif simulations is not None:
        parts.append(f"{simulations} simulations")
    if options.get("seconds") is not None:
        parts.append(f"{options['seconds']:g} s")
    return ", ".join(parts)


def rung_of(spec: AgentSpec, game: Game) -> ladder.Rung | None:
    """Returns the rung that an agent is on a game's board; None for an agent of another kind.

    Raises:
        LadderError: the board has no such rung.
    """
    return ladder.find(game, str(spec.options["rung"])) if spec.kind == "ladder" else None


def level_name(rung: ladder.Rung) -> str:
    """Names a rung as a level, with its Elo above random play as a round number."""
    if not rung.number:
        return "Level 0, random moves"
    return f"Level {rung.number}, about {ROUNDED * round(rung.elo / ROUNDED):,}"


def known_players(game: Game) -> list[tuple[str, float]]:
    """Lists known players on the ladder of a board, the weakest first: what each is called, and its Elo.

    They are rungs and the known players of the table, as far as their names have room on an axis: random play
    first, then programs of others, then those of this package, of both the strongest first. A program that
    was rated with one setting is called by its name alone. A board without a ladder has none.
    """
    try:
        table = ladder.table_of(game)
    except ladder.LadderError:
        return []
    found = [(AgentSpec.parse(rung.spec), rung.elo) for rung in table.rungs]
    random, *ours = [
        (called(spec), elo)
        for spec, elo in found
        if (spec.options.get("simulations") in SIMULATIONS or spec == found[-1][0])
        and not spec.options.keys() & WEAKENED
    ]
    programs, others = [player.name.partition(",")[0] for player in table.players], []
    for program, player in zip(programs, table.players, strict=True):
        if program in table.networks:
            ours.append((player.name, player.elo))
        else:
            others.append((player.name if programs.count(program) > 1 else program, player.elo))
    room = NAME_SHARE * max(elo for _, elo in (random, *others, *ours))
    marks = [random]
    for name, elo in [*sorted(others, key=_elo, reverse=True), *sorted(ours, key=_elo, reverse=True)]:
        if all(abs(elo - other) >= room for _, other in marks):
            marks.append((name, elo))
    return sorted(marks, key=_elo)


def _elo(player: tuple[str, float]) -> float:
    return player[1]
