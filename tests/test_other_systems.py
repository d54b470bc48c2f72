"""What Windows, or a newer Python, says in another way, or does not do: said here in its place."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import own_games
from sixplane import _files
from sixplane._files import write_file
from sixplane.cli import CommandError, arguments, page
from sixplane.cli.progress import ProgressLine
from sixplane.games.own import OWN_GAMES, written_name
from sixplane.jobs import JobError
from sixplane.jobs.child import Child

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn


def raises(error: Exception) -> Callable[..., NoReturn]:
    def function(*_: object) -> NoReturn:
        raise error

    return function


def lacks(said: str) -> NoReturn:
    raise AttributeError(said)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Can't get attribute 'Corner' on <module '__main__' (built-in)>", "Corner"),
        ("module '__main__' has no attribute 'Corner'", "Corner"),
        ("Can't resolve path 'Board.Corner' on module '__main__'", "Board.Corner"),
    ],
)
def test_what_a_process_does_not_find_is_told_with_advice_by_each_python(said: str, name: str) -> None:
    child = Child(lacks)
    child.ask(said)
    with pytest.raises(JobError, match=f"a new process cannot find {name}, which was made in a notebook"):
        child.answer(60)
    child.close()


def test_a_file_that_another_program_has_open_for_a_moment_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, replace, busy = tmp_path / "figures.csv", Path.replace, [3]

    def replace_later(file: Path, target: Path) -> Path:
        if busy[0]:
            busy[0] -= 1
            raise PermissionError(errno.EACCES, "Access is denied", str(file), None, str(target))
        return replace(file, target)

    monkeypatch.setattr(Path, "replace", replace_later)
    monkeypatch.setattr(_files, "BUSY_SECONDS", 60)
    write_file(path, b"new")
    assert path.read_bytes() == b"new"
    # Elsewhere, where nobody keeps it open, and after a while.
    monkeypatch.setattr(_files, "BUSY_SECONDS", 0)
    busy[0] = 1
    with pytest.raises(PermissionError) as caught:
        write_file(path, b"newer")
    assert str(caught.value) == f"[Errno {errno.EACCES}] Access is denied: {str(path)!r}"
    assert path.read_bytes() == b"new" and [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize(
    ("system", "text", "quoted"),
    [
        ("posix", r"network:file=runs\go9\last.npz", r"'network:file=runs\go9\last.npz'"),
        ("nt", r"network:file=runs\go9\last.npz", r"network:file=runs\go9\last.npz"),
        ("nt", r"C:\my runs\go9", r'"C:\my runs\go9"'),
    ],
)
def test_commands_are_printed_as_the_shell_of_the_system_takes_them(
    system: str, text: str, quoted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arguments, "os", SimpleNamespace(name=system))
    assert arguments.quoted(text) == quoted


def test_progress_is_shown_in_what_only_says_that_it_is_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tmp_path / "NUL").open("w+", newline="") as stream:
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
        monkeypatch.setattr(sys, "stderr", stream)
        ProgressLine().show("3 of 10 games")
        stream.seek(0)
        assert stream.read() == "\r3 of 10 games"


def test_a_game_of_ones_own_on_another_drive_is_named_by_its_whole_path(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = "own_games:TicTacToe"
    assert name in OWN_GAMES
    monkeypatch.setattr(os.path, "relpath", raises(ValueError("path is on mount 'D:', start on mount 'C:'")))
    assert written_name(name) == f"{own_games.__file__}:TicTacToe"


@pytest.mark.parametrize("taken", [errno.EADDRINUSE, errno.EACCES])
def test_where_the_usual_port_is_kept_for_others_any_other_one_serves(taken: int) -> None:
    tried: list[int] = []

    def make(_host: str, port: int) -> Any:
        tried.append(port)
        if port:
            raise OSError(taken, "An attempt was made to access a socket in a way forbidden")
        return "a server"

    assert page.listen(make, argparse.Namespace(port=None, host=None), 7660) == "a server"
    assert tried == [7660, 0]


def test_errors_of_windows_sockets_have_their_own_words() -> None:
    words = "Only one usage of each socket address is normally permitted"
    given = argparse.Namespace(port=8000, host=None)
    with pytest.raises(CommandError, match=f"^cannot listen at 127.0.0.1, port 8000: {words}$"):
        page.listen(raises(OSError(10048, words)), given, 7660)
