"""Commands in this process: what an error of a command says needs no program of its own."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from subprocess import CompletedProcess

from sixplane.__main__ import main

__all__ = ["run_command"]


def run_command(*arguments: str) -> CompletedProcess[str]:
    """What the program `sixplane` prints for these arguments, and its exit status."""
    stdout, stderr = io.StringIO(), io.StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        try:
            status = main(arguments)
        except SystemExit as exits:  # argparse
            status = exits.code if isinstance(exits.code, int) else 1
    return CompletedProcess(arguments, status, stdout.getvalue(), stderr.getvalue())
