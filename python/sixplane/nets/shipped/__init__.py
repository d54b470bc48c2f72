"""The networks that come with the package: the `.npz` files beside this one, by their names."""

from __future__ import annotations

from pathlib import Path

__all__ = ["shipped_networks"]


def shipped_networks() -> dict[str, Path]:
    """Returns the files of the shipped networks by their names, such as `go9`."""
    return {file.stem: file for file in sorted(Path(__file__).parent.glob("*.npz"))}
