"""Parses an incoming email (limits: `corr/limits.py`): sender, text, orders, and a key that recognizes copies."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile, takewhile

from corr import limits
from corr.mail.inward.automatic_mail import BOUNCE, SUBJECT_MARK, why_automatic, why_perhaps_automatic
from corr.mail.inward.decoding import decode_subject
from corr.mail.inward.headers import (
    EmailHeader,
    display_name,
    list_addresses,
    list_message_ids,
    only_address,
    split_header,
)
from corr.mail.inward.mime import is_calendar_reply, text_lines
from corr.mail.inward.quotations import SIGNATURE_MARKS, remove_quotation
from corr.orders import (
    ParsedEmail,
    UnclearLine,
    find_first_order,
    parse_game_lines,
    parse_lines,
    understand_lone_move,
)
from corr.orders.lone_move import is_courtesy, understand_signature
from corr.orders.plain_answers import understand_agreement
from corr.text.messages import sentence
from corr.words.errors import Refused

_RECIPIENTS = ("to", "cc", "delivered-to", "x-original-to", "envelope-to")
_FIELDS_READ = frozenset(("from", "message-id", "subject", "content-transfer-encoding", *_RECIPIENTS))
_ENVELOPE = re.compile(rb">?From [^\n]*\n")


@dataclass(frozen=True, slots=True)
class IncomingEmail:
    """An incoming email; its Message-IDs have no brackets, and `sender` is empty if in doubt.

    `trouble` tells the writer why we cannot read the email; if it is set, there are no lines.
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


def parse_email(raw: bytes) -> IncomingEmail:
    """Parse any bytes as an email, in linear time; `trouble` says what is wrong."""
    head, body = split_email(raw)
    try:
        lines, trouble = _lines(raw, head, body), None
    except Refused as refusal:
        lines, trouble = (), str(refusal)
    sender = only_address(head.all("from"))
    about = decode_subject(head.first("subject"))
    return IncomingEmail(
        automatic=why_automatic(head, sender) or _why_automatic_by_parts(head, body),
        perhaps_automatic=why_perhaps_automatic(head, sender, about),
        message_id=find_message_id(head),
        sender=sender,
        name=display_name(head.first("from")),
        to=list_addresses(value for name in _RECIPIENTS for value in head.all(name)),
        references=list_message_ids([*head.all("in-reply-to"), *head.all("references")]),
        subject=about,
        lines=lines,
        trouble=trouble,
    )


def find_message_id(head: EmailHeader) -> str:
    """Return an email's Message-ID; empty if it has none or several."""
    found = list_message_ids(head.all("message-id"))
    return found[0] if len(found) == 1 else ""


def parse_header(raw: bytes) -> EmailHeader:
    return split_email(raw)[0]


def is_automatic(raw: bytes) -> bool:
    head = parse_header(raw)
    return why_automatic(head, only_address(head.all("from"))) is not None


def why_no_order(letter: IncomingEmail, reading: ParsedEmail) -> str | None:
    """Return why an email without orders counts as automatic; None for a person's."""
    if reading.says_something or (letter.trouble and letter.perhaps_automatic != BOUNCE):
        return None
    return letter.perhaps_automatic


def parse_orders(
    letter: IncomingEmail, sent: str | None, move_number: int | None = None, proposed: str = ""
) -> ParsedEmail:
    """Parse an email's orders, without those that it quotes from `sent`, our email.

    `proposed` is the one order that the answered email proposed. A yes must stand above all quoted text: between
    quoted lines it may answer any of them.
    """
    names = _own_names(letter)

    def read(lines: Sequence[str]) -> ParsedEmail:
        reading = understand_signature(parse_lines(lines, move_number), lines, names)
        reading = understand_lone_move(reading, lines, names)
        is_on_top = proposed and not _has_text_above(lines, letter.lines)
        return understand_agreement(reading, proposed, lines, names) if is_on_top else reading

    return _parse_orders(letter, sent, read)


def _own_names(letter: IncomingEmail) -> tuple[str, ...]:
    """Return the names with which an email's writer may sign."""
    return (letter.name, letter.sender.partition("@")[0], letter.sender)


def _has_text_above(own: Sequence[str], lines: Sequence[str]) -> bool:
    """Whether any of an email's lines that aren't its writer's own stands above the last that is."""
    last = max((number for number, line in enumerate(own) if line.strip()), default=0)
    return any(line.strip() and not kept.strip() for line, kept in zip(lines[:last], own, strict=False))


def find_proposal(sent: str) -> str:
    """Return the one order that an email of ours proposed; empty if it proposed none or several.

    What people wrote stands behind `| ` in our emails, so no such line is our question.
    """
    found: set[str] = set()
    question, lines = sentence("mail.did_you_mean_this"), iter(sent.splitlines())
    for line in lines:
        if line == question:
            below = dropwhile(lambda each: not each.strip(), lines)
            found.add(" ".join(each[2:] for each in takewhile(lambda each: each.startswith("| "), below)))
    return found.pop() if len(found) == 1 else ""


def parse_game_orders(letter: IncomingEmail, sent: str | None, games: Mapping[str, int]) -> ParsedEmail:
    """Parse an email's orders about several games, given by code with their move numbers."""
    names = _own_names(letter)
    return _parse_orders(
        letter, sent, lambda lines: understand_signature(parse_game_lines(lines, games), lines, names)
    )


def _parse_orders(
    letter: IncomingEmail, sent: str | None, reads: Callable[[Sequence[str]], ParsedEmail]
) -> ParsedEmail:
    """Parse the writer's own lines, or the Subject without any; ask about an order that only a quotation may hold."""
    about = _own_subject(letter)
    if about and ((said := reads((about,))).says_something or not any(map(str.strip, letter.lines))):
        return said
    found = remove_quotation(letter.lines, sent or "")
    reading = reads(found.lines)
    if found.unread is not None:
        puzzled = reading.puzzled or UnclearLine(found.unread, sentence("mail.says_too_much"))
        return replace(reading, orders=(), coded=(), puzzled=puzzled)
    if reading.says_something or not any(found.below):
        return reading
    line = find_first_order(found.below)
    return replace(reading, puzzled=UnclearLine(line, sentence("mail.below_a_head"))) if line else reading


def _own_subject(letter: IncomingEmail) -> str:
    """Return the Subject of an email that says nothing else; empty if it may be ours, or a program's."""
    if letter.trouble or letter.perhaps_automatic or SUBJECT_MARK in letter.subject:
        return ""
    names = _own_names(letter)
    own = takewhile(lambda line: line.strip() not in SIGNATURE_MARKS, letter.lines)
    says_nothing = all(not line.strip() or is_courtesy(line, names) for line in own)
    return letter.subject if says_nothing else ""


def describe_email(raw: bytes, sent: bytes | None) -> dict[str, object]:
    """Return what we read in an email, for `corr letter read`; `sent` is the email it answers."""
    letter = parse_email(raw)
    reading = parse_lines(()) if letter.automatic else parse_orders(letter, _own_email_text(sent or b""))
    puzzled = reading.puzzled or (UnclearLine("", letter.trouble) if letter.trouble else None)
    return {
        "automatic": letter.automatic or why_no_order(letter, reading) or False,
        "message_id": letter.message_id,
        "from": letter.sender,
        "to": list(letter.to),
        "orders": [str(order) for order in reading.orders],
        "puzzled": {"line": puzzled.line, "why": puzzled.why} if puzzled else None,
        "ignored": list(reading.ignored),
    }


def split_email(raw: bytes) -> tuple[EmailHeader, bytes]:
    """Return the header and body of an email, with LF line ends."""
    return split_header(_normalize_line_ends(raw[: limits.LETTER_BYTES]))


def _lines(raw: bytes, head: EmailHeader, body: bytes) -> tuple[str, ...]:
    """Return the lines of an email's text; raise Refused if the email is too big."""
    if len(raw) > limits.LETTER_BYTES:
        raise Refused(sentence("mail.too_big"))
    if head.too_long or head.cut & _FIELDS_READ:
        raise Refused(sentence("mail.head_too_big"))
    return text_lines(head, body)


def _why_automatic_by_parts(head: EmailHeader, body: bytes) -> str | None:
    """Return `calendar` for a calendar's reply to an invitation, or else None."""
    try:
        return "calendar" if is_calendar_reply(head, body) else None
    except Refused:
        return None


def _normalize_line_ends(raw: bytes) -> bytes:
    """Return an email with LF line ends, without a line `From …` from an mbox file."""
    text = raw.replace(b"\r\n", b"\n").lstrip(b"\n")
    envelope = _ENVELOPE.match(text[:1_000])
    return text[envelope.end() :] if envelope else text


def _own_email_text(sent: bytes) -> str:
    """Return the text of one of our emails; bytes that are no email are the text itself."""
    letter = parse_email(sent)
    if letter.message_id or letter.sender:
        return "\n".join(letter.lines)
    return sent.decode("utf-8", "replace")


_OTHER = "other "  # the prefix of the key of an email that reuses another email's Message-ID
_TRACE = (b"received:", b"return-path:", b"delivered-to:", b"x-original-to:", b"envelope-to:")


def message_key(raw: bytes) -> str:
    """Return a key that is the same for all copies of an email.

    It contains the sender, so that a stranger's email with my Message-ID cannot suppress mine. It also says whether
    a person wrote the email, so that a copy from a mailing list cannot suppress the direct one.
    """
    head = parse_header(raw)
    message_id = find_message_id(head)
    if not message_id:
        return hashlib.sha256(_remove_trace(raw)).hexdigest()
    sender = only_address(head.all("from"))
    who = f"{sender.casefold()}\0{why_automatic(head, sender) is None}"
    return hashlib.sha256(f"{who}\0{message_id}".encode()).hexdigest()


def other_key(key: str, raw: bytes) -> str:
    """Return the key of another email that reuses the Message-ID of the one with `key`."""
    return _OTHER + hashlib.sha256(f"{key}\0{_words(raw)}".encode()).hexdigest()


def is_other_key(key: str) -> bool:
    """Tell whether a key comes from `other_key`."""
    return key.startswith(_OTHER)


def is_same_email(raw: bytes, kept: bytes) -> bool:
    """Whether two emails with one Message-ID say the same, however encoded; also if `kept` is deleted."""
    return raw == kept or not kept or _words(raw) == _words(kept)


def _words(raw: bytes) -> str:
    """Return an email's text without blanks, to compare it with another's."""
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
