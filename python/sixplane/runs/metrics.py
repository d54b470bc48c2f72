"""The figures of a run of training: `metrics.csv`."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sixplane._fields import MOST, shown
from sixplane._files import read_file, write_file

NAN: Final = math.nan

#: The columns of an opponent: these words before its name.
SCORE, LOW, HIGH = "score against ", "low against ", "high against "

#: What is between a figure and a board in the name of a column.
ON: Final = " on "


class MetricsError(ValueError):
    """A file holds no figures of a run, or damaged ones.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder, "metrics.csv")
        ...     size = file.write_text("step,reward")
        ...     try:
        ...         Metrics(file)
        ...     except MetricsError as error:
        ...         print(str(error).removeprefix(f"{file} "))
        has other columns than the figures of a run
    """


class Strength(NamedTuple):
    """The result of the network against one opponent.

    Example:
        >>> row = Row(minutes=2.0, strengths={"random": Strength(score=0.9, low=0.83, high=0.94)})
        >>> [name for name, strength in row.strengths.items() if strength.low > 0.5]
        ['random']
    """

    score: float
    """The points for each game on average, from 0 to 1."""
    low: float
    """The lower end of the 95 % interval of the score."""
    high: float
    """The upper end."""


class BoardFigures(NamedTuple):
    """The figures of one of the boards that a stage mixes.

    Example:
        >>> row = Row(minutes=2.0, boards={"7x7": BoardFigures(positions=900, black_wins=0.6)})
        >>> {board: figures.black_wins for board, figures in row.boards.items()}
        {'7x7': 0.6}
    """

    positions: float = NAN
    """Positions on the board in the whole stage."""
    policy_loss: float = NAN
    """The loss of the policy on it."""
    value_loss: float = NAN
    """The loss of the value on it."""
    black_wins: float = NAN
    """Share of its games that Black won."""
    draws: float = NAN
    """Share of its games that were draws."""
    game_length: float = NAN
    """Mean number of actions of its games."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """The figures of a run at one moment.

    NaN, an empty cell of the file, was not measured. Counts are of the whole run, other figures of the time
    since the row before. Losses are means, in nats where they are cross-entropies. Shares are from 0
    to 1. A row is written with each checkpoint, and right after each judgement: its Elo and scores are those
    of its `version`.

    Example:
        >>> row = Row(minutes=2.0, games=256, loss=3.1)
        >>> print(row.games, row.loss, row.elo)
        256 3.1 nan
    """

    time: str = ""
    """The time of day, such as `2026-11-22T08:20:43Z`."""
    minutes: float
    """Minutes trained, without the interruptions of the run."""
    stage: int = 1
    """The stage of the run, from 1."""
    games: int = 0
    """Finished games of self-play."""
    positions: int = 0
    """Positions of those games that can be learned from."""
    samples: int = 0
    """Samples that the network has learned from, where a position counts each time."""
    version: int = 0
    """The version of the network that plays."""
    loss: float = NAN
    """The weighted sum of the other losses."""
    policy_loss: float = NAN
    """Cross-entropy of the network's policy with the search's, which is `policy_entropy` at the least."""
    value_loss: float = NAN
    """Cross-entropy of the network's value with its target."""
    ownership_loss: float = NAN
    """Mean squared error of the ownership."""
    score_loss: float = NAN
    """Huber loss of the score."""
    policy_entropy: float = NAN
    """Mean entropy of the policies that are learned from."""
    positions_per_second: float = NAN
    """New positions of each second."""
    play_share: float = NAN
    """Share of the processors' time that went into self-play."""
    train_share: float = NAN
    """Share of the processors' time that went into learning."""
    judge_share: float = NAN
    """Share of the processors' time that went into judging."""
    driver_share: float = NAN
    """Share of the processors' time in which the driver began and took calls, published and saved."""
    driver_load: float = NAN
    """Share of the driver's time in which it did that; near 1, more workers are of no use."""
    network_share: float = NAN
    """Share of self-play's time that was spent inside the network."""
    staleness: float = NAN
    """Versions published during a call of a worker, on average."""
    most_staleness: float = NAN
    """Versions published during a call of a worker, at most."""
    call_bytes: float = NAN
    """Mean size of the positions of a call, in bytes."""
    window: int = 0
    """Positions in the replay window."""
    black_wins: float = NAN
    """Share of the games that Black won."""
    draws: float = NAN
    """Share of the games that were draws."""
    game_length: float = NAN
    """Mean number of actions of a game."""
    certain_share: float = NAN
    """Share of the positions whose value is certain."""
    wrongly_decided: float = NAN
    """Share of the decided games, of those played in full, that the side lost that was sure to win."""
    distinct_openings: float = NAN
    """Share of different openings, the first actions of a game, among the games."""
    ladder_elo: float = NAN
    """Elo of this version on the ladder of its board, above random play."""
    ladder_low: float = NAN
    """The lower end of the 95 % interval of that Elo."""
    ladder_high: float = NAN
    """The upper end of the 95 % interval of that Elo."""
    ladder_games: float = NAN
    """Games by which it was rated."""
    elo: float = NAN
    """On a board without a ladder: Elo of this version above the first that was judged."""
    elo_low: float = NAN
    """The lower end of the 95 % interval of the Elo."""
    elo_high: float = NAN
    """The upper end of the 95 % interval of the Elo."""
    strengths: Mapping[str, Strength] = field(default_factory=dict)
    """Results by the names of the opponents that were measured at this moment."""
    boards: Mapping[str, BoardFigures] = field(default_factory=dict)
    """Figures of each board, such as `9x9`, in a stage that mixes some; the others are means over all."""


#: The columns that every file has, in order.
COLUMNS: Final = tuple(
    entry.name for entry in dataclasses.fields(Row) if entry.name not in {"strengths", "boards"}
)
COUNTS: Final = ("stage", "games", "positions", "samples", "version", "window")


class Metrics:
    """Keeps the rows of a run, and writes them to a file.

    It has the columns of `Row`, then three for each opponent: `score against NAME`, `low against NAME` and
    `high against NAME`, and those of `BoardFigures` for each board of a mix, such as `policy_loss on 9x9`. A
    new opponent adds columns, so the file is written whole for every row.

    Args:
        path: the file; rows that it has are read.

    Raises:
        MetricsError: the file is another one, or damaged.
        OSError: the file cannot be read.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "metrics.csv"
        ...     metrics = Metrics(path)
        ...     metrics.add(Row(minutes=1, games=128, strengths={"random": Strength(0.9, 0.8, 0.95)}))
        ...     again = Metrics(path)
        >>> again.rows[0].games, again.rows[0].strengths["random"].score
        (128, 0.9)
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        self.rows: list[Row] = _read(self.path) if self.path.exists() else []
        """The rows, oldest first."""

    def add(self, row: Row) -> None:
        """Adds a row and writes the file.

        Raises:
            ValueError: the row has a figure that no row has, or a time that is no line of text.
            OSError: the file cannot be written. The row is kept in `rows`, and written with the next one.
        """
        if faults := _parsed(to_csv([row]))[2]:
            raise ValueError(f"{row!r} would not be read again: {faults[0].removeprefix('line 2: ')}")
        self.rows.append(row)
        write_file(self.path, to_csv(self.rows).encode())

    def forget_after(self, minutes: float) -> None:
        """Drops the rows after this time, for a run that is resumed from an older checkpoint.

        Example:
            >>> import tempfile
            >>> from pathlib import Path
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     metrics = Metrics(Path(folder, "metrics.csv"))
            ...     metrics.rows = [Row(minutes=1.0), Row(minutes=2.0)]
            ...     metrics.forget_after(1.5)
            >>> [row.minutes for row in metrics.rows]
            [1.0]
        """
        # The file has six digits of a number.
        last = float(_cell(minutes))
        self.rows = [row for row in self.rows if row.minutes <= last]


def series(rows: Sequence[Row], name: str) -> NDArray[np.float64]:
    """Returns one column of rows, `(len(rows),)`."""
    return np.array([getattr(row, name) for row in rows], np.float64)


def readable_rows(path: Path) -> tuple[list[Row], list[str]]:
    """Reads the rows of a file that another version may have written.

    Columns that are missing have their defaults. The second list has the lines that are left out, and why.

    Raises:
        OSError: the file cannot be read.
    """
    _, rows, faults = _parsed(read_file(path).decode("utf-8", "replace"))
    return rows, faults


def _parsed(text: str) -> tuple[list[str], list[Row], list[str]]:
    """Reads the names of the columns, the rows that are whole, and the faults of the others."""
    lines = text.removesuffix("\n").split("\n")
    reader = csv.reader((line + "\n" for line in lines), strict=True)
    rows, faults = [], []
    try:
        names = next(reader)
    except csv.Error as error:
        return [], [], [f"line 1: {error}"]
    unknown = dict.fromkeys(COLUMNS, "") | dict.fromkeys(COUNTS, "0") | {"stage": "1"}
    # Each line by itself: a quotation mark that is missing in one does not take the others with it.
    for number, line in enumerate(lines[reader.line_num :], reader.line_num + 1):
        try:
            cells = next(csv.reader([line], strict=True), [])
            rows.append(_row(unknown | dict(zip(names, cells, strict=True))))
        except (ValueError, csv.Error) as error:
            faults.append(f"line {number}: {error}")
    return names, rows, faults


def to_csv(rows: Sequence[Row]) -> str:
    """Makes the text of the file."""
    opponents = list(dict.fromkeys(name for row in rows for name in row.strengths))
    boards = list(dict.fromkeys(name for row in rows for name in row.boards))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    own = [name + ON + board for board in boards for name in BoardFigures._fields]
    names = [*COLUMNS, *(word + name for name in opponents for word in (SCORE, LOW, HIGH)), *own]
    counts = {name for name in names if _is_count(name)}
    writer.writerow(names)
    unknown, nothing = (NAN, NAN, NAN), BoardFigures()
    for row in rows:
        measured = [value for name in opponents for value in row.strengths.get(name, unknown)]
        measured += [value for board in boards for value in row.boards.get(board, nothing)]
        values = [*(getattr(row, name) for name in COLUMNS), *measured]
        writer.writerow([_cell(value, name in counts) for name, value in zip(names, values, strict=True)])
    return text.getvalue()


def _cell(value: str | float, is_count: bool = False) -> str:
    if isinstance(value, float):
        if is_count and value.is_integer():
            return str(int(value))
        return "" if math.isnan(value) else f"{value:.6g}"
    return str(value)


def _read(path: Path) -> list[Row]:
    """Reads all rows of a file that this version has written."""
    try:
        names, rows, faults = _parsed(read_file(path).decode())
    except UnicodeDecodeError as error:
        raise MetricsError(f"{path} has no figures of a run: {error}") from error
    if not names:
        raise MetricsError(": ".join([f"{path} has no figures of a run", *faults[:1]]))
    # Files of older versions have fewer columns.
    own = [name for name in names if not (name.startswith((SCORE, LOW, HIGH)) or _board_of(name))]
    if "minutes" not in own or not set(own) <= set(COLUMNS):
        raise MetricsError(f"{path} has other columns than the figures of a run")
    if faults:
        raise MetricsError(f"{path} has a damaged row: {faults[0]}")
    return rows


def _row(cells: dict[str, str]) -> Row:
    values = {name: _figure(name, cells[name]) for name in COLUMNS[1:]}
    strengths = {}
    for name in [name.removeprefix(SCORE) for name in cells if name.startswith(SCORE)]:
        columns = [word + name for word in (SCORE, LOW, HIGH)]
        if missing := [column for column in columns if column not in cells]:
            raise ValueError(f"there is no column {shown(missing[0])}")
        if cells[columns[0]]:
            strengths[name] = Strength(*(_figure(column, cells[column]) for column in columns))
    boards: dict[str, BoardFigures] = {}
    for column, cell in cells.items():
        if cell and (board := _board_of(column)):
            figure = {column.partition(ON)[0]: _figure(column, cell)}
            boards[board] = boards.get(board, BoardFigures())._replace(**figure)
    row = Row(time=cells["time"], **values, strengths=strengths, boards=boards)  # type: ignore[arg-type]
    if not 0 <= row.minutes < MOST:
        raise ValueError(f"minutes must be a number from 0 on, not {shown(cells['minutes'])}")
    return row


def _board_of(column: str) -> str:
    """Returns the board of a column of `BoardFigures`; empty: it is none."""
    name, _, board = column.partition(ON)
    return board if name in BoardFigures._fields else ""


def _is_count(column: str) -> bool:
    return column.partition(ON)[0] in COUNTS


def _figure(column: str, cell: str) -> float:
    """Reads a cell of a column, which is a count or may be unknown."""
    is_count = _is_count(column)
    with suppress(ValueError):
        number = float(cell) if cell or is_count else NAN
        if not is_count:
            return number
        # `2.5e+06` is one, too.
        if 0 <= number < MOST and number.is_integer():
            return int(number)
    needed = f"{column} must be an integer from 0 on" if is_count else f"{shown(column)} must be a number"
    raise ValueError(f"{needed}, not {shown(cell)}")
