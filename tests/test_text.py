"""Games as text: names of points, legal and illegal moves, starts, and what cannot be."""

from __future__ import annotations

import inspect
import pickle
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sixplane
from sixplane.agents import RESIGN, MCTSAgent, RandomAgent
from sixplane.games import GAMES
from sixplane.planes import symmetries
from sixplane.text import ConnectFourText, GomokuText, GoText, HexText, ReversiText, TextGame, TicTacToeText

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

CLASSES = [GoText, GomokuText, ReversiText, ConnectFourText, TicTacToeText, HexText]
LOOKS = [
    {"coordinates": coordinates, "symmetry": symmetry}
    for coordinates in ("game", "letters", "shuffled")
    for symmetry in (False, True)
]
#: A board of each game that is no square, and a small one.
BOARDS: list[tuple[type[TextGame], Any]] = [
    (GoText, 5),
    (GoText, (3, 4)),
    (GomokuText, 5),
    (GomokuText, (5, 7)),
    (ReversiText, 6),
    (ReversiText, (4, 6)),
    (ConnectFourText, 4),
    (ConnectFourText, (6, 7)),
    (TicTacToeText, 3),
    (HexText, 4),
    (HexText, (5, 3)),
]


def names(text: str) -> list[str]:
    """The legal moves that a text lists."""
    return text.partition("Legal moves: ")[2].split()


def drawn(text: str) -> tuple[list[str], list[str], NDArray[np.uint8]]:
    """The letters, the numbers and the two planes of stones of the board in a text."""
    lines = text.splitlines()
    letters = next(line.split() for line in lines if line.startswith("   ") and line.split())
    rows = [line.replace("(", " ").replace(")", " ").split() for line in lines]
    rows = [row for row in rows if len(row) == len(letters) + 2 and row[0] == row[-1]]
    cells = np.array([row[1:-1] for row in rows])
    return letters, [row[0] for row in rows], np.stack([cells == "X", cells == "O"]).astype(np.uint8)


def symmetries_that_fit(env: TextGame) -> set[int]:
    """The symmetries through which the game looks as the text shows it."""
    seen, _ = symmetries(env.game.planes[:2])
    return {index for index, planes in enumerate(seen) if np.array_equal(planes, drawn(env.board())[2])}


@pytest.mark.parametrize("look", LOOKS, ids=str)
@pytest.mark.parametrize(("make", "size"), BOARDS)
def test_a_named_point_is_where_the_board_shows_it(
    make: type[TextGame], size: Any, look: dict[str, Any]
) -> None:
    env = make(size=size, seed=7, max_moves=80, **look)
    env.reset()
    rng, fitting = random.Random(1), symmetries_that_fit(env)
    while not env.is_over:
        before, text = env.game, env.board()
        letters, numbers, _ = drawn(text)
        move = rng.choice(names(text))
        answer = env.play(rng.choice([move, move.lower(), f" {move}\n"]))
        assert f"You {'passed' if move == 'pass' else f'played {move}'}." in answer
        assert env.illegal_moves == 0
        action = int(env.game.actions[before.move_number])
        if move == "pass":
            assert action == before.num_actions - 1
        else:
            # A board with one stone shows it where the names of column and row cross.
            places = [(row, col) for row, number in enumerate(numbers) for col, letter in enumerate(letters)
                      if letter + number == move]  # fmt: skip
            (place,) = places
            alone = np.zeros((1, env.game.rows, env.game.cols), np.uint8)
            alone.flat[action] = 1
            fitting &= {index for index, one in enumerate(symmetries(alone)[0]) if one[0][place]}
        fitting &= symmetries_that_fit(env)
        assert fitting, "no symmetry explains all positions"
    assert look["symmetry"] or 0 in fitting


@pytest.mark.parametrize("look", LOOKS, ids=str)
@pytest.mark.parametrize(("make", "size"), BOARDS)
def test_the_listed_moves_are_the_legal_actions(
    make: type[TextGame], size: Any, look: dict[str, Any]
) -> None:
    env, row = make(size=size, **look), {"seed": 3, "opening_moves": 5, "color": "to_play"}
    listed = names(env.reset(**row))
    start = env.game
    assert len(listed) == len({*listed}) == len(start.legal_actions)
    reached = set()
    for move in listed:
        env.reset(**row)
        env.play(move)
        assert env.illegal_moves == 0
        reached.add(int(env.game.actions[start.move_number]))
    assert reached == {*start.legal_actions.tolist()}


def all_names(text: str) -> set[str]:
    letters, numbers, _ = drawn(text)
    return {letter + number for letter in letters for number in numbers} | {"pass"}


WORDS = [
    *("", "  ", "D 4", "A0", "Z99", "A1 B1", "-1", "0", "12", "play A1", "resign"),
    *("\u0661", "aa\x00", "\ud800", "x" * 10_000),
]


@pytest.mark.parametrize("look", LOOKS, ids=str)
@pytest.mark.parametrize(("make", "size"), BOARDS)
def test_what_is_not_legal_is_told_counted_and_changes_nothing(
    make: type[TextGame], size: Any, look: dict[str, Any]
) -> None:
    env = make(size=size, max_illegal=None, **look)
    text = env.reset(seed=5, opening_moves=6, color="to_play")
    before, count = env.game, 0
    for move in [*WORDS, *sorted(all_names(text) - {*names(text)})]:
        answer = env.play(move)
        count += 1
        assert (env.illegal_moves, env.game, env.is_over) == (count, before, False)
        assert "Nothing was played" in answer
        assert f"Illegal moves so far: {count}." in answer
        assert names(answer) == names(text)
        assert len(answer) < len(text)
    assert count > len(WORDS)
    assert env.play(names(text)[0]).startswith("You played")


@pytest.mark.parametrize("move", [None, 5, ["A1"], {"move": "A1"}, 1.5, True])
def test_a_move_of_another_type_is_no_move(move: Any) -> None:
    env = GoText(size=5)
    env.reset()
    assert "is no move" in env.play(move)
    assert env.game.move_number == 0


@pytest.mark.parametrize("make", CLASSES)
def test_too_many_illegal_moves_lose(make: type[TextGame]) -> None:
    env = make(max_illegal=2)
    for color, winner in (("black", "white"), ("white", "black")):
        text = env.reset(color=color)
        assert "If you give 2 illegal moves, you lose." in text
        assert "Illegal moves so far: 1 of 2." in env.play("nowhere")
        assert not env.is_over
        assert env.play("nowhere").endswith("you gave too many illegal moves. You lose.")
        assert (env.is_over, env.game.outcome, env.get_reward()) == (True, winner, -1.0)
        assert env.play(names(text)[0]).startswith("Nothing was played. The game is over")
        assert env.illegal_moves == 2


#: SGF of a position, a move and the reason why it is illegal.
REASONS: list[tuple[type[TextGame], str, str, str, dict[str, Any]]] = [
    (GoText, "(;GM[1]SZ[3]AB[aa][bb][ca]PL[W])", "B3", "your stones would have no liberty there", {}),
    (
        GoText,
        "(;GM[1]SZ[4]KO[x]AB[ba][ab][bc]AW[ca][db][cc][bb]PL[B];B[cb])",
        "B3",
        "it captures at once the stone that has just captured",
        {"ko": "simple"},
    ),
    (GoText, "(;GM[1]SZ[4]AB[ba][ab][bc]AW[ca][db][cc][bb]PL[B];B[cb])", "B3",
     "it would repeat an earlier position", {"ko": "positional"}),
    (ReversiText, "(;GM[2]SZ[8])", "A1", "it flips no disc", {}),
    (ReversiText, "(;GM[2]SZ[8])", "pass", "you may not pass, since you can play", {}),
    (ConnectFourText, "(;GM[1001];B[df])", "D3", "no disc lies below it", {}),
    (GomokuText, "(;GM[4]SZ[9];B[aa];W[bb])", "A9", "a stone is there already", {}),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::sixplane.SGFWarning")
@pytest.mark.parametrize(("make", "record", "move", "reason", "rules"), REASONS)
def test_the_reason_is_told_in_words(
    make: type[TextGame], record: str, move: str, reason: str, rules: dict[str, Any]
) -> None:
    env = make(start=record, color="to_play", **rules)
    env.reset()
    assert env.play(move).startswith(f"The move {move} is illegal: {reason}. Nothing was played.")


def test_in_gomoku_a_pass_is_no_move() -> None:
    env = GomokuText(list_legal=False)
    assert '"pass"' not in env.reset()
    assert "'pass' is no move" in (answer := env.play("pass"))
    assert "Columns from left to right: A B C" in answer
    assert '"pass"' not in answer


@pytest.mark.parametrize("make", CLASSES)
@pytest.mark.parametrize("look", [LOOKS[0], LOOKS[-1]], ids=str)
def test_the_same_row_gives_the_same_texts(make: type[TextGame], look: dict[str, Any]) -> None:
    shared = RandomAgent(seed=9)
    size = 3 if make is TicTacToeText else 6
    envs = [make(size=size, opponent=one, max_moves=60, **look) for one in (shared, shared, "random")]
    for seed in (1, 2):
        row = {"seed": seed, "color": "random", "opening_moves": 3, "prompt": "ignored", "start": None}
        texts = [env.reset(**row) for env in envs]
        while not envs[0].is_over:
            # They play in turn with one opponent, which has only one random stream.
            assert texts[0] == texts[1] == texts[2]
            texts = [env.play(names(text)[0]) for env, text in zip(envs, texts, strict=True)]
        assert texts[0] == texts[1] == texts[2]
        assert envs[0].get_reward() == envs[2].get_reward()


def test_seeds_change_colors_openings_opponents_symmetries_and_names() -> None:
    plain = GoText(size=5)
    assert len({plain.reset(seed=seed, opening_moves=2) for seed in range(20)}) > 10
    texts = {plain.reset(seed=seed, color="random") for seed in range(20)}
    assert {"You are black" in text for text in texts} == {True, False}
    assert len({plain.reset(seed=seed, color="white") for seed in range(20)}) > 5
    record = "(;GM[1]SZ[5];B[ab])"
    turned = GoText(symmetry=True, start=record)
    assert len({turned.reset(seed=seed, color="white") for seed in range(60)}) == 8
    shuffled = GoText(coordinates="shuffled", start=record)
    assert len({shuffled.reset(seed=seed, color="white") for seed in range(20)}) == 20
    unseeded = GoText(size=5, seed=None, coordinates="shuffled")
    assert unseeded.reset() != unseeded.reset()


def test_games_start_from_records(tmp_path: Path) -> None:
    game = sixplane.Go(7, komi=5.5).replay([10, 20, 30, 24])
    file = tmp_path / "a (1;2).sgf"
    file.write_text(game.to_sgf())
    env = GoText(size=9)
    for start in (game.to_sgf(), file):
        text = env.reset(start=start, color="to_play")
        assert env.game == game
        assert "Moves so far: 1. black D6, 2. white G5, 3. black C3, 4. white D4." in text
        env.reset(start=start, move_number=3, color="to_play", opening_moves=2)
        assert env.game.actions[:3].tolist() == [10, 20, 30]
        assert (env.game.move_number, env.color) == (5, "white")
    env.reset()
    assert env.game == sixplane.Go(9)
    assert "After 30 moves in all" in GoText(max_moves=30).reset(start=game.to_sgf(), color="to_play")
    game.resign()
    env.reset(start=game.to_sgf(), move_number=4, color="to_play")
    assert (env.game.move_number, env.game.is_over) == (4, False)
    with pytest.raises(ValueError, match="move_number is 5, but the record has 4 moves"):
        env.reset(start=game.to_sgf(), move_number=5)
    with pytest.raises(sixplane.SGFError, match="go is game 1"):
        env.reset(start=sixplane.Gomoku().to_sgf())
    with pytest.raises(FileNotFoundError):
        env.reset(start=str(tmp_path / "none.sgf"))
    with pytest.raises(ValueError, match="the game is over at its start"):
        env.reset(start="(;GM[1]SZ[5];B[];W[])")
    with pytest.warns(sixplane.SGFWarning, match="occupied"):
        env.reset(start="(;GM[1]SZ[5];B[aa];W[aa])", color="white")
    # What failed has not begun a game.
    assert env.game.move_number == 1


def test_in_a_record_a_color_may_play_twice_or_resign() -> None:
    env = GoText(start="(;GM[1]SZ[5];B[aa];B[bb];W[cc];B[dd]RE[W+R])", color="to_play")
    with pytest.raises(ValueError, match="the game is over at its start: give a smaller move_number"):
        env.reset()
    told = ["none.", "1. black A5.", "1. black A5, 2. black B4.", "1. black A5, 2. black B4, 3. white C3."]
    for number, (moves, color) in enumerate(zip(told, ["black", "black", "white", "black"], strict=True)):
        assert f"Moves so far: {moves}\n" in env.reset(move_number=number)
        assert (env.color, env.game.move_number) == (color, number)
    env.reset(move_number=2)
    env.play("E1")
    assert env.board().startswith("Moves so far: 1. black A5, 2. black B4, 3. white E1, 4. black ")


def test_an_opponent_may_win_before_the_first_move() -> None:
    record = sixplane.Gomoku(9).replay([0, 40, 1, 41, 2, 42, 8, 43, 17]).to_sgf()
    for reward, expected in (("outcome", -1.0), ("move", 0.0)):
        env = GomokuText(opponent="score-table", reward=reward, start=record)  # type: ignore[arg-type]
        assert env.reset().endswith("The game is over: there is a winning line. You lose.")
        assert (env.is_over, env.game.outcome, env.get_reward()) == (True, "white", expected)
        assert env.play("A1").startswith("Nothing was played. The game is over")


def test_only_the_tools_are_public_functions() -> None:
    # As TRL lists them.
    for make in CLASSES:
        found = [name for name, _ in inspect.getmembers(make, inspect.isfunction) if name[0] != "_"]
        assert found == ["board", "get_reward", "play", "reset"]


def test_every_game_has_a_class_and_rules_in_words() -> None:
    assert {make.name for make in CLASSES} == GAMES.keys()
    for make in CLASSES:
        text = make().reset()
        assert f"Rules: {GAMES[make.name].rules_in_words(GAMES[make.name].game_class())}" in text
    assert "White gets 0.5 points more" in GoText(komi=0.5).reset()
    assert "same player to play" in GoText(ko="situational").reset()
    assert "a single stone may not be played so" in GoText(suicide=True).reset()
    assert "a longer run does not" in GomokuText(exact_five=True).reset()
    assert "After 9 moves in all the board decides" in GomokuText(max_moves=9).reset()


class Says:
    """An opponent that does what it is told to do."""

    def __init__(self, choice: Any) -> None:
        self.choice = choice

    def select_action(self, _game: Any) -> Any:
        if isinstance(self.choice, BaseException):
            raise self.choice
        return self.choice


def test_an_opponent_that_resigns_or_plays_an_illegal_action_loses() -> None:
    for choice, told in ((RESIGN, "White resigned."), (0, "White made an illegal move.")):
        env = GoText(size=5, opponent=Says(choice))
        env.reset()
        answer = env.play("A5")
        assert answer.startswith(f"You played A5. {told}")
        assert answer.endswith("your opponent gave up. You win.")
        assert (env.get_reward(), env.game.outcome) == (1.0, "black")
    env.reset(color="white")
    assert env.game.last_action == 0


def test_the_failure_of_an_opponent_is_not_lost_in_the_answer_of_a_tool() -> None:
    opponent = Says(OSError("no program"))
    env = GoText(size=5, opponent=opponent)
    env.reset()
    with pytest.raises(OSError, match="no program"):
        env.play("A5")
    assert (env.game.move_number, env.is_over) == (0, False)
    with pytest.raises(RuntimeError, match="the opponent or the rules failed"):
        env.get_reward()
    opponent.choice = 24
    assert env.play("A5").startswith("You played A5. White played E1.")
    assert env.get_reward() == -1.0
    opponent.choice = OSError("no program")
    with pytest.raises(OSError, match="no program"):
        env.reset(color="white")
    with pytest.raises(ValueError, match="no game has begun: call reset first"):
        env.board()


def test_a_pass_that_is_the_only_action_is_played_and_told() -> None:
    env = ReversiText(size=4)
    told = set()
    for seed in range(30):
        text = env.reset(seed=seed)
        while not env.is_over:
            assert names(text) != ["pass"]
            text = env.play(names(text)[-1])
            told |= {who for who in ("You", "White") if f"{who} had no legal move and passed." in text}
    assert told == {"You", "White"}


BAD: list[tuple[type[TextGame], dict[str, Any], type[Exception], str]] = [
    (GoText, {"opponent": "rando"}, ValueError, "no agent is called 'rando'"),
    (GoText, {"opponent": "score-table"}, ValueError, "score-table plays Gomoku, not Go"),
    (GoText, {"opponent": 3}, TypeError, "the opponent must be an agent with select_action, or the spec"),
    (GoText, {"opponent": RandomAgent}, TypeError, "spec of one, not the class RandomAgent"),
    (GoText, {"reward": "points"}, ValueError, "reward must be 'outcome' or 'move', not 'points'"),
    (GoText, {"coordinates": "numbers"}, ValueError, "coordinates must be 'game' or"),
    (GoText, {"judge": "random"}, TypeError, "the judge must be a search, such as"),
    (GoText, {"judge": RandomAgent()}, TypeError, "the judge must be a search"),
    (GoText, {"judge": "score-table"}, ValueError, "score-table plays Gomoku"),
    (GoText, {"judge": MCTSAgent}, TypeError, "the judge must be a search"),
    (GoText, {"color": "green"}, ValueError, "color must be 'black' or 'white'"),
    (GoText, {"seed": -1}, ValueError, "seed must be from 0 to"),
    (GoText, {"symmetry": "false"}, TypeError, "symmetry must be True or False, not str"),
    (GoText, {"list_legal": 0}, TypeError, "list_legal must be True or False, not int"),
    (GoText, {"opening_moves": -1}, ValueError, "opening_moves must be at least 0"),
    (GoText, {"move_number": -1}, ValueError, "move_number must be at least 0"),
    (GoText, {"turns": 0}, ValueError, "turns must be at least 1"),
    (GoText, {"max_illegal": 0}, ValueError, "max_illegal must be at least 1"),
    (GoText, {"exact_five": True}, ValueError, "exact_five is a rule of gomoku, not of go"),
    (ReversiText, {"size": 5}, ValueError, "even"),
    (ReversiText, {"kmoi": 5}, ValueError, "reversi has no rule 'kmoi'"),
    (GoText, {"oponent": "random"}, ValueError, r"no rule 'oponent' \(did you mean opponent\?\)"),
]


@pytest.mark.parametrize(("make", "options", "error", "words"), BAD)
def test_wrong_options_are_refused(
    make: type[TextGame], options: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        make(**options)


@pytest.mark.parametrize(
    ("row", "error", "words"),
    [
        ({"seed": "1"}, TypeError, "seed must be an integer, not str"),
        ({"seed": 1.0}, TypeError, "seed must be an integer, not float"),
        ({"color": "green"}, ValueError, "color must be 'black' or 'white'"),
        ({"color": 1}, TypeError, "color must be"),
        ({"opening_moves": -1}, ValueError, "opening_moves must be at least 0"),
        ({"opening_moves": 500}, ValueError, "no 1 different openings of 500 moves or more"),
        ({"move_number": 1}, ValueError, "the record has 0 moves"),
        ({"start": "(;GM[99])"}, ValueError, 'a record of game "99"'),
        ({"start": 5}, TypeError, "start must be a path, the text of a record or None, not int"),
        ({"start": float("nan")}, TypeError, "start must be a path, the text of a record or None, not float"),
        ({"start": " "}, ValueError, "start is empty"),
    ],
)
def test_wrong_rows_are_refused_and_the_game_goes_on(
    row: dict[str, Any], error: type[Exception], words: str
) -> None:
    env = GoText(size=5)
    env.reset()
    env.play("A5")
    before = env.board()
    with pytest.raises(error, match=words):
        env.reset(**row)
    assert env.board() == before


def test_nothing_can_be_asked_before_the_first_reset() -> None:
    env = GoText()
    for ask in (env.board, env.get_reward, lambda: env.play("A1"), lambda: env.game, lambda: env.is_over):
        with pytest.raises(ValueError, match="no game has begun: call reset first"):
            ask()


def test_agents_made_by_a_spec_are_closed_with_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []
    monkeypatch.setattr(MCTSAgent, "close", lambda _self: closed.append("closed"), raising=False)
    env = ReversiText(opponent="mcts:simulations=10")
    env.reset()
    assert closed == []
    del env
    assert closed == ["closed"]


def test_an_environment_can_be_pickled() -> None:
    env = HexText(size=3, seed=5)
    env.reset()
    again = pickle.loads(pickle.dumps(env))
    assert again.board() == env.board()
    assert again.reset(seed=2) == env.reset(seed=2)
