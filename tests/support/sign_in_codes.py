"""Finds the six-digit code in an email."""

from __future__ import annotations

import re


def code_in(text: str) -> str:
    found = re.search(r'the six digits "(\d{6})"', text)
    assert found
    return found[1]
