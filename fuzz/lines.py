"""Fuzzes a protocol: `python fuzz/lines.py LAW [CORPUS ...] [-max_total_time=60 ...]`.

The laws are those of `tests/line_laws.py`; the options are libFuzzer's.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
with atheris.instrument_imports(include=["sixplane.protocols"]):
    import line_laws

if __name__ == "__main__":
    law = getattr(line_laws, sys.argv.pop(1))
    atheris.Setup(sys.argv, law)
    atheris.Fuzz()
