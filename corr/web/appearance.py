"""What the pages look like, as a stamp: another one after each release that changes any of them."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from corr.pages import folder


@cache
def stamp() -> str:
    """The same for the same templates, style and script."""
    files = sorted([*folder().rglob("*.*"), *(Path(__file__).parent / "static").iterdir()])
    return hashlib.blake2b(
        b"".join(file.read_bytes() for file in files if file.is_file()), digest_size=6
    ).hexdigest()
