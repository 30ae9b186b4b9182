"""A stand-in for the entrance of a server."""

from __future__ import annotations

from collections.abc import Sequence


class AcceptingEntrance:
    """Accepts and keeps every email."""

    def __init__(self) -> None:
        self.kept: list[bytes] = []

    def is_known(self, _address: str) -> bool:
        return True

    def store_received(self, raw: bytes, _recipients: Sequence[str], _sender: str) -> int:
        self.kept.append(raw)
        return 1
