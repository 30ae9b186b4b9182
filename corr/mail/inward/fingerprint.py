"""Recognizes two arrivals of the same email, however and however often it was delivered."""

from __future__ import annotations

import hashlib

from corr.mail.inward.automatic_mail import why_automatic
from corr.mail.inward.headers import only_address
from corr.mail.inward.incoming_email import find_message_id, parse_email, parse_header

#: The prefix of the key of an email that reuses another email's Message-ID.
_OTHER = "other "
_TRACE = (b"received:", b"return-path:", b"delivered-to:", b"x-original-to:", b"envelope-to:")


def message_key(raw: bytes) -> str:
    """Return a key from sender and Message-ID, or a digest of an email without one.

    The sender is part of the key, so that a stranger's email with my Message-ID cannot suppress mine. The key also
    says whether a person wrote the email, so that a copy from a mailing list cannot suppress the direct one.
    """
    head = parse_header(raw)
    message_id = find_message_id(head)
    if not message_id:
        return hashlib.sha256(_remove_trace(raw)).hexdigest()
    sender = only_address(head.all("from"))
    who = f"{sender.casefold()}\0{why_automatic(head, sender) is None}"
    return hashlib.sha256(f"{who}\0{message_id}".encode()).hexdigest()


def other_key(key: str, raw: bytes) -> str:
    return _OTHER + hashlib.sha256(f"{key}\0{_words(raw)}".encode()).hexdigest()


def is_other_key(key: str) -> bool:
    return key.startswith(_OTHER)


def is_same_email(raw: bytes, kept: bytes) -> bool:
    """Return whether two emails with one Message-ID say the same, despite encoding and wrapping on the way."""
    return raw == kept or not kept or _words(raw) == _words(kept)


def _words(raw: bytes) -> str:
    letter = parse_email(raw)
    return letter.trouble or "".join("".join(letter.lines).split())


def _remove_trace(raw: bytes) -> bytes:
    """Remove the headers that every delivery writes anew."""
    head, gap, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    kept: list[bytes] = []
    dropping = False
    for line in head.split(b"\n"):
        if not line.startswith((b" ", b"\t")):
            dropping = line.lower().startswith(_TRACE)
        if not dropping:
            kept.append(line)
    return b"\n".join(kept) + gap + body.rstrip(b"\n")
