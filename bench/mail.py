"""Reads emails of the server and writes players' replies, with the standard library alone."""

from __future__ import annotations

import base64
import email
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesHeaderParser
from functools import cached_property

PLAYERS = "players.example"
#: A Message-ID of the server: a seat's code and an email's number.
Name = tuple[str, int]
_PARSER = BytesHeaderParser()


@dataclass(frozen=True)
class Received:
    """A received email: its envelope's recipient and its bytes."""

    recipient: str
    raw: bytes

    @cached_property
    def head(self) -> Message:
        return _PARSER.parsebytes(self.raw)

    @cached_property
    def text(self) -> str:
        """Its plain part."""
        parts = email.message_from_bytes(self.raw).walk()
        payload = next(part for part in parts if part.get_content_type() == "text/plain").get_payload(
            decode=True
        )
        assert isinstance(payload, bytes)
        return payload.decode().replace("\r\n", "\n")

    @cached_property
    def name(self) -> Name:
        return name_of(self["Message-ID"])

    def __getitem__(self, header: str) -> str:
        return " ".join(str(self.head[header] or "").split())


def name_of(address: str) -> Name:
    """Decode a secret address or a Message-ID of the server."""
    local = address.strip("<>").partition("@")[0].upper()
    token = base64.b32decode(local + "=" * (-len(local) % 8))
    return base64.b32encode(token[1:6]).decode().lower(), int.from_bytes(token[6:9])


def compose_reply(answered: Received, text: str, name: str, *, quotes: bool = True) -> bytes:
    """A reply as a plain mail program writes it; `name` is the local part of its Message-ID."""
    quoted = [
        f"On {answered['Date']}, {answered['From']} wrote:",
        *(f"> {each}" for each in answered.text.splitlines()),
    ]
    lines = [
        f"From: {answered.recipient}",
        f"To: {answered['Reply-To']}",
        f"Subject: Re: {answered['Subject'].removeprefix('Re: ')}",
        f"Message-ID: <{name}@{PLAYERS}>",
        f"In-Reply-To: {answered['Message-ID']}",
        f"References: {answered['Message-ID']}",
        "MIME-Version: 1.0",
        'Content-Type: text/plain; charset="utf-8"',
        *("", text, ""),
        *([*quoted, ""] if quotes else []),
    ]
    return "\r\n".join(lines).encode()
