"""Names that do not exist: the error gives ours for that of another library, or proposes the nearest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

#: Letters of a word that are compared: a file may have a name of a million.
MOST_LETTERS: Final = 100


def _by_others(*entries: tuple[str, str]) -> dict[str, str]:
    """Maps each name of others to ours."""
    return {other: ours for ours, others in entries for other in others.split()}


OF_GAMES: Final = _by_others(
    (
        "legal_actions",
        "legal_moves valid_moves valid_actions possible_moves get_legal_moves get_legal_actions",
    ),
    ("action_mask", "mask legal_mask legal_action_mask legal_actions_mask action_masks"),
    ("outcome", "winner result get_winner"),
    ("outcome or score()", "reward rewards returns"),
    ("play(action)", "step move push make_move do_move apply apply_action place"),
    ("undo()", "pop take_back unmake_move undo_move"),
    ("planes", "board state observation obs grid array"),
    ("turn", "player current_player to_play to_move side_to_move"),
    ("is_over", "done over is_done is_terminal terminated game_over is_game_over"),
    ("actions", "moves history move_history"),
    ("copy()", "clone"),
    ("rows and cols", "size shape board_size width height"),
    ("print(game) or to_svg()", "render show display"),
    ("a new game, such as sixplane.Go()", "reset new_game"),
)

OF_BATCHES: Final = _by_others(
    ("action_masks", "legal_actions legal_moves valid_moves action_mask mask masks legal_action_mask"),
    ("outcomes", "winner winners outcome result results"),
    ("outcomes or scores", "reward rewards returns score"),
    ("planes", "board boards state states observation observations obs"),
    ("turns", "turn player current_player to_play"),
    ("dones", "done is_over is_terminal terminated"),
    ("sample()", "random_actions sample_actions"),
    ("len(batch)", "size num_envs batch_size"),
)

OF_PACKAGE: Final = _by_others(
    ("sixplane.Reversi", "Othello reversi othello"),
    ("sixplane.Go", "Baduk Weiqi Igo go GoGame"),
    ("sixplane.ConnectFour", "Connect4 ConnectK FourInARow connect4 connect_four"),
    ("sixplane.TicTacToe", "Tictactoe TTT NoughtsAndCrosses tictactoe tic_tac_toe"),
    ("sixplane.Hex", "hex Nash Polygon CTC"),
    ("sixplane.Gomoku", "Gobang Renju FiveInARow Omok gomoku"),
    ("sixplane.GameBatch", "Batch GoBatch VectorGame"),
    ("sixplane.Game, or a game such as sixplane.Go", "Board State Position"),
    ("gymnasium.make('sixplane/Go-v0')", "make Env GoEnv ReversiEnv GomokuEnv"),
    ("gymnasium.make_vec('sixplane/Go-v0', 64)", "make_vec VectorEnv"),
    ("sixplane.search.MCTS", "MCTS mcts"),
    ("sixplane.nets.Network", "Network load_network"),
    ("sixplane.learn.train", "train Trainer"),
    ("sixplane.read_sgf", "load_sgf from_sgf parse_sgf"),
    ("sixplane.agents", "Agent RandomAgent MCTSAgent NetworkAgent HumanAgent GTPAgent GomocupAgent"),
    ("sixplane.match", "arena Arena Tournament"),
)


def missing_attribute(owner: object, of: str, name: str, others: Mapping[str, str]) -> AttributeError:
    """Returns the error for a name that does not exist; it gives ours if the name is one of others."""
    ours = f": here it is {others[name]}" if name in others else ""
    return AttributeError(f"{of} has no attribute {name!r}{ours}", name=name, obj=owner)


def getattr_with_hint(others: Mapping[str, str]) -> Callable[[object, str], NoReturn]:
    """Makes a method `__getattr__`, which Python calls for names that do not exist."""

    def __getattr__(self: object, name: str) -> NoReturn:  # noqa: N807 - what it becomes
        raise missing_attribute(self, f"{type(self).__name__!r} object", name, others)

    return __getattr__


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """Returns the end of a message, which proposes the nearest name; empty if none is near."""
    # Few programs need it.
    from difflib import get_close_matches

    letters = {name.strip("-").lower(): name for name in names}
    found = get_close_matches(word[:MOST_LETTERS].strip("-").lower(), letters, 1)
    return f" (did you mean {letters[found[0]]}?)" if found else ""
