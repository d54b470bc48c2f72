"""`sixplane completion` in real shells."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pexpect
import pytest

from sixplane.agents.spec import agent_names
from sixplane.games import GAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

COMPLETION = [sys.executable, "-m", "sixplane", "completion"]


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bash") / "sixplane"
    with path.open("w") as file:
        subprocess.run([*COMPLETION, "bash"], stdout=file, check=True, timeout=60)
    return path


@pytest.fixture
def bash(script: Path, tmp_path: Path) -> Iterator[pexpect.spawn]:
    (tmp_path / "lonely.sgf").write_text("(;)")
    (tmp_path / "folder").mkdir()
    child = pexpect.spawn(
        "bash", ["--norc", "--noprofile", "-i"], encoding="utf-8", timeout=60, dimensions=(50, 200),
        env=os.environ | {"PS1": "ready$ ", "TERM": "xterm", "INPUTRC": "/dev/null"}, cwd=tmp_path,
    )  # fmt: skip
    child.expect_exact("ready$ ")
    child.sendline(f"bind 'set enable-bracketed-paste off'; source {script}; PS1='now'; PS1+=': '")
    child.expect_exact("now: ")
    yield child
    child.close(force=True)


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("sixplane gom", "ocup "),
        ("sixplane play --oppo", "nent "),
        ("sixplane match --game rev", "ersi "),
        ("sixplane play --game go --opponent sc", "ore-table "),
        ("sixplane play --opponent hu", "man "),
        ("sixplane play --hint sc", "ore-table "),
        ("sixplane rate sc", "ore-table "),
        ("sixplane match ran", "dom "),
        ("sixplane gtp --agent mc", "ts "),
        ("sixplane play --ko sit", "uational "),
        ("sixplane play --load lon", "ely.sgf "),
        ("sixplane selfplay --out fol", "der/"),
        ("sixplane watch fol", "der/"),
        ("sixplane completion fi", "sh "),
    ],
)
def test_bash_completes_what_is_typed(bash: pexpect.spawn, typed: str, completed: str) -> None:
    bash.send(f"{typed}\t")
    bash.expect_exact(typed + completed)


@pytest.mark.parametrize(
    ("typed", "listed"),
    [
        ("sixplane ", {"play", "match", "selfplay", "gtp", "gomocup", "train", "watch", "bench"}),
        ("sixplane play --game ", set(GAMES)),
        ("sixplane match random ", set(agent_names())),
        ("sixplane play --watch ", set(agent_names())),
        ("sixplane gtp --agent ", set(agent_names()) - {"human"}),
    ],
)
def test_bash_lists_what_can_be_typed(bash: pexpect.spawn, typed: str, listed: set[str]) -> None:
    bash.send(f"{typed}\t\t")
    bash.expect_exact(f"now: {typed}")
    shown = set(re.findall(r"[\w-]+", bash.before))
    assert listed <= shown
    assert ("human" in listed) == ("human" in shown)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "tcsh", "powershell"])
def test_every_shell_gets_a_script_that_names_every_command(shell: str) -> None:
    done = subprocess.run([*COMPLETION, shell], capture_output=True, text=True, check=True, timeout=60)
    assert {"play", "match", "selfplay"} <= set(re.findall(r"\w+", done.stdout))
    assert done.stderr == ""


def test_without_shtab_the_extra_is_named() -> None:
    code = """
import sys
sys.modules["shtab"] = None
from sixplane.__main__ import main
sys.exit(main(["completion", "bash"]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "sixplane: error: completion needs shtab: pip install 'sixplane[cli]'\n"
