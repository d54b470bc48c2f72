"""Networks as evaluators: games, komi, copies, backends and bad input."""

from __future__ import annotations

import copy
import pickle
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import own_games as games
import sixplane
from sixplane import Gomoku, Reversi
from sixplane.agents import AgentSpec
from sixplane.nets import Architecture, Network, backends, installed_backends, network
from sixplane.nets.numpy_backend import NumPyBackend
from sixplane.search import MCTS
from slow_network import lively_parameters, positions

#: Its classes are not what a type checker takes them for.
own_games: Any = games

GO = Architecture("go", blocks=1, channels=4)


def a_network(architecture: Architecture = GO, **options: Any) -> Network:
    return Network(architecture, lively_parameters(architecture, seed=1), **{"backend": "numpy"} | options)


@pytest.mark.parametrize("game", [sixplane.Go(size=5), Gomoku(size=(6, 7)), Reversi(size=(6, 4))])
def test_a_search_takes_a_network_as_it_is(game: sixplane.Game) -> None:
    architecture = Architecture(game.name, blocks=1, channels=4)
    evaluator = a_network(architecture).for_game(game)
    result = MCTS(evaluator, selection="puct", simulations=40, leaves=4, seed=1).search(game)
    logits, values = evaluator(game.planes[None])
    legal = game.action_mask.astype(bool)
    weights = np.where(legal, np.exp(logits[0] - logits[0][legal].max()), 0)
    assert np.allclose(result.prior, weights / weights.sum(), atol=1e-5)
    assert result.raw_value == pytest.approx(values[0], abs=1e-5)
    batch = sixplane.GameBatch(game, 3)
    assert (
        MCTS(evaluator, selection="gumbel", simulations=8, seed=1).search_batch(batch).best_action.min() >= 0
    )


def test_evaluate_and_call_say_the_same() -> None:
    planes = positions(sixplane.Go(size=5), 6, seed=1)
    evaluation = a_network().evaluate(planes)
    logits, values = a_network()(planes)
    assert np.array_equal(evaluation.logits, logits)
    assert np.array_equal(evaluation.values, values)
    assert evaluation.ownership.shape == (6, 5, 5)
    assert evaluation.scores.shape == (6,)
    for array in (evaluation.values, evaluation.ownership):
        assert np.abs(array).max() <= 1


def test_no_positions_give_no_numbers() -> None:
    evaluation = a_network().evaluate(np.zeros((0, 6, 3, 4), np.uint8))
    assert [array.shape for array in evaluation] == [(0, 13), (0,), (0, 3, 4), (0,)]


@pytest.mark.parametrize(("size", "unit"), [(4, 2.5), (8, 10), ((4, 6), 3.75)])
def test_scores_are_in_discs_in_proportion_to_the_board(size: int | tuple[int, int], unit: float) -> None:
    planes = positions(Reversi(size=size), 3, seed=1)
    inputs = ("own", "opponent", "ones")
    reversi, gomoku = (Architecture(game, inputs, blocks=1, channels=4) for game in ("reversi", "gomoku"))
    assert np.allclose(
        a_network(reversi).evaluate(planes).scores, unit * a_network(gomoku).evaluate(planes).scores
    )


def test_a_network_for_a_game_takes_its_komi() -> None:
    plain = a_network(komi=7.5)
    bound = plain.for_game(sixplane.Go(size=5, komi=0.5))
    assert (plain.komi, bound.komi) == (7.5, 0.5)
    planes = positions(sixplane.Go(size=5), 4, seed=1)
    assert np.array_equal(bound(planes)[1], a_network(komi=0.5)(planes)[1])
    assert not np.allclose(bound(planes)[1], plain(planes)[1])
    assert plain.for_game(sixplane.Go(size=9, komi=7.5)) is plain
    assert bound.for_game(sixplane.Go(komi=7.5)).komi == 7.5


@pytest.mark.parametrize("komi", [7, np.float64(7), np.float32(7), np.int64(7)], ids=type)
def test_komi_may_be_a_number_of_any_type(komi: Any) -> None:
    network = a_network(komi=komi)
    assert type(network.komi) is float and network.komi == 7


def test_a_network_refuses_other_games() -> None:
    with pytest.raises(TypeError, match="this network plays Go, not Reversi"):
        a_network().for_game(Reversi())
    with pytest.raises(TypeError, match="this network plays Gomoku, not Go"):
        a_network(Architecture("gomoku", blocks=1, channels=2)).for_game(sixplane.Go())
    # A class of someone's own may be called as one of sixplane.
    with pytest.raises(TypeError, match="this network plays Gomoku, not own_games:Gomoku"):
        a_network(Architecture("gomoku", blocks=1, channels=2)).for_game(own_games.Gomoku())
    for spec in ("score-table", "gomoku15"):
        with pytest.raises(ValueError, match="plays Gomoku, not own_games:Gomoku"):
            AgentSpec.parse(spec).check_game(own_games.Gomoku(15))
    with pytest.raises(TypeError, match="this network plays own_games:Gomoku, not Gomoku"):
        a_network(Architecture(own_games.Gomoku.name, blocks=1, channels=2)).for_game(Gomoku())


def test_an_option_called_komi_is_no_komi_of_go() -> None:
    game = own_games.NoKomi(komi="fair")
    plain = a_network(Architecture(game.name, blocks=1, channels=4))
    assert plain.for_game(game) is plain and "komi" not in plain._repr_html_()
    assert "komi" in a_network()._repr_html_()
    assert MCTS(plain.for_game(game), simulations=20, seed=1).search(game).simulations == 20


def test_networks_are_copied_and_pickled_by_their_numbers() -> None:
    planes = positions(sixplane.Go(size=4), 5, seed=1)
    original = a_network(komi=5.5, sizes=[5], training={"games": 3}, threads=2)
    for other in (pickle.loads(pickle.dumps(original)), copy.copy(original), copy.deepcopy(original)):
        assert (other.komi, other.sizes, other.training) == (5.5, ((5, 5),), {"games": 3})
        assert other.architecture == original.architecture
        assert np.array_equal(other(planes)[0], original(planes)[0])
    assert repr(original) == "Network(go, 1x4, backend='numpy')"


def test_another_backend_has_the_same_facts() -> None:
    other = a_network(komi=5.5, sizes=[(4, 5)], threads=3).with_backend("auto", threads=1)
    assert (other.komi, other.sizes) == (5.5, ((4, 5),))
    assert installed_backends()[-1] in ("numpy", "torch")


def test_threads_may_share_a_network() -> None:
    shared = a_network()
    boards = [positions(sixplane.Go(size=4), count, seed=count) for count in (3, 20, 50, 3)]
    expected = [a_network()(planes) for planes in boards]
    wrong: list[int] = []

    def work(i: int) -> None:
        for _ in range(30):
            found = shared(boards[i])
            wrong.extend(
                i for one, other in zip(found, expected[i], strict=True) if not np.array_equal(one, other)
            )

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(boards))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


class Static(NumPyBackend):
    """A backend that prepares itself for each number of rows, and remembers them."""

    is_static = True
    seen: list[int]

    def __call__(self, inputs: Any) -> Any:
        self.seen.append(len(inputs))
        return super().__call__(inputs)


def test_calls_of_a_static_backend_are_padded_to_few_lengths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Static, "seen", [], raising=False)
    monkeypatch.setattr(network, "make_backend", lambda shape, numbers, **_options: Static(shape, numbers))
    static = a_network()
    monkeypatch.undo()
    plain = a_network()
    counts = [1, 2, 3, 9, 17, 81, 128, 129, 200, 256]
    lengths = [1, 2, 3, 10, 20, 96, 128, 160, 224, 256]
    calls = {count: [length] for count, length in zip(counts, lengths, strict=True)}
    calls |= {257: [256, 1], 600: [256, 256, 96]}
    for count, expected in calls.items():
        Static.seen = []
        planes = positions(sixplane.Go(size=2), 1, seed=1).repeat(count, axis=0)
        planes[:, 0] = np.random.default_rng(1).integers(0, 2, (count, 2, 2))
        for one, other in zip(static.evaluate(planes), plain.evaluate(planes), strict=True):
            assert one.shape == other.shape
            assert np.allclose(one, other, atol=1e-6)
        assert Static.seen == expected


def test_fresh_parameters_are_random_and_change_little() -> None:
    architecture = Architecture("go")
    one, same, other = (architecture.random_parameters(seed) for seed in (1, 1, 2))
    assert all(np.array_equal(one[name], same[name]) for name in one)
    assert not np.array_equal(one["stem.weight"], other["stem.weight"])
    assert {name: value.shape for name, value in one.items()} == architecture.shapes
    assert np.std(one["blocks.0.conv1.weight"]) == pytest.approx((2 / 288) ** 0.5, rel=0.05)
    assert np.std(one["blocks.0.conv2.weight"]) == pytest.approx(0.1 * (2 / 288) ** 0.5, rel=0.05)
    values = Network(architecture, one, backend="numpy")(positions(sixplane.Go(size=9), 9, seed=1))[1]
    assert np.abs(values).max() < 0.5


def test_a_network_stays_as_it_was_made_when_its_parameters_are_learned_on() -> None:
    parameters = GO.random_parameters(seed=1)
    plain, planes = Network(GO, parameters, backend="numpy"), positions(sixplane.Go(5), 4, 1)
    before = plain.evaluate(planes)
    for name in parameters:
        parameters[name] += 0.1  # as a learner does whose arrays share their memory with tensors
    after = plain.evaluate(planes)
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_calibration_stays_as_it_was() -> None:
    planes = positions(sixplane.Go(size=9), 9, seed=1)
    network = a_network(calibration=planes)
    kept = planes.copy()
    planes[:] = 0
    assert kept.any() and network._calibration is not None
    assert np.array_equal(network._calibration, kept)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"backend": "tpu"}, "no backend is called 'tpu'; there are auto, numpy"),
        ({"precision": "bfloat16"}, "the backend 'numpy' computes in float32, not in bfloat16"),
        ({"precision": "float16"}, "precision must be float32, bfloat16, int8 or auto, not 'float16'"),
        ({"precision": "int8"}, "the precision int8 needs calibration=, planes of positions"),
        ({"calibration": np.zeros((0, 6, 9, 9), np.uint8)}, "calibration must have at least one position"),
        ({"calibration": np.zeros((6, 9, 9), np.uint8)}, r"the shape must be \(B, 6, rows, cols\)"),
        (
            {"precision": "int8", "calibration": np.zeros((1, 6, 9, 9), np.uint8)},
            "the backend 'numpy' computes in float32, not in int8",
        ),
        ({"threads": 0}, "threads must be from 1 to 1024, not 0"),
        ({"komi": float("inf")}, "komi must be a number, not inf"),
        ({"komi": True}, "komi must be a number, not True"),
        ({"sizes": [1]}, "a board of 1x1"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        a_network(**options)


def test_wrong_planes_and_parameters_are_refused() -> None:
    with pytest.raises(ValueError, match=r"the shape must be \(6, rows, cols\)|\(B, 6, rows, cols\)"):
        a_network()(np.zeros((6, 5, 5), np.uint8))
    with pytest.raises(TypeError, match="planes must be a NumPy array, not list"):
        a_network()([1])  # type: ignore[arg-type]
    parameters = lively_parameters(GO, seed=1)
    with pytest.raises(ValueError, match="no parameter more"):
        Network(GO, {**parameters, "more": np.zeros(1, np.float32)}, backend="numpy")
    with pytest.raises(ValueError, match="blocks must be an integer from 1 to 1000, not 0"):
        Architecture("go", blocks=0)
    with pytest.raises(ValueError, match="an input plane is named twice: own, own"):
        Architecture("go", inputs=("own", "own"))


@pytest.mark.parametrize("name", ["onnxruntime", "openvino", "torch"])
def test_a_backend_that_is_not_installed_is_said(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "find_spec", lambda name: None if name != "numpy" else name)
    with pytest.raises(
        ModuleNotFoundError, match=f"the backend '{name}' is not installed: pip install {name}"
    ):
        a_network(backend=name)
    assert installed_backends() == ("numpy",)
    assert repr(a_network(backend="auto")) == "Network(go, 1x4, backend='auto')"


def test_margins_are_ten_for_a_win_and_the_lead() -> None:
    planes = positions(sixplane.Go(size=5), 6, seed=1)
    network = a_network()
    evaluation, (logits, margins) = network.evaluate(planes), network.margins(planes)
    assert np.array_equal(logits, evaluation.logits)
    assert np.allclose(margins, 10 * evaluation.values + evaluation.scores, atol=1e-5)


def test_options_that_are_not_given_stay_with_another_backend(tmp_path: Path) -> None:
    network = a_network(threads=3, precision="auto", calibration=positions(sixplane.Go(size=5), 6, seed=1))
    other = network.with_backend("numpy")
    assert other._settings == {"backend": "numpy", "threads": 3, "precision": "auto"}
    assert other._calibration is not None and network._calibration is not None
    assert np.array_equal(other._calibration, network._calibration)
    network.save(tmp_path / "net.npz")
    loaded = Network.load(tmp_path / "net.npz", backend="numpy", threads=2, precision="auto")
    assert loaded._settings == {"backend": "numpy", "threads": 2, "precision": "auto"}


def test_a_deep_copy_has_facts_of_its_own() -> None:
    network = a_network(training={"settings": {"seed": 1}})
    copied = copy.deepcopy(network)
    copied.training["settings"]["seed"] = 2
    assert network.training == {"settings": {"seed": 1}}


def test_numbers_of_numpy_make_the_same_shape() -> None:
    shape = Architecture("go", blocks=np.int64(2), channels=np.uint8(4))  # type: ignore[arg-type] # as they come
    assert shape == Architecture("go", blocks=2, channels=4) and type(shape.blocks) is int
