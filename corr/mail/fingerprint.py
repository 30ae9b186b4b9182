"""What makes two arrivals the same letter, whichever way and however often it came."""

from __future__ import annotations

import hashlib

from corr.mail.letter import open_letter

_TRACE = (b"received:", b"return-path:", b"delivered-to:", b"x-original-to:", b"envelope-to:")


def message_key(raw: bytes) -> str:
    """The sender and the Message-ID, or a digest of the whole letter where it has none.

    The sender belongs to it: a stranger's letter with my Message-ID must not swallow mine.
    """
    letter = open_letter(raw)
    if letter.message_id:
        return hashlib.sha256(f"{letter.sender.casefold()}\0{letter.message_id}".encode()).hexdigest()
    return hashlib.sha256(_without_trace(raw)).hexdigest()


def _without_trace(raw: bytes) -> bytes:
    """The letter without the headers that every way of delivery writes anew."""
    head, gap, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    kept: list[bytes] = []
    dropping = False
    for line in head.split(b"\n"):
        if not line.startswith((b" ", b"\t")):
            dropping = line.lower().startswith(_TRACE)
        if not dropping:
            kept.append(line)
    return b"\n".join(kept) + gap + body.rstrip(b"\n")
