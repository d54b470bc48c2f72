"""Small tournaments for tests."""

from __future__ import annotations

from typing import Any

import sixplane
from sixplane.agents import AgentSpec
from sixplane.match import Tournament

__all__ = ["entrants", "small"]


def entrants(*texts: str) -> list[AgentSpec]:
    return [AgentSpec.parse(text) for text in texts]


def small(*texts: str, **options: Any) -> Tournament:
    return Tournament(entrants(*texts), sixplane.Go(5), **options)
