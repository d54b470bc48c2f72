"""`sixplane watch` on a real training: by PyTorch, in the environment of `TRAIN_PYTHON`."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from typing import TYPE_CHECKING

from watch_page import Tab, watched

from interruptible import INTERRUPTIBLE
from waiting import MINUTE, until

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser


def test_a_real_training_is_watched_while_it_plays_and_learns(browser: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    # A call takes so long that the page can follow one of its games.
    settings = tmp_path / "settings.toml"
    settings.write_text(
        "simulations = 300\nlast_simulations = 300\ngames_at_once = 8\nblocks = 2\nchannels = 8\n"
        "checkpoint_every = 2\njudge_games = 2\n"
    )
    options = ["--game", "reversi", "--size", "6", "--minutes", "60", "--workers", "1"]
    options += ["--config", str(settings), "--out", str(folder)]
    run = subprocess.Popen(
        [*INTERRUPTIBLE, os.environ["TRAIN_PYTHON"], "-m", "sixplane", "train", *options],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        # Before the first call of a worker is over, one of its games is there.
        until(lambda: any(folder.glob("playing/[0-9]*.sgf")), run, 3 * MINUTE)
        assert not any(folder.glob("records/*.sgf"))
        with watched(folder) as server:
            tab = Tab(browser, server)
            tab.wait(lambda: tab.text("#move").endswith("Being played …"), 3 * MINUTE)
            number, move = tab.page.input_value("#games"), tab.move()
            tab.wait(lambda: tab.move() > move or tab.page.input_value("#games") != number)
            assert tab.text("#title").startswith("Reversi 6x6: training")
            # On a busy machine it is no longer the first version.
            assert re.fullmatch(r"(version \d+) \(Black\) \u2013 \1 \(White\)", tab.text("#names"))
            # Then curves grow, and finished games can be chosen.
            tab.wait(lambda: tab.page.locator("#sections figure").count() >= 4, 3 * MINUTE)
            tab.wait(lambda: tab.page.locator("#games option").count() >= 3, 3 * MINUTE)
            assert tab.text("#part-text").endswith("% of 1 h 00 min")
            run.send_signal(signal.SIGINT)
            assert run.wait(MINUTE) == 130
            tab.wait(lambda: "being played" not in tab.text("#games"))
            assert not (folder / "playing").exists()
            tab.close()
    finally:
        run.kill()
        run.communicate()
