"""Turns raw bytes into what an email says, who wrote it, and what it answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from corr import limits
from corr.mail.inward.automatic_mail import BOUNCE, automatic, perhaps_automatic
from corr.mail.inward.header_block import Head, behead
from corr.mail.inward.mailbox import addresses, called, ids, single
from corr.mail.inward.mime import is_calendar_reply, lines_of
from corr.mail.inward.quotations import without_quotation
from corr.mail.inward.subject import subject
from corr.messages import sentence
from corr.orders import Puzzle, Reading, first_order, read, read_for_games
from corr.words.errors import Refused

_RECIPIENTS = ("to", "cc", "delivered-to", "x-original-to", "envelope-to")
_READ = frozenset(("from", "message-id", "subject", "content-transfer-encoding", *_RECIPIENTS))
_ENVELOPE = re.compile(rb">?From [^\n]*\n")


@dataclass(frozen=True, slots=True)
class Letter:
    """An incoming email. Its Message-IDs have no brackets.

    `sender` is empty if it is in doubt. `trouble` is text for the writer; if it is set, there are no lines.
    """

    automatic: str | None
    perhaps_automatic: str | None
    message_id: str
    sender: str
    name: str
    to: tuple[str, ...]
    references: tuple[str, ...]
    subject: str
    lines: tuple[str, ...]
    trouble: str | None


def open_letter(raw: bytes) -> Letter:
    """Parse any bytes as an email, in time linear in their number."""
    head, body = opened(raw)
    try:
        lines, trouble = _lines(raw, head, body), None
    except Refused as refusal:
        lines, trouble = (), str(refusal)
    sender = single(head.all("from"))
    about = subject(head.first("subject"))
    return Letter(
        automatic=automatic(head, sender) or _by_its_parts(head, body),
        perhaps_automatic=perhaps_automatic(head, sender, about),
        message_id=own_id(head),
        sender=sender,
        name=called(head.first("from")),
        to=addresses(value for name in _RECIPIENTS for value in head.all(name)),
        references=ids([*head.all("in-reply-to"), *head.all("references")]),
        subject=about,
        lines=lines,
        trouble=trouble,
    )


def own_id(head: Head) -> str:
    """Return the only Message-ID of an email; empty if that is in doubt."""
    found = ids(head.all("message-id"))
    return found[0] if len(found) == 1 else ""


def open_head(raw: bytes) -> Head:
    """Return the header of an email."""
    return opened(raw)[0]


def is_automatic(raw: bytes) -> bool:
    """Return whether an email's header says that no person wrote it."""
    head = open_head(raw)
    return automatic(head, single(head.all("from"))) is not None


def without_order(letter: Letter, reading: Reading) -> str | None:
    """Return why an email that says nothing to the umpire counts as automatic."""
    if reading.says_something or (letter.trouble and letter.perhaps_automatic != BOUNCE):
        return None
    return letter.perhaps_automatic


def reading_of(letter: Letter, sent: str | None, move_number: int | None = None) -> Reading:
    """Return what an email says about one game."""
    return _reading_of(letter, sent, lambda lines: read(lines, move_number))


def reading_for_games(letter: Letter, sent: str | None, games: Mapping[str, int]) -> Reading:
    """Return what an email says about several games, given by code with their move numbers."""
    return _reading_of(letter, sent, lambda lines: read_for_games(lines, games))


def _reading_of(letter: Letter, sent: str | None, reads: Callable[[Sequence[str]], Reading]) -> Reading:
    """Read an email; ask about an order that is only below another email's header, since it may be old."""
    found = without_quotation(letter.lines, sent or "")
    reading = reads(found.lines)
    if found.unread is not None:
        puzzled = reading.puzzled or Puzzle(found.unread, sentence("mail.says_too_much"))
        return replace(reading, orders=(), coded=(), puzzled=puzzled)
    if reading.says_something or not any(found.below):
        return reading
    line = first_order(found.below)
    return replace(reading, puzzled=Puzzle(line, sentence("mail.below_a_head"))) if line else reading


def report(raw: bytes, sent: bytes | None) -> dict[str, object]:
    """Return what an email says, for programs; `sent` is the email it answers, or its text."""
    letter = open_letter(raw)
    reading = read(()) if letter.automatic else reading_of(letter, _text_of(sent or b""))
    puzzled = reading.puzzled or (Puzzle("", letter.trouble) if letter.trouble else None)
    return {
        "automatic": letter.automatic or without_order(letter, reading) or False,
        "message_id": letter.message_id,
        "from": letter.sender,
        "to": list(letter.to),
        "orders": [str(order) for order in reading.orders],
        "puzzled": {"line": puzzled.line, "why": puzzled.why} if puzzled else None,
        "ignored": list(reading.ignored),
    }


def opened(raw: bytes) -> tuple[Head, bytes]:
    """Return the header and body of an email, with bare line feeds."""
    return behead(_with_line_feeds(raw[: limits.LETTER_BYTES]))


def _lines(raw: bytes, head: Head, body: bytes) -> tuple[str, ...]:
    if len(raw) > limits.LETTER_BYTES:
        raise Refused(sentence("mail.too_big"))
    if head.too_long or head.cut & _READ:
        raise Refused(sentence("mail.head_too_big"))
    return lines_of(head, body)


def _by_its_parts(head: Head, body: bytes) -> str | None:
    try:
        return "calendar" if is_calendar_reply(head, body) else None
    except Refused:
        return None


def _with_line_feeds(raw: bytes) -> bytes:
    text = raw.replace(b"\r\n", b"\n").lstrip(b"\n")
    envelope = _ENVELOPE.match(text[:1_000])
    return text[envelope.end() :] if envelope else text


def _text_of(sent: bytes) -> str:
    """Return the text of one of our emails, or the bytes as text if they are no email."""
    letter = open_letter(sent)
    if letter.message_id or letter.sender:
        return "\n".join(letter.lines)
    return sent.decode("utf-8", "replace")
