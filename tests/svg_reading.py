"""Reads pictures back: which stones an SVG shows, and what an animation shows at one moment."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import numpy as np
from numpy.typing import NDArray

from sixplane.render.layout import Layout

SVG = "{http://www.w3.org/2000/svg}"


def stones(svg: str, layout: Layout) -> NDArray[np.uint8]:
    """The black and the white plane `(2, rows, cols)` of the stones drawn on the board."""
    found = np.zeros((2, layout.rows, layout.cols), np.uint8)
    for color, path in re.findall(r'<g class="(black|white)" [^>]*><path d="([^"]*)"', svg):
        for x, y in re.findall(r"M([\d.]+) ([\d.]+)h0", path):
            point = layout.point_at(float(x), float(y))
            if point is not None:
                found[("black", "white").index(color)].flat[point] += 1
    return found


def frozen(svg: str, moment: float) -> str:
    """What an animation shows at a moment from 0 to 1 of its time, as a picture that stands still."""
    ET.register_namespace("", SVG[1:-1])
    root = ET.fromstring(svg)  # noqa: S314 - our own text
    (sheet,) = root.findall(f"{SVG}style")
    rules = dict(re.findall(r"@keyframes (\w+)\{((?:[^{}]*\{[^{}]*\})*)\}", sheet.text or ""))
    root.remove(sheet)
    for element in list(root):
        classes = element.get("class", "").split()
        if classes[:1] != ["sixplane-moves"]:
            continue
        steps = re.findall(r"([\d.]+)%\{([\w-]+):([\d.]+)\}", rules[classes[1]])
        times = [float(time) for time, _, _ in steps]
        assert times == sorted(times) and times[0] == 0 and times[-1] < 100
        attribute, now = [(name, value) for time, name, value in steps if float(time) <= 100 * moment][-1]
        if now == "0":
            root.remove(element)
        else:
            element.attrib[attribute] = now
    return ET.tostring(root, encoding="unicode")
