"""`sixplane watch`: its page in Debian's browser, on folders that are being written, and what it refuses."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import subprocess
import time
from typing import TYPE_CHECKING, Any, Final

import pytest
from paced import Pace
from page_server import PageProcess, PageProgram, is_at_rest
from watch_page import Tab, watched

import learn_runs
import sixplane
from interruptible import started
from sixplane.match import Tournament, TournamentFolder
from small_matches import entrants
from waiting import MINUTE, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

SCRIPT = "<img src=x onerror=alert(1)>"


#: What a program says that nobody reads.
UNREAD: Final[dict[str, Any]] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class Growing:
    """A match between players with hostile names, whose games are written when a test says so."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        tournament = Tournament(entrants(f"{SCRIPT}@random", "slow@random"), sixplane.Reversi(4), games=2000)
        self._games = tournament.run(processes=0)
        self._files = TournamentFolder(folder, tournament)

    def grow(self, games: int = 1) -> None:
        """Plays some games more."""
        for played in itertools.islice(self._games, games):
            self._files.write(played)

    def close(self) -> None:
        self._files.close()


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Growing]:
    match = Growing(tmp_path_factory.mktemp("match"))
    match.grow(3)
    yield match
    match.close()


@pytest.fixture(scope="module")
def server(match: Growing) -> Iterator[PageProcess]:
    """A page of the match, for tests that change nothing."""
    with PageProgram(str(match.folder), command=["watch"]) as server:
        yield server


def result(folder: Path, number: int | str) -> dict[str, Any]:
    """What the folder of a match says of the game with this number, the first being 1."""
    # The last line may not be whole yet.
    _, *lines, _ = (folder / "results.jsonl").read_text().split("\n")
    games: list[dict[str, Any]] = [json.loads(line) for line in lines]
    (found,) = (game for game in games if game["game"] == int(number) - 1)
    return found


@pytest.mark.outside("chromium")
def test_a_match_grows_on_the_page_and_its_games_play_by_themselves(browser: Browser, match: Growing) -> None:
    with watched(match.folder) as server:
        tab = Tab(browser, server)
        before = tab.games()
        tab.wait(lambda: tab.move() > 2)
        match.grow()
        tab.wait(lambda: tab.games() > before)
        assert "against slow" in tab.text("#sections caption") and SCRIPT in tab.text("#title")
        assert tab.page.locator("#sections svg .line").count() == 1
        assert tab.page.locator("img").count() == 0
        # Another game is chosen, gone through, and left alone by new ones.
        chosen = tab.choose()
        tab.page.click("#last")
        moves = result(match.folder, chosen)["moves"]
        tab.wait(lambda: tab.shows(rf"Move {moves} of {moves}: .*\. Result: .*"))
        assert tab.page.is_disabled("#forward") and not tab.page.is_checked("#follow")
        tab.page.keyboard.press("<")
        tab.wait(lambda: tab.text("#move") == "Start")
        grown = tab.games()
        match.grow()
        tab.wait(lambda: tab.games() > grown)
        assert tab.text("#move") == "Start" and tab.page.input_value("#games") == chosen
        tab.page.check("#follow")
        match.grow()
        tab.wait(lambda: tab.page.input_value("#games") != chosen)
        tab.close()


@pytest.mark.outside("chromium")
def test_steps_wait_for_the_game_that_was_chosen(browser: Browser, match: Growing) -> None:
    with watched(match.folder) as server:
        tab = Tab(browser, server)
        tab.page.click("#first")
        tab.wait(lambda: tab.text("#move") == "Start")
        answers: list[Any] = []

        def keep(answer: object) -> None:  # playwright refuses the method of a list
            answers.append(answer)

        tab.page.route("**/position?*", keep)
        chosen = tab.choose()
        tab.page.click("#last")
        tab.wait(lambda: len(answers) >= 2)
        grown = tab.games()
        match.grow()
        tab.wait(lambda: tab.games() > grown)
        assert tab.text("#move") == "Start" and tab.page.input_value("#games") == chosen
        for answer in answers:
            answer.continue_()
        tab.page.unroute("**/position?*")
        moves = result(match.folder, chosen)["moves"]
        tab.wait(lambda: tab.shows(rf"Move {moves} of {moves}: .*\. Result: .*"))
        # Two steps at once are two steps.
        tab.page.evaluate(
            "() => { const back = document.getElementById('back'); back.click(); back.click(); }"
        )
        tab.wait(lambda: tab.text("#move").startswith(f"Move {moves - 2} of "))
        tab.close()


def written(folder: Path, pace: Pace, number: int) -> int:
    """Lets a game go on until its record is written and somebody is to move; the moves of the record."""
    record = folder / "playing" / f"{number}.sgf"
    while pace.asked() >= 0 and not record.exists():
        pace.allow()
        # Records are written of games that have taken half a second.
        time.sleep(0.3)
    return sixplane.Reversi.from_sgf(record.read_text()).move_number


@pytest.mark.outside("chromium")
def test_a_game_is_seen_while_it_is_played(browser: Browser, tmp_path: Path) -> None:
    with Pace() as pace:
        players = [f"{name}@{pace.player}" for name in ("one", "two")]
        options = ["--game", "reversi", "--size", "6", "--games", "40", "--seconds-per-move", "3600"]
        with started("match", *players, *options, "--out", str(tmp_path), **UNREAD) as process:
            played = written(tmp_path, pace, 1)
            with watched(tmp_path) as server:
                tab = Tab(browser, server)
                tab.wait(lambda: tab.shows(rf"Move {played}: .*\. Being played …"))
                assert tab.games() == 0
                assert tab.text("#games option").startswith("1 · being played · one \u2013 two")
                assert tab.text("#names") == "one (Black) \u2013 two (White)"
                # One goes back, and the game goes on.
                tab.page.click("#first")
                tab.wait(lambda: tab.shows(rf"Start\. {played} were played so far\."))
                pace.allow()
                tab.wait(lambda: tab.shows(rf"Start\. {played + 1} were played so far\."))
                tab.page.click("#play")
                # It is followed to its end, and then the next one is.
                while pace.asked() > played:
                    played = pace.asked()
                    pace.allow()
                moves = result(tmp_path, 1)["moves"]
                tab.wait(lambda: tab.shows(rf"Move {moves} of {moves}: .*\. Result: .*"))
                played = written(tmp_path, pace, 2)
                tab.wait(lambda: tab.shows(rf"Move {played}: .*\. Being played …"))
                assert tab.page.input_value("#games") == "2"
                assert tab.text("#names") == "two (Black) \u2013 one (White)"
                # A match that is stopped takes the game away.
                process.send_signal(signal.SIGINT)
                tab.wait(lambda: tab.text("#move") == "Game 2 has left the folder.")
                assert tab.page.input_value("#games") == "2"
                tab.close()


@pytest.mark.outside("chromium")
def test_a_game_that_was_chosen_stays_when_many_have_followed(browser: Browser, match: Growing) -> None:
    with watched(match.folder) as server:
        tab = Tab(browser, server)
        chosen = tab.choose()
        name = tab.page.eval_on_selector("#games", "list => list.selectedOptions[0].textContent")
        # The list has room for 200.
        match.grow(250)
        tab.wait(lambda: tab.games() > int(chosen) + 240)
        assert tab.page.input_value("#games") == chosen
        assert tab.page.eval_on_selector("#games", "list => list.selectedOptions[0].textContent") == name
        tab.close()


@pytest.mark.outside("chromium")
def test_a_run_of_training_is_watched_from_its_beginning(browser: Browser, tmp_path: Path) -> None:
    with learn_runs.start(tmp_path) as run:
        until((tmp_path / "run.json").exists, run)
        with watched(tmp_path) as server:
            tab = Tab(browser, server)
            tab.wait(lambda: tab.page.locator("#sections figure").count() >= 4)
            games = tab.games()
            tab.wait(lambda: tab.games() > games)
            newest = tab.newest()
            tab.wait(lambda: tab.newest() > newest)
            assert tab.text("#part-text").endswith("% of 1 h 00 min")
            tab.wait(lambda: tab.text("#alive") == "being written")
            tab.close()


@pytest.mark.outside("chromium")
def test_self_play_is_watched_and_a_folder_that_goes_is_told(browser: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    with started("selfplay", "--size", "5", "--games", "40", "--out", str(folder), **UNREAD) as process:
        assert process.wait(MINUTE) == 0
    with watched(folder) as server:
        tab = Tab(browser, server)
        assert tab.games() == 40 and tab.page.locator("#games option").count() == 40
        folder.rename(tmp_path / "elsewhere")
        tab.wait(lambda: tab.text("#trouble").endswith("has gone"))
        (tmp_path / "elsewhere").rename(folder)
        tab.wait(lambda: not tab.text("#trouble"))
        tab.close()


@pytest.mark.outside("chromium")
@pytest.mark.parametrize(
    ("width", "height", "scheme"), [(360, 640, "dark"), (1366, 768, "light"), (3840, 2160, "dark")]
)
def test_no_screen_cuts_the_page_and_axe_finds_no_serious_problem(
    browser: Browser, server: PageProcess, width: int, height: int, scheme: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    tab = Tab(browser, server, width, height, color_scheme=scheme)
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.page.evaluate("document.documentElement.dataset.scheme") == scheme
    box = tab.page.locator("#board").bounding_box()
    assert box["width"] >= 0.2 * min(width, height) and box["x"] + box["width"] <= width
    tab.wait(lambda: is_at_rest(tab.page))
    found = Axe().run(tab.page).response["violations"]
    serious = [one for one in found if one["impact"] in {"serious", "critical"}]
    assert not serious, [(one["id"], [node["html"] for node in one["nodes"]]) for one in serious]
    tab.close()


def test_the_page_is_guarded_and_nothing_can_be_changed(server: PageProcess) -> None:
    status, headers, body = server.ask("summary")
    found = json.loads(body)
    assert status == 200 and found["summary"]["kind"] == "match" and headers["cache-control"] == "no-store"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert set(json.loads(server.ask(f"summary?since={found['version'] + 10**6}")[2])) == set(found)
    modules = [f"watch{name}.js" for name in ("", "-summary", "-figures", "-charts", "-texts")]
    for name in ("", "watch.html", "watch.css", "watch-charts.css", *modules):
        status, headers, body = server.ask(name)
        assert (
            status == 200 and b" style=" not in body and b"innerHTML" not in body and b"https://" not in body
        )
    assert server.ask(root="/")[0] == server.ask("summary", root="/wrong/")[0] == 403
    assert server.ask("summary", headers={"Host": "evil.example"})[0] == 421
    assert server.ask("summary", headers={"Origin": "http://evil.example"})[0] == 403
    ours = {"Origin": f"http://{server.host}"}
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert server.ask("summary", method, b"{}", ours)[0] == 405
        assert server.ask("position?game=1", method, b"{}", ours)[0] == 405


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("", 400), ("?game=x", 400), ("?game=1&at=1.5", 400), ("?game=" + "9" * 5000, 400),
        ("?game=1&at=-5", 200), ("?game=1&at=" + "9" * 20, 200),
    ],
)  # fmt: skip
def test_what_is_asked_wrongly_is_refused(server: PageProcess, query: str, status: int) -> None:
    found, _, body = server.ask(f"position{query}")
    assert found == status and isinstance(json.loads(body), dict)


@pytest.mark.parametrize("number", [-1, 999_999])
def test_a_game_that_is_not_there_is_no_error(server: PageProcess, number: int) -> None:
    status, _, body = server.ask(f"position?game={number}")
    assert status == 200 and json.loads(body) == {"number": number, "gone": True}


@pytest.mark.parametrize(("minutes", "says"), [("3.0", "ended"), ("2.5", "nothing new for")])
def test_a_run_whose_time_is_over_is_said_to_have_ended(
    tmp_path: Path, browser: Browser, minutes: str, says: str
) -> None:
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "0000001.sgf").write_text(sixplane.Go(size=5).to_sgf())
    (tmp_path / "run.json").write_text(json.dumps({"game": "go", "size": 5, "minutes": 3}))
    (tmp_path / "metrics.csv").write_text(f"time,minutes,games,ladder_elo\nt,{minutes},24,90\n")
    for path in (tmp_path, *tmp_path.rglob("*")):
        os.utime(path, (1.7e9, 1.7e9))
    with watched(tmp_path) as server:
        tab = Tab(browser, server)
        until(lambda: says in tab.text("#alive"))
        tab.close()


def test_a_folder_is_shown_whose_name_and_settings_are_no_unicode(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"l\xe4uf")
    (folder / "playing").mkdir(parents=True)
    (folder / "run.json").write_text('{"game": "go", "size": 5, "\\ud800": "\\udfff"}')
    (folder / "metrics.csv").write_text("minutes,loss\n1,1\n")
    (folder / "playing" / "1.sgf").write_text("(;GM[1]SZ[5];B[aa])")
    with watched(folder) as server:
        status, _, body = server.ask("summary")
        told = json.loads(body)
        assert status == 200 and told["folder"] == folder.name
        assert ["\ud800", "\udfff"] in told["summary"]["settings"]
        assert server.ask("position?game=1")[0] == 200


def test_results_are_words_without_points_where_none_count(tmp_path: Path) -> None:
    for game, pattern in (("hex", r"(Black|White) wins"), ("go", r"Draw|(Black|White) wins by [\d.]+")):
        folder = tmp_path / game
        options = ["--game", game, "--size", "4", "--games", "2", "--out", str(folder)]
        with started("selfplay", *options, **UNREAD) as process:
            assert process.wait(MINUTE) == 0
        with watched(folder) as server:
            listed = json.loads(server.ask("summary")[2])["games"]
            told = [json.loads(server.ask(f"position?game={number}")[2])["result"] for number in (1, 2)]
        assert [result for _, _, _, result, _ in listed] == told
        assert all(re.fullmatch(pattern, result) for result in told), told
