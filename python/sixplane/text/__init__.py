"""Games as text, for people who train and test language models.

Each class is an environment for TRL's `GRPOTrainer(environment_factory=...)`, and needs neither TRL nor
anything but NumPy. Here a program plays that takes the first legal move it reads:

>>> from sixplane.text import GomokuText
>>> env = GomokuText(size=9, opponent="score-table", opening_moves=2)
>>> text = env.reset(seed=1)
>>> while not env.is_over:
...     legal = text.partition("Legal moves: ")[2]
...     text = env.play(legal.split()[0])
>>> print(text.splitlines()[-1])
The game is over: there is a winning line. You lose.
>>> env.get_reward()
-1.0

Options are given by a factory, and rows of a dataset stand for some of them:

>>> from functools import partial
>>> factory = partial(GomokuText, size=9, opponent="mcts:simulations=50", reward="move")
>>> text = factory().reset(seed=1, color="white", prompt="Play Gomoku.")
"""

from sixplane.text.environment import TextGame

__all__ = ["ConnectFourText", "GoText", "GomokuText", "HexText", "ReversiText", "TextGame", "TicTacToeText"]


class ConnectFourText(TextGame):
    """Connect Four as text; the options are those of `TextGame` and of `sixplane.ConnectFour`.

    Example:
        >>> env = ConnectFourText()
        >>> print(env.reset().splitlines()[-1])
        It is your turn: you are black (X). Legal moves: A1 B1 C1 D1 E1 F1 G1
    """

    name = "connect4"


class GoText(TextGame):
    """Go as text; the options are those of `TextGame` and of `sixplane.Go`.

    Example:
        >>> env = GoText(size=5, komi=0.5)
        >>> "White gets 0.5 points more" in env.reset()
        True
    """

    name = "go"


class GomokuText(TextGame):
    r"""Gomoku as text; the options are those of `TextGame` and of `sixplane.Gomoku`.

    Example:
        >>> env = GomokuText(size=9, exact_five=True)
        >>> print(env.reset().partition("\n")[0])
        You play Gomoku on a board of 9 columns and 9 rows. You are black (X); your opponent is white (O).
    """

    name = "gomoku"


class HexText(TextGame):
    r"""Hex as text; the options are those of `TextGame` and of `sixplane.Hex`.

    Example:
        >>> env = HexText(size=3, swap=True)
        >>> text = env.reset()
        >>> print(env.board().split("\n\n")[1])
           A B C
         1 . . . 1
          2 . . . 2
           3 . . . 3
              A B C
    """

    name = "hex"


class ReversiText(TextGame):
    r"""Reversi as text; the options are those of `TextGame` and of `sixplane.Reversi`.

    Example:
        >>> env = ReversiText(size=6, coordinates="letters", list_legal=False)
        >>> text = env.reset()
        >>> print(env.board().partition("\n\n")[2])
           a b c d e f
         a . . . . . . a
         b . . . . . . b
         c . . O X . . c
         d . . X O . . d
         e . . . . . . e
         f . . . . . . f
           a b c d e f
        <BLANKLINE>
        It is your turn: you are black (X).
    """

    name = "reversi"


class TicTacToeText(TextGame):
    """Tic-tac-toe as text; the options are those of `TextGame` and of `sixplane.TicTacToe`.

    Example:
        >>> env = TicTacToeText()
        >>> print(env.reset().splitlines()[-1])
        It is your turn: you are black (X). Legal moves: A3 B3 C3 A2 B2 C2 A1 B1 C1
    """

    name = "tictactoe"
