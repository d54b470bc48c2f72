"""The networks that come with the package."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import sixplane
from gtp_talk import say
from sixplane._core import parse_sgf
from sixplane.agents import BestAgent, RandomAgent
from sixplane.agents.best import best_spec
from sixplane.games import GAMES
from sixplane.match import arena
from sixplane.nets import Network
from sixplane.nets.shipped import shipped_networks
from sixplane.protocols.gtp import GTPEngine

SHIPPED = shipped_networks()

#: What the wheel may carry, in bytes.
MOST_BYTES = 3 << 20


def test_they_are_small() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.values()) <= MOST_BYTES


@pytest.mark.parametrize("name", SHIPPED)
def test_a_network_says_how_it_was_trained_and_plays_with_numpy_alone(name: str) -> None:
    network = Network.load(name, backend="numpy")
    game_name = network.architecture.game
    (rows, cols) = network.sizes[0]
    game = GAMES[game_name].game_class(size=(rows, cols))
    # The board of Connect Four that everyone knows is no square.
    assert name == (f"{game_name}{rows}" if rows == cols else game_name)
    assert rows == cols or game == GAMES[game_name].game_class()
    assert network.training["games"] > 1000
    assert network.training["settings"]["game"] == game_name
    assert not Path(str(network.training["settings"]["out"])).is_absolute()
    result = arena(network.for_game(game), RandomAgent(seed=1), game, games=40, seed=1)
    assert result.score > 0.9


@pytest.mark.parametrize("size", [7, 13])
def test_the_lead_is_right_on_boards_that_the_network_has_not_learned(size: int) -> None:
    network, rng = Network.load("go9", backend="numpy"), np.random.default_rng(1)
    games = [sixplane.Go(size, max_moves=3 * size * size) for _ in range(24)]
    said: list[list[float]] = [[] for _ in games]
    while going := [(game, leads) for game, leads in zip(games, said, strict=True) if not game.is_over]:
        evaluation = network.evaluate(np.stack([game.planes for game, _ in going]))
        for (game, leads), logits, lead in zip(going, evaluation.logits, evaluation.scores, strict=True):
            leads.append(-lead if game.turn else lead)
            chances = np.where(game.action_mask, logits, -np.inf) + rng.gumbel(size=logits.shape)
            game.play(int(chances.argmax()))
    last = np.array([leads[-1] for leads in said])
    ends = np.array([game.score() for game in games])
    assert np.corrcoef(last, ends)[0, 1] > 0.9
    assert 0.75 < last @ ends / (last @ last) < 1.35


#: A game on 13x13 that White, go9, lost by 11.5 points; the stones that follow change little.
LOST = """(;GM[1]SZ[13]KM[7.5];B[fm]
;W[bm];B[bk];W[hg];B[dd];W[ei];B[kj];W[id];B[kg];W[dk];B[cl];W[df];B[fd];W[hk]
;B[bi];W[ke];B[hc];W[ic];B[hd];W[dl];B[dm];W[he];B[ce];W[cf];B[hb];W[be];B[bd]
;W[ij];B[ib];W[bf];B[dh];W[eh];B[jk];W[kc];B[ad];W[cm];B[em];W[ck];B[bl];W[il]
;B[bh];W[jl];B[ll];W[ee];B[ed];W[jh];B[kh];W[jb];B[fk];W[di];B[ci];W[cj];B[bj]
;W[gl];B[ek];W[dj];B[lf];W[fl];B[el];W[le];B[gj];W[ji];B[ki];W[dg];B[me];W[gk]
;B[md];W[jg];B[ge];W[kf];B[de];W[lg];B[mf];W[ld];B[mc];W[lc];B[mb];W[lb];B[lh]
;W[gf];B[ef];W[eg];B[ff];W[fg];B[fe];W[kl];B[lk];W[ch];B[lm];W[bg];B[ah];W[fj]
;B[gm];W[hm];B[am];W[ej];B[cm];W[ag];B[ja];W[ka];B[ia];W[ie];B[km];W[jj];B[kk]
;W[jm];B[ik];W[hj];B[ae];W[hl];B[af];W[la];B[mg];W[ma];B[ak];W[jf];B[mi];W[hf]
;B[mh];W[jd];B[cc];W[gi];B[db];W[gg];B[dc];W[dh];B[bc];W[ig];B[gd];W[ii];B[]
;W[gh];B[];W[hh];B[];W[fc])"""


def test_komi_counts_as_much_as_points_on_a_board_that_is_new_to_a_network() -> None:
    # As a plane of a tenth of the komi it counted as 15.6 points there, and the value was above 0.9.
    game, _ = parse_sgf(LOST.encode()).games[0].follow()
    evaluation = Network.load("go9", backend="numpy").for_game(game).evaluate(game.planes[None])
    assert game.turn == 0 and evaluation.values[0] > 0.3
    owners = np.sign(evaluation.ownership[0])
    assert owners.sum() - 7.5 > 5


def test_the_network_for_gomoku_plays_smaller_boards() -> None:
    game = sixplane.Gomoku(size=9)
    network = Network.load("gomoku15", backend="numpy").for_game(game)
    assert arena(network, RandomAgent(seed=1), game, games=40, seed=1).score > 0.9


def test_they_are_the_default_opponents_where_they_are_the_strongest() -> None:
    for size in (9, 11, (9, 13)):
        assert best_spec(sixplane.Go(size=size), 2) == "network@network:name=go9,seconds=1,threads=2"
    for size in (12, 13, 19, 25, (9, 19)):
        assert best_spec(sixplane.Go(size=size), 2) == "network@network:name=go13,seconds=1,threads=2"
    for size in (2, 5, 7, 8, (5, 19)):
        assert best_spec(sixplane.Go(size=size)).startswith("mcts@mcts:seconds=1,threads=1,rave=")
    for size in (8, 10, (8, 10), 14):
        spec = best_spec(sixplane.Reversi(size=size))
        assert spec == "network@network:name=reversi8,seconds=1,threads=1,exact=true"
    for size in (4, 6, (6, 8)):
        assert best_spec(sixplane.Reversi(size=size)).startswith("mcts@mcts:")
    for size in (7, (7, 9), 11):
        spec = best_spec(sixplane.Hex(size=size))
        assert spec == "network@network:name=hex7,seconds=1,threads=1,exact=true"
    spec = best_spec(sixplane.ConnectFour())
    assert spec == "network@network:name=connect4,seconds=1,threads=1,exact=true"
    assert best_spec(sixplane.ConnectFour(size=7)).startswith("mcts@mcts:")
    for size in (5, 6, 13, (7, 19)):
        assert best_spec(sixplane.Hex(size=size)) == "mcts@mcts:seconds=1,threads=1,exact=true"
    for game in (sixplane.Gomoku(), sixplane.Gomoku(exact_five=True)):
        assert best_spec(game).startswith("mcts@mcts:seconds=1,evaluator=score-table,")


def test_the_best_agent_has_no_variation_before_its_first_search() -> None:
    for ask in (BestAgent().variation, BestAgent().variation_visits):
        with pytest.raises(ValueError, match="a search of one game comes first"):
            ask(0)


def test_the_best_agent_is_chosen_anew_for_every_board() -> None:
    agent = BestAgent(seed=1)
    agent.limit_time(0.05)
    large, small = sixplane.Go(size=11), sixplane.Go(size=5)
    network = agent.agent_for(large)
    # The same network on another board, with its tree and limits, too.
    assert agent.agent_for(sixplane.Go(size=9, komi=5.5)) is network
    assert agent.agent_for(sixplane.Go(size=13)) is not network
    playouts = agent.agent_for(small)
    assert (network.evaluator is None, playouts.evaluator is None) == (False, True)
    agent.limit_time(0.03)
    assert playouts.limits[1] == pytest.approx(0.9 * 0.027)
    assert agent.agent_for(sixplane.Reversi()).limits[1] == pytest.approx(0.9 * 0.027)


def test_the_agent_behind_gtp_follows_the_board() -> None:
    engine = GTPEngine(sixplane.Go(size=5), BestAgent(seed=1))
    say(engine, "time_settings 0 1 20")

    def priors() -> int:
        """How many different ones a report has: those of a search with playouts are all equal."""
        return len(set(re.findall(r"prior (\d+)", engine.answer("lz-analyze b 1 minmoves 99"))))

    assert priors() == 1
    for command, has_network in (
        ("boardsize 9", True), ("rectangular_boardsize 13 11", True), ("kata-set-rules chinese", True),
        ("boardsize 6", False), ("boardsize 19", True), ("clear_board", True), ("boardsize 5", False),
    ):  # fmt: skip
        say(engine, command)
        assert (priors() > 1) is has_network, command
        name = say(engine, "genmove b")[0]
        assert name == "resign" or engine.game.last_action == engine.game.name_to_action(name)
