"""Packages of compiled modules, as maturin builds them of a crate."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

__all__ = ["built", "run"]

ROOT = Path(__file__).parent.parent


def built(crate: Path, folder: Path) -> Path:
    """Builds the wheel of a crate, which shares what this tree has compiled, and unpacks it into a folder."""
    python = Path(os.environ.get("PYO3_PYTHON", ROOT / ".venv" / "bin" / "python"))
    done = subprocess.run(
        [python.with_name("maturin"), "build", "--offline", "--interpreter", python, "--out", folder],
        cwd=crate, capture_output=True, text=True, check=False,
        env=os.environ | {"CARGO_TARGET_DIR": str(ROOT / "target/module"), "PYO3_PYTHON": str(python)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        files.extractall(folder / "package")
    return folder / "package"


def run(package: Path, *arguments: object, said: str = "") -> str:
    """What a command says that finds the package first, and ends well."""
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        input=said, capture_output=True, text=True, check=False, cwd=package.parent,
        env=os.environ | {"PYTHONPATH": str(package)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout
