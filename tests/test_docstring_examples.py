"""The examples in docstrings: each runs as a test somewhere."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_examples_that_need_a_library_run_where_it_is() -> None:
    spec = importlib.util.spec_from_file_location("needs", ROOT / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    conftest = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(conftest)
    makefile = (ROOT / "Makefile").read_text()
    run = {
        module
        for name, modules in re.findall(r"^(\w+_modules) := (.*)$", makefile, re.M)
        if re.search(rf"^\t\$\(\w+\)/bin/python -m pytest .*\$\({name}\)$", makefile, re.M)
        for module in modules.split()
    }
    needy = [path for path in conftest.NEEDS if path.startswith("python/")]
    assert needy
    assert [path for path in needy if not {path, *map(str, Path(path).parents)} & run] == []
