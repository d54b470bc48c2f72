"""The guide to adding a game, `docs/adding-a-game.md`, as what it changes in the files of sixplane."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
GUIDE = ROOT / "docs" / "adding-a-game.md"

STEP = re.compile(r"^\*\*(\d+)\. ", re.MULTILINE)
CODE = re.compile(r"^```(rust|diff|py)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
#: A file, in a link or as code.
FILE = re.compile(r"[(`](?:\.\./)?((?:src|python)/[\w/]+\.\w+)[)`]")

#: Files of the game -> the steps whose code they hold below what the page says of them.
HOLDS = {
    "src/games/toe_tac_tic/mod.rs": ("1", "2", "3"),
    "src/record/toe_tac_tic.rs": ("4",),
}


def changed_files() -> dict[str, str]:
    """The files that the guide adds or changes, with what they hold afterwards.

    The code of steps 8 to 11 belongs to the file that was named last before it. A `diff` shows lines of that
    file, and with `-` and `+` what becomes of them.
    """
    steps = STEP.split(GUIDE.read_text(encoding="utf-8"))
    told = dict(zip(steps[1::2], steps[2::2], strict=True))
    files: dict[str, str] = {}
    for number in ("8", "9", "10", "11"):
        named, end = "", 0
        for found in CODE.finditer(told[number]):
            named = [named, *FILE.findall(told[number][end : found.start()])][-1]
            end = found.end()
            language, code = found.groups()
            if language == "diff":
                before = files[named] if named in files else (ROOT / named).read_text(encoding="utf-8")
                files[named] = patched(before, code, named)
            else:
                assert named not in files and not (ROOT / named).exists(), f"{named} is there already"
                parts = [CODE.findall(told[step])[0][1] for step in HOLDS.get(named, ())]
                files[named] = "\n".join([code, *parts])
    return files


def patched(text: str, diff: str, name: str) -> str:
    """A text after the change that a `diff` shows; its old lines are there once."""
    lines = diff.splitlines(keepends=True)
    assert {line[0] for line in lines} <= {" ", "+", "-"}, f"no diff of {name}:\n{diff}"
    old = "".join(line[1:] for line in lines if line[0] != "+")
    assert ("\n" + text).count("\n" + old) == 1, f"{name} does not hold once:\n{old}"
    new = "".join(line[1:] for line in lines if line[0] != "-")
    return ("\n" + text).replace("\n" + old, "\n" + new)[1:]
