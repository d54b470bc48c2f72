"""Random legal actions from masks: legal, uniform, reproducible, and clear about bad input."""

from __future__ import annotations

import doctest
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import sixplane.masks
from sixplane import GameBatch, Go, sample_legal

if TYPE_CHECKING:
    pass


INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.bool_]


def test_the_examples_in_the_documentation_hold() -> None:
    results = doctest.testmod(sixplane.masks)
    assert results.failed == 0 < results.attempted


@settings(deadline=None)
@given(
    st.sampled_from(INTEGERS).flatmap(
        lambda dtype: npst.arrays(dtype, npst.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=300))
    ),
    st.integers(0, 2**32),
)
def test_actions_are_those_that_plain_code_chooses(masks: Any, seed: int) -> None:
    uniforms = np.random.default_rng(seed).random(len(masks))
    expected = []
    for mask, uniform in zip(masks, uniforms, strict=True):
        legal = np.flatnonzero(mask)
        expected.append(legal[int(uniform * legal.size)] if legal.size else -1)
    actions = sample_legal(masks, np.random.default_rng(seed))
    assert (actions.dtype, actions.tolist()) == (np.int64, expected)
    # The memory layout and the way the seed is given change nothing.
    assert sample_legal(np.asfortranarray(masks), seed).tolist() == expected
    assert sample_legal(masks[::-1], seed)[:1].tolist() == sample_legal(masks[::-1].copy(), seed)[:1].tolist()
    if len(masks):
        assert sample_legal(masks[0], seed) == expected[0]
        assert sample_legal(np.asfortranarray(masks)[0], seed) == expected[0]


def test_every_legal_action_is_as_probable_as_any_other() -> None:
    legal = [0, 5, 6, 200, 361]
    mask = np.zeros(362, dtype=np.int8)
    mask[legal] = 1
    draws = 40_000
    actions = sample_legal(np.broadcast_to(mask, (draws, 362)), np.random.default_rng(3))
    counts = np.bincount(actions, minlength=362)
    assert counts[legal].sum() == draws
    expected = draws / len(legal)
    # Chi-squared of 4 degrees of freedom: beyond 24 once in ten thousand.
    assert ((counts[legal] - expected) ** 2 / expected).sum() < 24


def test_games_are_played_to_the_end() -> None:
    batch = GameBatch(Go(size=4), 100, seed=0)
    rng = np.random.default_rng(1)
    for _ in range(600):
        batch.step(sample_legal(batch.action_masks, rng), autoreset="disabled")
    assert batch.dones.sum() > 90
    assert (sample_legal(batch.action_masks, rng)[batch.dones] == -1).all()


def test_one_mask_gives_an_int() -> None:
    for dtype in INTEGERS:
        action = sample_legal(np.array([0, 0, 1, 0], dtype=dtype))
        assert (type(action), action) == (int, 2)
    assert sample_legal(np.zeros(3, dtype=np.bool_)) == -1
    assert sample_legal([0, 1]) == 1
    assert sample_legal(np.array([0, 256, 0])) == 1, "no narrowing to a byte"


def test_a_generator_goes_on() -> None:
    masks = np.ones((50, 82), dtype=np.int8)
    rng = np.random.default_rng(2)
    first, second = sample_legal(masks, rng), sample_legal(masks, rng)
    assert first.tolist() != second.tolist()
    assert sample_legal(masks, 2).tolist() == first.tolist()
    assert sample_legal(masks).tolist() != sample_legal(masks).tolist()


@pytest.mark.parametrize(
    ("masks", "error", "message"),
    [
        (np.ones(3), TypeError, "not float64"),
        ([None, 1], TypeError, "not object"),
        (np.ones((2, 3, 4), dtype=np.int8), ValueError, r"\(A,\) or \(n, A\), not \(2, 3, 4\)"),
        (1, ValueError, r"not \(\)"),
    ],
    ids=str,
)
def test_what_is_no_mask_is_refused(masks: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        sample_legal(masks)
