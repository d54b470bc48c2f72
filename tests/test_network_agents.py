"""Agents that play by networks: from Python, by their specs, and behind the commands."""

from __future__ import annotations

import io
import os
import pickle
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sixplane
from sixplane import Gomoku, Reversi
from sixplane.__main__ import main
from sixplane.agents import AgentSpec, CapturingAgent, MCTSAgent, NetworkAgent, saved_network
from sixplane.agents import spec as specs
from sixplane.nets import Architecture, Network
from sixplane.nets.shipped import shipped_networks
from slow_network import lively_parameters

if TYPE_CHECKING:
    from numpy.typing import NDArray


def saved(path: Path, game: str, **facts: Any) -> Path:
    architecture = Architecture(game, blocks=1, channels=4)
    Network(architecture, lively_parameters(architecture, seed=1), backend="numpy", **facts).save(path)
    return path


@pytest.fixture
def go(tmp_path: Path) -> Path:
    return saved(tmp_path / "go.npz", "go", sizes=[9], komi=7.5)


class Recorder:
    """An evaluator that is made anew for each game, and remembers the komi of every call."""

    def __init__(self, komi: float | None = None, seen: list[float | None] | None = None) -> None:
        self.komi = komi
        self.seen: list[float | None] = [] if seen is None else seen

    def for_game(self, game: sixplane.Go) -> Recorder:
        return Recorder(game.komi, self.seen)

    def __call__(self, planes: NDArray[np.uint8]) -> Any:
        self.seen.append(self.komi)
        return np.zeros((len(planes), planes[0, 0].size + 1)), np.zeros(len(planes))


class Leader:
    """An evaluator that says who gets the komi, for Black to play."""

    def __init__(self, komi: float = 0.0) -> None:
        self.komi = komi

    def for_game(self, game: sixplane.Go) -> Leader:
        return Leader(game.komi)

    def __call__(self, planes: NDArray[np.uint8]) -> Any:
        values = np.where(planes[:, 2, 0, 0] != 0, np.sign(self.komi), -np.sign(self.komi))
        return np.zeros((len(planes), planes[0, 0].size + 1)), values

    def margins(self, planes: NDArray[np.uint8]) -> Any:
        return self(planes)


@pytest.mark.parametrize("options", [{}, {"simulations": 10}])
def test_a_network_agent_takes_the_evaluator_for_each_game(options: dict[str, Any]) -> None:
    recorder = Recorder()
    made: Any = MCTSAgent if options else NetworkAgent
    agent = made(recorder, seed=1, **options)
    for komi, size in ((5.5, 5), (5.5, 5), (0.5, 5), (0.5, 4)):
        recorder.seen.clear()
        agent.select_action(sixplane.Go(size=size, komi=komi))
        assert set(recorder.seen) == {komi}
    recorder.seen.clear()
    agent.select_actions(sixplane.GameBatch(sixplane.Go(size=5, komi=2.5), 3), np.array([0, 2]))
    assert set(recorder.seen) == {2.5}
    assert agent.select_actions(sixplane.GameBatch(Reversi(), 3), np.array([], np.int64)).size == 0


def of_two_komi() -> sixplane.GameBatch[sixplane.Go]:
    """Games in which White, Black, White and Black is given the komi."""
    batch = sixplane.GameBatch(sixplane.Go(size=5, komi=30.5), 4)
    batch.reset([False, True, False, True], game=sixplane.Go(size=5, komi=-30.5))
    return batch


@pytest.mark.parametrize(
    "agent",
    [
        NetworkAgent(Leader(), resign_below=0.0),
        NetworkAgent(Leader().margins, resign_below=0.0),
        MCTSAgent(Leader(), simulations=10, resign_below=0.0, seed=1),
        MCTSAgent(Leader().margins, simulations=10, resign_below=0.0, reward="margin", seed=1),
    ],
    ids=["network", "method", "search", "search-method"],
)
def test_games_of_a_batch_may_differ_in_rules(agent: Any) -> None:
    actions = agent.select_actions(of_two_komi(), np.array([3, 0, 1]))
    assert [action == -1 for action in actions.tolist()] == [False, True, False]


def test_a_search_of_games_of_different_rules_finds_in_each_what_it_finds_alone() -> None:
    agent = MCTSAgent(Leader(), simulations=10, seed=1)
    found = agent.search_games(of_two_komi(), np.array([0, 3]))
    assert found is not None and found is agent.batch_result
    assert found.raw_value[[0, 3]].tolist() == [-1, 1]
    assert found.visits.sum(axis=1).tolist() == [10, 0, 0, 10]
    assert [len(line) > 0 for line in found.principal_variation] == [True, False, False, True]


def test_a_batch_of_two_rules_leaves_the_tree_of_the_game_in_play() -> None:
    agent = MCTSAgent(Leader(), simulations=50, seed=1)
    game = sixplane.Go(size=4, komi=1.5)
    game.play(agent.select_action(game))  # type: ignore[arg-type]
    agent.search_games(of_two_komi(), np.arange(4))
    agent.select_action(game)
    assert agent.result is not None and agent.result.visits.sum() > 50


def test_searches_of_a_batch_of_two_rules_differ_from_call_to_call() -> None:
    agent = MCTSAgent(Leader(), simulations=10, selection="gumbel", seed=1)
    found = [agent.search_games(of_two_komi(), np.arange(4)) for _ in range(6)]
    assert len({tuple(one.best_action.tolist()) for one in found if one is not None}) > 1


def test_a_search_takes_the_evaluator_for_each_game_and_keeps_its_tree_within_one() -> None:
    recorder = Recorder()
    agent = MCTSAgent(recorder, simulations=50, seed=1)
    game = sixplane.Go(size=4, komi=1.5)
    game.play(agent.select_action(game))  # type: ignore[arg-type]
    agent.select_action(game)
    assert agent.result is not None
    assert agent.result.visits.sum() > 50, "visits of the first search were kept"
    assert set(recorder.seen) == {1.5}
    recorder.seen.clear()
    agent.priors(sixplane.Go(size=4, komi=3.5))
    agent.search_games(sixplane.GameBatch(sixplane.Go(size=4, komi=4.5), 2), np.array([1]))
    assert set(recorder.seen) == {3.5, 4.5}
    copied = pickle.loads(pickle.dumps(agent))
    copied.select_action(game)
    assert copied.result.simulations == 50


def test_the_margins_of_a_network_follow_the_komi_of_the_game(go: Path) -> None:
    network, found = Network.load(go, backend="numpy"), []
    agent = MCTSAgent(network.margins, simulations=60, reward="margin", seed=1)
    for komi in (-20.5, 30.5):
        game = sixplane.Go(size=3, komi=komi)
        action = agent.select_action(game)
        assert agent.result is not None
        _, margins = network.for_game(game).margins(game.planes[None])
        assert agent.result.raw_value == pytest.approx(float(margins[0]))
        found.append(agent.result.raw_value)
    assert found[0] != found[1]
    # The tree of one game is kept, though a method is another object each time that it is asked for.
    game.play(action)  # type: ignore[arg-type]
    agent.select_action(game)
    assert agent.result is not None and agent.result.visits.sum() > 60
    with pytest.raises(TypeError, match="plays Go"):
        agent.select_action(Reversi())


def test_a_network_of_another_game_raises_before_it_plays(go: Path) -> None:
    for agent in (NetworkAgent(Network.load(go)), MCTSAgent(Network.load(go), simulations=5)):
        with pytest.raises(TypeError, match="this network plays Go, not Gomoku"):
            agent.select_action(Gomoku(size=5))
        with pytest.raises(TypeError, match="this network plays Go, not Reversi"):
            agent.select_actions(sixplane.GameBatch(Reversi(), 2), np.array([1]))


def test_a_search_by_a_network_keeps_a_limit_of_time(go: Path) -> None:
    for temperature in (0, 0.5):
        agent = AgentSpec.parse(f"network:file={go},simulations=1000000,temperature={temperature}").make(1)
        agent.limit_time(0.05)  # type: ignore[attr-defined]
        game = sixplane.Go(size=3, max_moves=4)
        while not game.is_over:
            game.play(agent.select_action(game))  # type: ignore[arg-type]
            assert agent.result.simulations < 1_000_000  # type: ignore[attr-defined]


def test_specs_name_networks_and_their_options(go: Path) -> None:
    spec = AgentSpec.parse(f"mine@network:file={go},backend=numpy,threads=2")
    assert (spec.title, spec.kind) == ("mine", "network")
    game = sixplane.Go(size=5, komi=0.5)
    spec.check_game(game)
    plain = spec.make(seed=1)
    logits, _ = Network.load(go, backend="numpy").for_game(game)(game.planes[None])
    assert isinstance(plain, NetworkAgent)
    assert plain.select_action(game) == int(logits[0].argmax())
    searching = pickle.loads(pickle.dumps(AgentSpec.parse(f"network:file={go},simulations=40"))).make(1)
    assert isinstance(searching, CapturingAgent)
    searching.select_action(game)
    expected = MCTSAgent(Network.load(go, backend="numpy"), simulations=40, leaves=8, seed=1)
    expected.select_action(game)
    assert searching.result is not None
    assert expected.result is not None
    assert np.array_equal(searching.result.visits, expected.result.visits)
    sampling = AgentSpec.parse(f"network:file={go},simulations=10,temperature=1,selection=gumbel").make(1)
    assert isinstance(sampling, MCTSAgent)
    assert len({sampling.select_action(game) for _ in range(20)}) > 5


def test_a_network_is_read_once_and_again_when_its_file_changes(go: Path) -> None:
    first = saved_network.network_evaluator(file=str(go))
    assert saved_network.network_evaluator(file=str(go)) is first
    saved(go, "reversi")
    os.utime(go, ns=(1, 1))
    other = saved_network.network_evaluator(file=str(go))
    assert isinstance(other, Network)
    assert other.architecture.game == "reversi"


def test_a_gumbel_search_without_noise_plays_the_same_with_every_seed(go: Path) -> None:
    def actions(noise: str) -> set[object]:
        spec = AgentSpec.parse(f"network:file={go},simulations=16,selection=gumbel{noise}")
        return {spec.make(seed).select_action(sixplane.Go(size=5)) for seed in range(10)}

    assert len(actions(",noise=0")) == 1 < len(actions(""))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("file=FILE,name=go9", "a network has a file or a name, not both"),
        ("name=go9", "there is no network 'go9': sixplane comes with no networks"),
        ("", "network needs file=PATH: sixplane comes with no networks"),
        ("file=FILE,backend=tpu", "no backend is called 'tpu'"),
        ("file=FILE,leaves=4", "'leaves' is for a search: give simulations or seconds"),
        ("file=FILE,simulations=0", "simulations must be"),
        ("file=FILE,simulations=9,selection=best", "selection must be"),
        (
            "file=FILE,simulations=9,selection=gumbel,first_play=1",
            "first_play does not go with selection=gumbel, which has c, noise",
        ),
        ("file=FILE,temperature=-1", "temperature must be 0 or a positive number"),
        ("file=FILE,threads=0", "threads must be from 1"),
        ("file=FILE,eyes=3", "network has no option 'eyes' .did you mean leaves.*; it has file, name"),
        ("file=none.npz", "there is no file none.npz"),
    ],
)
def test_a_wrong_spec_says_what_is_wrong(
    go: Path, options: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_network, "shipped_networks", dict)
    text = f"network:{options}" if options else "network"
    with pytest.raises((ValueError, TypeError), match=said):
        AgentSpec.parse(text.replace("FILE", str(go))).make(0)


def test_shipped_networks_are_found_by_name_and_by_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = {
        "go7": saved(tmp_path / "go7.npz", "go", sizes=[7], komi=9.5),
        "go13": saved(tmp_path / "go13.npz", "go", sizes=[(11, 13)], komi=7.5),
        "reversi8": saved(tmp_path / "reversi8.npz", "reversi"),
    }
    monkeypatch.setattr(saved_network, "shipped_networks", lambda: shipped)
    by_name = saved_network.network_evaluator(name="go13")
    assert isinstance(by_name, Network)
    assert by_name.sizes == ((11, 13),)
    by_game = saved_network.network_evaluator()
    assert by_game.for_game(sixplane.Go(size=9)).sizes == ((7, 7),)
    assert by_game.for_game(sixplane.Go(size=19, komi=1.5)).sizes == ((11, 13),)
    assert by_game.for_game(Reversi()).architecture.game == "reversi"
    with pytest.raises(
        TypeError, match="no network of sixplane plays Gomoku: sixplane comes with go7, go13, reversi8"
    ):
        by_game.for_game(Gomoku())
    with pytest.raises(TypeError, match="use for_game"):
        by_game(np.zeros((1, 6, 5, 5), np.uint8)) if not isinstance(by_game, Network) else None
    spec = AgentSpec.parse("network:simulations=10")
    spec.check_game(Reversi())
    assert spec.make(1).select_action(sixplane.Go(size=5)) in range(26)
    with pytest.raises(ValueError, match="network:simulations=10: no network of sixplane plays Gomoku"):
        spec.check_game(Gomoku())


def test_a_stronger_network_ships_beside_the_one_by_which_rungs_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = sixplane.Go(9)
    before = shipped_networks()
    other = saved(tmp_path / "go9-2.npz", "go", sizes=[9], komi=7.5)
    moves = [AgentSpec.parse("ladder:1800").make(1).select_action(game)]
    for module in (saved_network, specs):
        monkeypatch.setattr(module, "shipped_networks", lambda: {"go9-2": other, **before})
    assert saved_network.shipped_name(game) == "go9-2"
    assert AgentSpec.parse("go9-2").options == {"name": "go9-2"}
    moves += [AgentSpec.parse(text).make(1).select_action(game) for text in ("ladder:1800", "go9-2")]
    assert moves[0] == moves[1] != moves[2]


@pytest.mark.parametrize(
    "command",
    [
        ["play", "--game", "reversi", "--opponent", "AGENT"],
        ["match", "AGENT", "random", "--game", "reversi"],
        ["gtp", "--game", "reversi", "--agent", "AGENT"],
        ["gomocup", "--agent", "AGENT"],
    ],
)
def test_every_command_says_that_a_network_plays_another_game(
    go: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    status = main([word.replace("AGENT", f"net@network:file={go}") for word in command])
    shown = capsys.readouterr()
    assert status != 0
    assert "this network plays Go, not " in shown.err
    assert shown.err.startswith("sixplane: error: net")
    assert shown.err.count("\n") == 1


def test_a_network_plays_a_match(go: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agents = [f"net@network:file={go}", f"search@network:file={go},simulations=8"]
    assert main(["match", *agents, "--size", "4", "--games", "2", "--seed", "1"]) == 0
    assert "0 forfeits" in capsys.readouterr().out


def test_a_network_answers_by_gtp_on_boards_of_any_size(
    go: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lines = tmp_path / "lines"
    lines.write_text("boardsize 5\nkomi 0.5\ngenmove b\nboardsize 4\nlz-genmove_analyze b\nquit\n")
    with lines.open() as source:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(source.buffer))
        assert main(["gtp", "--agent", f"network:file={go},simulations=40"]) == 0
    answers = capsys.readouterr().out
    assert "?" not in answers
    assert "info move" in answers
