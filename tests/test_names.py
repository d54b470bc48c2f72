"""Names that do not exist: the message proposes the one that was meant, or says where it is."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

import sixplane
from sixplane.__main__ import main
from sixplane.agents import AgentSpec, CapturingAgent, NetworkAgent
from sixplane.games import check_rules, info_named

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("arguments", "proposed"),
    [
        ("mach random random", "match"),
        ("slefplay", "selfplay"),
        ("Play", "play"),
        ("gomokup", "gomocup"),
        ("wacth run", "watch"),
        ("selfplay --gmaes 3", "--games"),
        ("selfplay --thread-count 3 --sede 1", "--threads"),
        ("train --ouut run", "--out"),
        ("match --gmae=go", "--game"),
        ("play --oponent random", "--opponent"),
        ("play -size 9", "--size"),
        ("--versoin", "--version"),
        ("gtp --game rversi", "reversi"),
        ("train --device cdua", "cuda"),
        ("selfplay --dance", ""),
        ("dance", ""),
    ],
)
def test_a_misspelt_command_or_option_proposes_the_nearest(
    arguments: str, proposed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments.split())
    said = capsys.readouterr()
    assert (ended.value.code, said.out, said.err.count("\n")) == (2, "", 1)
    if proposed:
        assert f"(did you mean {proposed}?)" in said.err
    else:
        assert "did you mean" not in said.err


def test_the_beginning_of_an_option_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["selfplay", "--siz", "4", "--games", "2", "--see", "1"]) == 0
    assert "games                       2" in capsys.readouterr().out


def test_without_a_command_the_program_prints_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("usage: sixplane") and "selfplay" in said.out and not said.err


@pytest.mark.parametrize(
    ("spec", "proposed"),
    [
        ("radnom", "random"),
        ("mcst:seconds=1", "mcts"),
        ("score_table", "score-table"),
        ("Random", "random"),
        ("newtork", "network"),
        ("go-9", "go9"),
        ("mcts:simulation=3", "simulations"),
        ("mcts:second=3", "seconds"),
        ("network:files=a.npz", "file"),
        ("random:avoid-eye=none", "avoid_eyes"),
        ("go9:temprature=1", "temperature"),
    ],
)
def test_a_misspelt_agent_or_option_of_one_proposes_the_nearest(spec: str, proposed: str) -> None:
    with pytest.raises(ValueError, match=rf"\(did you mean {proposed}\?\); "):
        AgentSpec.parse(spec)


@pytest.mark.parametrize("spec", ["stockfish", "gnugo", "", "random:speed=3"])
def test_a_name_like_none_proposes_none(spec: str) -> None:
    with pytest.raises(ValueError, match=r"; (there are|it has) ") as caught:
        AgentSpec.parse(spec)
    assert "did you mean" not in str(caught.value)


@pytest.mark.parametrize(
    "name",
    ["a,b.npz", "a,b,c.npz", ",a.npz", "a,.npz", "a b, c.npz", "lr=0.1,batch=2.npz", "seconds=1,x.npz"],
)
def test_a_path_with_a_comma_can_be_named(name: str, tmp_path: Path) -> None:
    from sixplane.nets import Network

    file = tmp_path / name
    Network.load("go9").save(file)
    spec = AgentSpec.parse(f'net@network:simulations=3,file="{file}",threads=1')
    assert spec.options == {"simulations": 3, "file": str(file), "threads": 1}
    assert isinstance(spec.make(1), CapturingAgent)
    if "=" not in name and ", " not in name:
        # Without quotes what is no option belongs to the path before it.
        assert AgentSpec.parse(f"network:file={file},simulations=3").options["file"] == str(file)


@pytest.mark.parametrize(
    ("name", "game"),
    [("go9", sixplane.Go(9)), ("reversi8", sixplane.Reversi()), ("gomoku15", sixplane.Gomoku())],
)
def test_a_shipped_network_is_an_agent_by_its_name(name: str, game: sixplane.Game) -> None:
    spec = AgentSpec.parse(name)
    assert (spec.title, spec.options) == (name, {"name": name})
    spec.check_game(game)
    agent = spec.make(1)
    assert isinstance(agent, NetworkAgent)
    written_out = AgentSpec.parse(f"network:name={name}").make(1)
    assert agent.select_action(game) == written_out.select_action(game)
    searching = AgentSpec.parse(f"strong@{name}:simulations=8")
    assert searching.title == "strong" and isinstance(searching.make(1), CapturingAgent)
    with pytest.raises(ValueError, match=f"{name} has no option 'file'"):
        AgentSpec.parse(f"{name}:file=x.npz")


@pytest.mark.parametrize("game", ["chess", "othello", "Go", "reversy", "gomuku"])
def test_an_unknown_game_proposes_the_nearest(game: str) -> None:
    nearest = {"Go": "go", "reversy": "reversi", "gomuku": "gomoku"}.get(game)
    with pytest.raises(ValueError, match=f"there is no game '{game}'") as caught:
        info_named(game)
    assert (f"did you mean {nearest}?" in str(caught.value)) == (nearest is not None)


@pytest.mark.parametrize(
    ("game", "rule", "message"),
    [
        ("reversi", "komi", "komi is a rule of go, not of reversi"),
        ("gomoku", "ko", "ko is a rule of go, not of gomoku"),
        ("go", "exact_five", "exact_five is a rule of gomoku, not of go"),
        ("go", "komii", r"go has no rule 'komii' \(did you mean komi\?\); it has komi, "),
        ("reversi", "komii", "reversi has no rule 'komii'; it has size, max_moves"),
    ],
)
def test_a_rule_of_another_game_is_said_to_be_so(game: str, rule: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_rules(game, [rule])


@pytest.mark.parametrize("game", [sixplane.Go(9), sixplane.Reversi((4, 6)), sixplane.Gomoku(7)])
def test_a_name_or_a_point_instead_of_an_action_is_told_how_to_become_one(game: sixplane.Game) -> None:
    for action in ("E5", "e5", "pass", ""):
        with pytest.raises(TypeError, match=r"not str: name_to_action\(name\) of the game gives it"):
            game.play(action)  # type: ignore[arg-type]
    for point in ((4, 4), [1, 2], (0,)):
        with pytest.raises(TypeError, match=rf"row \* {game.cols} \+ column, with row 0 at the top"):
            game.play(point)  # type: ignore[arg-type]
    for other in (None, 1.0, True, b"E5", {1}, np.float32(1)):
        with pytest.raises(TypeError, match="action must be an integer, not") as caught:
            game.play(other)  # type: ignore[arg-type]
        assert ":" not in str(caught.value)
    assert game.move_number == 0


@pytest.mark.parametrize("missing", ["library", "gymnasium", "torch", "both"])
@pytest.mark.parametrize(
    ("module", "library"),
    [("pettingzoo", "pettingzoo"), ("sb3", "stable_baselines3"), ("rllib", "ray"), ("torchrl", "torchrl")],
)
def test_a_module_for_a_library_names_its_own_extra_at_once(module: str, library: str, missing: str) -> None:
    # What this environment has of them is hidden.
    hidden = {"library": [library], "both": [library, "gymnasium", "torch"]}.get(missing, [missing, library])
    code = f"""
import sys
for name in {hidden}:
    sys.modules[name] = None
try:
    import sixplane.{module}
except ModuleNotFoundError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout.endswith(f": pip install 'sixplane[{module}]'\n"), done.stderr


def test_pettingzoo_without_gymnasium_names_its_own_extra() -> None:
    code = """
import sys
sys.modules["gymnasium"] = None
import sixplane.pettingzoo
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stderr.endswith("sixplane.pettingzoo needs PettingZoo: pip install 'sixplane[pettingzoo]'\n")


def test_evaluate_takes_specs_in_both_places() -> None:
    game = sixplane.Gomoku(size=7)
    first = sixplane.evaluate("score-table", "random", game, games=10, seed=1)
    second = sixplane.evaluate("random", "score-table", game, games=10, seed=1)
    assert (first.wins, second.losses) == (10, 10)
    with pytest.raises(ValueError, match="did you mean random"):
        sixplane.evaluate("radnom", "random", game)
    with pytest.raises(ValueError, match="score-table plays Gomoku, not Go"):
        sixplane.evaluate("score-table", "random", sixplane.Go(5))


@pytest.mark.parametrize(
    "text",
    [
        "random", "weak@random:tries=2,avoid_eyes=none", "mcts:simulations=100,seconds=0.1,c=1e-05",
        "mcts:evaluator=score-table,selection=puct", "network:seconds=1", "reversi8:simulations=8", "human",
        'net@network:file="a, b=1.npz",threads=2', "strong@gtp:prog --user a@b:c --x=1,2", "gtp:prog 'a b'",
        "network:name=nobody,backend=none", "strong@gomocup:prog --user a@b:c --x=1,2", "gomocup:prog 'a b'",
        "x@gomocup:seconds=0.5,prog -x 1,2",
    ],
)  # fmt: skip
def test_a_spec_is_read_without_making_anything_and_written_again(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.open", None)
    spec = AgentSpec.parse(text)
    assert str(spec) == text and AgentSpec.parse(str(spec)) == spec
    assert AgentSpec.parse(f" {text} ") == spec != AgentSpec.parse("other@random")
    assert spec.opens_files == any(word in text for word in ("gtp:", "gomocup:", "file="))
