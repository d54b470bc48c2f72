"""The rules of `sixplane.gogame` once more, slow and plain: groups by search, liberties by dilation.

Written from the description of seed 001; it imports nothing from the product.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Mask: TypeAlias = NDArray[np.bool_]

BLACK, WHITE, TURN, INVALID, PASS, DONE = range(6)


def beside(mask: Mask) -> Mask:
    """The points with a neighbor in the mask."""
    found = np.zeros_like(mask)
    found[1:] |= mask[:-1]
    found[:-1] |= mask[1:]
    found[:, 1:] |= mask[:, :-1]
    found[:, :-1] |= mask[:, 1:]
    return found


def dilate(mask: Mask) -> Mask:
    return mask | beside(mask)


def groups(mask: Mask) -> list[Mask]:
    found = []
    left = mask.copy()
    for row, col in np.argwhere(mask):
        if left[row, col]:
            group = np.zeros_like(mask)
            group[row, col] = True
            while not np.array_equal(group, grown := dilate(group) & mask):
                group = grown
            found.append(group)
            left &= ~group
    return found


def invalid(black: Mask, white: Mask, to_play: int, ko: tuple[int, int] | None) -> Mask:
    stones = (black, white)
    empty = ~(black | white)
    bad, good = np.zeros_like(empty), np.zeros_like(empty)
    for color in (BLACK, WHITE):
        for group in groups(stones[color]):
            liberties = dilate(group) & empty
            few = np.count_nonzero(liberties) == 1
            # Next to an own group with one liberty, or an enemy group with more, a stone has no liberty …
            (bad if few == (color == to_play) else good)[liberties] = True
    # … unless another one gives it one.
    result = ~empty | (empty & ~beside(empty) & bad & ~good)
    if ko is not None:
        result[ko] = True
    return result


def next_state(state: Array, action: int) -> Array:
    _, rows, cols = state.shape
    to_play = int(state[TURN, 0, 0] != 0)
    stones = [state[BLACK] != 0, state[WHITE] != 0]
    ko = None
    passed = action == rows * cols
    if not passed:
        point = divmod(action, cols)
        placed = np.zeros((rows, cols), np.bool_)
        placed[point] = True
        stones[to_play] = stones[to_play] | placed
        enemy = stones[1 - to_play]
        alone = not (beside(placed) & ~enemy).any()
        empty = ~(stones[BLACK] | stones[WHITE])
        killed = [
            group
            for group in groups(enemy)
            if (dilate(group) & placed).any() and not (dilate(group) & empty).any()
        ]
        for group in killed:
            stones[1 - to_play] = stones[1 - to_play] & ~group
        if alone and len(killed) == 1 and np.count_nonzero(killed[0]) == 1:
            row, col = np.argwhere(killed[0])[0]
            ko = (int(row), int(col))
    result = np.zeros_like(state)
    result[BLACK], result[WHITE] = stones
    result[TURN] = 1 - to_play
    result[INVALID] = invalid(stones[BLACK], stones[WHITE], 1 - to_play, ko)
    result[PASS] = passed
    result[DONE] = passed and state[PASS, 0, 0] != 0
    return result


def canonical_form(state: Array) -> Array:
    result = state.copy()
    if state[TURN, 0, 0]:
        result[BLACK], result[WHITE] = state[WHITE], state[BLACK]
        result[TURN] = 0
    return result


def areas(state: Array) -> tuple[int, int]:
    black, white = state[BLACK] != 0, state[WHITE] != 0
    counts = [int(black.sum()), int(white.sum())]
    for region in groups(~(black | white)):
        touches = [bool((dilate(region) & stones).any()) for stones in (black, white)]
        if touches[BLACK] != touches[WHITE]:
            counts[BLACK if touches[BLACK] else WHITE] += int(region.sum())
    return counts[BLACK], counts[WHITE]
