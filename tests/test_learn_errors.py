"""What `sixplane train` says of a wrong file of settings, and of a PyTorch that cannot be loaded."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sixplane.learn.config import Config, ConfigError
from sixplane.learn.folder import RunFolder
from sixplane.learn.workers import jobs_of
from sixplane.runs.calls import RunFolderError


@pytest.mark.parametrize(
    ("text", "given", "says"),
    [
        ("blocks = 0", {}, "{file}: blocks must be a positive integer, not 0"),
        ("speed = 3", {}, "{file}: there is no setting 'speed'"),
        ("game = 'chess'", {}, "{file}: there is no game 'chess'"),
        ("[[stages]]\nsize = 9", {}, "{file}: stage 1 has no time"),
        ("rules = 7", {}, "{file}: rules must be a table, not 7"),
        ("[rules]\nkomi = 'x'", {}, "{file}: "),
        ("size = 1000", {"minutes": 3.0}, "{file}: size 1000: "),
        ("game = 'go'\nblocks = 0", {"minutes": 3.0}, "{file}: blocks must be"),
        # What the command was given is not the file's fault.
        ("blocks = 4", {"workers": 0}, "workers must be a positive integer, not 0"),
        ("blocks = 4", {"size": 1000}, "size 1000: "),
        ("game = 'reversi'", {"rules": {"komi": 3}}, ""),
        ("x = " + "[" * 5000, {}, "{file} is no TOML file: "),
        ("game = '" + "x" * 100_000 + "'", {}, "{file}: there is no game "),
        ("blocks = '" + "x" * 100_000 + "'", {}, "{file}: blocks must be an integer, not 'xxx"),
    ],
    ids=lambda part: str(part)[:20],
)
def test_an_error_names_the_file_that_it_is_in(
    tmp_path: Path, text: str, given: dict[str, object], says: str
) -> None:
    file = tmp_path / "run.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        Config.read(file, **given)
    said = str(caught.value)
    assert said.startswith(says.format(file=file)) and len(said) < 1000
    assert "{file}" in says or str(file) not in said


def test_a_file_of_settings_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text("game = 'reversi'\nblocks = 3\n", encoding="utf-8-sig")
    assert file.read_bytes().startswith(b"\xef\xbb\xbf")
    config = Config.read(file)
    assert (config.game, config.blocks) == ("reversi", 3)


GAME = """
import sixplane

@sixplane.game_class
class Fill:
    "Whoever puts the last stone on the board wins."
    default_size, endings = 3, ("full",)
    def legal(self, position):
        return position.empty
    def ending(self, position):
        return None if position.empty.any() else ("full", 1.0 if position.turn else -1.0)
"""


def test_settings_name_a_game_of_your_own_as_the_command_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    for module in ("filling", "filled"):
        Path(f"{module}.py").write_text(GAME)
    Path("own.toml").write_text("game = 'filling.py:Fill'\nsize = 4")
    config = Config.read("own.toml", minutes=3)
    assert (config.game, config.prototype().rows) == ("filling:Fill", 4)
    assert Config(game="filled.py:Fill").game == "filled:Fill"
    assert Config.make(config.to_table()) == config
    # Its rules may be those of one board, so a large one has one stage, too.
    assert len(Config(game="filled.py:Fill", size=9).by_stage) == 1


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nowhere.py:Fill", "the game nowhere.py:Fill: nowhere.py cannot be imported: "),
        (
            "fillings.py:Fil",
            "the game fillings.py:Fil: fillings.py has no class Fil made by sixplane.game_class",
        ),
    ],
)
def test_a_game_of_your_own_that_is_not_there_is_an_error_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, says: str
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    Path("fillings.py").write_text(GAME)
    Path("own.toml").write_text(f"game = '{name}'")
    with pytest.raises(ConfigError, match=re.escape(f"own.toml: {says}")):
        Config.read("own.toml")
    with pytest.raises(ConfigError, match=f"^{re.escape(says)}"):
        Config(game=name)


def test_no_module_is_imported_for_the_run_in_a_folder(tmp_path: Path) -> None:
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w').close()\n")
    out = tmp_path / "run"
    out.mkdir()
    (out / "run.json").write_text(json.dumps({"game": f"{trap}:Game"}))
    with pytest.raises(RunFolderError, match="is somebody's own, and unknown here"):
        RunFolder(Config(out=str(out)))
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    ("error", "says"),
    [
        ("ImportError('libtorch_cpu.so: failed to map segment from shared object')", "failed to map segment"),
        ("OSError('libtorch_global_deps.so: cannot allocate memory')", "cannot allocate memory"),
        ("MemoryError()", "no memory is left"),
        ("ModuleNotFoundError('there is no torch', name='torch')", "pip install 'sixplane[train]'"),
    ],
)
def test_the_extra_is_named_only_where_it_is_missing(tmp_path: Path, error: str, says: str) -> None:
    (tmp_path / "torch.py").write_text(f"raise {error}")
    done = subprocess.run(
        [sys.executable, "-m", "sixplane", "train", "--out", str(tmp_path / "run")],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1 and says in done.stderr
    assert ("pip install" in done.stderr) is ("pip install" in says)


@pytest.mark.parametrize("more", [[], ["--workers", "1"]], ids=str)
def test_a_malformed_number_of_threads_is_one_line(tmp_path: Path, more: list[str]) -> None:
    program = str(Path(__file__).with_name("pass_training.py"))
    done = subprocess.run(
        [sys.executable, program, "train", "--game", "reversi", "--size", "4", "--minutes", "0.02",
         "--out", str(tmp_path / "run"), *more],
        env=os.environ | {"SIXPLANE_THREADS": "abc"},
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    said = 'SIXPLANE_THREADS must be a positive integer, not "abc"'
    assert done.stderr == f"sixplane: error: the environment variable {said}\n" and done.returncode == 2
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("workers", [None, 1])
def test_a_malformed_number_of_threads_is_an_error_of_the_settings(
    monkeypatch: pytest.MonkeyPatch, workers: int | None
) -> None:
    monkeypatch.setenv("SIXPLANE_THREADS", "0")
    with pytest.raises(ConfigError, match=r'SIXPLANE_THREADS must be a positive integer, not "0"$'):
        jobs_of(Config(workers=workers))


def test_shares_are_at_most_1_and_the_seed_is_as_large_as_one_likes() -> None:
    for name in ("growth", "window_share", "root_value_share"):
        with pytest.raises(ConfigError, match=f"^{name} must be from 0 to 1, not 1.5$"):
            Config.make({name: 1.5})
    config = Config(opening_plies=0, seed=2**40)
    assert (config.opening_plies, config.seed) == (0, 2**40)
