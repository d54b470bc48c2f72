"""Collections as trees: kept whole, written again, read by sgfmill and read from it."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sgfmill import sgf as mill
from sgfmill import sgf_grammar

import sixplane
from sixplane import sgf

if TYPE_CHECKING:
    from collections.abc import Callable

    from sixplane._core import Game

TEXT = "mail (;FF[4]C[one \\] two]ZZ[a:b][]AddBlack[aa];B[aa](;W[bb];B[cc])(;W[dd])) (;GM[2]SZ[6])"


def test_a_tree_has_all_that_the_text_has() -> None:
    collection = sgf.parse(TEXT.encode())
    assert repr(collection) == "<sixplane.sgf.Collection of 2 games>"
    first, second = collection.games
    assert first.properties == [
        ("FF", ["4"]), ("C", ["one \\] two"]), ("ZZ", ["a:b", ""]), ("AddBlack", ["aa"]),
    ]  # fmt: skip
    assert (first.get("ZZ"), first.get("AB"), first.get("XX")) == (["a:b", ""], ["aa"], None)
    assert (first.text("C"), first.text("N")) == ("one ] two", None)
    assert [node.properties[0][0] for node in first.main_line()] == ["FF", "B", "W", "B"]
    (move,) = first.children
    assert [child.get("W") for child in move.children] == [["bb"], ["dd"]]
    assert second.children == []
    assert repr(move) == "<sixplane.sgf.Node B>"


def test_what_is_written_reads_as_the_same() -> None:
    collection = sgf.parse(TEXT)
    copies = [sgf.parse(collection.to_text()), sgf.parse(collection.to_bytes())]
    for again in (*copies, pickle.loads(pickle.dumps(collection))):
        assert again == collection
        assert again.games[0] == collection.games[0]
    assert collection != sgf.parse(TEXT.replace("W[dd]", "W[de]"))
    assert collection.games[0] != collection.games[1]
    assert sgf.parse(collection.games[1].to_text()).games == [collection.games[1]]
    assert (
        sgf.parse(collection.games[0].children[0].to_text()).to_text() == "(;B[aa](;W[bb];B[cc])(;W[dd]))\n"
    )


def random_tree(rng: random.Random) -> mill.Sgf_game:
    game = mill.Sgf_game(9)
    nodes = [game.get_root()]
    for _ in range(rng.randrange(1, 40)):
        node = rng.choice(nodes).new_child()
        node.set_move(rng.choice("bw"), rng.choice([None, (rng.randrange(9), rng.randrange(9))]))
        if rng.random() < 0.3:
            node.set("C", rng.choice(["a ] \\ b", "two\nlines", "(;B[aa])", "", "é :"]))
        if rng.random() < 0.2:
            node.set_raw("XY", b"kept")
        nodes.append(node)
    return game


def shape_of_mill(node: mill.Tree_node) -> tuple[object, ...]:
    properties = [(name, [raw.decode() for raw in node.get_raw_list(name)]) for name in node.properties()]
    return sorted(properties), [shape_of_mill(child) for child in node]


def shape(node: sgf.Node) -> tuple[object, ...]:
    return sorted(node.properties), [shape(child) for child in node.children]


def test_sixplane_and_sgfmill_read_the_same_trees_from_each_other() -> None:
    rng = random.Random(1)
    for _ in range(60):
        theirs = random_tree(rng)
        ours = sgf.parse(theirs.serialise())
        assert shape(ours.games[0]) == shape_of_mill(theirs.get_root())
        assert [node.text("C") for node in ours.games[0].main_line()] == [
            node.get("C") if node.has_property("C") else None for node in theirs.get_main_sequence()
        ]
        again = mill.Sgf_game.from_bytes(ours.to_bytes())
        assert shape_of_mill(again.get_root()) == shape(ours.games[0])


def test_collections_are_split_as_sgfmill_splits_them() -> None:
    data = b"(;C[a])(;C[b](;B[aa])(;B[bb]))"
    theirs = sgf_grammar.parse_sgf_collection(data)
    assert [game.text("C") for game in sgf.parse(data).games] == ["a", "b"]
    assert len(theirs) == 2


RECORDS: list[tuple[str, Callable[[], Game]]] = [
    ("(;GM[1]SZ[7:9]KM[6.5];B[aa];W[tt];B[])", lambda: sixplane.Go((9, 7), komi=6.5).replay([0, 63])),
    ("(;SZ[5];B[cc])", lambda: sixplane.Go(5).replay([12])),
    ("(;GM[2];B[dc])", lambda: sixplane.Reversi().replay([19])),
    ("(;GM[4]SZ[9];B[ee])", lambda: sixplane.Gomoku(9).replay([40])),
]


@pytest.mark.parametrize(("text", "expected"), RECORDS, ids=[text for text, _ in RECORDS])
def test_read_sgf_makes_the_game_that_gm_names(
    text: str, expected: Callable[[], Game], tmp_path: Path
) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(text)
    game = expected()
    while game.move_number < text.count(";") - 1:
        game.play(game.rows * game.cols)
    assert sixplane.read_sgf(path) == sixplane.read_sgf(str(path)) == game
    assert type(sixplane.read_sgf(path)) is type(game)


def test_every_game_of_a_collection_can_be_played(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[5]RU[AGA];B[aa])(;GM[4]SZ[7];B[bb])(;GM[7])")
    collection = sgf.parse(path.read_bytes())
    go, gomoku = (tree.to_game() for tree in collection.games[:2])
    assert isinstance(go, sixplane.Go) and isinstance(gomoku, sixplane.Gomoku)
    assert go.ko == "situational"
    other = sixplane.read_sgf(path, ko="simple")
    assert isinstance(other, sixplane.Go) and other.ko == "simple"
    with pytest.raises(sixplane.SGFError, match="another game") as caught:
        collection.games[2].to_game()
    assert caught.value.offset == path.read_text().index("GM[7]")
    with pytest.raises(TypeError, match="unexpected option"):
        gomoku.to_sgf() and collection.games[1].to_game(komi=3)


@pytest.mark.parametrize(
    ("text", "offset", "says"),
    [
        ("", 0, "no game tree"),
        ("((;B[aa]))", 1, "begins"),
        ("(;" * 10_001 + ")" * 10_001, 20_000, "nested"),
        ("(;B[aa", 3, "ends within a value"),
        ("(;B[aa];W[bb](;B[cc])C[x])", 21, "no place"),
    ],
)
def test_malformed_text_is_refused_at_its_offset(text: str, offset: int, says: str) -> None:
    for data in (text, text.encode()):
        with pytest.raises(sixplane.SGFError, match=says) as caught:
            sgf.parse(data)
        assert caught.value.offset == offset
        assert isinstance(caught.value, ValueError)


def test_what_is_no_text_is_refused() -> None:
    for data in (None, 5, [40], {"text": "(;)"}):
        for read in (sgf.parse, sixplane.Go.from_sgf):
            with pytest.raises(TypeError, match="must be str, bytes, bytearray or memoryview, not "):
                read(data)  # type: ignore[arg-type]


def test_long_games_and_deep_variations_need_no_stack() -> None:
    deep = "(;C[x]" * 10_000 + ")" * 10_000
    for text in (deep, "(" + ";B[]" * 200_000 + ")"):
        collection = sgf.parse(text)
        assert sgf.parse(collection.to_bytes()) == collection
        assert sum(1 for _ in collection.games[0].main_line()) == text.count(";")


@pytest.mark.filterwarnings("error::sixplane.SGFWarning")
@pytest.mark.parametrize(
    "junk", [b"(", b"(;", b"[", b"(;A[]", b"\\", b"x ", b")", b"(;B[aa]C[", b"\xff", b"(A ", b"(A[1]x"]
)
def test_much_junk_is_refused_in_one_pass(junk: bytes) -> None:
    # In quadratic time this would not end.
    with pytest.raises((sixplane.SGFError, sixplane.SGFWarning)):
        sgf.parse(junk * (2_000_000 // len(junk)))


def test_notes_of_the_game_are_written() -> None:
    game = sixplane.Go((7, 9), handicap=0, komi=5.5)
    game.play(0)
    game.resign()
    text = game.to_sgf(black_name="A ] B", white_name="Wei", comments={1: "first"}, event="Cup")
    root = sgf.parse(text).games[0]
    found = {name: root.text(name) for name in ("PB", "PW", "EV", "RE", "SZ", "KM", "GM", "FF", "CA")}
    assert found == {
        "PB": "A ] B", "PW": "Wei", "EV": "Cup", "RE": "B+R", "SZ": "9:7", "KM": "5.5", "GM": "1",
        "FF": "4", "CA": "UTF-8",
    }  # fmt: skip
    assert root.children[0].text("C") == "first"
    assert root.to_game() == game


def test_a_resignation_ends_the_main_line_and_no_variation() -> None:
    root = sgf.parse("(;GM[1]SZ[9]RE[B+R];B[ee];W[dd](;B[cc];W[gg])(;B[ff];W[aa];B[ab]))").games[0]
    replies = root.children[0].children[0].children
    for node, ending in ((root, "resignation"), (replies[0], "resignation"), (replies[1], None)):
        game = node.to_game(strict=True)
        assert game.ending == ending
    assert game.move_number == 5
