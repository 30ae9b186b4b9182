"""What a call says: the game, its variant and until when; never what has happened. Pure."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from corr.messages import sentence


@dataclass(frozen=True, slots=True)
class Turn:
    """It is somebody's turn in a game, or would be: a test names none."""

    game: str
    variant: str
    deadline: str | None  # as ISO 8601 writes it
    until: str  # as a person reads it in a zone of their own; empty where there is no end
    url: str

    @property
    def words(self) -> str:
        """As a person reads it."""
        if not self.game:
            return sentence("calls.test")
        if not self.until:
            return sentence("calls.turn", game=self.game, variant=self.variant)
        return sentence("calls.turn_until", game=self.game, variant=self.variant, until=self.until)


@dataclass(frozen=True, slots=True)
class Call:
    """What is sent: the bytes and what stands in the head beside them."""

    body: bytes
    head: Mapping[str, str]


def _as_json(turn: Turn) -> Call:
    told = {
        "event": "turn" if turn.game else "test",
        "game": turn.game or None,
        "variant": turn.variant or None,
        "deadline": turn.deadline,
        "url": turn.url,
    }
    return _call(told)


def _for_discord(turn: Turn) -> Call:
    return _call({"content": f"{turn.words} {turn.url}", "allowed_mentions": {"parse": []}})


def _for_slack(turn: Turn) -> Call:
    return _call({"text": f"{turn.words} {turn.url}"})


def _for_ntfy(turn: Turn) -> Call:
    return Call(turn.words.encode(), {"Content-Type": "text/plain; charset=utf-8", "Click": turn.url})


def _call(told: Mapping[str, object]) -> Call:
    body = json.dumps(told, ensure_ascii=False).encode()
    return Call(body, {"Content-Type": "application/json"})


#: How a call is written for whom: for a program of one's own, or for a house that is well known.
WRITTEN: Mapping[str, Callable[[Turn], Call]] = {
    "json": _as_json,
    "discord": _for_discord,
    "slack": _for_slack,
    "ntfy": _for_ntfy,
}


def signed(call: Call, key: str, second: int) -> Call:
    """The same with a seal by which whoever has the key knows that it is ours, and when it was sent."""
    seal = hmac.new(key.encode(), f"{second}.".encode() + call.body, hashlib.sha256).hexdigest()
    return Call(
        call.body, {**call.head, "X-Corr-Timestamp": str(second), "X-Corr-Signature": f"sha256={seal}"}
    )
