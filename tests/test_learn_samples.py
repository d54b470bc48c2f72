"""Samples, the replay window and what the worker gives."""

from __future__ import annotations

import dataclasses
import math
import pickle
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import own_games as games_in_python
import sixplane
from sixplane.learn.config import Config
from sixplane.learn.folder import RunFolder
from sixplane.learn.samples import Samples
from sixplane.learn.self_play import FinishedGames, SelfPlay, SelfPlaySearchOptions, self_play
from sixplane.learn.window import ReplayWindow
from sixplane.nets import Architecture
from sixplane.planes import symmetries, symmetry_table
from sixplane.runs.calls import Call

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Unpack

    from numpy.typing import NDArray


#: The module; the package has a function of this name.
worker = import_module("sixplane.learn.self_play")


def played(
    game: sixplane.Game,
    games: int = 6,
    seed: int = 3,
    simulations: int = 4,
    **search: Unpack[SelfPlaySearchOptions],
) -> FinishedGames:
    architecture = Architecture(game.name, blocks=1, channels=4)
    settings = SelfPlay(
        prototype=game,
        games=games,
        simulations=simulations,
        opening_plies=3,
        search={"selection": "gumbel", **search},
        architecture=architecture,
        backend={"backend": "numpy"},
    )
    return self_play(7, architecture.random_parameters(0), seed, settings)


GAMES = [sixplane.Go(size=3, max_moves=18), sixplane.Reversi(size=4), sixplane.Gomoku(size=(5, 6))]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_samples_are_positions_of_finished_games(game: sixplane.Game) -> None:
    result = played(game)
    samples = result.samples
    count = len(samples)
    assert result.version == 7
    assert 0 < count <= int(result.lengths.sum())
    assert samples.planes.shape == (count, 6, game.rows, game.cols)
    assert not samples.planes[:, 5].any()
    # The policy is one of legal actions.
    assert np.allclose(samples.policy.astype(np.float32).sum(axis=1), 1, atol=5e-3)
    assert not samples.policy[~samples.masks].any()
    assert np.array_equal(samples.masks[:, :-1], ~samples.planes[:, 3].reshape(count, -1).astype(bool))
    assert np.abs(samples.root_value).max() <= 1


@pytest.mark.parametrize(
    "game",
    [sixplane.Reversi(size=(4, 10)), sixplane.Hex(size=(5, 13)), sixplane.Reversi(size=4, max_moves=10)],
    ids=["Reversi", "Hex", "max_moves"],
)
def test_games_that_the_solver_cannot_take_are_played_without_it(game: sixplane.Game) -> None:
    with pytest.raises(ValueError, match=r"too large to solve|may cut the game off"):
        game.solve()
    result = played(game, exact=True)
    # The tree alone proves the ends.
    assert len(result.samples) > 0 and 0 < result.certain_share < 1


def test_a_call_without_a_position_is_packed_kept_and_taken_by_the_window(tmp_path: Path) -> None:
    # Both games end within the random actions that they begin with.
    architecture = Architecture("tictactoe", blocks=1, channels=2)
    settings = SelfPlay(
        prototype=sixplane.TicTacToe(), architecture=architecture, games=2, simulations=2, opening_plies=6
    )
    games = self_play(0, architecture.random_parameters(seed=1), 55, settings)
    assert len(games.samples) == 0 and len(games.outcomes) == 2
    assert games.policy_entropy == games.certain_share == games.samples.packed_bytes == 0
    samples = pickle.loads(pickle.dumps(games)).samples
    config = Config(game="tictactoe", least_window=10, most_window=20, out=str(tmp_path))
    call = Call(1, 0, 0, 2, 0, 0, 1.0, 0.5, 0.1, "host")
    with RunFolder(config) as folder:
        folder.save_games(0, call, samples)
        folder.sync()
        found, samples = folder.load_games(0)
    assert found == call
    for name, array in games.samples.arrays().items():
        assert samples.arrays()[name].shape == array.shape and samples.arrays()[name].dtype == array.dtype
    table = symmetry_table(3, 3)[[0] * 0]
    assert samples.transformed(table).planes.shape == (0, 6, 3, 3)
    window = ReplayWindow(config)
    window.add(0, samples)
    assert len(window) == 0 and window.spread(4) is None and window.oldest_file(1) == 1
    full = played(sixplane.TicTacToe()).samples
    window.add(1, full)
    window.add(2, samples)
    held = len(window)
    assert held == min(len(full), 20) and window.oldest_file(3) == 1
    assert len(window.sample(4, np.random.default_rng(0))) == 4


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_outcomes_scores_and_owners_are_of_the_player_to_play(game: sixplane.Game) -> None:
    samples = played(game).samples
    assert np.array_equal(np.sign(samples.score), samples.outcome)
    if isinstance(game, sixplane.Reversi):
        assert np.array_equal(samples.ownership.sum(axis=(1, 2)), samples.score)


SOLVED: list[sixplane.Game] = [sixplane.Reversi(size=4), sixplane.Reversi(size=6), sixplane.Gomoku(size=5)]


@pytest.mark.parametrize("game", SOLVED, ids=str)
def test_what_is_certain_is_learned_as_it_is(game: sixplane.Game) -> None:
    result = played(game, games=12, simulations=8, exact=True)
    samples = result.samples
    rebuilt = [type(game).from_planes(planes) for planes in samples.planes]
    few = [i for i, each in enumerate(rebuilt) if each.planes[:2].sum() >= game.rows * game.cols - 8]
    # Every such position is solved at its root, or was reached by a solved one.
    for i in few:
        assert samples.outcome[i] == samples.root_value[i] == rebuilt[i].solve().value
    assert len(few) / len(samples) <= result.certain_share <= 1
    assert result.certain_share > played(game, games=12, simulations=8).certain_share == 0
    # An action of the policy keeps the value.
    for i in np.flatnonzero(samples.policy.max(axis=1) == 1).tolist():
        after = rebuilt[i].copy()
        after.play(int(samples.policy[i].argmax()))
        if i in few and not after.is_over:
            value = after.solve().value
            sign = 1 if after.turn == rebuilt[i].turn else -1
            assert value is not None and sign * value == samples.outcome[i]


def test_games_that_are_decided_are_played_out_as_well_as_can_be() -> None:
    game = sixplane.Reversi(size=4)
    samples = played(game, games=12, simulations=8, exact=True).samples
    for i, planes in enumerate(samples.planes):
        # From a solved root on, also the score is that of best play.
        if planes[:2].sum() >= 8:
            solution = sixplane.Reversi.from_planes(planes).solve(score=True)
            assert solution.score is not None
            assert samples.outcome[i] == np.sign(solution.score)


class White:
    """Stands in for a network: it is sure that White wins, and likes no pass. It counts what it is asked."""

    asked = 0

    def __call__(self, planes: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        self.asked += len(planes)
        logits = np.zeros((len(planes), planes[0, 0].size + 1), np.float32)
        logits[:, -1] = -9
        return logits, np.where(planes[:, 2, 0, 0] == 1, 0.99, -0.99).astype(np.float32)

    def margins(self, planes: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Says what it says of the outcome, and of a lead of five points."""
        logits, values = self(planes)
        return logits, (15 * np.sign(values)).astype(np.float32)


@pytest.mark.parametrize(("komi", "wrong"), [(30, 0), (-30, 3)])
def test_a_decided_game_is_played_on_quickly_and_not_learned_from(
    monkeypatch: pytest.MonkeyPatch, komi: float, wrong: int
) -> None:
    game = sixplane.Go(size=4, komi=komi, max_moves=30)
    network = White()
    monkeypatch.setattr(worker, "_network", lambda *_: network)
    short = played(game, games=12, simulations=8)
    asked, network.asked = network.asked, 0
    assert (short.decided, short.wrongly_decided) == (3, wrong)
    # Games 0, 5 and 10 are played in full, the others until the same side was sure for four plies.
    assert len(short.samples) >= short.lengths[::5].sum() - 3 * 3 + 9 * 4
    assert len(short.samples) < 0.7 * short.lengths.sum()
    monkeypatch.setattr(worker, "SURE_VALUE", 1.0)
    long = played(game, games=12, simulations=8)
    assert long.decided == long.wrongly_decided == 0
    assert asked / short.lengths.sum() < 0.8 * network.asked / long.lengths.sum()


class Passing(White):
    """For points it likes to pass."""

    def margins(self, planes: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        logits, values = super().margins(planes)
        logits[:, -1] = 20
        return logits, values


def test_a_decided_game_is_played_on_for_points(monkeypatch: pytest.MonkeyPatch) -> None:
    game = sixplane.Go(size=4, komi=30, max_moves=30)
    monkeypatch.setattr(worker, "_network", lambda *_: Passing())
    result = played(game, games=12, simulations=8)
    # At most three random actions, four plies until it is sure, and both pass.
    assert result.decided == 3 and result.lengths.max() <= 3 + 4 + 2
    passes = result.samples.policy[:, -1] > 0.5
    # Three games are learned from to their ends.
    assert passes.sum() == 3 * 2
    assert np.abs(result.samples.root_value).max() <= 1


@pytest.mark.parametrize("game", GAMES[1:], ids=lambda game: game.name)
def test_games_with_a_solver_are_not_decided_by_a_network(
    monkeypatch: pytest.MonkeyPatch, game: sixplane.Game
) -> None:
    monkeypatch.setattr(worker, "_network", lambda *_: White())
    result = played(game, games=12)
    assert result.decided == 0
    assert len(result.samples) >= result.lengths.sum() - 12 * 3


def test_a_side_is_sure_by_the_last_plies_in_a_row() -> None:
    rng = np.random.default_rng(1)
    values = rng.choice(np.array([0.99, 0.96, 0.95, 0.2, -0.95, -0.96, np.nan], np.float32), (200, 12))
    sure = np.zeros(200, np.int64)
    for ply in range(12):
        sure = worker._sure(sure, values[:, ply])
        for row, found in zip(values[:, : ply + 1], sure.tolist(), strict=True):
            sides = [
                1 if value > worker.SURE_VALUE else -1 if value < -worker.SURE_VALUE else 0 for value in row
            ]
            last = next((i for i, side in enumerate(sides[::-1]) if side != sides[-1]), len(sides))
            assert found == sides[-1] * last


def test_the_same_arguments_play_the_same_games() -> None:
    game = sixplane.Reversi(size=4)
    one, same, other = played(game), played(game), played(game, seed=4)
    for name, array in one.samples.arrays().items():
        assert np.array_equal(array, same.samples.arrays()[name])
    assert np.array_equal(one.openings, same.openings)
    assert one.record == same.record
    assert not np.array_equal(one.openings, other.openings)


def of_defaults(seed: int, version: int = 0, weights: dict[str, Any] | None = None) -> FinishedGames:
    architecture = Architecture("reversi", blocks=1, channels=4)
    game = sixplane.Reversi(size=6)
    settings = SelfPlay(
        prototype=game, architecture=architecture, games=4, simulations=4, backend={"backend": "numpy"}
    )
    return self_play(version, weights or architecture.random_parameters(seed=1), seed, settings)


def test_the_games_of_a_call_with_the_defaults_differ_among_themselves_and_by_the_seed() -> None:
    one, other = of_defaults(1), of_defaults(2)
    assert len(set(one.openings.tolist())) > 1
    assert not np.array_equal(one.openings, other.openings)


def test_options_of_the_search_leave_its_noise() -> None:
    game = sixplane.Reversi(size=6)
    architecture = Architecture("reversi", blocks=1, channels=4)
    settings = SelfPlay(
        prototype=game, architecture=architecture, games=4, simulations=4, search={"cache": 64}
    )
    result = self_play(0, architecture.random_parameters(seed=1), 1, settings)
    assert len(set(result.openings.tolist())) > 1


def test_weights_that_were_changed_in_place_play_as_the_new_ones() -> None:
    architecture = Architecture("reversi", blocks=1, channels=4)
    weights = architecture.random_parameters(seed=1)
    before = of_defaults(1, 5, weights)
    for name, array in architecture.random_parameters(seed=2).items():
        weights[name][:] = 8 * array
    after = of_defaults(1, 5, weights)
    same = of_defaults(1, 6, {name: array.copy() for name, array in weights.items()})
    assert np.array_equal(after.samples.policy, same.samples.policy)
    assert not np.array_equal(after.samples.policy, before.samples.policy)


def test_a_sample_in_a_symmetry_is_what_the_symmetry_of_its_planes_is() -> None:
    samples = played(sixplane.Go(size=3, max_moves=18)).samples
    tables = symmetry_table(3, 3)
    for i in range(8):
        turned = samples.transformed(np.repeat(tables[i : i + 1], len(samples), axis=0))
        planes, policy = symmetries(samples.planes, samples.policy)
        assert policy is not None
        assert np.array_equal(turned.planes, planes[i])
        assert np.array_equal(turned.policy, policy[i])
        owners = samples.ownership.reshape(len(samples), -1)[:, tables[i][:-1]]
        assert np.array_equal(turned.ownership.reshape(len(samples), -1), owners)
        assert np.array_equal(turned.masks[:, :-1], turned.planes[:, 3].reshape(-1, 9) == 0)


def numbered(first: int, count: int) -> Samples:
    """Samples that differ in their number, which is their score and in their planes."""
    number = np.arange(first, first + count)
    return Samples(
        planes=np.broadcast_to(number.astype(np.uint8)[:, None, None, None], (count, 6, 2, 2)),
        masks=np.ones((count, 5), np.bool_),
        policy=np.full((count, 5), 0.2, np.float16),
        root_value=np.zeros(count, np.float16),
        outcome=np.zeros(count, np.int8),
        score=number.astype(np.float32),
        ownership=np.zeros((count, 2, 2), np.int8),
        komi=np.zeros(count, np.float32),
    )


#: A window of two positions, in memory for ten.
SMALL = Config(game="go", size=2, least_window=2, window_share=0.0, most_window=10)


@pytest.mark.parametrize("sizes", [[3], [4, 4, 4], [25], [1] * 23, [7, 30, 2]])
def test_the_window_holds_the_newest(sizes: list[int]) -> None:
    window, first = ReplayWindow(SMALL), 0
    for file, size in enumerate(sizes):
        window.add(file, numbered(first, size))
        first += size
    held = set(window.sample(2000, np.random.default_rng(0)).score.astype(int).tolist())
    assert held == set(range(max(0, first - 10), first))
    # Those at even distances begin with the newest, and few are all of them.
    count = min(first, 10)
    for wanted, ages in ((4, [i * count // min(4, count) for i in range(min(4, count))]), (99, range(count))):
        spread = window.spread(wanted)
        assert spread is not None and spread.shape[1:] == (6, 2, 2)
        assert spread[:, 5, 1, 1].tolist() == [first - 1 - age for age in ages]
    window.shrink(first)
    held = set(window.sample(200, np.random.default_rng(0)).score.astype(int).tolist())
    assert held == set(range(max(0, first - 2), first))


def test_an_empty_window_gives_no_samples() -> None:
    with pytest.raises(ValueError, match="empty"):
        ReplayWindow(SMALL).sample(1, np.random.default_rng(0))
    assert ReplayWindow(SMALL).spread(5) is None


def test_an_option_called_komi_is_no_komi_of_go() -> None:
    own_games: Any = games_in_python
    samples = played(own_games.NoKomi(komi="fair")).samples
    assert len(samples) > 9 and not samples.komi.any()
    assert (played(sixplane.Go(size=3, max_moves=18, komi=2.5)).samples.komi == 2.5).all()


@pytest.mark.parametrize(("game", "count"), [("go", 8), ("hex", 2)])
def test_a_sampled_position_comes_in_every_symmetry_of_its_game(game: str, count: int) -> None:
    samples = Samples(
        planes=np.broadcast_to(np.arange(9, dtype=np.uint8).reshape(3, 3), (1, 6, 3, 3)),
        masks=np.ones((1, 10), np.bool_),
        policy=np.full((1, 10), 0.1, np.float16),
        root_value=np.zeros(1, np.float16),
        outcome=np.zeros(1, np.int8),
        score=np.zeros(1, np.float32),
        ownership=np.zeros((1, 3, 3), np.int8),
        komi=np.zeros(1, np.float32),
    )
    window = ReplayWindow(Config(game=game, size=3, most_window=10))
    window.add(0, samples)
    found = window.sample(300, np.random.default_rng(0)).planes[:, 0].reshape(300, 9)
    assert len(np.unique(found, axis=0)) == count


def test_the_window_holds_a_share_of_all_positions_of_the_run() -> None:
    window = ReplayWindow(dataclasses.replace(SMALL, window_share=0.1))
    window.add(0, numbered(0, 20))
    for positions, held in ((1000, 10), (80, 8), (59, 5), (10, 2)):
        window.shrink(positions)
        assert len(window) == held


def test_the_entropy_is_that_of_the_policies_in_nats() -> None:
    result = played(sixplane.Go(size=3, max_moves=18))
    policies = result.samples.policy.astype(np.float64)
    rows = [-sum(p * math.log(p) for p in policy if p) for policy in policies.tolist()]
    assert result.policy_entropy == pytest.approx(np.mean(rows), rel=1e-6) and result.policy_entropy > 0


def test_no_position_of_a_game_that_is_played_to_its_end_by_the_solver_comes_twice() -> None:
    result = played(sixplane.Reversi(size=4), games=12, simulations=8, exact=True)
    # A game begins with at most three random actions; all that follow are learned from.
    assert result.lengths.sum() - 12 * 3 <= len(result.samples) <= result.lengths.sum()
    result = played(sixplane.Gomoku(size=5), games=1, simulations=8, exact=True)
    assert len(np.unique(result.samples.planes, axis=0)) == len(result.samples)
