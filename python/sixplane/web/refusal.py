"""Why something that a page asks for is not done."""

from __future__ import annotations

__all__ = ["RefusedError"]


class RefusedError(Exception):
    """Why a session does not do what a page asked for.

    Attributes:
        reason: a word for the page, such as `ko` or `not_your_turn`.
    """

    def __init__(self, reason: str, message: str | None = None) -> None:
        super().__init__(reason.replace("_", " ") if message is None else message)
        self.reason = reason
