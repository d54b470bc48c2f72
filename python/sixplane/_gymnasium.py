"""Gymnasium for the modules that need it: if it is missing or too old, the error says what to install."""

from __future__ import annotations

from sixplane._library import optional

with optional("the environments of sixplane need Gymnasium", "gym", "gymnasium"):
    import gymnasium as gymnasium  # noqa: PLC0414 - others take it from here

from sixplane._registration import too_old

if message := too_old(gymnasium.__version__):
    raise ImportError(message, name="gymnasium")
