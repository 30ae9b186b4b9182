"""Doors that stand in for a house's, where what comes to them is all that matters."""

from __future__ import annotations

from collections.abc import Sequence


class AcceptingEntrance:
    """A door that takes every letter."""

    def __init__(self) -> None:
        self.kept: list[bytes] = []

    def is_known(self, _address: str) -> bool:
        return True

    def store_received(self, raw: bytes, _recipients: Sequence[str], _sender: str) -> int:
        self.kept.append(raw)
        return 1
