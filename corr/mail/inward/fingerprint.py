"""What makes two arrivals the same letter, whichever way and however often it came."""

from __future__ import annotations

import hashlib

from corr.mail.inward.automatic_mail import automatic
from corr.mail.inward.letter import open_head, open_letter, own_id
from corr.mail.inward.mailbox import single

#: What the key begins with of a letter that has the Message-ID of another one.
_OTHER = "other "
_TRACE = (b"received:", b"return-path:", b"delivered-to:", b"x-original-to:", b"envelope-to:")


def message_key(raw: bytes) -> str:
    """The sender and the Message-ID, or a digest of the whole letter where it has none.

    A stranger's letter with my Message-ID must not swallow mine, nor the copy that came through a mailing list
    the one that came straight: so the sender belongs to it, and whether a person wrote it.
    """
    head = open_head(raw)
    message_id = own_id(head)
    if not message_id:
        return hashlib.sha256(_without_trace(raw)).hexdigest()
    sender = single(head.all("from"))
    who = f"{sender.casefold()}\0{automatic(head, sender) is None}"
    return hashlib.sha256(f"{who}\0{message_id}".encode()).hexdigest()


def other_key(key: str, raw: bytes) -> str:
    """The key of a letter that has the Message-ID of another one, and other words."""
    return _OTHER + hashlib.sha256(f"{key}\0{_words(raw)}".encode()).hexdigest()


def is_other(key: str) -> bool:
    """Whether the key is that of a letter that has the Message-ID of another one."""
    return key.startswith(_OTHER)


def is_alike(raw: bytes, kept: bytes) -> bool:
    """Whether two letters of one Message-ID say the same, however they were coded and wrapped on their way."""
    return raw == kept or not kept or _words(raw) == _words(kept)


def _words(raw: bytes) -> str:
    letter = open_letter(raw)
    return letter.trouble or "".join("".join(letter.lines).split())


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
