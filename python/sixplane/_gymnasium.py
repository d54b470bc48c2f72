"""Gymnasium for the modules that need it: if it is missing or too old, the error says what to install."""

from __future__ import annotations

from sixplane._library import optional

with optional("the environments of sixplane need Gymnasium", "gym", "gymnasium"):
    import gymnasium

from sixplane._registration import is_too_old

__all__ = ["gymnasium"]

if is_too_old(gymnasium.__version__):
    raise ImportError(
        f"the environments of sixplane need Gymnasium 1.1 or newer, not {gymnasium.__version__}:"
        " pip install 'sixplane[gym]'",
        name="gymnasium",
    )
