"""Reads the cases of `tests/data` (see the README there) and runs them on any Go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

DATA = Path(__file__).parent / "data"
LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
KO_RULES = ("simple", "positional", "situational")


class Subject(Protocol):
    """What a Go must answer to be asked about the cases. Drawings are rows of `X`, `O` and `.`."""

    def play(self, action: int) -> str | None:
        """Plays and returns None, or returns the reason why not."""

    def reason(self, action: int) -> str | None:
        """Why an action may not be played, without playing it."""

    def set_turn(self, color: str) -> None: ...
    def drawing(self) -> list[str]: ...
    def owners(self) -> list[str]: ...
    def to_play(self) -> str: ...
    def is_over(self) -> bool: ...
    def captures(self) -> tuple[int, int]: ...
    def liberties_at(self, action: int) -> int: ...
    def is_eye(self, action: int, color: str, rule: str) -> bool: ...
    def areas(self) -> tuple[int, int]: ...
    def score(self) -> float: ...


class SetUp(Protocol):
    """Makes a subject from a drawing, the color to play and the rules."""

    def __call__(self, drawing: list[str], turn: str, *, ko: str, suicide: bool, komi: float) -> Subject: ...


@dataclass
class Step:
    """A line of a case and the drawing below it."""

    line: int
    word: str
    args: list[str]
    drawing: list[str] = field(default_factory=list)


@dataclass
class Case:
    """A position, then plays and expectations."""

    file: str
    name: str
    why: str = ""
    ko: Sequence[str] = KO_RULES
    suicide: Sequence[bool] = (False, True)
    komi: float = 0.0
    board: list[str] = field(default_factory=list)
    turn: str = "black"
    steps: list[Step] = field(default_factory=list)

    @property
    def rows(self) -> int:
        """Rows of the board."""
        return len(self.board)

    @property
    def cols(self) -> int:
        """Columns of the board."""
        return len(self.board[0].split())

    def action(self, name: str) -> int:
        """The action of a name such as `C3` or `pass`."""
        if name == "pass":
            return self.rows * self.cols
        col, number = LETTERS.index(name[0]), int(name[1:])
        assert col < self.cols and 1 <= number <= self.rows, name
        return (self.rows - number) * self.cols + col

    def points(self, names: list[str]) -> list[int]:
        """The points of a list of names; `none` names none."""
        return sorted(self.action(name) for name in names if name != "none")


def read_steps(path: Path) -> Iterator[Step]:
    """The lines of a file with their drawings."""
    step: Step | None = None
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = raw.partition("#")[0].rstrip()
        if line.startswith(" "):
            assert step is not None
            step.drawing.append(line.strip())
        elif line:
            if step is not None:
                yield step
            word, *args = line.split()
            step = Step(number, word, args)
    if step is not None:
        yield step


def read_cases() -> list[Case]:
    """All cases of Go, in the order of the files."""
    cases: list[Case] = []
    for path in sorted(DATA.glob("go_*.txt")):
        for step in read_steps(path):
            match step.word, step.args:
                case "case", words:
                    cases.append(Case(path.name, " ".join(words)))
                case "why", words:
                    cases[-1].why = " ".join(words)
                case "ko", rules:
                    assert set(rules) <= set(KO_RULES)
                    cases[-1].ko = rules
                case "suicide", settings:
                    cases[-1].suicide = [setting == "yes" for setting in settings]
                case "komi", [komi]:
                    cases[-1].komi = float(komi)
                case "size", [rows, cols]:
                    cases[-1].board = [" ".join("." * int(cols))] * int(rows)
                case "board", [color]:
                    cases[-1].board, cases[-1].turn = step.drawing, color
                case _:
                    cases[-1].steps.append(step)
    assert all(case.why and case.board for case in cases)
    return cases


def run_case(case: Case, set_up: SetUp) -> None:
    """Runs a case under each of its rules."""
    for ko in case.ko:
        for suicide in case.suicide:
            subject = set_up(case.board, case.turn, ko=ko, suicide=suicide, komi=case.komi)
            for step in case.steps:
                where = f"{case.file}:{step.line} ({case.name}, {ko=}, {suicide=}): {step.word} {step.args}"
                check_step(case, step, subject, ko, where)


def check_step(case: Case, step: Step, subject: Subject, ko: str, where: str) -> None:
    """Takes one step and compares what it says with what the subject says."""
    repetition = "ko" if ko == "simple" else "superko"

    def refused_for(reason: str) -> list[int]:
        return [point for point in range(case.rows * case.cols) if subject.reason(point) == reason]

    match step.word, step.args:
        case "play", names:
            for name in names:
                assert subject.play(case.action(name)) is None, (where, name, subject.drawing())
        case "refuse", [*names, reason]:
            expected = repetition if reason == "repetition" else reason
            for name in names:
                before = subject.drawing()
                assert subject.play(case.action(name)) == expected, (where, name, before)
                assert subject.drawing() == before, where
        case "turn", [color]:
            subject.set_turn(color)
        case "after", []:
            assert subject.drawing() == step.drawing, where
        case "to-play", [color]:
            assert subject.to_play() == color, where
        case "running", []:
            assert not subject.is_over(), where
        case "over", []:
            assert subject.is_over(), where
        case "captures", [black, white]:
            assert subject.captures() == (int(black), int(white)), where
        case "suicides", names:
            assert refused_for("suicide") == case.points(names), (where, subject.drawing())
        case "repetitions", names:
            assert refused_for(repetition) == case.points(names), (where, subject.drawing())
        case "liberties", [name, count]:
            assert subject.liberties_at(case.action(name)) == int(count), where
        case "eyes", [rule, color, *names]:
            points = range(case.rows * case.cols)
            eyes = [point for point in points if subject.is_eye(point, color, rule)]
            assert eyes == case.points(names), where
        case "owners", []:
            assert subject.owners() == step.drawing, where
        case "areas", [black, white]:
            assert subject.areas() == (int(black), int(white)), where
        case "score", [score]:
            assert subject.score() == float(score), where
        case word, args:
            raise ValueError(f"{where}: no word {word} {args}")
