"""Games as text: how they are said to end, and opponents that play on what they are given."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import pytest

from sixplane.text import GomokuText, GoText, HexText, ReversiText, TextGame, TicTacToeText

if TYPE_CHECKING:
    from sixplane import Game


class Plays:
    """An opponent that plays these points in turn, on the very game that it is given."""

    def __init__(self, *names: str) -> None:
        self.names = list(names)

    def select_action(self, game: Game) -> int:
        action = game.name_to_action(self.names.pop(0))
        game.play(action)
        return action


#: A game, the moves of the model and of its opponent, and what is said at the end.
ENDS: list[tuple[type[TextGame], dict[str, Any], str, str, str]] = [
    (GoText, {"size": 3, "komi": 4}, "B2 pass", "pass", "both players passed. Black is 5 ahead. You win."),
    (GoText, {"size": 3}, "pass", "pass", "both players passed. White is 7.5 ahead. You lose."),
    (TicTacToeText, {}, "B2 C1 A2 B3 C3", "A1 A3 C2 B1", "the board is full. It is a draw."),
    (HexText, {"size": 2}, "A1 A2", "B1", "a chain joins two sides. You win."),
    (GomokuText, {"size": 5}, "A1 B1 C1 D1 E1", "A2 B2 C2 D2", "there is a winning line. You win."),
    (
        ReversiText,
        {"start": "(;GM[2]SZ[4]AB[ba]AW[ca][da]PL[W])", "color": "white"},
        "A1",
        "",
        "neither player can play. White is 4 ahead. You win.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("make", "options", "moves", "replies", "said"), ENDS)
def test_the_end_of_a_game_is_told_in_words(
    make: type[TextGame], options: dict[str, Any], moves: str, replies: str, said: str
) -> None:
    env = make(opponent=Plays(*replies.split()), **options)
    env.reset()
    for move in moves.split():
        text = env.play(move)
        assert "illegal" not in text
    assert text.endswith(f"The game is over: {said}")


def test_a_forced_pass_that_a_record_leaves_out_is_no_move_of_it() -> None:
    moves = ["C4", "B4", "A3", "D2", "A4", "B1", "A1", "D1", "C1", "D3", "D4", "A2"]
    played = zip("BWBWBBWBWBWB", moves, strict=True)
    record = "(;GM[2]SZ[4]" + "".join(f";{color}[{move.lower()}]" for color, move in played) + ")"
    env = ReversiText()
    for number, passes in ((4, 0), (6, 1), (11, 1)):
        env.reset(start=record, move_number=number, color="to_play")
        names = [env.game.action_to_name(action) for action in env.game.actions]
        assert [name for name in names if name != "pass"] == moves[:number]
        assert names.count("pass") == passes
    with pytest.raises(ValueError, match="move_number is 13, but the record has 12 moves"):
        env.reset(start=record, move_number=13)


def test_an_opponent_may_play_on_the_game_that_it_is_given() -> None:
    env = GoText(size=5, opponent=Plays("C3", "D4"))
    env.reset()
    for number, (move, reply) in enumerate([("A1", "C3"), ("B1", "D4")], 1):
        assert env.play(move).startswith(f"You played {move}. White played {reply}.")
        assert env.game.move_number == 2 * number


def test_an_opponent_may_try_moves_while_it_prepares() -> None:
    class Prepares(Plays):
        def prepare(self, game: Game) -> None:
            game.play(0)

    env = GoText(size=5, opponent=Prepares("C3"))
    env.reset()
    assert env.game.move_number == 0
    assert env.play("A1").startswith("You played A1. White played C3.")


def test_what_lists_the_members_of_an_environment_needs_no_reset() -> None:
    # As older versions of TRL and debuggers do it.
    env = GoText(size=5)
    found = [name for name, _ in inspect.getmembers(env, inspect.ismethod) if name[0] != "_"]
    assert found == ["board", "get_reward", "play", "reset"]
    for name in ("game", "color", "illegal_moves", "is_over"):
        assert not hasattr(env, name)
        with pytest.raises(ValueError, match=r"^no game has begun: call reset first$"):
            getattr(env, name)
    env.reset()
    assert (env.color, env.illegal_moves, env.is_over) == ("black", 0, False)
