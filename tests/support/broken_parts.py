"""Makes a part of our emails fail."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage

import pytest

SECRET = "what-nobody-may-read"


def break_part(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> None:
    """Let a function raise an error whose text must never be logged or shown."""

    def broken(*_: object, **__: object) -> Iterator[None]:
        raise KeyError(SECRET)

    monkeypatch.setattr(module, name, broken)


def content_types(letter: EmailMessage) -> list[str]:
    return [part.get_content_type() for part in letter.walk() if not part.is_multipart()]
