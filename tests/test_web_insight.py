"""What agents tell pages beside their moves: searches, networks, owners, and who is asked when."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sixplane
from sixplane.agents import RESIGN, MCTSAgent, NetworkAgent, RandomAgent
from sixplane.nets import Architecture, Network
from sixplane.play.players import Players
from sixplane.web.analysis import Analysis, Question
from sixplane.web.background_agent import join_threads
from sixplane.web.insight import Insight, evaluated, has_insight, searched, with_owners
from sixplane.web.page import Page
from sixplane.web.requested import Display
from sixplane.web.session import PageSession, Snapshot
from sixplane.web.tree import ROOT, Tree
from sixplane.web.view import state
from waiting import MINUTE, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sixplane.agents.agent import Agent, Choice


def small_network(game: str) -> Network:
    architecture = Architecture(game, blocks=1, channels=4)
    return Network(architecture, architecture.random_parameters(seed=1), backend="numpy")


def wait(session: PageSession, wanted: Callable[[Snapshot], bool], place: int | None = None) -> Snapshot:
    until(lambda: wanted(session.snapshot(place)))
    return session.snapshot(place)


def told(snapshot: Snapshot, source: Any = "hint") -> Insight | None:
    return snapshot.line[snapshot.at].insights.get(source)


def test_a_search_tells_policy_visits_values_and_lines() -> None:
    agent = MCTSAgent(simulations=400, seed=1)
    game = sixplane.Go(size=4, komi=0.5)
    agent.select_action(game)
    assert agent.result is not None
    insight = searched(agent, agent.result, game.turn)
    assert insight.visits is not None and insight.visits.sum() == 400
    assert_allclose(insight.policy.sum(), 1, rtol=1e-6)
    assert insight.lines[agent.result.best_action] == agent.result.principal_variation
    for action in insight.candidates:
        line = insight.lines[action]
        assert line[0] == action and game.replay(line).move_number == len(line)


def test_a_network_tells_without_a_search_and_owns_points_for_both_colors() -> None:
    network = small_network("go")
    agent = NetworkAgent(network)
    game = sixplane.Go(size=5)
    game.play(12)
    insight = evaluated(agent, game)
    assert insight.visits is None and insight.values is None and abs(insight.value) <= 1
    assert insight.policy[12] == 0 and insight.candidates[0] == insight.policy.argmax()
    owned = with_owners(insight, agent, game).ownership
    said = network.for_game(game).evaluate(game.planes[np.newaxis]).ownership[0]
    assert owned is not None
    assert_allclose(owned, -said)
    # White is to play, so its view is turned.
    assert insight.turn == 1


@pytest.mark.parametrize("game", [sixplane.Go(size=5), sixplane.Reversi(size=6), sixplane.Gomoku(size=6)])
def test_owners_are_estimated_where_points_are_counted(game: sixplane.Game) -> None:
    agent = MCTSAgent(simulations=20, seed=1)
    agent.select_action(game)
    assert agent.result is not None
    owners = with_owners(searched(agent, agent.result, 0), agent, game).ownership
    if isinstance(game, sixplane.Gomoku):
        assert owners is None
    else:
        assert owners is not None and owners.shape == (game.rows, game.cols) and abs(owners).max() <= 1


def test_other_agents_tell_nothing() -> None:
    assert not has_insight(RandomAgent()) and not has_insight(None)
    session = PageSession(Players((None, None), ("", ""), RandomAgent(seed=1)), sixplane.Go(size=5))
    session.start()
    session.request("page", Question(0, "hint", owners=False))
    assert session.snapshot().sources == [] and not session.snapshot().is_asking


def test_pages_ask_about_positions_and_get_answers_of_their_own() -> None:
    hint = MCTSAgent(simulations=50, seed=1)
    game = sixplane.Go(size=5)
    game.play(12)
    session = PageSession(Players((None, None), ("", ""), hint), game)
    session.start()
    places = session.snapshot().places
    session.request("one", Question(places[0], "hint", owners=False))
    session.request("two", Question(places[1], "hint", owners=True))
    first = told(wait(session, lambda now: told(now) is not None, places[0]))
    second = told(wait(session, lambda now: getattr(told(now), "ownership", None) is not None, places[1]))
    assert first is not None and first.turn == 0 and first.ownership is None
    assert second is not None and second.turn == 1
    wait(session, lambda now: not now.is_asking, places[1])
    # The players' and the hint agent's own search was not touched.
    assert hint.result is None
    seen: dict[str, Any] = state(session.snapshot(), Display(overlay="policy", of="hint"))
    assert seen["insight"]["black"] == round((1 - second.value) / 2, 4)
    assert [point[0] for point in seen["curves"]["hint"]] == [0, 1]


def test_a_page_is_told_that_an_agent_thinks_for_it_and_that_it_no_longer_does() -> None:
    news: list[str] = []
    players = Players((None, None), ("", ""), MCTSAgent(seconds=600, seed=1))
    session = PageSession(players, sixplane.Go(size=5), lambda: news.append("changed"))
    page = Page(session, Display(overlay="policy", of="hint"))
    session.start()
    for display, is_asking in ((page.display, True), (Display(overlay="off", of="hint"), False)):
        page.display = display
        news.clear()
        page.state()
        assert news and page.state()["is_asking"] == is_asking
    session.close()


def test_what_nobody_wants_any_more_is_dropped() -> None:
    session = PageSession(
        Players((None, None), ("", ""), MCTSAgent(seconds=600, seed=1)), sixplane.Go(size=5)
    )
    session.start()
    session.request("one", Question(0, "hint", owners=False))
    session.request("two", Question(0, "hint", owners=False))
    wait(session, lambda now: told(now) is not None)
    session.request("one", None)
    assert session.snapshot().is_asking
    session.request("two", None)
    assert not session.snapshot().is_asking and told(session.snapshot()) is None
    until(lambda: not any(thread.name == "asks MCTSAgent" for thread in threading.enumerate()))
    session.close()


@pytest.mark.parametrize("agent", [MCTSAgent(simulations=30, seed=1), NetworkAgent(small_network("go"))])
def test_a_player_tells_what_it_thought_when_it_has_played(agent: Agent) -> None:
    session = PageSession(Players((None, agent), ("", ""), RandomAgent(seed=1)), sixplane.Go(size=5))
    session.start()
    session.live.play(12, 0)
    snapshot = wait(session, lambda now: now.game.move_number == 2)
    insight = snapshot.line[1].insights["white"]
    assert insight.turn == 1 and insight.candidates
    display = Display(overlay="policy", of="white")
    seen: dict[str, Any] = state(session.snapshot(snapshot.places[1]), display)
    assert seen["insight"]["candidates"][0]["action"] == insight.candidates[0]
    assert seen["board"] != state(session.snapshot(snapshot.places[1]), Display())["board"]
    session.live.undo()
    assert session.snapshot().at == 0 and not session.snapshot().line[0].insights


def test_what_a_player_thought_of_its_move_is_kept_when_a_page_asks_for_owners() -> None:
    agent = MCTSAgent(simulations=30, seed=1)
    session = PageSession(Players((None, agent), ("", ""), RandomAgent(seed=1)), sixplane.Go(size=5))
    session.start()
    session.live.play(12, 0)
    place = wait(session, lambda now: now.game.move_number == 2).places[1]
    before = told(session.snapshot(place), "white")
    assert before is not None and before.ownership is None
    session.request("page", Question(place, "white", owners=True))
    assert told(session.snapshot(place), "white") is before
    session.request("page", None)
    assert told(session.snapshot(place), "white") is before
    session.request("page", Question(place, "white", owners=True))
    after = told(wait(session, lambda now: not now.is_asking, place), "white")
    assert after is not None and after.ownership is not None
    assert after.policy is before.policy and after.visits is before.visits and after.lines is before.lines
    # Nor does another page that asks what is known already change it.
    session.request("other", Question(place, "white", owners=False))
    assert not session.snapshot(place).is_asking and told(session.snapshot(place), "white") is after
    session.close()


def test_what_a_player_finds_while_a_page_asks_is_kept() -> None:
    start, lock, answers = sixplane.Go(size=5), threading.RLock(), []
    tree = Tree(start)
    players = Players((None, MCTSAgent(seconds=600, seed=1)), ("", ""), RandomAgent(seed=1))
    analysis = Analysis(players, tree, lock, lambda: answers.append(tree[ROOT].insights.get("white")))
    analysis.request("page", Question(ROOT, "white", owners=False))
    until(lambda: bool(answers))
    found = Insight(turn=0, policy=np.full(26, 1 / 26), value=0.5)
    with lock:
        tree[ROOT].add("white", found)
        count = len(answers)
    until(lambda: len(answers) > count)
    assert answers[-1] is found
    analysis.request("page", None)
    assert tree[ROOT].insights["white"] is found
    analysis.close()


def test_owners_that_a_page_has_asked_for_stay_when_the_player_has_found_its_move() -> None:
    place, owners = Tree(sixplane.Go(size=5))[ROOT], np.zeros((5, 5))
    place.add("white", Insight(turn=0, policy=np.full(26, 1 / 26), value=0.5, ownership=owners))
    place.add("white", Insight(turn=0, policy=np.full(26, 1 / 26), value=0.25))
    insight = place.insights["white"]
    assert insight.value == 0.25 and insight.ownership is owners


def test_what_is_known_already_is_not_asked_for_again() -> None:
    agent = MCTSAgent(simulations=30, seed=1)
    hint = MCTSAgent(seconds=600, seed=1)
    session = PageSession(Players((None, agent), ("", ""), hint), sixplane.Go(size=5))
    session.start()
    session.live.play(12, 0)
    place = wait(session, lambda now: now.game.move_number == 2).places[1]
    before = told(session.snapshot(place), "white")
    # While an agent thinks for one page, another one asks for what is there.
    session.request("one", Question(place, "hint", owners=False))
    session.request("two", Question(place, "white", owners=False))
    session.request("one", None)
    assert not session.snapshot(place).is_asking and told(session.snapshot(place), "white") is before
    session.close()


def test_an_agent_that_cannot_be_copied_is_not_asked() -> None:
    class Uncopied:
        def __call__(self, planes: NDArray[np.uint8]) -> tuple[Any, Any]:
            return np.zeros((len(planes), 26)), np.zeros(len(planes))

        def __deepcopy__(self, _memo: dict[int, object]) -> Uncopied:
            raise RuntimeError("there is one of it")

    session = PageSession(Players((None, None), ("", ""), NetworkAgent(Uncopied())), sixplane.Go(size=5))
    session.start()
    session.request("page", Question(0, "hint", owners=False))
    assert not session.snapshot().is_asking
    # Its hints come from itself.
    session.ask_hint()
    snapshot = wait(session, lambda now: isinstance(now.hint, int))
    assert told(snapshot) is not None


def test_what_is_proven_is_said_and_a_losing_action_is_no_candidate() -> None:
    # Two of the actions that a search has tried lose for certain, and others are open.
    game = sixplane.Reversi(size=6).replay([8, 9, 22, 27, 34, 7, 3, 10, 2, 25, 13, 28, 16, 11, 35, 26, 6])
    agent = MCTSAgent(simulations=100, exact=True, seed=1)
    agent.select_action(game)
    assert agent.result is not None
    insight, losing = searched(agent, agent.result, game.turn), agent.result.proofs == -1
    assert insight.proven is None and insight.visits is not None
    assert agent.result.visits[losing].any() and not insight.visits[losing].any()
    assert not losing[insight.candidates].any()
    won = sixplane.Gomoku.from_text("XXXX.\nOOO..\n.....\n.....\n.....", turn="black")
    agent.select_action(won)
    insight = searched(agent, agent.result, won.turn)
    assert (insight.proven, insight.value, insight.candidates) == (1, 1.0, [4])


@pytest.mark.parametrize(("answer", "hint"), [(lambda: RESIGN, "resign"), (lambda: 1 / 0, None)])
def test_a_hint_may_be_to_resign_and_an_adviser_that_fails_gives_none(
    answer: Callable[[], Choice], hint: str | None
) -> None:
    class Adviser:
        def select_action(self, _game: sixplane.Game) -> Choice:
            return answer()

    session = PageSession(Players((None, None), ("", ""), Adviser()), sixplane.Go(size=5))
    before = session.snapshot().version
    session.ask_hint()
    join_threads(MINUTE)
    after = session.snapshot()
    # Pages are told that it thinks, and that it does so no more.
    assert (after.hint, after.version) == (hint, before + 2)


def test_a_page_writes_the_best_numbers_on_the_board_or_all() -> None:
    players = Players((None, None), ("", ""), MCTSAgent(simulations=200, seed=1))
    session = PageSession(players, sixplane.Go(size=5))
    session.ask_hint()
    snapshot = wait(session, lambda now: now.hint != "thinking")
    for overlay in ("policy", "visits", "values"):
        some, every = (
            state(snapshot, Display(overlay=overlay, of="hint", all_numbers=written))["board"]
            for written in (False, True)
        )
        assert str(some).count("<path") < str(every).count("<path")


class Waiting:
    """Answers when it may, and counts how often it was asked."""

    def __init__(self) -> None:
        self.may, self.asked = threading.Event(), 0

    def select_action(self, game: sixplane.Game) -> int:
        self.asked += 1
        assert self.may.wait(MINUTE)
        return int(game.legal_actions[0])


def test_who_asks_for_a_hint_twice_gets_the_answer_to_the_first_question() -> None:
    adviser = Waiting()
    session = PageSession(Players((None, None), ("", ""), adviser), sixplane.Go(size=5))
    session.ask_hint()
    session.ask_hint()
    adviser.may.set()
    join_threads(MINUTE)
    assert (adviser.asked, session.snapshot().hint) == (1, 0)


def test_each_page_gets_the_hint_that_it_asked_for_last() -> None:
    adviser = Waiting()
    session = PageSession(Players((None, None), ("", ""), adviser), sixplane.Go(size=5))
    session.start()
    for move in range(2):
        session.live.play(move, move)
    places = session.snapshot().places
    # The second page has moved on before its answer, and the first has not.
    for place, page in ((places[0], "first"), (places[1], "second"), (places[2], "second")):
        session.ask_hint(place, page)
    assert [session.snapshot(place).hint for place in places] == ["thinking", None, "thinking"]
    adviser.may.set()
    join_threads(MINUTE)
    assert [session.snapshot(place).hint for place in places] == [0, None, 2]
    # An answer stays when its page asks about another position.
    session.ask_hint(places[1], "first")
    join_threads(MINUTE)
    assert [session.snapshot(place).hint for place in places] == [0, 1, 2]
    session.close()


def test_a_page_asks_nothing_about_a_position_in_which_a_player_thinks() -> None:
    player = Waiting()
    players = Players((None, player), ("", ""), MCTSAgent(simulations=50, seed=1))
    session = PageSession(players, sixplane.Go(size=5))
    session.start()
    session.live.play(12, 0)
    page = Page(session, Display(overlay="policy", of="hint"))
    assert page.state()["is_thinking"] and not session.snapshot().is_asking
    # About the position before, it does.
    page.look(0)
    page.state()
    until(lambda: told(session.snapshot(ROOT)) is not None)
    player.may.set()
    session.close()
