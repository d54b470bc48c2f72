"""Checks before a process starts another one, which begins by importing the script."""

from __future__ import annotations

import multiprocessing
import sys
from pathlib import Path
from typing import Final

from sixplane.jobs.jobs import JobError

#: The exit status of a process that begins with a script that would start another one.
UNGUARDED: Final = 76

#: The advice for such a script.
UNGUARDED_TEXT: Final = (
    "a new process begins by importing the script, which must not start another one then: put what the "
    'script does below `if __name__ == "__main__":`'
)


def leave_if_importing() -> None:
    """Ends a process that is still importing its parent's script. The parent reports the error."""
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        sys.exit(UNGUARDED)


def check_script() -> None:
    """Makes sure that a new process finds the script of this one.

    Raises:
        JobError: there is no such file.
    """
    leave_if_importing()
    main = sys.modules.get("__main__")
    path = getattr(main, "__file__", None)
    if path is not None and getattr(main, "__spec__", None) is None and not Path(path).is_file():
        raise JobError(f"a new process begins by importing the script, and {path} is no file")
