"""Writes the payload of a webhook call: game, variant and deadline, but never the events of the game. Pure."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from corr.text.messages import sentence


@dataclass(frozen=True, slots=True)
class Turn:
    """A player's turn in a game; a test call names no game."""

    game: str
    variant: str
    deadline: str | None  # in ISO 8601
    until: str  # as a person reads it in their own time zone; empty if there is no deadline
    url: str

    @property
    def words(self) -> str:
        """The turn as a sentence."""
        if not self.game:
            return sentence("calls.test")
        if not self.until:
            return sentence("calls.turn", game=self.game, variant=self.variant)
        return sentence("calls.turn_until", game=self.game, variant=self.variant, until=self.until)


@dataclass(frozen=True, slots=True)
class Payload:
    """A payload: the body and its headers."""

    body: bytes
    head: Mapping[str, str]


def _as_json(turn: Turn) -> Payload:
    return _json_payload(
        event="turn" if turn.game else "test",
        game=turn.game or None,
        variant=turn.variant or None,
        deadline=turn.deadline,
        url=turn.url,
    )


def _for_discord(turn: Turn) -> Payload:
    return _json_payload(content=f"{turn.words} {turn.url}", allowed_mentions={"parse": []})


def _for_slack(turn: Turn) -> Payload:
    return _json_payload(text=f"{turn.words} {turn.url}")


def _for_ntfy(turn: Turn) -> Payload:
    return Payload(turn.words.encode(), {"Content-Type": "text/plain; charset=utf-8", "Click": turn.url})


def _json_payload(**told: object) -> Payload:
    return Payload(json.dumps(told, ensure_ascii=False).encode(), {"Content-Type": "application/json"})


#: The payload formats: for a player's own program, or for a well-known service.
WRITERS: Mapping[str, Callable[[Turn], Payload]] = {
    "json": _as_json,
    "discord": _for_discord,
    "slack": _for_slack,
    "ntfy": _for_ntfy,
}


def sign_call(call: Payload, key: str, second: int) -> Payload:
    """Sign a call, so that a holder of the key can check its sender and time."""
    seal = hmac.new(key.encode(), f"{second}.".encode() + call.body, hashlib.sha256).hexdigest()
    signed = {"X-Corr-Timestamp": str(second), "X-Corr-Signature": f"sha256={seal}"}
    return Payload(call.body, {**call.head, **signed})
