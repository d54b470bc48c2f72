"""Variations: what a record has, what people try out, and going on from there."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

import sixplane
from sixplane import sgf
from sixplane._core import parse_sgf
from sixplane.agents import RESIGN, RandomAgent
from sixplane.games.plays import backwards
from sixplane.play.players import Players
from sixplane.web.record_marks import marks_of
from sixplane.web.records import Record, open_record
from sixplane.web.refusal import RefusedError
from sixplane.web.requested import Display
from sixplane.web.session import PageSession
from sixplane.web.tree import MOST_PLACES, ROOT, Tree
from sixplane.web.view import state

if TYPE_CHECKING:
    from sixplane._core import Game
    from sixplane.agents.agent import Resignation

SGF = (
    "(;GM[1]SZ[9]KM[6.5]PB[Ada]C[Start];B[ee]C[The middle \\] and \\\\];W[gc]"
    "(;B[cg];W[gg];B[cc])(;B[cc]C[Better];W[cg](;B[aa])(;B[bb]))(;B[]))"
)


def persons() -> Players:
    return Players((None, None), ("", ""), RandomAgent(seed=1))


def session_of(record: Record) -> PageSession:
    session = PageSession(persons(), sixplane.Go(size=5))
    session.new(persons(), record.game, record.tree)
    session.start()
    return session


def shape(node: sgf.Node) -> list[object]:
    """Moves and comments of a tree, and what follows."""
    kept = [(name, node.text(name)) for name in ("B", "W", "C") if node.get(name)]
    return [kept, [shape(child) for child in node.children]]


def test_a_record_is_kept_with_its_variations_and_comments() -> None:
    record = open_record(SGF.encode())
    assert record.left_out == "" and record.game.move_number == 5
    session = session_of(record)
    opened, before = sgf.parse(session.record()).games[0], sgf.parse(SGF).games[0]
    assert shape(opened) == shape(before)
    assert opened.follow()[0] == record.game
    # A page walks in it.
    places = session.snapshot().places
    third = session.snapshot(places[3])
    assert [place.comment for place in third.line[:2]] == ["Start", "The middle ] and \\"]
    assert [one[1].action for one in third.beside] == [56, 20, 81] and third.forks == [3]
    other = session.snapshot(third.beside[1][0])
    assert (other.branch, other.at, len(other.places)) == (2, 3, 6)
    assert other.line[3].comment == "Better" and other.shown.last_action == 20
    seen: dict[str, Any] = state(other, Display())
    assert seen["branch"] == 2 and not seen["is_live"] and len(seen["beside"]) == 3


@pytest.mark.parametrize(
    ("text", "places", "said"),
    [
        ("(;GM[1]SZ[5];B[aa](;W[bb])(;W[aa]))", 3, "1 variation ends early"),
        ("(;GM[1]SZ[5];B[aa](;W[bb])(;AB[cc];W[cc])(;W[z])(;W[zz]))", 3, "3 variations end early"),
        ("(;GM[1]SZ[5]AB[aa];AW[bb](;B[cc])(;AW[cc];B[cd]))", 2, "1 variation ends early"),
        ("(;GM[1]SZ[5];B[aa];B[bb](;B[cc])(;W[tt];W[]))", 6, ""),
        ("(;GM[2]SZ[8](;B[dc])(;B[cd];W[cc]C[x]))", 4, ""),
        ("(;GM[4]SZ[9];B[ee]W[dd](;B[cc])(;B[dd]))", 4, "1 variation ends early"),
        ("(;GM[1]SZ[5];B[aa](;PL[W];W[bb])(;PL[B];B[bb])(;PL[x];W[cc]))", 4, "1 variation ends early"),
        ("(;GM[1]SZ[5];B[](;W[bb])(;W[];PL[B];B[cc]))", 4, "1 variation ends early"),
        # The stones of the first variation are not those of the others.
        ("(;GM[1]SZ[5](;AB[aa];W[bb])(;B[cc];W[dd]))", 2, "1 variation ends early"),
        ("(;GM[1]SZ[5];C[x](;AB[aa](;W[bb])(;W[cc]))(;W[dd])(;))", 3, "2 variations end early"),
        ("(;GM[11]SZ[5];B[a1](;W[b1])(;W[resign]C[x];)(;W[Forfeit]))", 3, ""),
        ("(;GM[11]SZ[5];B[a1](;W[b1])(;W[resign];B[c1])(;W[resign];W[resign]))", 3, "2 variations end early"),
        # Only records of Reversi leave the pass out of a player who can do nothing else.
        ("(;GM[1]SZ[4]AW[ba][da][ab:db][ac][bc][dc][ad:dd];W[aa];W[ca])", 3, ""),
        # Old records have small letters in the names of properties.
        ("(;GaMe[1]SiZe[5];Black[aa](;White[bb])(;White[cc])(;AddBlack[dd]))", 4, "1 variation ends early"),
    ],
)
def test_variations_end_where_no_game_can_follow(text: str, places: int, said: str) -> None:
    record = open_record(text.encode())
    assert record.left_out.startswith(said) and bool(record.left_out) == bool(said)
    assert len(record.tree) == places


def test_records_with_many_variations_are_cut() -> None:
    deep = "(;GM[1]SZ[25]" + "".join(
        f";{'BW'[i % 2]}[{chr(97 + i % 25)}{chr(97 + i // 25)}]" for i in range(500)
    )
    deep += "".join(f"(;B[]C[{i}])" for i in range(40_000)) + ")"
    record = open_record(deep.encode())
    assert "too many variations" in record.left_out and len(record.tree) <= MOST_PLACES


@pytest.mark.parametrize("nodes", [";" * 900_000, ";C[x]" * 198_000 + "(;)" * 2_100])
def test_a_record_with_many_nodes_is_not_said_to_have_many_variations(nodes: str) -> None:
    record = open_record(f"(;GM[1]SZ[5];B[aa]{nodes})".encode())
    assert record.left_out == "the record has more than 200,000 nodes: some are left out"
    assert record.game.move_number == 1


def test_what_is_tried_out_does_not_change_the_game() -> None:
    session = PageSession(persons(), sixplane.Go(size=5))
    session.start()
    session.live.play(12, 0)
    live = session.snapshot().live
    place = session.try_out(live, 7)
    place = session.try_out(place, 25)
    assert session.snapshot().game.move_number == 1
    seen = session.snapshot(place)
    assert (seen.branch, seen.shown.move_number, seen.shown.turn) == (1, 3, 1)
    with pytest.raises(RefusedError) as caught:
        session.try_out(live, 12)
    assert caught.value.reason == "occupied"
    with pytest.raises(RefusedError):
        session.try_out(99, 3)
    # Taken back, what was played is gone; what was tried out from there stays.
    session.live.undo()
    session.live.play(3, 0)
    assert session.snapshot(place).shown.last_action == 25
    assert len(sgf.parse(session.record()).games[0].children) == 2


def test_moves_taken_back_leave_no_variations() -> None:
    session = PageSession(persons(), sixplane.Go(size=5))
    session.start()
    for action in (1, 2, 3):
        session.live.play(action, 0)
        session.live.undo()
    session.live.play(4, 0)
    assert len(session.snapshot().places) == 2 and session.snapshot().forks == []
    assert len(sgf.parse(session.record()).games[0].children) == 1


LINE = "(;GM[1]SZ[9]EV[Final \\] \\\\]DT[2026-01-01]PB[A]PW[B]BR[1d]WR[2k];B[ee];W[cc];B[gg];W[cg];B[gc])"


def test_what_follows_the_position_to_play_in_is_saved_with_it() -> None:
    record = open_record(LINE.encode())
    session = session_of(record)
    session.resume(persons(), session.snapshot().places[2])
    assert len(open_record(session.record().encode()).tree) == 6
    session = session_of(open_record(LINE.encode()))
    session.live.undo()
    assert len(open_record(session.record().encode()).tree) == 6
    # So is what is tried out at the end.
    session = session_of(open_record(LINE.encode()))
    session.try_out(session.try_out(session.snapshot().live, 3), 4)
    assert len(open_record(session.record().encode()).tree) == 8


def test_the_event_the_date_and_the_ranks_are_saved_as_long_as_the_players_play() -> None:
    record = open_record(LINE.encode())
    session = PageSession(persons(), sixplane.Go(size=5))
    session.new(Players((None, None), record.names, RandomAgent(seed=1)), record.game, record.tree)
    opened = open_record(session.record().encode())
    assert opened.tree.about == record.tree.about and opened.game == record.game
    session.resume(persons(), session.snapshot().live)
    opened = open_record(session.record().encode())
    assert opened.tree.about == {} and opened.game == record.game


class Silent:
    """Does not answer before it is closed."""

    def __init__(self) -> None:
        self._is_closed = threading.Event()

    def select_action(self, _game: Game) -> Resignation:
        self._is_closed.wait()
        return RESIGN

    def close(self) -> None:
        self._is_closed.set()


def test_a_game_goes_on_from_any_position_and_keeps_the_rest() -> None:
    session = session_of(open_record(SGF.encode()))
    third = session.snapshot(session.snapshot().places[3])
    serial = third.serial
    silent = Silent()
    session.resume(Players((None, silent), ("Ada", "silent"), RandomAgent(seed=1)), third.beside[1][0])
    now = session.snapshot()
    assert now.serial > serial and now.game.last_action == 20 and now.players.names == ("Ada", "silent")
    root = sgf.parse(session.record()).games[0]
    assert [node.get("B") for node in root.children[0].children[0].children] == [["cc"], ["cg"], [""]]
    with pytest.raises(RefusedError):
        session.resume(persons(), 999)
    silent.close()


def test_a_game_with_turns_set_by_its_record_comes_back_at_every_move() -> None:
    game = sixplane.Go.from_sgf("(;GM[1]SZ[5]AB[aa]PL[W];B[cc];B[dd];W[bb])")
    tree = Tree.of(game)
    last = tree.follow(game)
    assert tree.game(last).actions.tolist() == game.actions.tolist()
    assert (tree.game(last).planes == game.planes).all()
    assert tree.game(ROOT).move_number == 0


TURNS = [
    "(;GM[1]SZ[5];B[aa];W[bb];PL[W])",
    "(;GM[1]SZ[5];B[aa];W[bb];PL[B])",
    "(;GM[1]SZ[5];B[aa];W[];PL[B];B[];W[bb]C[hi];B[cc])",
    "(;GM[1]SZ[5];PL[W](;B[aa];B[bb](;PL[B];B[])(;W[];W[]))(;B[dd]))",
    "(;GM[2]SZ[8];B[d3];W[c5];PL[W];W[d2](;B[c2];PL[B])(;PL[W]))",
    "(;GM[1]SZ[5];B[aa](;PL[B];B[cc])(;W[bb]))",
    # White takes the ko back at once, since the turn was set.
    "(;GM[1]SZ[4]RU[Japanese]AB[ba][ab][bc]AW[ca][bb][cc][db];B[cb];PL[W];W[bb])",
]


@pytest.mark.parametrize("text", TURNS)
def test_every_position_of_the_tree_is_that_of_the_game_where_the_turn_is_set(text: str) -> None:
    record = open_record(text.encode())
    assert record.left_out == ""
    session = session_of(record)
    game, tree = record.game.copy(), record.tree
    places = session.snapshot().places
    assert (tree.game(places[-1]).planes == game.planes).all() and tree.game(places[-1]) == game
    for earlier, _ in backwards(game):
        assert tree.game(places[earlier.move_number]) == earlier
    # A record that the page saves has the turns, and the same positions.
    opened = open_record(session.record().encode())
    assert opened.game == game and len(opened.tree) == len(tree)
    # So has one with what is tried out.
    place = session.try_out(places[-1], int(game.legal_actions[-1]))
    saved = session_of(open_record(session.record().encode()))
    assert saved.live.game == tree.game(place)


def test_a_saved_record_ends_where_it_did_though_a_variation_goes_on_from_there() -> None:
    record = open_record(b"(;GM[1]SZ[5];B[aa](;PL[B]C[Black again])(;W[bb]))")
    saved = open_record(session_of(record).record().encode())
    assert (saved.game.actions.tolist(), saved.game.turn) == ([0], 0) and saved.game == record.game
    assert [saved.tree[place].color for place in saved.tree[1].children] == [1]


def test_a_variation_keeps_the_pass_that_a_turn_set_in_another_one_clears() -> None:
    text = "(;GM[1]SZ[5];B[aa];W[](;PL[B];B[];W[bb])(;B[])(;C[x];PL[W];W[cc]))"
    tree = open_record(text.encode()).tree
    first, second, third = tree[2].children
    assert [tree.game(place).is_over for place in (first, second, third)] == [False, True, False]
    assert tree.game(2).turn == 0 and tree[third].color == 1
    assert (
        shape(sgf.parse(tree.to_sgf(2, lambda game: game.to_sgf(), {})).games[0])[1]
        == (shape(sgf.parse(text.replace("C[x];", "").replace("W[](", "W[]C[x](")).games[0])[1])
    )


def test_on_a_position_whose_turn_was_set_a_page_tries_out_and_plays_that_color() -> None:
    record = open_record(b"(;GM[1]SZ[5];B[aa];W[bb];PL[W])")
    session = session_of(record)
    place = session.try_out(session.snapshot().live, 12)
    assert session.snapshot(place).line[3].color == 1
    session.live.play(13, 2)
    assert record.tree.game(session.live.place) == session.live.game
    # Taken back, the turn is as it was set.
    session.live.undo()
    session.live.undo()
    session = session_of(open_record(b"(;GM[1]SZ[5];B[aa];W[];PL[B];B[])"))
    session.live.undo()
    assert session.game_at(session.live.place) == session.live.game
    session.live.play(25, 2)
    assert not session.live.game.is_over and not session.game_at(session.live.place).is_over


@pytest.mark.parametrize("text", [*TURNS, "(;GM[1]SZ[5](;W[aa])(;B[bb];B[cc])(;PL[B];W[dd]))"])
def test_a_game_goes_on_from_every_position_whose_turn_was_set_and_adds_none(text: str) -> None:
    record = open_record(text.encode())
    session, tree = session_of(record), record.tree
    for place in range(len(tree)):
        game = tree.game(place)
        session.resume(persons(), place)
        assert (session.snapshot().live, session.live.game) == (place, game)
        assert tree.game(place) == game
    assert len(tree) == len(open_record(text.encode()).tree)


def test_what_a_page_shortens_is_whole_in_the_record_that_it_saves() -> None:
    long = {"PB": "b" * 60, "PW": "w" * 39 + " w", "BR": "d" * 90, "EV": "e" * 100}
    facts = "".join(f"{name}[{text}]" for name, text in long.items())
    comment = "x" * 5000
    text = f"(;GM[1]SZ[5]{facts}DT[2026-01-01];B[aa]C[{comment}];C[y];W[bb]C[short])"
    record = open_record(text.encode())
    assert record.names == ("b" * 40, "w" * 39)
    session = PageSession(persons(), sixplane.Go(size=5))
    # The page sends the names as it shows them.
    session.new(Players((None, None), record.names, RandomAgent(seed=1)), record.game, record.tree)
    seen: dict[str, Any] = state(session.snapshot(session.snapshot().places[1]), Display())
    assert seen["comment"] == "x" * 4000 + " …"
    about = {"event": "e" * 80 + " …", "date": "2026-01-01", "black_rank": "d" * 80 + " …"}
    assert seen["about"] == about
    root = sgf.parse(session.record()).games[0]
    assert {name: root.text(name) for name in long} == long
    assert [node.text("C") for node in root.main_line()] == [None, f"{comment}\ny", "short"]
    # Other players have their own names.
    session.resume(Players((None, None), ("Ann", "Bo"), RandomAgent(seed=1)), session.snapshot().live)
    root = sgf.parse(session.record()).games[0]
    assert (root.text("PB"), root.text("PW"), root.text("EV")) == ("Ann", "Bo", None)


def test_a_record_of_many_comments_on_one_position_is_read_at_once() -> None:
    record = open_record(b"(;GM[1]SZ[5];B[aa]" + b";C[xy]" * 150_000 + b")")
    assert record.left_out == "" and record.tree[1].comment == "\n".join(["xy"] * 150_000)


def test_marks_stand_on_points_and_what_is_none_is_left_out() -> None:
    record = b"(;GM[1]SZ[5:3]TR[aa][dc:ec][zz][a][AA][][cc:bb][aa:zz]SQ[da:ec]"
    record += b"LB[bb:12345][cb:][bb][ab: \\] ]CR[ba])"
    found = marks_of(parse_sgf(record).games[0], sixplane.Go(size=(3, 5)))
    shapes = {point: shape for point, (shape, _) in found.items() if shape != "label"}
    assert {point for point, shape in shapes.items() if shape == "triangle"} == {0}
    assert {point for point, shape in shapes.items() if shape == "square"} == {3, 4, 8, 9, 13, 14}
    assert {point: text for point, (shape, text) in found.items() if shape == "label"} == {6: "1234", 5: "]"}
    assert shapes[1] == "circle"


@pytest.mark.parametrize(("game", "corner"), [(sixplane.Reversi(), "d4"), (sixplane.Hex(), "d4")])
def test_marks_are_read_as_records_of_the_game_name_points(game: sixplane.Game, corner: str) -> None:
    root = parse_sgf(f"(;SZ[8]TR[{corner}]SQ[a1:b2][b2:d44]LB[c2:A][pass:B][Z9:C])").games[0]
    at = game.name_to_action
    squares = {at(name): ("square", "") for name in ("A1", "B1", "A2", "B2")}
    assert marks_of(root, game) == squares | {at("D4"): ("triangle", ""), at("C2"): ("label", "A")}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(;GM[1]SZ[5];B[aa])(;GM[1]SZ[7];B[bb])", "left out: all games but the first of 2"),
        (
            "(;GM[1]SZ[5]KM[five];B[aa])(;GM[1])(;GM[1])",
            "; left out: all games but the first of 3",
        ),
        ("(;GM[1]SZ[5];B[aa];W[bb", "left out: the text ends within a value (at byte 20)"),
        ("(;GM[1]SZ[5])", ""),
    ],
)
def test_other_games_of_a_file_are_said_to_be_left_out(text: str, said: str) -> None:
    left_out = open_record(text.encode()).left_out
    assert left_out.endswith(said) and bool(left_out) == bool(said)


@pytest.mark.parametrize(
    "text", ["(;GM[1]SZ[5]", "(;GM[1]SZ[5];B[aa", "(;GM[1]SZ[5](;B[aa", "(;GM[1]SZ[5]AB[aa", "(;GM[1]KM[6"]
)
def test_a_file_that_ends_before_its_first_move_is_refused(text: str) -> None:
    with pytest.raises(RefusedError, match="it ends before the first move"):
        open_record(text.encode())


def test_a_problem_that_is_cut_off_is_opened_and_the_end_is_told() -> None:
    record = open_record(b"(;GM[1]SZ[5]AB[aa]AW[bb]PL[W]C[White to live]")
    assert record.game.planes[:2].sum() == 2 and record.game.turn == 1
    assert "left out: the text ends" in record.left_out


def test_the_swap_of_hex_has_its_own_name_among_the_moves() -> None:
    session = PageSession(persons(), sixplane.Hex(size=3, swap=True))
    session.new(persons(), sixplane.Hex(size=3, swap=True).replay([4, 9]))
    session.start()
    snapshot = session.snapshot()
    assert state(snapshot, Display())["moves"] == [[0, "B2"], [1, "swap"]]


def test_what_is_tried_out_would_be_lost_with_the_game() -> None:
    record = open_record(SGF.encode())
    session = session_of(record)
    assert not session.snapshot().is_played
    session.try_out(ROOT, 3)
    assert session.snapshot().is_played


def test_what_was_tried_out_stays_when_the_same_move_is_played_and_taken_back() -> None:
    session = PageSession(persons(), sixplane.Go(size=5))
    session.start()
    place = session.try_out(ROOT, 7)
    session.live.play(7, 0)
    session.live.undo()
    assert session.game_at(place).actions.tolist() == [7]


def test_so_many_branches_can_be_tried_out_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sixplane.web.session.MOST_TRIED", 3)
    session = PageSession(persons(), sixplane.Go(size=5))
    places = [session.try_out(ROOT, action) for action in (0, 1)]
    with pytest.raises(RefusedError) as caught:
        session.try_out(ROOT, 2)
    assert caught.value.reason == "too_many" and len(session.snapshot(places[0]).beside) == 2


def test_the_comments_of_one_line_are_saved_by_other_players_too() -> None:
    record = open_record(b"(;GM[1]SZ[5]PB[A]PW[B];B[aa]C[A corner];W[bb])")
    root = sgf.parse(session_of(record).record()).games[0]
    assert [node.text("C") for node in root.main_line()] == [None, "A corner", None]
