"""The contract that every six-plane game keeps, as a test that anyone can run on a game.

`check_game` plays seeded random games on copies of a game and proves law after law on them, for
the games of sixplane and for any class with the same members:

    >>> import sixplane
    >>> from sixplane.testing import check_game
    >>> report = check_game(sixplane.Go(size=3), games=12)
    >>> report.laws["undo_is_the_inverse_of_play"]["actions withdrawn"] > 100
    True
    >>> report.not_offered
    ()

Each law is a function named by the sentence it proves, in `planes`, `play`, `objects` and
`positions`. A law that breaks raises `LawBroken` with its name and the steps that led there.
"""

from sixplane.testing.check import Report, check_game
from sixplane.testing.law import LawBroken
from sixplane.testing.protocol import SixPlaneGame

__all__ = ["LawBroken", "Report", "SixPlaneGame", "check_game"]
