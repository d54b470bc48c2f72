"""What the tactical cases of Gomoku say is proved, by a search that knows no patterns."""

from __future__ import annotations

import pytest

from gomoku_tactics import Case, proved_answers, read_cases


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case.name)
def test_the_answers_of_the_cases_are_proved_by_search(case: Case) -> None:
    # The longest proofs need not be made for both rules.
    for exact in case.exact[: 1 if case.stones > 2 else 2]:
        assert proved_answers(case, exact) == sorted(case.answers)
