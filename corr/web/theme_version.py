"""Stamps what the pages look like, so that each release that changes it gets a new stamp."""

from __future__ import annotations

import hashlib
from functools import cache

from corr.text.messages import template_folder
from corr.web import assets


@cache
def stamp() -> str:
    """Return a stamp that stays the same while templates, styles and scripts do."""
    files = sorted(template_folder().rglob("*.*"))
    told = assets.stamp().encode() + b"".join(file.read_bytes() for file in files if file.is_file())
    return hashlib.blake2b(told, digest_size=6).hexdigest()
