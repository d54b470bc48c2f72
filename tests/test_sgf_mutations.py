"""Records with pieces moved, doubled, cut off or spoilt: games, errors and warnings, but nothing else."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import pytest

import sixplane
from gtp_talk import go
from sixplane import sgf

PIECES = [
    b"(;",
    b")",
    b";B[]",
    b";W[aa]",
    b"B[tt]",
    b"XBAN[]",
    b"XBAN[aa]",
    b"XPASS[1]",
    b"XDONE[1]",
    b"PL[2]",
]
PIECES += [
    b"AB[aa:cc]",
    b"AE[aa]",
    b"SZ[4]",
    b"GM[2]",
    b"GM[4]",
    b"RE[W+R]",
    b"HA[4]",
    b"KM[]",
    b"RU[Chinese]",
]
PIECES += [
    b"CA[GB2312]",
    b"CA[Big5]",
    b"CA[UTF-8]",
    b"\\",
    b"]",
    b"[",
    b"\x81",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\n",
]

NAMES = {"utf-8": "é表", "shift_jis": "表ソ井山", "gb18030": "乚棋🀄", "big5": "周俊勳功", "utf-16": "é古"}


def record(rng: random.Random) -> bytes:
    """A game of random actions, in a character set that it names."""
    game: Any = rng.choice(
        [sixplane.Go(9, handicap=2), sixplane.Go((4, 5)), sixplane.Reversi(6), sixplane.Gomoku(7)]
    )
    for _ in range(rng.randrange(50)):
        if not game.is_over:
            game.play(rng.choice(game.legal_actions.tolist()))
    codec, name = rng.choice(list(NAMES.items()))
    text: str = game.to_sgf(black_name=name, comments={0: "a ]\n\\"})
    return text.replace("UTF-8", codec).encode(codec)


def spoil(data: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.randrange(5)):
        one, two = sorted((rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)))
        two = min(two, one + 20)
        data = rng.choice(
            [
                data[:one] + rng.choice(PIECES) + data[one:],
                data[:one] + data[two:],
                data[:two] + data[one:],
                data[:one] + bytes([rng.randrange(256)]) + data[one + 1 :],
            ]
        )
    return data


@pytest.mark.filterwarnings("ignore::sixplane.SGFWarning")
@pytest.mark.parametrize("seed", range(10))
def test_spoilt_records_give_games_or_errors(seed: int, tmp_path: Path) -> None:
    rng, engine, path = random.Random(seed), go(), tmp_path / "game.sgf"
    refused = followed = 0
    for _ in range(40):
        data = spoil(record(rng), rng)
        path.write_bytes(data)
        answer = engine.answer(f"loadsgf {path}")
        assert answer == "=\n\n" or answer.startswith("? cannot load file: ")
        assert engine.answer("genmove b")[0] in "=?"
        try:
            collection = sgf.parse(data)
        except sixplane.SGFError:
            refused += 1
            continue
        assert sgf.parse(collection.to_bytes()) == pickle.loads(pickle.dumps(collection)) == collection
        for root in collection.games:
            try:
                game, found = root.follow()
            except sixplane.SGFError:
                continue
            assert all(warning.offset <= len(data) for warning in found)
            assert root.to_game() == game == type(game).from_sgf(root.to_text())
            followed += 1
    assert refused and followed
