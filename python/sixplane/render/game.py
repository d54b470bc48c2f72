"""Pictures of game objects: what `game.to_svg()` draws, by the functions of planes in this package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sixplane._arguments import integer
from sixplane.games import info_of
from sixplane.games.plays import backwards
from sixplane.render.animation import animated_svg
from sixplane.render.description import standing
from sixplane.render.svg import as_choice, board_svg, check_shared, grid_svg, how_many

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from numpy.typing import ArrayLike

    from sixplane._arguments import Array
    from sixplane._core import Game, GameBatch
    from sixplane.games.style import Style
    from sixplane.render.svg import BoardOptions

#: The options of a picture of one game that its batch does not take.
OF_ONE: Final = {"numbers", "ownership", "line", "last", "animate", "seconds", "hold"}


def game_svg(
    game: Game,
    style: str | Style,
    *,
    last: bool = True,
    numbers: bool | int = False,
    invalid: bool = False,
    liberties: bool | ArrayLike = False,
    ownership: bool | ArrayLike | None = None,
    heat: ArrayLike | None = None,
    heat_text: bool | int = False,
    line: Sequence[int] | None = None,
    footer: bool | str = False,
    animate: bool = False,
    seconds: float = 0.5,
    hold: float = 3.0,
    title: str | None = None,
    **options: Any,
) -> str:
    """Draws a game in play, with the options of `Game.to_svg`; the others are for functions of planes."""
    title = game_title(game) if title is None else title
    footer, liberties, ownership = as_choice(footer), as_choice(liberties), as_choice(ownership)
    says_winner = footer is True and game.is_over
    if animate:
        still = {
            "numbers": bool(numbers),
            "invalid": bool(invalid),
            "liberties": liberties is not False,
            "ownership": ownership is not None and ownership is not False,
            "heat": heat is not None,
            "heat_text": bool(heat_text),
            "line": line is not None,
        }
        for name, is_asked in still.items():
            if is_asked:
                raise TypeError(f"an animation does not take {name}")
        frames = positions(game)
        return animated_svg(
            [planes for planes, _ in frames],
            style,
            lasts=[action if last else None for _, action in frames],
            seconds=seconds,
            hold=hold,
            footer=[*[None] * (len(frames) - 1), result_text(game)] if says_winner else footer,
            title=title,
            **options,
        )
    if ownership is True:
        owner = getattr(game, "ownership", None)
        if owner is None:
            raise TypeError(f"{type(game).__name__} has no ownership of its own: pass an array (rows, cols)")
        ownership = owner()
    if says_winner:
        footer = result_text(game)
    if line is None and hasattr(game, "winning_line"):
        line = game.winning_line()
    return board_svg(
        game.planes,
        style,
        last=game.last_action if last else None,
        numbers=_numbers(game, numbers),
        invalid=invalid,
        liberties=liberties,
        ownership=None if ownership is False else ownership,
        heat=heat,
        heat_text=heat_text,
        line=line,
        footer=footer,
        title=title,
        **options,
    )


def batch_svg(
    batch: GameBatch,
    *,
    limit: int = 16,
    columns: int | None = None,
    width: int = 960,
    title: str | None = None,
    **options: Unpack[BoardOptions],
) -> str:
    """Draws the first games of a batch side by side, with the options of `GameBatch.to_svg`."""
    if of_one := sorted(OF_ONE & options.keys()):
        raise TypeError(f"{of_one[0]} belongs to one game: draw it by the game's to_svg")
    check_shared(options)
    limit = integer("limit", limit, 1)
    games = batch[:limit]
    if title is None:
        some = f"the first {len(games)} of {len(batch)}" if len(games) < len(batch) else str(len(batch))
        first = games[0]
        title = f"{info_of(first).title} {first.rows}x{first.cols}, {some} games"
    return grid_svg(
        batch.planes[:limit],
        info_of(games[0]).style,
        columns=columns,
        width=width,
        lasts=[game.last_action for game in games],
        title=title,
        **options,
    )


def game_title(game: Game, ended: str = "") -> str:
    """Titles a picture of a game: its name, size and number of moves, and who is to play or has won.

    Where the game itself does not know how it ended, `ended` tells it.
    """
    info = info_of(game)
    stands = ended or result_text(game) or standing(game.planes, info.style)
    return f"{info.title} {game.rows}x{game.cols}, move {game.move_number}, {stands}"


def positions(game: Game) -> list[tuple[Array, int | None]]:
    """Returns the planes at the start and after each action, each with the last action."""
    earlier = [(past.planes, past.last_action) for past, _ in backwards(game)]
    return [*earlier[::-1], (game.planes, game.last_action)]


def result_text(game: Game) -> str:
    """Returns the result in words, such as `black wins by 3.5`; an empty text while the game goes on."""
    outcome = game.outcome
    if outcome is None:
        return ""
    if outcome == "draw":
        return "draw"
    if game.ending == "resignation":
        return f"{outcome} wins by resignation"
    return win_text(game, outcome, game.score())


def win_text(game: Game, winner: str, score: float) -> str:
    """Returns who has won by the board, and by how much if the game counts points."""
    return f"{winner} wins by {abs(score):g}" if info_of(game).counts_points else f"{winner} wins"


def _numbers(game: Game, numbers: bool | int) -> dict[int, int | str] | None:
    count = how_many("numbers", numbers)
    if count is False:
        return None
    actions = game.actions.tolist()
    first = 0 if count is True else max(0, len(actions) - count)
    points = game.rows * game.cols
    if info_of(game).passing == "swap" and actions[1:2] == [points]:
        # The stone has gone to the point with row and column exchanged, and the swap is its number.
        row, col = divmod(actions[0], game.cols)
        actions[:2] = [points, col * game.cols + row]
    # A point played several times carries the last number.
    return {action: index + 1 for index, action in enumerate(actions) if index >= first and action < points}
