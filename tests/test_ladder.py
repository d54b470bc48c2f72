"""Ladders: their tables, their rungs, and the specs that name them."""

from __future__ import annotations

import hashlib
import json
import pickle
import re
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import own_games
import sixplane
from sixplane import Go, Gomoku, Reversi, ladder
from sixplane.__main__ import main
from sixplane.agents import AgentSpec
from sixplane.match import arena, evaluate, ratings
from sixplane.nets.shipped import shipped_networks

GAMES = (Go(9), Go(13), Reversi(8), Gomoku(15))
RUNGS = [(game, rung) for game in GAMES for rung in ladder.rungs(game)]
NAMES = [f"{game.name}{game.rows} +{rung.number}" for game, rung in RUNGS]

#: The rungs that stay for ever: board -> the checksums of their networks, and the spec and the interval of
#: the Elo of each when it was rated.
KEPT: dict[str, Any] = json.loads((Path(__file__).parent / "data/kept_rungs.json").read_text())


def spec_of(rung: ladder.Rung) -> AgentSpec:
    return AgentSpec.parse(rung.spec)


@pytest.mark.parametrize(("game", "rung"), RUNGS, ids=NAMES)
def test_every_rung_is_for_its_board_and_for_no_clock(game: sixplane.Game, rung: ladder.Rung) -> None:
    spec = spec_of(rung)
    assert str(spec) == rung.spec
    spec.check_game(game)
    assert not spec.options.keys() & {"seconds", "threads", "file", "resign_below"}
    assert spec.kind != "gtp"
    if spec.kind in {"mcts", "network"}:
        assert spec.options.keys() & {"simulations", "name"}


@pytest.mark.parametrize(("game", "rung"), RUNGS, ids=NAMES)
def test_the_page_of_strengths_has_every_rung(game: sixplane.Game, rung: ladder.Rung) -> None:
    page = (Path(__file__).parents[1] / "docs/strength.md").read_text()
    table = page.partition(f"| rung | {ladder.table_of(game).board} |")[2].partition("\n\n")[0]
    interval = f" ({rung.low:.0f} to {rung.high:.0f})" if rung.number else ""
    assert (
        f"\n| +{rung.number} | `{rung.spec}` | {rung.elo:.0f}{interval} | {rung.games:,} |\n" in f"{table}\n"
    )


def test_the_readme_counts_the_rungs() -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text()
    assert re.findall(r"(\d+) opponents of known strength", readme) == [str(len(RUNGS))]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name}{game.rows}")
def test_a_table_says_what_it_knows(game: sixplane.Game) -> None:
    table = ladder.table_of(game)
    first, *others = table.rungs
    assert (first.spec, first.elo, first.low, first.high) == ("random", 0, 0, 0)
    assert len({rung.spec for rung in table.rungs}) == len(table.rungs)
    assert [rung.number for rung in table.rungs] == list(range(len(table.rungs)))
    for below, rung in zip(table.rungs, others, strict=False):
        assert rung.elo > below.elo
        assert rung.gap == pytest.approx(rung.elo - below.elo, abs=0.11)
        assert rung.low < rung.elo < rung.high
        assert rung.gap_low < rung.gap < rung.gap_high
        assert rung.games > 0
    names = {str(spec_of(rung).options.get("name", "")) for rung in table.rungs} - {""}
    assert names == table.networks.keys()
    for name, checksum in table.networks.items():
        assert hashlib.sha256(shipped_networks()[name].read_bytes()).hexdigest() == checksum
    assert sorted(table.players, key=lambda player: player.elo) == list(table.players)
    assert len({player.name for player in table.players}) == len(table.players)
    assert all(player.games > 0 and player.low < player.elo < player.high for player in table.players)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name}{game.rows}")
def test_a_table_is_the_fit_of_the_games_that_are_kept(game: sixplane.Game) -> None:
    table = ladder.table_of(game)
    kept = Path(__file__).parents[1] / f"benches/ladder/{game.name}{game.rows}.jsonl"
    head, *lines = map(json.loads, kept.read_text().splitlines())
    assert head["opening moves"] == table.opening_moves
    results = [(line["first"], line["second"], line["points"], line["games"]) for line in lines]
    of_all = ratings(results, "random")
    for below, rung in zip([table.rungs[0], *table.rungs], table.rungs, strict=False):
        found, gap = of_all[rung.spec], ratings(results, below.spec)[rung.spec]
        assert rung.games == found.games
        numbers = (rung.elo, rung.low, rung.high, rung.gap, rung.gap_low, rung.gap_high)
        assert numbers == pytest.approx((*found[:3], *gap[:3]), abs=0.06)


def test_make_ladder_rates_every_board_that_has_a_table() -> None:
    root = Path(__file__).parents[1]
    boards = re.search(r"for board in ([\w ]+); do", (root / "Makefile").read_text())
    tables = {file.stem for file in (root / "python/sixplane/ladder/tables").glob("*.json")}
    assert boards and set(boards[1].split()) == tables == KEPT.keys()


@pytest.mark.parametrize("board", KEPT)
def test_a_rung_that_is_kept_has_its_place_its_player_and_its_elo(board: str) -> None:
    # Ratings, curves and learners of years ago speak of rungs: later tables only add some on top.
    kept = KEPT[board]
    game = next(game for game in GAMES if f"{game.name}{game.rows}" == board)
    table = ladder.table_of(game)
    assert kept["networks"].items() <= table.networks.items()
    assert [rung.spec for rung in table.rungs[: len(kept["rungs"])]] == [spec for spec, _, _ in kept["rungs"]]
    for rung, (_, low, high) in zip(table.rungs, kept["rungs"], strict=False):
        assert low <= rung.elo <= high


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name}{game.rows}")
def test_the_nearest_rung_is_nearest(game: sixplane.Game) -> None:
    rungs = ladder.rungs(game)
    for elo in np.random.default_rng(1).uniform(-500, 4000, 50):
        nearest = ladder.nearest(game, float(elo))
        assert all(abs(nearest.elo - elo) <= abs(rung.elo - elo) for rung in rungs)
    for rung in rungs:
        assert ladder.nearest(game, rung.elo) == rung == ladder.find(game, f"+{rung.number}")
    assert ladder.find(game, "99999") == rungs[-1]
    assert ladder.find(game, "-50") == rungs[0]


@pytest.mark.parametrize("text", ["", "+", "+-1", "auto1", "nan", "inf", "1e999", "+1.5", "+ 1", "++1", "+٣"])
def test_what_means_no_rung_is_refused(text: str) -> None:
    with pytest.raises(ladder.LadderError, match=r"a rung is an Elo, such as 1200, or \+3"):
        AgentSpec.parse(f"ladder:{text}")


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("reversi", "game must be a game, not str"),
        (3, "game must be a game, not int"),
        (None, "game must be a game, not NoneType"),
        (Reversi, "game must be a game, not the class Reversi"),
    ],
)
def test_what_is_no_game_has_no_ladder(game: Any, message: str) -> None:
    asks: list[Any] = [ladder.table_of, ladder.rungs]
    asks += [lambda game: ladder.nearest(game, 1000), lambda game: ladder.find(game, "+1")]
    for ask in asks:
        with pytest.raises(TypeError, match=f"^{message}$"):
            ask(game)


def test_a_finished_game_has_the_ladder_of_its_board() -> None:
    game = Reversi()
    game.resign()
    assert ladder.rungs(game) == ladder.rungs(Reversi())


def test_what_is_no_elo_and_no_text_is_refused() -> None:
    truth: Any = True
    with pytest.raises(TypeError, match="the Elo of a rung must be a number, not bool"):
        ladder.nearest(Reversi(), truth)
    number: Any = 1000
    message = re.escape("a rung must be a text, such as '1200' or '+3', not int")
    with pytest.raises(TypeError, match=message):
        ladder.check(number)
    with pytest.raises(TypeError, match=message):
        ladder.find(Reversi(), number)


def test_a_wrong_board_or_number_names_what_there_is() -> None:
    with pytest.raises(ladder.LadderError) as error:
        AgentSpec.parse("ladder:1200").check_game(Go(5))
    assert str(error.value) == (
        "there is no ladder for Go 5x5; there are ladders for Go 9x9, Go 13x13, Gomoku 15x15, Reversi 8x8"
    )
    most = len(ladder.rungs(Go(9))) - 1
    with pytest.raises(ladder.LadderError) as error:
        AgentSpec.parse("ladder:+999").check_game(Go(9))
    assert str(error.value) == f"the ladder for Go 9x9 has rungs from +0 to +{most}, and none +999"
    with pytest.raises(ValueError, match="must be finite"):
        ladder.nearest(Go(9), float("nan"))


def test_a_spec_is_written_as_it_is_read() -> None:
    for text in ("ladder:1200", "ladder:+3", "rival@ladder:-7.5"):
        assert str(AgentSpec.parse(text)) == text
        assert AgentSpec.parse(text).title == text.partition("@")[0]


def cheap_rungs(game: sixplane.Game) -> list[ladder.Rung]:
    """Rungs that search little or not at all."""
    return [rung for rung in ladder.rungs(game) if float(spec_of(rung).options.get("simulations") or 1) <= 50]


@pytest.mark.parametrize(
    ("game", "rung"),
    [(game, rung) for game in GAMES for rung in cheap_rungs(game)[::4]],
    ids=lambda value: value.name if isinstance(value, sixplane.Game) else f"+{value.number}",
)
def test_a_rung_plays_the_same_moves_twice(game: sixplane.Game, rung: ladder.Rung) -> None:
    records = []
    for _ in range(2):
        agent: Any = AgentSpec.parse(f"ladder:+{rung.number}").make(seed=7)
        agent.limit_time(0.001)  # changes nothing
        played = game.copy()
        for _ in range(3):
            played.play(agent.select_action(played))
        records.append(played.actions.tolist())
    assert records[0] == records[1]


#: Rungs that search, by playouts and by a network, with a share of random moves and without.
SEARCHING: list[tuple[sixplane.Game, str]]
SEARCHING = [(Reversi(8), "mcts:simulations=20,random=0.26"), (Reversi(8), "mcts:simulations=32")]
SEARCHING += [(Reversi(8), "reversi8:simulations=30"), (Go(9), "mcts:simulations=29")]


def searching(game: sixplane.Game, spec: str) -> Any:
    """The rung with this spec, as an agent."""
    number = next(rung.number for rung in ladder.rungs(game) if rung.spec == spec)
    agent: Any = AgentSpec.parse(f"ladder:+{number}").make(seed=7)
    agent.prepare(game)
    return agent


@pytest.mark.parametrize(
    ("game", "spec"), SEARCHING, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_rung_plays_a_game_as_it_plays_many_at_once(game: sixplane.Game, spec: str) -> None:
    # It was rated by many games at once, where no tree is kept from one move to the next.
    one, many, played = searching(game, spec), searching(game, spec), game.copy()
    opponent = np.random.default_rng(1)
    for _ in range(6):
        batch = sixplane.GameBatch.from_games([played], seed=0, threads=1)
        action = one.select_action(played)
        assert action == many.select_actions(batch, np.zeros(1, np.int64))[0]
        if "random" not in spec:
            assert (one.result.visits == many.batch_result.visits[0]).all()
        played.play(action)
        played.play(opponent.choice(played.legal_actions))


def test_a_rung_forgets_its_tree_before_each_move_however_it_is_asked() -> None:
    agent, played = searching(Reversi(8), "mcts:simulations=100"), Reversi(8)
    opponent = np.random.default_rng(2)
    for ask in ("select", "consider", "in parts", "after an analysis") * 3:
        if ask == "after an analysis":
            for result in agent.consider(played, 0.001, endless=True):
                if result.visits.sum() > 300:
                    break
        if ask in {"select", "after an analysis"}:
            action = agent.select_action(played)
        else:
            for _ in agent.consider(played, interval=0.0005 if ask == "in parts" else None):
                pass
            action = agent.decide(played)
        assert int(agent.result.visits.sum()) == 100, ask
        played.play(action)
        played.play(opponent.choice(played.legal_actions))


def test_an_analysis_by_a_rung_goes_on_where_it_was_stopped() -> None:
    agent, game = searching(Reversi(8), "mcts:simulations=100"), Reversi(8)
    before = 0
    for _ in range(3):
        found = next(agent.consider(game, 0.01, endless=True))
        assert found.visits.sum() == before + found.simulations
        before = int(found.visits.sum())


def test_only_a_rung_that_searches_shows_a_search() -> None:
    for game in GAMES:
        for rung in ladder.rungs(game):
            agent: Any = AgentSpec.parse(f"ladder:+{rung.number}").make(seed=1)
            assert not hasattr(agent, "consider")
            agent.prepare(game)
            assert hasattr(agent, "consider") == ("simulations" in spec_of(rung).options)


def test_a_rung_plays_as_its_spec_does_on_every_board() -> None:
    agent: Any = AgentSpec.parse("ladder:+2").make(seed=3)
    assert agent.agent is None
    for game in (*GAMES, *GAMES):
        rung = ladder.rungs(game)[2]
        batch = sixplane.GameBatch(game, 20)
        agent.reseed(5)
        actions = agent.select_actions(batch, np.arange(20))
        assert agent.rung == rung
        expected: Any = spec_of(rung).make(5)
        if hasattr(expected, "select_actions"):
            assert (actions == expected.select_actions(batch, np.arange(20))).all()
    assert len(agent.select_actions(batch, np.zeros(0, np.int64))) == 0


def test_the_agent_of_a_rung_is_kept_and_shown() -> None:
    game = Reversi()
    number = next(rung.number for rung in ladder.rungs(game) if rung.spec.startswith("mcts:"))
    agent: Any = AgentSpec.parse(f"ladder:+{number}").make(seed=1)
    assert not hasattr(agent, "result")
    agent.prepare(game)
    inner = agent.agent
    agent.select_action(game)
    assert agent.agent is inner
    assert hasattr(agent, "result")
    copy = pickle.loads(pickle.dumps(agent))
    assert copy.rung == agent.rung
    with pytest.raises(ladder.LadderError, match="there is no ladder for Reversi 6x6"):
        agent.select_action(Reversi(6))


def test_rungs_are_opponents_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make("sixplane/Gomoku-v0", opponent="ladder:+1", disable_env_checker=True)
    env.reset(seed=1)
    assert env.step(0)[4]["turn"] == 0
    envs = gymnasium.make_vec("sixplane/Gomoku-v0", 4, opponent="ladder:100")
    envs.reset(seed=1)
    envs.step(np.arange(4))
    envs.close()
    assert evaluate("ladder:+1", "ladder:+0", Gomoku(), 2, seed=1).games == 2
    command = ["match", "ladder:+1", "weak@ladder:0", "--game", "gomoku", "--games", "2"]
    assert main(command) == 0
    assert "ladder:+1 against weak" in capsys.readouterr().out
    assert main([*command, "--size", "9"]) == 1
    assert capsys.readouterr().err == (
        "sixplane: error: ladder:+1 cannot play: there is no ladder for Gomoku 9x9; "
        "there are ladders for Go 9x9, Go 13x13, Gomoku 15x15, Reversi 8x8\n"
    )
    assert main(["match", "ladder:high", "random"]) == 2
    assert "a rung is an Elo" in capsys.readouterr().err
    with pytest.raises(ladder.LadderError, match="there is no ladder for Go 7x7"):
        gymnasium.make("sixplane/Go-v0", size=7, opponent="ladder:+1")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name}{game.rows}")
def test_a_rung_far_above_beats_one_far_below(game: sixplane.Game) -> None:
    # Networks take too long on a processor that does much else.
    strong = max(
        (rung for rung in cheap_rungs(game) if spec_of(rung).kind != "network"), key=lambda rung: rung.elo
    )
    expected = 1 / (1 + 10 ** (-strong.elo / 400))
    result = arena(spec_of(strong).make(1), spec_of(ladder.rungs(game)[0]).make(2), game, 10, seed=1)
    assert result.score > expected - 0.35


def test_a_game_called_as_one_with_a_ladder_is_told_by_its_name() -> None:
    own: Any = own_games.Gomoku
    with pytest.raises(ladder.LadderError, match="there is no ladder for own_games:Gomoku 15x15; there are"):
        ladder.rungs(own())


def test_of_two_rungs_that_are_equally_near_it_is_the_weaker_one() -> None:
    for game in GAMES:
        weaker, stronger = ladder.rungs(game)[:2]
        assert ladder.nearest(game, stronger.elo / 2) == weaker


def test_spaces_around_a_rung_mean_nothing() -> None:
    game = sixplane.Go(9)
    assert ladder.find(game, " +3") == ladder.find(game, "+3") != ladder.find(game, " 3 ")
