"""A notebook executed for real: cells run one by one, and what a front end would hear and say."""

from __future__ import annotations

import gc
import queue
import threading
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import nbformat
from jupyter_client.blocking.client import BlockingKernelClient
from nbclient import NotebookClient

from waiting import MINUTE, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["WAITING", "Notebook", "open_notebook"]

START = """
import sixplane
from sixplane.agents import MCTSAgent
from sixplane.widget import Board
"""

#: An agent that answers when `may` is set.
WAITING = """
import threading
may = threading.Event()
class Waiting:
    def select_action(self, game):
        assert may.wait(600)
        return int(game.legal_actions[0])
"""


@contextmanager
def open_notebook() -> Iterator[Notebook]:
    """A notebook that has imported what boards need, until the end of the block."""
    notebook = Notebook()
    with notebook.client.setup_kernel():
        notebook.run(START)
        notebook.listen()
        yield notebook
        assert notebook.ear is not None
        notebook.ear.close()
    # The libraries of Jupyter leave sockets to the garbage collection, which would warn of them.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        del notebook.client, notebook.ear
        gc.collect()


class Ear:
    """Hears all that the kernel says, as a front end does, and keeps the state of each widget."""

    def __init__(self, manager: Any) -> None:
        self.states: dict[str, dict[str, Any]] = {}
        self.said: dict[str, list[Any]] = {}
        #: The number of the last cell whose execution has begun: all is heard that was said before.
        self.begun = 0
        self._news = threading.Condition()
        self._client = BlockingKernelClient()
        self._client.load_connection_info(manager.get_connection_info())
        self._client.start_channels(shell=False, stdin=False, hb=False, control=False)
        self._is_open = True
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._is_open = False
        self._thread.join()
        self._client.stop_channels()

    def wait(self, is_there: Callable[[], bool]) -> None:
        with self._news:
            assert self._news.wait_for(is_there, timeout=MINUTE)

    def _listen(self) -> None:
        while self._is_open:
            try:
                message = self._client.get_iopub_msg(timeout=0.1)
            except queue.Empty:
                continue
            with self._news:
                self._hear(message)
                self._news.notify_all()

    def _hear(self, message: dict[str, Any]) -> None:
        kind, content = message["msg_type"], message["content"]
        if kind == "comm_open":
            self.states[content["comm_id"]] = dict(content["data"]["state"])
            self.said[content["comm_id"]] = []
        elif kind == "comm_msg" and content["data"]["method"] == "update":
            self.states[content["comm_id"]] |= content["data"]["state"]
        elif kind == "comm_msg" and content["data"]["method"] == "custom":
            self.said[content["comm_id"]].append(content["data"]["content"])
        elif kind == "execute_input":
            self.begun = content["execution_count"]


class Notebook:
    """A notebook whose cells are executed one by one, by a kernel of its own."""

    def __init__(self) -> None:
        self.nb = nbformat.v4.new_notebook()
        self.client = NotebookClient(self.nb, timeout=2 * MINUTE, kernel_name="python3")
        self.ear: Ear | None = None

    def run(self, code: str) -> Any:
        """Executes a new cell; what its last line is, by its types, and what it prints under `stdout`."""
        self.nb.cells.append(nbformat.v4.new_code_cell(code))
        cell = self.client.execute_cell(self.nb.cells[-1], len(self.nb.cells) - 1)
        shown: dict[str, Any] = {"stdout": ""}
        for output in cell.outputs:
            if output.output_type == "stream":
                shown["stdout"] += output.text
            else:
                shown |= output.data
        return shown

    def listen(self) -> None:
        """Lets the ear hear what is said from now on."""
        ear = self.ear = Ear(self.client.km)

        def hears() -> bool:
            self.run("pass")
            return ear.begun > 0

        until(hears)

    def show(self, code: str) -> str:
        """Executes a cell that ends with a board, and returns the number of its model."""
        shown = self.run(code)
        model: str = shown["application/vnd.jupyter.widget-view+json"]["model_id"]
        assert shown["text/html"].startswith('<img src="data:image/svg+xml,')
        return model

    def told(self, model: str) -> dict[str, Any]:
        """What the front end has been told of a board, when the kernel has heard all that was said."""
        assert self.ear is not None
        ear = self.ear
        self.run("pass")
        number = self.nb.cells[-1].execution_count
        ear.wait(lambda: ear.begun >= number)
        return ear.states[model]

    def say(self, model: str, content: Any) -> None:
        """Sends what a front end would."""
        self.send(model, {"method": "custom", "content": content})

    def set(self, model: str, state: dict[str, Any]) -> None:
        """Tries to change a board from the front end."""
        self.send(model, {"method": "update", "state": state, "buffer_paths": []})

    def send(self, model: str, data: dict[str, Any]) -> None:
        client = self.client.kc
        client.shell_channel.send(client.session.msg("comm_msg", {"comm_id": model, "data": data}))

    def wait(self, model: str, moves: int) -> dict[str, Any]:
        """What a board shows when its game has so many moves, or has ended."""
        assert self.ear is not None
        states = self.ear.states

        def is_there() -> bool:
            # The ear may be behind the cell that has made the board.
            if model not in states:
                return False
            state = states[model]["state"]
            return len(state["moves"]) >= moves or bool(state["result"])

        self.ear.wait(is_there)
        state: dict[str, Any] = states[model]["state"]
        return state
