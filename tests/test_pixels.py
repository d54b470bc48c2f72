"""Pixels of SVG: the size that a picture names, and what is too large for memory or names none."""

from __future__ import annotations

import struct
import subprocess
import sys
from typing import Any

import pytest

import sixplane
from sixplane.render import pixels, png, rgb_array

SHAPE = '<rect x="5" width="30" height="50"/>'
TOO_LARGE = "is too large: a picture has at most 178,956,970 pixels in all"


def svg(head: str, inner: str = SHAPE) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {head}>{inner}</svg>'


def size(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from(">II", data, 16)
    return int(width), int(height)


def test_a_picture_too_large_for_memory_is_refused_and_python_goes_on() -> None:
    # In a process of its own, which resvg would end.
    code = """
import sixplane
from sixplane.render import png, rgb_array
tall = sixplane.GameBatch(sixplane.TicTacToe(), 700).to_svg(limit=700, columns=1, width=16384)
go = sixplane.Go(size=5)
for draw in (lambda: png(go.to_svg(), width=1_000_000), lambda: png(go.to_svg(), width=10**12),
             lambda: png(tall), lambda: png(tall, width=600), lambda: rgb_array(go.to_svg(width=13500))):
    try:
        draw()
    except ValueError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    said = done.stdout.splitlines()
    assert [line.partition(" is too large")[0] for line in said] == [
        "a width of 1000000", "a width of 1000000000000", "16384x10427671", "a width of 600", "13500x13500"
    ]  # fmt: skip
    assert all(line.endswith(TOO_LARGE) for line in said)


@pytest.mark.parametrize("width", [1, 77, 333, 480, 961])
def test_a_picture_is_as_high_as_its_width_asks_for(width: int) -> None:
    tall = sixplane.GameBatch(sixplane.Hex(3), 5).to_svg(columns=1, width=480)
    named = size(png(tall))
    assert named[0] == 480
    drawn = size(png(tall, width=width))
    assert drawn[0] == width and abs(drawn[1] - width * named[1] / 480) <= 1


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ('width="100" height="50"', (100, 50)),
        ("width='60' height='30px'", (60, 30)),
        ('width="100.4" height="50.5"', (100, 51)),
        ('width="1e2" height="+1E1"', (100, 10)),
        ('width="10em" height="1ex"', (160, 8)),
        ('width="50%" height="50%" viewBox="0 0 80 40"', (40, 20)),
        ('viewBox="0,0,80,40"', (80, 40)),
        ('width="40" viewBox="0 0 80 40"', (40, 20)),
        ('height="40" viewBox="0 0 80 40"', (80, 40)),
    ],
)
def test_the_size_that_a_picture_of_others_names_is_the_one_of_its_pixels(
    head: str, expected: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert size(png(svg(head))) == expected
    monkeypatch.setattr(pixels, "MOST_PIXELS", expected[0] * expected[1] * 9 // 10)
    with pytest.raises(ValueError, match=r"is too large: a picture has at most [\d,]+ pixels in all"):
        png(svg(head))


def test_the_head_of_a_picture_of_others_may_be_behind_a_comment_or_have_a_prefix() -> None:
    comment = (
        '<?xml version="1.0" encoding="UTF-16"?><!-- <svg width="9"> --><!DOCTYPE svg [<!ENTITY a "7">]>'
    )
    assert size(png(comment + svg('width="&a;" height="4"'))) == (7, 4)
    assert size(png('<s:svg xmlns:s="http://www.w3.org/2000/svg" width="3" height="4"/>')) == (3, 4)


@pytest.mark.parametrize("head", ["", 'width="100"', 'width="100%"', 'width="wide" height="50"'])
def test_a_picture_that_names_no_size_needs_a_width_that_is_not_too_large(
    head: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match="the picture names no size in pixels: pass a width"):
        png(svg(head))
    assert size(png(svg(head), width=77)) == (77, 110)
    monkeypatch.setattr(pixels, "MOST_PIXELS", 77 * 110 - 100)
    with pytest.raises(ValueError, match="a width of 77 is too large"):
        png(svg(head), width=77)


@pytest.mark.parametrize("text", ["", "a board", "<svg"])
def test_a_text_that_is_no_svg_is_refused(text: str) -> None:
    for width in (None, 100):
        with pytest.raises(ValueError, match="the text is no SVG: "):
            png(text, width)


WRONG_WIDTHS: list[tuple[Any, type[Exception], str]] = [
    (-5, ValueError, "width must be at least 1, not -5"),
    (0, ValueError, "width must be at least 1, not 0"),
    (2.5, TypeError, "width must be an integer, not float"),
]


@pytest.mark.parametrize(("width", "error", "says"), WRONG_WIDTHS)
def test_a_width_that_is_none_is_refused(width: Any, error: type[Exception], says: str) -> None:
    for draw in (png, rgb_array):
        with pytest.raises(error, match=says):
            draw(sixplane.Go(size=5).to_svg(), width=width)


def test_a_large_picture_is_no_attack(monkeypatch: pytest.MonkeyPatch) -> None:
    from PIL import Image

    # So many pixels are an attack to Pillow, which warns.
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 100)
    assert rgb_array(svg('width="40" height="30"')).shape == (30, 40, 3)


def test_pixels_are_as_wide_as_asked() -> None:
    board = sixplane.Go(9).to_svg(width=300)
    for width in (None, 77):
        data = png(board, width)
        assert data.startswith(b"\x89PNG")
        assert rgb_array(board, width).shape[1] == (width or 300)


def test_behind_transparent_parts_is_the_color_that_is_asked_for() -> None:
    picture = svg('width="40" height="60"')
    assert rgb_array(picture)[0, 0].tolist() == [255, 255, 255]
    assert rgb_array(picture, background="#204060")[0, 0].tolist() == [0x20, 0x40, 0x60]
    assert rgb_array(picture, background="#204060")[20, 20].tolist() == [0, 0, 0]
