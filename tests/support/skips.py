"""What becomes of a test that lacks something on this machine."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def skip_missing(missing: str, remedy: str = "") -> NoReturn:
    """Skip a test for want of something; where nothing may be left out, fail."""
    reason = f"{missing} is not installed: {remedy or f'apt install {missing}'}"
    if os.environ.get("CORR_TEST_ALL") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
