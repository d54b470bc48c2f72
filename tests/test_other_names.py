"""Names that other libraries have: the error tells ours, and nothing else changes."""

from __future__ import annotations

import copy
import pickle
import re
from typing import Any

import pytest

import sixplane
from sixplane._other_names import OF_BATCHES, OF_GAMES, OF_PACKAGE

GAMES = [sixplane.Go(5), sixplane.Reversi(), sixplane.Gomoku(7)]
BATCH = sixplane.GameBatch(sixplane.Go(5), 2)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game_tells_its_own_name_for_each_other(game: sixplane.Game) -> None:
    for other, ours in OF_GAMES.items():
        assert not hasattr(type(game), other) and not hasattr(game, other)
        with pytest.raises(AttributeError) as caught:
            getattr(game, other)
        said = f"'{type(game).__name__}' object has no attribute '{other}': here it is {ours}"
        assert (str(caught.value), caught.value.name, caught.value.obj) == (said, other, game)


@pytest.mark.parametrize(
    ("name", "ours"),
    [("legal_moves", "legal_actions"), ("winner", "outcome"), ("step", r"play\(action\)"),
     ("to_play", "turn"), ("board", "planes"), ("clone", r"copy\(\)"), ("done", "is_over")],
)  # fmt: skip
def test_names_that_everybody_tries_are_told(name: str, ours: str) -> None:
    with pytest.raises(AttributeError, match=f"{name}': here it is {ours}$"):
        getattr(sixplane.Go(9), name)


def test_a_batch_and_the_package_tell_theirs() -> None:
    for owner, others in ((BATCH, OF_BATCHES), (sixplane, OF_PACKAGE)):
        for other, ours in others.items():
            assert not hasattr(owner, other), other
            with pytest.raises(AttributeError, match=re.escape(f"{other!r}: here it is {ours}")):
                getattr(owner, other)


def test_what_is_told_is_there() -> None:
    for owners, others in ((GAMES, OF_GAMES), ([BATCH], OF_BATCHES)):
        words = {part.partition("(")[0] for ours in others.values() for part in re.split(" or | and ", ours)}
        names = {word for word in words if word.isidentifier()} - {"len", "print"}
        assert len(names) >= 6
        assert not [name for name in names if not all(hasattr(owner, name) for owner in owners)]
    for ours in OF_PACKAGE.values():
        for path in re.findall(r"sixplane\.[\w.]+", ours):
            owner: Any = sixplane
            for part in path.split(".")[1:]:
                owner = getattr(owner, part)


@pytest.mark.parametrize("owner", [*GAMES, BATCH, sixplane], ids=lambda owner: type(owner).__name__)
def test_any_other_name_is_an_error_as_ever(owner: Any) -> None:
    for name in ("nonsense", "_private", "__array_interface__", "__deepcopy__x", ""):
        assert not hasattr(owner, name) and getattr(owner, name, 3) == 3
        with pytest.raises(AttributeError) as caught:
            getattr(owner, name)
        assert ":" not in str(caught.value) and caught.value.name == name


@pytest.mark.parametrize("owner", [*GAMES, BATCH], ids=lambda owner: type(owner).__name__)
def test_copies_pickles_and_comparisons_do_not_ask_for_other_names(owner: Any) -> None:
    for twin in (copy.copy(owner), copy.deepcopy(owner), pickle.loads(pickle.dumps(owner)), owner.copy()):
        assert twin == owner and type(twin) is type(owner)
    assert not {*OF_GAMES, *OF_BATCHES} & set(dir(owner)) - set(dir(type(owner)))
