"""The command line `sixplane`, also `python -m sixplane`."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; without one, prints the help.

    Args:
        argv: the arguments; None takes those of the process.

    Returns:
        The exit status: 0, 1 after a failure, 2 for wrong arguments, 130 after Ctrl-C.
    """
    try:
        # The commands take as long to import as NumPy, and Ctrl-C may come meanwhile.
        from sixplane.cli.program import run_program

        return run_program(argv)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
