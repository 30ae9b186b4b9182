"""Skips tests that need a program this machine lacks."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def skip_missing(missing: str, remedy: str = "") -> NoReturn:
    """Skip a test, or fail it if CORR_TEST_ALL is set."""
    reason = f"{missing} is not installed: {remedy or f'apt install {missing}'}"
    if os.environ.get("CORR_TEST_ALL") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
