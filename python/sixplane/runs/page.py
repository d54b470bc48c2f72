"""The page of a run in one file, which needs no server and no network."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Final

from sixplane._modules import joined
from sixplane.runs.metrics import Row
from sixplane.runs.sample import SampleGame, sample_view
from sixplane.runs.training import training_summary

#: The browser may load nothing from elsewhere for a saved page.
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

STYLE: Final = re.compile(r'<link rel="stylesheet" href="([\w-]+\.css)">')


def report_html(
    rows: Sequence[Row],
    *,
    title: str,
    settings: Mapping[str, object] | None = None,
    sample: SampleGame | None = None,
    refresh: int | None = None,
) -> str:
    """Makes the page that `sixplane watch` shows of a run, with its curves, what looks wrong, and a game.

    It needs nothing from elsewhere, and shows itself light or dark as the reader's system does.

    Args:
        rows: the figures of the run, as `Metrics.rows` has them.
        title: the title of the page, such as `Reversi 8x8`.
        settings: a table of more facts, such as the settings of the run.
        sample: a game with the network's evaluations, as `examine` makes it.
        refresh: seconds after which the page loads itself again, unless the reader has stopped the game.

    Example:
        >>> from sixplane.learn import Row
        >>> page = report_html([Row(minutes=1, games=128, policy_loss=3.2)], title="Reversi 6x6")
        >>> "<title>Reversi 6x6" in page
        True
    """
    content = {
        "summary": training_summary(rows, title=title, settings=settings or {}),
        "sample": None if sample is None else sample_view(sample),
        "refresh": refresh or 0,
    }
    # Names in it may be anything: none of them ends the script.
    text = json.dumps(content, allow_nan=False).replace("<", "\\u003c")
    before, after = _template()
    return f"{before.replace('<title>sixplane', f'<title>{escape(title)}')}{text}{after}"


@cache
def _template() -> tuple[str, str]:
    """Makes the saved page before and after its content."""
    page = re.sub(r'<link rel="icon".*\n', "", _read("watch.html"))
    page = STYLE.sub(lambda found: f"<style>\n{_read(found[1])}</style>", page)
    page = page.replace("<head>", f'<head>\n<meta http-equiv="Content-Security-Policy" content="{POLICY}">')
    page = page.replace('<script type="module" src="watch.js"></script>\n', "")
    before, end, after = page.rpartition("</body>")
    script = joined("watch-saved", lambda name: _read(f"{name}.js"))
    return (
        f'{before}<script type="application/json" id="saved">',
        f'</script>\n<script type="module">\n{script}</script>\n{end}{after}',
    )


def _read(name: str) -> str:
    return files("sixplane").joinpath("web", "static", name).read_text(encoding="utf-8")
