"""The settings of a run of training: the game, the time, the network and how it learns."""

from __future__ import annotations

import dataclasses
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any, Final, Literal, get_type_hints

from sixplane._arguments import sides
from sixplane._core import Game
from sixplane._fields import shown
from sixplane._files import read_file
from sixplane._other_names import did_you_mean
from sixplane.games import GAMES, check_rules, info_named, no_game
from sixplane.games.info import long_game
from sixplane.jobs.gpu import check_gpu_share
from sixplane.learn.boards import Board, checked_boards, chosen, named
from sixplane.learn.checks import check_value, plain
from sixplane.learn.self_play import SelfPlaySearchOptions
from sixplane.learn.stages import GROWING, Stages, check_boards, checked_stages, usual_stages
from sixplane.nets.architecture import Architecture
from sixplane.nets.backend import BackendName
from sixplane.nets.inputs import check_inputs
from sixplane.runs.stages import boards_of_stage
from sixplane.search import Puct, Selection


class ConfigError(ValueError):
    """A setting does not exist, or its value is not allowed.

    Example:
        >>> try:
        ...     Config(simulations=0)
        ... except ConfigError as error:
        ...     print(error)
        simulations must be a positive integer, not 0
    """


@contextmanager
def _refused(where: str = "") -> Iterator[None]:
    """Raises a `ConfigError` for an error in the block; `where` says in which setting it is."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{where}{error}") from error


#: The most evaluations that a worker keeps. One takes 0.8 KB on 9x9, and 3.6 KB on 19x19.
MOST_CACHED: Final = 1 << 17

#: The parameter of the Dirichlet noise of a PUCT search, times the number of actions: the 0.03 of Go 19x19 in
#: D. Silver and others, Mastering the game of Go without human knowledge, Nature 550 (2017).
NOISE: Final = 0.03 * 362


@dataclass(frozen=True, kw_only=True)
class Config:
    """The settings of a run. The defaults learn on every game and size.

    Times are seconds unless the name says minutes; shares and weights are from 0 to 1.

    Raises:
        ConfigError: a value is not allowed for a setting, or the game has no such rules.

    Example:
        >>> config = Config(game="reversi", size=6, minutes=3)
        >>> config.prototype().num_actions, config.architecture.blocks, config.architecture.channels
        (37, 4, 32)
        >>> config.search
        {'selection': 'gumbel', 'cache': 8192, 'exact': True}
        >>> config.loss_weights
        {'policy': 1.0, 'value': 1.0, 'ownership': 0.6, 'score': 0.05}
        >>> Config(ray="auto", gpu_share=0.25).backend("auto")
        'torch'
        >>> stages = ({"size": 9, "share": 0.4}, {"size": 13, "share": 0.6, "rules": {"komi": 5.5}})
        >>> [(one.size, one.rules, one.minutes) for one in Config(minutes=150, stages=stages).by_stage]
        [(9, {}, 60.0), (13, {'komi': 5.5}, 150.0)]
        >>> Config(size=13).chosen().stages
        ({'size': 9, 'share': 0.75}, {'share': 0.25})
        >>> sizes = ({"size": 7, "share": 0.3, "rules": {"komi": 9.5}}, {"size": 9, "share": 0.7})
        >>> mixed = Config(sizes=sizes)
        >>> [(one.size, one.prototype().komi) for one in mixed.by_board], mixed.shares, mixed.judged.size
        ([((7, 7), 9.5), ((9, 9), 7.5)], (0.3, 0.7), (9, 9))
        >>> [mixed.boards[mixed.place_of_call(number)] for number in (1, 2, 3)]  # of three calls
        [(9, 9), (7, 7), (9, 9)]
    """

    game: str = "go"
    """The name of the game; of one of your own also `FILE.py:CLASS` or `module:CLASS`, which is imported."""
    size: int | tuple[int, int] | None = None
    """The side of the board, or rows and columns; None: the game's own default."""
    sizes: Sequence[int | tuple[int, int] | Mapping[str, object]] | None = None
    """Boards that the run mixes, instead of one: their sizes, or tables with a `size`, and if need be a
    `share` of the samples that are learned from and `rules` of its own. Without shares all have the same.
    The judge plays on the largest of them, or on that of `size`. None: the run has one board."""
    rules: dict[str, object] = field(default_factory=dict)
    """Rules of the game, such as `{"komi": 7.5}`."""
    out: str = "run"
    """The folder of the run. A run that is in it is resumed."""
    minutes: float = 60.0
    """Minutes that the run trains, without its interruptions. A run that has ended is resumed with more."""
    stages: Stages | Literal["auto"] | None = "auto"
    """Boards that the run learns on one after the other, each a table with its time: `minutes`, or a `share`
    of the run's. It may have a `size` or `sizes`, `rules`, `blocks` and `channels`, `simulations`,
    `last_simulations` and `games_at_once` of its own. The last one goes on until the run ends. Where each
    says its boards, the run has none beside them but a `size` for the judge. The network grows to the
    `blocks` and `channels` of a stage, never fewer than before. `"auto"`: those of
    `sixplane.learn.stages.usual_stages`. None: the run has one stage."""
    workers: int | None = None
    """The number of processes that play; None: one for each processor."""
    ray: str = ""
    """The address of a Ray cluster whose nodes play, as `sixplane.jobs.Cluster` takes it; empty: processes
    of this machine play. `workers` then counts those of the whole cluster; None: one for each processor but
    the driver's, or for each share of a GPU, as nodes come and go."""
    gpu_share: float = 0.0
    """The part of a GPU that each worker of a cluster has beside its processor, from 0.0001 to 1. With 0.25
    four workers share a GPU; with 0 none is used."""
    device: str = "auto"
    """The device that learns: `"auto"`, `"cpu"` or `"cuda"`. A GPU also plays where there is no cluster."""
    learner_threads: int = 1
    """Threads of the learner on a CPU. One is best where workers use the other processors."""
    seed: int = 0
    """The seed of all randomness of the learner and of the games."""

    blocks: int = 4
    """Blocks of the network, of two convolutions each."""
    channels: int = 32
    """Channels of each convolution."""
    inputs: tuple[str, ...] = ()
    """The input planes, by the names in `sixplane.nets.inputs`; empty: those usual for the game."""
    initial_network: str = ""
    """The network that the run begins with: a file, or the name of one that comes with the package. It may be
    of another board, but must have the same blocks, channels and inputs. Empty: random numbers."""

    selection: str = "gumbel"
    """The selection of the search: `"gumbel"` or `"puct"`."""
    simulations: int = 16
    """Simulations of each move when the run begins."""
    last_simulations: int = 32
    """Simulations of each move from `growth` of the time on; until then they grow evenly."""
    growth: float = 0.5
    """The part of the time in which the simulations grow."""
    games_at_once: int = 64
    """Games that a worker plays at the same time. More cost the driver of a large cluster less."""
    exact: bool = True
    """Whether self-play proves wins and losses where the game has a solver: a game is then played to its end
    by the solver as soon as it is decided, and what is certain is learned."""
    opening_plies: int = 6
    """The most random actions that a game begins with; they are not learned from."""

    batch: int = 256
    """Samples of one step of the learner."""
    samples_per_position: float = 3.0
    """The mean number of times that a position is learned from."""
    learning_rate: float = 2e-3
    """The learning rate when the run begins. It falls to the last one along a cosine."""
    last_learning_rate: float = 2e-4
    """The learning rate at the end of the run."""
    weight_decay: float = 1e-4
    """The weight decay of Muon and AdamW. Biases have none."""
    gradient_norm: float = 1.0
    """The norm to which gradients are clipped."""
    least_window: int = 10_000
    """The positions that the replay window holds before it drops old ones."""
    window_share: float = 0.1
    """The part of all positions of the run that the replay window holds from then on."""
    most_window: int = 200_000
    """The most positions that the replay window holds."""
    root_value_share: float = 0.3
    """The share of the search's value in the target of the value; the rest is the outcome."""
    ownership_weight: float = 0.6
    """The weight of the loss of the ownership."""
    score_weight: float = 0.05
    """The weight of the loss of the score."""

    publish_every: float = 10.0
    """Seconds between two versions of the network that plays."""
    checkpoint_every: float = 60.0
    """Seconds between two checkpoints."""
    judge_every: float = 300.0
    """Seconds between two judgements."""
    judge_games: int = 100
    """The most games of one judgement; on a board without a ladder, of each player in it. They are played in
    pairs: an odd number counts as the even one below, 1 as 2."""

    def __post_init__(self) -> None:
        for entry in dataclasses.fields(self):
            object.__setattr__(self, entry.name, plain(getattr(self, entry.name)))
        with _refused():
            # Every file and message of the run has the same name of the game.
            object.__setattr__(self, "game", info_named(self.game, imports=True).game_class.name)
            for name, hint in get_type_hints(Config).items():
                check_value(name, hint, getattr(self, name))
        if not isinstance(self.inputs, tuple):
            raise ConfigError(f"inputs must be names of planes, not {shown(self.inputs)}")
        with _refused("inputs: "):
            check_inputs(self.inputs, self.game)
        with _refused():
            self.architecture  # noqa: B018 - it raises an error if no network has this shape
        with _refused("gpu_share: "):
            check_gpu_share(self.gpu_share)
        if self.gpu_share and not self.ray:
            raise ConfigError("gpu_share is for the nodes of a Ray cluster, and ray names none")
        self._prototype  # noqa: B018 - it raises an error if the game has no such rules
        with _refused():
            own = None if self.size is None else self.judged.boards[0]
            boards = [(one.boards, one.judged.boards[0]) for one in self.by_stage]
            check_boards(own, boards, self._chosen_stages, has_sizes=self.sizes is not None)
        with _refused("settings must be values that JSON has: "):
            json.dumps(self.to_table())

    @property
    def search(self) -> SelfPlaySearchOptions:
        """The options of the search that plays: those of `sixplane.search.MCTS`."""
        # Some positions of a search come again in that of the next move. Few of them share a place.
        cache = min(4 * self.games_at_once * self.last_simulations, MOST_CACHED)
        exact = self.exact and GAMES[self.game].has_solver
        is_puct = self.selection == "puct"
        selection: Selection = Puct(noise=NOISE / self._prototype.num_actions) if is_puct else "gumbel"
        return {"selection": selection, "cache": cache, "exact": exact}

    @property
    def loss_weights(self) -> dict[str, float]:
        """The weight of each part of the loss in their sum."""
        return {"policy": 1.0, "value": 1.0, "ownership": self.ownership_weight, "score": self.score_weight}

    def backend(self, learning: BackendName) -> BackendName:
        """Returns the backend of the workers, given the one that is fastest where the network learns.

        A worker of a cluster uses its share of a GPU by PyTorch; without a share it uses no GPU.
        """
        if self.gpu_share:
            return "torch"
        return "auto" if self.ray and learning == "torch" else learning

    @cached_property
    def architecture(self) -> Architecture:
        """The shape of the network of the run or the stage."""
        return Architecture(self.game, self.inputs, blocks=self.blocks, channels=self.channels)

    @cached_property
    def _chosen_stages(self) -> Stages | None:
        """The `stages`, or those that `"auto"` stands for; None: the run has one stage."""
        if self.stages != "auto":
            return self.stages
        # Rules of a game of your own may be those of one board, and so are many stones of handicap.
        is_own, has_handicap = ":" in self.game, bool(self.rules.get("handicap"))
        is_one = self.sizes is not None or bool(self.initial_network) or is_own or has_handicap
        return None if is_one else usual_stages(self.boards[0], GAMES[self.game].game_class.default_size)

    def chosen(self) -> Config:
        """Returns the settings with the stages that `"auto"` stands for, as the folder has them."""
        return dataclasses.replace(self, stages=self._chosen_stages)

    @cached_property
    def by_stage(self) -> tuple[Config, ...]:
        """The settings of each stage; their `minutes` are those of the run when the stage ends.

        A run of one stage has the settings of the run there.
        """
        if self._chosen_stages is None:
            return (self,)
        with _refused():
            tables = checked_stages(self._chosen_stages, self.minutes)
        stages = [self._stage(number, table) for number, table in enumerate(tables, 1)]
        for number, (before, stage) in enumerate(pairwise(stages), 2):
            for name in GROWING:
                had, has = getattr(before, name), getattr(stage, name)
                if has < had:
                    raise ConfigError(f"stage {number}: {name} must be {had} or more, as before, not {has}")
        return tuple(stages)

    def _stage(self, number: int, table: dict[str, Any]) -> Config:
        with _refused(f"stage {number}: "):
            return self._with(table | boards_of_stage(vars(self), table))

    def _with(self, table: dict[str, Any]) -> Config:
        """Returns the settings with those of a stage or a board, rule by rule."""
        rules = {**self.rules, **table.get("rules", {})}
        return dataclasses.replace(self, **table | {"stages": None, "rules": rules})

    @cached_property
    def _tables(self) -> list[dict[str, Any]]:
        with _refused():
            return checked_boards(self.sizes)

    @cached_property
    def by_board(self) -> tuple[Config, ...]:
        """The settings of each board that the run or the stage mixes, the smallest first.

        A run without `sizes` has one, with the settings of the run.
        """
        if self.sizes is None:
            return (self,)
        boards = []
        for table in self._tables:
            given = {name: value for name, value in table.items() if name != "share"}
            with _refused(f"{named(table['size'])} of sizes: "):
                boards.append(self._with(given | {"sizes": None}))
        return tuple(boards)

    @cached_property
    def shares(self) -> tuple[float, ...]:
        """The share of each board of `by_board` in the samples that are learned from."""
        return (1.0,) if self.sizes is None else tuple(table["share"] for table in self._tables)

    @cached_property
    def boards(self) -> tuple[Board, ...]:
        """Rows and columns of each board of `by_board`."""
        games = [board.prototype() for board in self.by_board]
        return tuple((game.rows, game.cols) for game in games)

    def place_of_call(self, number: int) -> int:
        """Returns the place in `by_board` of the board that a call of the workers plays on, by its number.

        A game on a board of twice the points has about twice the positions, and so half the calls.
        """
        boards = zip(self.boards, self.shares, strict=True)
        return chosen(number, [share / (rows * cols) for (rows, cols), share in boards])

    @cached_property
    def judged(self) -> Config:
        """The settings of the board that the judge plays on: that of `size`, or the largest of `sizes`."""
        if self.sizes is None:
            return self
        if self.size is None:
            return self.by_board[-1]
        with _refused():
            board = sides(self.size)
        if board not in self.boards:
            raise ConfigError(f"size {named(board)} is none of sizes: {', '.join(map(named, self.boards))}")
        return self.by_board[self.boards.index(board)]

    def prototype(self) -> Game:
        """Returns a new game as the run plays it. A long game is cut off, and its score counts.

        It is on the board that the judge plays on, if the run mixes boards.
        """
        return self._prototype.copy()

    @cached_property
    def _prototype(self) -> Game:
        if self.sizes is not None:
            return self.judged._prototype
        info = GAMES[self.game]
        rules = dict(self.rules)
        with _refused():
            if "size" in rules:
                raise ValueError("size is a setting of its own, and no rule")
            check_rules(self.game, rules)
            game: Game = info.game_class(**({} if self.size is None else {"size": self.size}), **rules)
            rules.setdefault("max_moves", long_game(game))
            return info.game_class(size=(game.rows, game.cols), **rules)

    @classmethod
    def read(cls, path: str | PathLike[str], **given: object) -> Config:
        """Reads the settings of a TOML file. Those that are `given` replace the file's, rule by rule.

        If the file names a game of your own, that is imported, as `--game` does.

        Raises:
            ConfigError: the file cannot be read, or has a setting that does not exist.

        Example:
            >>> import tempfile
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     file = Path(folder, "run.toml")
            ...     size = file.write_text("game = 'reversi'")
            ...     config = Config.read(file, minutes=3)
            >>> config.game, config.minutes
            ('reversi', 3)
        """
        try:
            settings = tomllib.loads(read_file(Path(path)).decode("utf-8-sig"))  # Notepad writes a mark first
        except OSError as error:
            raise ConfigError(f"cannot read {path}: {error.strerror}") from error
        except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
            raise ConfigError(f"{path} is no TOML file: {error}") from error
        rules, others = settings.get("rules"), given.get("rules")
        if isinstance(rules, dict) and isinstance(others, dict):
            given["rules"] = rules | others
        try:
            return cls._made(settings | given)
        except ConfigError as error:
            try:
                cls._made(settings)
            except ConfigError as own:
                if str(own) == str(error):  # and so nothing that was given is wrong
                    raise ConfigError(f"{path}: {error}") from error
            raise

    @classmethod
    def make(cls, settings: Mapping[str, object]) -> Config:
        """Makes settings from a table, as `to_table` returns it. Nothing is imported for the name of a game.

        Raises:
            ConfigError: there is no such setting, or the module of a game of your own is not imported.

        Example:
            >>> config = Config(game="reversi", size=6)
            >>> Config.make(config.to_table()) == config
            True
            >>> try:
            ...     Config.make({"board": 9})
            ... except ConfigError as error:
            ...     print(str(error).partition(";")[0])
            there is no setting 'board'
        """
        game = settings.get("game")
        # The table may be that of a run of somebody else.
        if isinstance(game, str) and game not in GAMES:
            raise ConfigError(no_game(game))
        return cls._made(settings)

    @classmethod
    def _made(cls, settings: Mapping[str, object]) -> Config:
        names = [entry.name for entry in dataclasses.fields(cls)]
        for name in settings:
            if name not in names:
                proposal = did_you_mean(name, names)
                raise ConfigError(
                    f"there is no setting {shown(name)}{proposal}; there are {', '.join(names)}"
                )
        entries: dict[str, Any] = {**settings}
        with _refused():
            return cls(**entries)

    def to_table(self) -> dict[str, object]:
        """Returns all settings by their names, for JSON."""
        return dataclasses.asdict(self)
