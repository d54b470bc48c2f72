"""What the processor of this machine says it is fast at."""

from __future__ import annotations

from pathlib import Path

import pytest

from sixplane.nets.backend import has_fast_bfloat16


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("fpu avx512f amx_bf16 amx_tile", True),
        ("fpu avx512f avx512_bf16 avx512_vnni", True),
        ("fpu avx2 avx512f avx512_vnni", False),
    ],
)
def test_linux_names_the_instructions_for_bfloat16(
    monkeypatch: pytest.MonkeyPatch, flags: str, expected: bool
) -> None:
    text = f"processor\t: 0\nbugs\t\t: amx_bf16\nflags\t\t: {flags}\n"
    monkeypatch.setattr(Path, "read_text", lambda *_args, **_options: text)
    assert has_fast_bfloat16.__wrapped__() is expected
