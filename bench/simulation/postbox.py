"""The mail server that takes letters from the house, and at times does not."""

from __future__ import annotations

import base64
import email
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message

from bench.simulation.faults import Faults
from corr.mail.outward.transport import Delivery, Envelope, Fate


@dataclass(frozen=True, slots=True)
class Received:
    """A letter as its reader sees it, and which of its seat's it is."""

    recipient: str
    reply_to: str
    message_id: str
    subject: str
    answers: str
    seat: str
    number: int
    text: str


class Postbox:
    """Keeps no letter: each is shown to its reader at once."""

    def __init__(self, faults: Faults, deliver: Callable[[Received], None]) -> None:
        self._faults, self._deliver = faults, deliver
        self.is_down = False
        self.bounces_to: set[str] = set()

    def send(self, envelope: Envelope) -> Delivery:
        if self.is_down or self._faults.strikes("refused"):
            return Delivery(Fate.LATER, "451 not now")
        if envelope.recipient in self.bounces_to:
            return Delivery(Fate.NEVER, "550 5.1.1 no such user")
        self._deliver(_opened(envelope))
        self._faults.step()
        return Delivery(Fate.SENT)

    def close(self) -> None:
        pass


def _opened(envelope: Envelope) -> Received:
    letter = email.message_from_bytes(envelope.message)
    seat, number = _named(str(letter["Message-ID"]))
    return Received(
        envelope.recipient,
        str(letter["Reply-To"]),
        str(letter["Message-ID"]),
        str(letter["Subject"]),
        str(letter["In-Reply-To"] or ""),
        seat,
        number,
        _text(letter),
    )


def _named(message_id: str) -> tuple[str, int]:
    """Which seat's letter a Message-ID of the house names, and which of its letters."""
    local = message_id.strip("<>").partition("@")[0].upper()
    token = base64.b32decode(local + "=" * (-len(local) % 8))
    return base64.b32encode(token[1:6]).decode().lower(), int.from_bytes(token[6:9])


def _text(letter: Message) -> str:
    plain = next(part for part in letter.walk() if part.get_content_type() == "text/plain")
    payload = plain.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode().replace("\r\n", "\n")
