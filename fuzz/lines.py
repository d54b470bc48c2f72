"""Fuzzes a law in Python: `python fuzz/lines.py LAW [CORPUS ...] [-max_total_time=60 ...]`.

The laws are those of `tests/line_laws.py` and `tests/file_laws.py`; the options are libFuzzer's.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
PACKAGES = ("protocols", "match", "learn", "nets", "web", "_archive", "_fields")
with atheris.instrument_imports(include=[f"sixplane.{name}" for name in PACKAGES]):
    import file_laws
    import line_laws

if __name__ == "__main__":
    name = sys.argv.pop(1)
    law = getattr(line_laws if name in line_laws.__all__ else file_laws, name)
    atheris.Setup(sys.argv, law)
    atheris.Fuzz()
