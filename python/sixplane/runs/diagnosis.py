"""The diagnosis of a run of training by its figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sixplane.runs.metrics import Row, series

Kind: TypeAlias = Literal[
    "not_finite", "flat_policy_loss", "one_color", "same_games", "wrongly_decided", "starving_replay"
]

#: The number of rows that are recent, and the minutes before which a run is too young for a diagnosis.
RECENT: Final = 5
YOUNG: Final = 3.0

#: Minutes without a new position that are no fault while no call has ended; the first may take long.
PATIENCE: Final = 30.0

#: The part of the first policy loss below which the loss must fall.
FALLEN: Final = 0.98
#: The share of the games above which one color wins too many.
ALMOST_ALL: Final = 0.95
#: The share of different openings below which there are too few.
TOO_FEW_OPENINGS: Final = 0.2
#: The share of the decided games that the side that was sure to win loses, above which it is too sure.
TOO_SURE: Final = 0.05
#: The times a position is learned from above which it is learned by heart.
TOO_OFTEN: Final = 12.0
#: The part of the usual speed of self-play below which it has slowed down.
SLOW: Final = 0.25


class Finding(NamedTuple):
    """Something in a run that looks wrong.

    Example:
        >>> from sixplane.runs.metrics import Row
        >>> diagnose([Row(minutes=1.0, loss=float("inf"))])
        [Finding(kind='not_finite', text='The loss is infinite. A lower learning rate may help.')]
    """

    kind: Kind
    """The kind of finding, in one word."""
    text: str
    """One or two sentences on what looks wrong and what may help."""


def diagnose(rows: Sequence[Row]) -> list[Finding]:
    """Returns what looks wrong at the end of these rows.

    Only the newest stage is looked at: its figures do not compare with those of other boards. In the first
    minutes of a run only the loss is checked.

    | kind | means |
    |---|---|
    | `not_finite` | the last loss is infinite |
    | `flat_policy_loss` | the policy loss has not fallen since the start |
    | `one_color` | Black or White has won nearly all recent games |
    | `same_games` | few of the recent games have openings of their own |
    | `wrongly_decided` | the side that was sure to win loses too many of the games that are played in full |
    | `starving_replay` | hardly any new positions, or each is learned from too often |

    Example:
        >>> from sixplane.runs.metrics import Row
        >>> rows = [Row(minutes=i, positions=5000 * i, black_wins=0.99, draws=0.0) for i in range(1, 11)]
        >>> [finding.text for finding in diagnose(rows)]
        ['Black wins 99 % of the games. Komi or more random opening moves would make them even.']
    """
    checks: list[Callable[[Sequence[Row]], Finding | None]] = [_not_finite]
    rows = [row for row in rows if row.stage == rows[-1].stage]
    if rows and rows[-1].minutes >= YOUNG and len(rows) >= RECENT:
        checks += [_flat_policy_loss, _one_color, _same_games, _wrongly_decided, _starving_replay]
    return [finding for check in checks if (finding := check(rows)) is not None]


def _known(rows: Sequence[Row], name: str, board: str = "") -> NDArray[np.float64]:
    """Returns what is known of a column, of one board if it is named."""
    if board:
        values = np.array([getattr(row.boards.get(board), name, np.nan) for row in rows], np.float64)
    else:
        values = series(rows, name)
    return values[np.isfinite(values)]


def _recent(rows: Sequence[Row], name: str, board: str = "") -> float:
    """Returns the mean of a column over the recent rows; NaN if they do not have it."""
    return _mean(rows[-RECENT:], name, board)


def _mean(rows: Sequence[Row], name: str, board: str = "") -> float:
    known = _known(rows, name, board)
    return float(known.mean()) if len(known) else float("nan")


def _not_finite(rows: Sequence[Row]) -> Finding | None:
    if not rows or not np.isinf(series(rows[-1:], "loss")).any():
        return None
    return Finding("not_finite", "The loss is infinite. A lower learning rate may help.")


def _flat_policy_loss(rows: Sequence[Row]) -> Finding | None:
    # The mean over boards that are mixed rises where the bigger ones come later.
    losses = [_known(rows, "policy_loss", board) for board in rows[-1].boards or [""]]
    ends = [
        (float(known[0]), float(np.median(known[-RECENT:]))) for known in losses if len(known) >= 2 * RECENT
    ]
    if not ends or any(last < FALLEN * first for first, last in ends):
        return None
    first, last = ends[-1]
    return Finding(
        "flat_policy_loss",
        f"The policy loss does not fall: it was {first:.3g} at first and is {last:.3g}. The network learns "
        "nothing from the search: try more simulations, or another learning rate.",
    )


def _one_color(rows: Sequence[Row]) -> Finding | None:
    # Boards that are mixed hide each other's results.
    for board in rows[-1].boards or [""]:
        black, draws = _recent(rows, "black_wins", board), _recent(rows, "draws", board)
        for color, share in (("Black", black), ("White", 1 - black - (0.0 if np.isnan(draws) else draws))):
            if share > ALMOST_ALL:
                on = f" on {board}" if board else ""
                return Finding(
                    "one_color",
                    f"{color} wins {100 * share:.0f} % of the games{on}. Komi or more random opening moves "
                    "would make them even.",
                )
    return None


def _same_games(rows: Sequence[Row]) -> Finding | None:
    share = _recent(rows, "distinct_openings")
    if not share < TOO_FEW_OPENINGS:
        return None
    return Finding(
        "same_games",
        f"The same games again and again: only {100 * share:.0f} % of the openings are different. More "
        "random opening moves or more noise would vary them.",
    )


def _wrongly_decided(rows: Sequence[Row]) -> Finding | None:
    share = _recent(rows, "wrongly_decided")
    if not share > TOO_SURE:
        return None
    return Finding(
        "wrongly_decided",
        f"The network is too sure: {100 * share:.0f} % of the decided games are lost by the side that was "
        "sure to win. Their ends are not learned from: try more simulations, or look at komi and rules.",
    )


def _starving_replay(rows: Sequence[Row]) -> Finding | None:
    positions, samples, minutes = (series(rows, name) for name in ("positions", "samples", "minutes"))
    # Calls may be much longer than a row: new positions come only as often as they end.
    patience = 2 * _longest_wait(rows) or PATIENCE
    long_ago = int(np.searchsorted(minutes, minutes[-1] - patience, side="right")) - 1
    since = max(0, min(len(rows) - 1 - RECENT, long_ago))
    new, learned = positions[-1] - positions[since], samples[-1] - samples[since]
    help_ = "Look at the workers: there may be too few, or they may have stopped."
    if new <= 0:
        passed = minutes[-1] - minutes[since]
        if passed < patience:
            return None
        return Finding("starving_replay", f"No new positions in {passed:.1f} minutes. {help_}")
    if learned > TOO_OFTEN * new:
        return Finding(
            "starving_replay", f"Each new position is learned from {learned / new:.0f} times. {help_}"
        )
    speeds = series(rows, "positions_per_second")
    usual, now = (
        np.nanmedian(speeds) if np.isfinite(speeds).any() else 0.0,
        _mean(rows[since + 1 :], "positions_per_second"),
    )
    if now < SLOW * usual:
        return Finding(
            "starving_replay",
            f"Self-play makes {now:.0f} positions a second, and used to make {usual:.0f}. {help_}",
        )
    return None


def _longest_wait(rows: Sequence[Row]) -> float:
    """Returns the most minutes until new positions came, from the start or the time before; 0: none came."""
    positions, minutes = series(rows, "positions"), series(rows, "minutes")
    # What there was when a later stage began is not known.
    is_first = rows[0].stage == 1
    came = minutes[np.diff(positions, prepend=0.0 if is_first else positions[0]) > 0]
    return float(np.diff(came, prepend=0.0 if is_first else minutes[0]).max(initial=0.0))
