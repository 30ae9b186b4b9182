"""What the pages look like, as a stamp: another one after each release that changes any of them."""

from __future__ import annotations

import hashlib
from functools import cache

from corr.template_folder import folder
from corr.web import assets


@cache
def stamp() -> str:
    """The same for the same templates, style and script."""
    files = sorted(folder().rglob("*.*"))
    told = assets.stamp().encode() + b"".join(file.read_bytes() for file in files if file.is_file())
    return hashlib.blake2b(told, digest_size=6).hexdigest()
