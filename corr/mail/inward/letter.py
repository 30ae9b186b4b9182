"""Raw bytes -> what was said, by whom, in answer to what."""

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
    """A letter that came in. Message numbers are without their brackets.

    `sender` is empty where it is in doubt; `trouble` is for the writer to read, and then there are no lines.
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
    """Any bytes as a letter, in a time that grows with their number and no faster."""
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
    """The one Message-ID of a letter; nothing where that is in doubt."""
    found = ids(head.all("message-id"))
    return found[0] if len(found) == 1 else ""


def open_head(raw: bytes) -> Head:
    """The head of a letter."""
    return opened(raw)[0]


def is_automatic(raw: bytes) -> bool:
    """True if the head of a letter says that no person wrote it."""
    head = open_head(raw)
    return automatic(head, single(head.all("from"))) is not None


def without_order(letter: Letter, reading: Reading) -> str | None:
    """Why a letter that says nothing to the umpire counts as written by a program."""
    if reading.says_something or (letter.trouble and letter.perhaps_automatic != BOUNCE):
        return None
    return letter.perhaps_automatic


def reading_of(letter: Letter, sent: str | None, move_number: int | None = None) -> Reading:
    """What a letter says that is for one game."""
    return _reading_of(letter, sent, lambda lines: read(lines, move_number))


def reading_for_games(letter: Letter, sent: str | None, games: Mapping[str, int]) -> Reading:
    """What a letter says that may be for several games, each known by its code, with the number of its move."""
    return _reading_of(letter, sent, lambda lines: read_for_games(lines, games))


def _reading_of(letter: Letter, sent: str | None, reads: Callable[[Sequence[str]], Reading]) -> Reading:
    """An order that stands only below the head of another letter may be an old one."""
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
    """What a letter says, for programs; `sent` is the letter that it answers, or the text of that."""
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
    """The head of a letter, and its body, with line feeds alone."""
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
    """The text of one of our letters, or text that is no letter as it is."""
    letter = open_letter(sent)
    if letter.message_id or letter.sender:
        return "\n".join(letter.lines)
    return sent.decode("utf-8", "replace")
