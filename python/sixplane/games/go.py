"""Go."""

from __future__ import annotations

from typing import Final

from sixplane._core import Go
from sixplane.games.info import GameInfo, RuleOption, moves_text
from sixplane.games.style import Style, star_points

#: The smallest board on which a search with the network is stronger than one with playouts.
LEAST_FOR_NETWORK: Final = 9

#: The middles of the sides are marked on boards from this side on.
LARGE: Final = 15


def _stopped(game: Go) -> str:
    score = game.score()
    leader = f"{'black' if score > 0 else 'white'} leads by {abs(score):g}" if score else "nobody leads"
    return f"stopped after {moves_text(game.move_number)}: as the board stands, {leader}"


#: What each ko rule forbids.
KO: Final = {
    "simple": "A stone that has just captured a single stone may not be captured by one stone at once (ko).",
    "positional": "No play may recreate an earlier board.",
    "situational": "No play may recreate an earlier board with the same player to play.",
}


def _in_words(game: Go) -> str:
    suicide = (
        "If its own chain then has no liberty, that chain is taken; a single stone may not be played so."
        if game.suicide
        else "A play may not leave its own chain without a liberty."
    )
    return (
        "The players put stones on empty points in turn, or pass. Stones of one color that are connected "
        "along lines are a chain; the empty points next to it are its liberties. A play takes the "
        "opponent's chains that it leaves without a liberty off the board. "
        f"{suicide} {KO[game.ko]} Two passes in a row end the game. A player's area is the "
        "player's stones and the empty points that reach no other stones. White gets "
        f"{game.komi:g} points more, and the larger sum wins. No stone is removed as dead at the end: "
        "capture dead stones before you pass."
    )


INFO: Final = GameInfo(
    title="Go",
    game_class=Go,
    style=Style(stars=lambda rows, cols: star_points(rows, cols, middles_of_sides=min(rows, cols) >= LARGE)),
    player="seconds=1,threads={threads},rave=1000,prior_visits=50,c=0.1",
    prefers_network=lambda game: min(game.rows, game.cols) >= LEAST_FOR_NETWORK,
    rules=(
        RuleOption("komi", float, "points given to white"),
        RuleOption("ko", str, "simple, positional or situational", ("simple", "positional", "situational")),
        RuleOption("suicide", bool, "a play may take two or more stones of its own color"),
        RuleOption("handicap", int, "black stones that stand at the start"),
    ),
    rules_in_words=_in_words,
    inputs=(
        *("own", "opponent", "invalid", "passed", "ones", "komi"),
        *("liberties_1", "liberties_2", "liberties_3"),
    ),
    counts_points=True,
    score_share=10 / 81,
    has_liberties=True,
    speaks_gtp=True,
    may_repeat=lambda game: game.ko == "simple",
    tally=lambda game: ("captured", *game.captures),
    stopped=_stopped,
)
