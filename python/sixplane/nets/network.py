"""A network that evaluates positions."""

from __future__ import annotations

import copy
import math
import os
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, get_args

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import Array, Size, batch, integer, real, sides
from sixplane._core import Game
from sixplane.games import GAMES, info_of
from sixplane.nets.architecture import Architecture, Parameters
from sixplane.nets.backend import Backend, BackendName, BackendOptions, Evaluation, PrecisionName
from sixplane.nets.backends import make_backend
from sixplane.nets.file import Facts, damaged, read_network, write_network
from sixplane.nets.inputs import input_planes, komi_of
from sixplane.nets.shipped import shipped_networks

#: The most rows of a call of a backend that prepares itself for each number of rows.
MOST_ROWS: Final = 256

#: What a win is worth in a search with `reward="margin"`, beside the lead.
WIN_MARGIN: Final = 10.0

#: Characters of a fact that a notebook shows.
LONGEST_FACT: Final = 600

#: The most threads of a backend, more than any processor has.
MOST_THREADS: Final = 1024


class Network:
    """A residual network for one game and boards of any size, which evaluates for `sixplane.search.MCTS`.

    Args:
        architecture: the shape of the network.
        parameters: the numbers of the network, by the names of `architecture.shapes`.
        sizes: the boards that it was trained on.
        komi: the komi that it assumes in Go until `for_game` binds it to a game.
        training: facts about its training, with values as JSON has them.
        backend: what computes it. `"auto"`: the first of OpenVINO, onnxruntime and NumPy that is installed.
        threads: the threads of the backend. NumPy has its own, which `OMP_NUM_THREADS` limits.
        precision: `"bfloat16"` is for OpenVINO and PyTorch, and many times slower on processors without
            units for it; `"int8"` is for OpenVINO and needs a calibration; `"auto"` uses them where they are
            fast, `"int8"` where there is a calibration.
        calibration: planes of some hundred positions as the network will see them, `(N, 6, rows, cols)`. They
            tell how large the numbers inside the network become, which 8 bits divide into 256 steps. They
            are seen with `komi`, so that it should be the one that is played.

    Raises:
        ValueError: the parameters do not fit the architecture, an option is not allowed, or the calibration
            has another shape or no position.
        TypeError: the calibration is no array.
        ModuleNotFoundError: the package of the backend is not installed.

    Example:
        >>> import sixplane
        >>> from sixplane.nets import Architecture, Network
        >>> from sixplane.search import MCTS
        >>> architecture = Architecture("go", blocks=1, channels=4)
        >>> network = Network(architecture, architecture.random_parameters(seed=1), backend="numpy")
        >>> game = sixplane.Go(size=5, komi=0.5)
        >>> logits, values = network(game.planes[None])
        >>> logits.shape, values.shape
        ((1, 26), (1,))
        >>> MCTS(network.for_game(game), selection="puct", simulations=20, seed=1).search(game).simulations
        20
        >>> games = sixplane.GameBatch(game, 250, seed=1)
        >>> games.play_random([i // 10 for i in range(250)])
        >>> quick = Network(architecture, network.parameters, precision="auto", calibration=games.planes)
        >>> quick(game.planes[None])[0].shape
        (1, 26)
    """

    def __init__(
        self,
        architecture: Architecture,
        parameters: Parameters,
        *,
        sizes: Iterable[Size] = (),
        komi: float = 0.0,
        training: Mapping[str, object] | None = None,
        backend: BackendName = "auto",
        threads: int = 1,
        precision: PrecisionName = "float32",
        calibration: NDArray[np.uint8] | None = None,
    ) -> None:
        if precision not in get_args(PrecisionName):
            raise ValueError(f"precision must be float32, bfloat16, int8 or auto, not {precision!r}")
        if not 1 <= integer("threads", threads) <= MOST_THREADS:
            raise ValueError(f"threads must be from 1 to {MOST_THREADS}, not {threads}")
        if isinstance(komi, bool | np.bool_) or not math.isfinite(real("komi", komi)):
            raise ValueError(f"komi must be a number, not {komi!r}")
        self.architecture = architecture
        """The shape of the network."""
        self.parameters: Parameters = architecture.check_parameters(parameters)
        """The numbers of the network by their names; they must not be changed."""
        self.sizes = tuple(sides(size) for size in sizes)
        """Rows and columns of the boards that it was trained on."""
        self.komi = float(komi)
        """The komi that the network assumes."""
        self.training: dict[str, Any] = dict(training or {})
        """Facts about the training, as JSON has them."""
        if calibration is not None and not len(batch(calibration)):
            raise ValueError("calibration must have at least one position")
        if precision == "int8" and calibration is None:
            raise ValueError("the precision int8 needs calibration=, planes of positions")
        self._settings: BackendOptions = {"backend": backend, "threads": threads, "precision": precision}
        self._calibration = None if calibration is None else calibration.copy()
        self._start()

    def _start(self) -> None:
        seen = self._calibration
        inputs = None if seen is None else input_planes(seen, self.architecture.inputs, self.komi)
        self._backend: Backend = make_backend(
            self.architecture, self.parameters, calibration=inputs, **self._settings
        )
        # A backend computes in memory that it uses again, for one caller at a time.
        self._lock = threading.Lock()

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        backend: BackendName = "auto",
        threads: int = 1,
        precision: PrecisionName = "float32",
    ) -> Network:
        """Reads a network from a file, or one that comes with the package by its name, such as `"reversi8"`.

        Args:
            path: the file, or the name. A file of that name is read first; a folder is not.
            backend: what computes it, as `Network` takes it.
            threads: the threads of the backend.
            precision: the precision of the backend.

        Raises:
            NetworkFileError: there is no such file or network, or the file is no network, or a damaged one.
            ValueError, ModuleNotFoundError: as for `Network`.

        Example:
            >>> import sixplane
            >>> network = Network.load("reversi8", backend="numpy")
            >>> network.sizes, network.evaluate(sixplane.Reversi().planes[None]).ownership.shape
            (((8, 8),), (1, 8, 8))
        """
        if isinstance(path, str) and path in (shipped := shipped_networks()) and not Path(path).is_file():
            path = shipped[path]
        architecture, parameters, facts = read_network(path)
        # NumPy is always there, and so nothing but the facts can be wrong.
        try:
            network = cls(
                architecture,
                parameters,
                sizes=facts.get("sizes", ()),
                komi=facts.get("komi", 0.0),
                training=facts.get("training"),
                backend="numpy",
            )
        except (TypeError, ValueError) as error:
            raise damaged(path, error) from error
        return network.with_backend(backend, threads=threads, precision=precision)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the network to a file, its parameters as float16.

        The file is written beside `path` and then takes its place, so that no half of it is ever seen.

        Raises:
            OSError: the file cannot be written.
            ValueError: the parameters are too large for float16, or `training` is not for JSON.

        Example:
            >>> import tempfile
            >>> network = Network.load("reversi8", backend="numpy")
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     network.save(Path(folder, "mine.npz"))
            ...     again = Network.load(Path(folder, "mine.npz"), backend="numpy")
            >>> again.architecture == network.architecture
            True
        """
        sizes = [rows if rows == cols else (rows, cols) for rows, cols in self.sizes]
        facts: Facts = {"sizes": sizes, "komi": self.komi, "training": self.training}
        write_network(path, self.architecture, self.parameters, facts)

    def to_onnx(self, path: str | os.PathLike[str]) -> None:
        """Writes the network as a graph in ONNX, for any number of positions on boards of any size.

        Its input is `inputs`, `(L, C, rows, cols)` float32, as `sixplane.nets.input_planes` makes them; its
        outputs are `logits`, `values`, `ownership` and `scores` as in `Evaluation`, the scores in units of
        `GameInfo.score_unit(rows, cols)`.

        Raises:
            ModuleNotFoundError: the package onnx is not installed.
            OSError: the file cannot be written.
        """
        from sixplane.nets.onnx_graph import onnx_model

        Path(path).write_bytes(onnx_model(self.architecture, self.parameters).SerializeToString())

    def evaluate(self, planes: Array) -> Evaluation:
        """Evaluates positions, and returns all outputs of the network.

        Args:
            planes: `(L, 6, rows, cols)`, in absolute colors, as games have them.

        Raises:
            TypeError, ValueError: the planes have another type or shape.
        """
        logits, values, ownership, scores = self._outputs(planes)
        unit = GAMES[self.architecture.game].score_unit(*ownership.shape[1:])
        return Evaluation(logits, values, ownership, scores * unit)

    def __call__(self, planes: Array) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Evaluates positions `(L, 6, rows, cols)`, and returns logits `(L, A)` and values `(L,)`."""
        logits, values, _, _ = self._outputs(planes)
        return logits, values

    def margins(self, planes: Array) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Evaluates positions `(L, 6, rows, cols)` for a search that plays for points.

        Returns:
            The logits `(L, A)` and the expected margins `(L,)`, in points or discs: ten for a win and the
            lead, as `MCTS` counts them with `reward="margin"`. `for_game` tells the network the komi.

        Raises:
            TypeError, ValueError: the planes have another type or shape.

        Example:
            >>> import sixplane
            >>> from sixplane.search import MCTS
            >>> network, game = Network.load("reversi8", backend="numpy"), sixplane.Reversi()
            >>> search = MCTS(network.margins, selection="gumbel", reward="margin", simulations=20, seed=1)
            >>> abs(search.search(game).value) < 74  # ten, and all the discs
            True
        """
        evaluation = self.evaluate(planes)
        return evaluation.logits, WIN_MARGIN * evaluation.values + evaluation.scores

    def _outputs(self, planes: Array) -> Evaluation:
        inputs = input_planes(planes, self.architecture.inputs, self.komi)
        count, _, rows, cols = inputs.shape
        if not count:
            none = np.zeros(0, np.float32)
            return Evaluation(none.reshape(0, rows * cols + 1), none, none.reshape(0, rows, cols), none)
        with self._lock:
            if not self._backend.is_static:
                return self._backend(inputs)
            parts = [self._padded(inputs[i : i + MOST_ROWS]) for i in range(0, count, MOST_ROWS)]
        return parts[0] if len(parts) == 1 else Evaluation(*map(np.concatenate, zip(*parts, strict=True)))

    def _padded(self, inputs: NDArray[np.float32]) -> Evaluation:
        """Returns the outputs for inputs padded to one of few lengths, at most a quarter above their own."""
        count = len(inputs)
        step = max(1, (1 << (count - 1).bit_length()) // 8)
        length = -(-count // step) * step
        if length == count:
            return self._backend(inputs)
        padded = np.zeros((length, *inputs.shape[1:]), np.float32)
        padded[:count] = inputs
        return Evaluation(*(output[:count] for output in self._backend(padded)))

    def for_game(self, game: Game) -> Network:
        """Returns this network for one game, with the komi of the game and the same backend.

        Raises:
            TypeError: the network plays another game.
        """
        expected = GAMES[self.architecture.game]
        if not isinstance(game, expected.game_class):
            found = info_of(game).unique_title
            raise TypeError(f"this network plays {expected.unique_title}, not {found}")
        komi = komi_of(game)
        if komi == self.komi:
            return self
        bound = copy.copy(self)
        bound.komi = komi
        return bound

    def with_backend(
        self, backend: BackendName, *, threads: int | None = None, precision: PrecisionName | None = None
    ) -> Network:
        """Returns the same network, computed by another backend; options that are not given stay.

        Raises:
            ValueError, ModuleNotFoundError: as for `Network`.

        Example:
            >>> network = Network.load("reversi8").with_backend("numpy")
            >>> "backend='numpy'" in repr(network)
            True
        """
        settings = self._settings
        return Network(
            self.architecture,
            self.parameters,
            sizes=self.sizes,
            komi=self.komi,
            training=self.training,
            backend=backend,
            threads=settings["threads"] if threads is None else threads,
            precision=settings["precision"] if precision is None else precision,
            calibration=self._calibration,
        )

    def __copy__(self) -> Network:
        other = Network.__new__(Network)
        other.__dict__.update(self.__dict__)
        return other

    def __deepcopy__(self, memo: dict[int, object]) -> Network:
        # The parameters never change, and the backend is called by one thread at a time: both are shared.
        other = copy.copy(self)
        other.training = copy.deepcopy(self.training, memo)
        return other

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_backend", "_lock")}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self._start()

    def _repr_html_(self) -> str:
        from sixplane.render.html import card, table

        shape = self.architecture
        sizes = ", ".join(f"{rows}x{cols}" for rows, cols in self.sizes)
        facts = [
            ("shape", f"{shape.blocks} blocks of {shape.channels} channels"),
            ("parameters", f"{shape.num_parameters:,}"),
            ("input planes", ", ".join(shape.inputs)),
            ("boards", sizes or "any"),
            *([("komi", f"{self.komi:g}")] if "komi" in GAMES[shape.game].inputs else ()),
            ("computed by", f"{self._settings['backend']}, {self._settings['precision']}"),
            *((f"training: {name}", _short(value)) for name, value in self.training.items()),
        ]
        return card(f"Network for {GAMES[shape.game].title}", None, table(facts))

    def __repr__(self) -> str:
        shape = f"{self.architecture.blocks}x{self.architecture.channels}"
        return f"Network({self.architecture.game}, {shape}, backend={self._settings['backend']!r})"


def _short(value: object) -> str:
    """Returns a fact about a training, for people to read; it may be anything."""
    if isinstance(value, Mapping):
        value = ", ".join(f"{name}={one}" for name, one in value.items())
    text = f"{value:,}" if type(value) is int else str(value)
    return text if len(text) <= LONGEST_FACT else f"{text[:LONGEST_FACT]} …"
