"""`sixplane match` lets agents play series against each other, with a referee."""

from __future__ import annotations

import argparse
import dataclasses
import secrets
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from sixplane.agents.spec import HUMAN, SPEC_HELP, AgentSpec
from sixplane.cli import CommandError, failing
from sixplane.cli.arguments import (
    add_gpu_share_option,
    add_ray_option,
    folder,
    natural,
    positive,
    seconds,
    seed,
)
from sixplane.cli.game_options import LONG_GAMES_END, add_game_options, ending_game_of
from sixplane.cli.parser import Commands
from sixplane.cli.players import check_player, spec_of
from sixplane.cli.progress import progress_bar
from sixplane.cli.signals import interrupt_flag
from sixplane.jobs import Cluster
from sixplane.match import Limits, Line, Tournament, TournamentFolder, standings
from sixplane.match.folder import RESULTS

EPILOG = f"""\
{SPEC_HELP}

examples
  sixplane match score-table random --game gomoku --games 100
  sixplane match random 'gtp:gnugo --mode gtp' --check-score --out games
"""


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "match",
        help="let agents play series against each other",
        description=(
            "Lets two agents, or each two of several, play a series of games from random openings, each "
            "opening with both colors. Prints wins, 95 % intervals, Elo differences, times and "
            "forfeits. Ctrl-C keeps the games that are finished; with --out the same command goes on "
            "where it was stopped."
        ),
        epilog=EPILOG,
    )
    parser.add_argument("agents", nargs="+", metavar="AGENT", help="two or more agents, see below")
    add_game_options(parser, max_moves=LONG_GAMES_END)
    parser.add_argument("--games", type=positive, default=10, help="games between each two agents (10)")
    parser.add_argument(
        "--opening-moves",
        type=natural,
        default=4,
        help="random actions that begin each game (4), or more where too few openings of so many differ",
    )
    parser.add_argument("--unpaired", action="store_true", help="play each opening once only, colors in turn")
    parser.add_argument(
        "--seed", type=seed, help="the seed of openings and agents (random, and shown; 0 with --out)"
    )
    parser.add_argument(
        "--seconds-per-move", type=seconds, default=60.0, help="the time for a move; a longer one loses (60)"
    )
    parser.add_argument(
        "--illegal-tries", type=positive, default=3, help="how many illegal actions for one move lose (3)"
    )
    parser.add_argument(
        "--isolate", action="store_true", help="run each agent in a process, which ends when its time is up"
    )
    parser.add_argument(
        "--check-score",
        action="store_true",
        help="ask agents that count for the final score; one that disagrees about who has won wins",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--processes", type=positive, default=1, help="how many games are played at a time (1)"
    )
    add_ray_option(where)
    add_gpu_share_option(parser)
    parser.add_argument("--out", type=folder, metavar="DIR", help="folder for SGF files and results.jsonl")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Plays the games that are not yet in the folder, shows the progress, and prints the standings."""
    # With a folder it is 0, so that the same command goes on there.
    usual_seed = secrets.randbits(32) if arguments.out is None else 0
    match_seed = usual_seed if arguments.seed is None else arguments.seed
    specs = _specs(arguments.agents)
    tournament = _tournament(arguments, specs, match_seed)
    persons = _has_person(specs, arguments)
    if arguments.gpu_share:
        _check_share(arguments.ray, tournament)
    lines: list[Line] = []
    total = len(tournament.fixtures)
    is_new = arguments.out is None or not (arguments.out / RESULTS).exists()
    if is_new:
        _check(specs, tournament)
    try:
        with ExitStack() as stack:
            folder = None
            if arguments.out is not None:
                folder = stack.enter_context(TournamentFolder(arguments.out, tournament))
                lines.extend(folder.lines)
                for game in folder.repeated:
                    print(f"sixplane: game {game + 1} is there twice; the first counts", file=sys.stderr)
            done = {line.game for line in lines}
            if not is_new and len(done) < total:
                _check(specs, tournament)
            interrupted, advance = _watched(stack, total, len(done), persons)
            cluster = (
                stack.enter_context(Cluster(arguments.ray, arguments.gpu_share))
                if arguments.ray and len(done) < total
                else None
            )
            games = tournament.run(
                0 if persons else arguments.processes,
                skip=done,
                stop=interrupted,
                cluster=cluster,
                live=arguments.out,
            )
            for played in games:
                lines.append(Line.of(played) if folder is None else folder.write(played))
                advance(1)
    finally:
        # Finished games count, also after a failure.
        _report(list(tournament.entrants), lines, match_seed if arguments.seed is None else None)
    finished = sum(line.game < total for line in lines)
    if finished < total:
        print(f"sixplane: stopped after {finished} of {total} games", file=sys.stderr)
        return 130
    return 0


def _specs(texts: Sequence[str]) -> list[AgentSpec]:
    """Reads the specs of the players; those of the same title get numbers."""
    specs = [spec_of(text) for text in texts]
    given = [spec.title for spec in specs]
    numbered = [
        f"{title} {given[: i + 1].count(title)}" if given.count(title) > 1 else title
        for i, title in enumerate(given)
    ]
    return [dataclasses.replace(spec, title=title) for spec, title in zip(specs, numbered, strict=True)]


def _has_person(specs: list[AgentSpec], arguments: argparse.Namespace) -> bool:
    """Returns whether a person plays; games of persons are played in this process, one after the other."""
    if not any(spec.kind == HUMAN for spec in specs):
        return False
    if arguments.isolate or arguments.processes > 1 or arguments.ray:
        raise CommandError("a person plays one game at a time, in this process", status=2)
    return True


def _watched(
    stack: ExitStack, total: int, done: int, persons: bool
) -> tuple[Callable[[], bool], Callable[[int], object]]:
    """Returns what says whether Ctrl-C was pressed, and what moves the bar on."""
    if persons:
        # A person sees the games, and Ctrl-C does not wait for the end of one.
        return lambda: False, lambda _games: None
    return stack.enter_context(interrupt_flag()), stack.enter_context(progress_bar(total, "game", done))


def _check(specs: list[AgentSpec], tournament: Tournament) -> None:
    for spec in specs:
        check_player(spec, tournament.game, tournament.limits.seconds_per_move)


def _check_share(address: str | None, tournament: Tournament) -> None:
    """Refuses shares of GPUs where there are no nodes, or nothing that computes on a GPU."""
    if not address:
        raise CommandError("--gpu-share is for the nodes of a Ray cluster: give --ray, too", status=2)
    if not tournament.uses_torch:
        raise CommandError("--gpu-share is for players with backend=torch, and there is none", status=2)


def _tournament(arguments: argparse.Namespace, specs: list[AgentSpec], match_seed: int) -> Tournament:
    limits = Limits(
        arguments.seconds_per_move, arguments.illegal_tries, arguments.isolate, arguments.check_score
    )
    with failing(TypeError, ValueError):
        return Tournament(
            specs,
            ending_game_of(arguments),
            games=arguments.games,
            opening_moves=arguments.opening_moves,
            paired=not arguments.unpaired,
            seed=match_seed,
            limits=limits,
        )


def _report(titles: Sequence[str], lines: list[Line], shown_seed: int | None) -> None:
    if lines:
        print(standings(titles, lines))
        if shown_seed is not None:
            print(f"\nseed {shown_seed}")
