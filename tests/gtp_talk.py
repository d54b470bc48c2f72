"""Talking GTP to an engine in the same process."""

from __future__ import annotations

from typing import Any

import sixplane
from sixplane.agents import RandomAgent
from sixplane.protocols.gtp import GTPEngine

__all__ = ["go", "refused", "say"]


def go(size: Any = 5, **rules: Any) -> GTPEngine:
    return GTPEngine(sixplane.Go(size, **rules), RandomAgent(seed=1))


def say(engine: GTPEngine, *commands: str) -> list[str]:
    """What is answered to each, without the mark and the empty line."""
    answers = []
    for command in commands:
        answer = engine.answer(command)
        assert answer.startswith("="), f"{command}: {answer}"
        assert answer.endswith("\n\n") and "\n\n" not in answer[:-2]
        answers.append(answer[1:].strip())
    return answers


def refused(engine: GTPEngine, command: str) -> str:
    before = engine.game
    answer = engine.answer(command)
    assert answer.startswith("?") and answer.endswith("\n\n"), f"{command}: {answer}"
    assert engine.game == before
    return answer[1:].strip()
