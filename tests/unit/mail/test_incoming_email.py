"""Emails as mail programs write them: the sender, what they answer, and the orders in them."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from corr import limits
from corr.mail.inward.incoming_email import describe_email, parse_email
from corr.mail.inward.quotations import remove_quotation
from corr.orders import fold, kind_of
from tests.support.hostile_emails import FIXED, GROWING, HEAD, html, many_parts, nested, plain

EMAILS = Path(__file__).parents[2] / "letters"
HARDER = EMAILS / "harder"


def expected(folder: Path) -> list[tuple[str, Any]]:
    return list(json.loads((folder / "expected.json").read_text("utf-8")).items())


@pytest.mark.parametrize(("name", "orders"), expected(EMAILS))
def test_emails_of_common_programs_are_read(name: str, orders: list[str]) -> None:
    found = describe_email((EMAILS / f"{name}.eml").read_bytes(), None)
    assert found["orders"] == orders
    assert found["puzzled"] is None
    assert found["automatic"] is False
    assert found["from"] == "ann@example.org"
    assert found["to"] == ["referee+7q2m.k3x9@play.example"]
    assert found["message_id"] == f"{name}@example.org"


@pytest.mark.parametrize(
    "sent", [None, (HARDER / "sent.txt").read_bytes()], ids=["without_sent", "with_sent"]
)
@pytest.mark.parametrize(("name", "reading"), expected(HARDER))
def test_difficult_emails_are_read_with_or_without_the_sent_email(
    name: str, reading: dict[str, Any], sent: bytes | None
) -> None:
    found = describe_email((HARDER / f"{name}.eml").read_bytes(), sent)
    puzzled = found["puzzled"]
    assert found["orders"] == reading["orders"]
    assert (puzzled["line"] if isinstance(puzzled, dict) else None) == reading["puzzled"]


def test_the_sent_email_may_be_given_raw_or_as_text() -> None:
    text = (HARDER / "sent.txt").read_text("utf-8")
    reply = plain(f"e2e4\n\n{text}\nGreetings\n")
    alone, with_text, with_letter = (
        describe_email(reply, ours) for ours in (None, text.encode(), plain(text))
    )
    assert len(alone["ignored"]) > 10  # type: ignore[arg-type]  # a list, as it is printed
    assert with_text["ignored"] == with_letter["ignored"] == ["Greetings"]


def test_every_line_keeps_its_place() -> None:
    letter = parse_email(plain("e2e4\n\n> d2d4\nThanks"))
    assert letter.lines == ("e2e4", "", "> d2d4", "Thanks")
    assert remove_quotation(letter.lines, "").lines == ("e2e4", "", "", "Thanks")


def test_an_order_that_our_email_contains_too_is_read_unless_quoted_with_it() -> None:
    ours = "To move, write for example\ne2e4\nand send it."
    assert describe_email(plain("e2e4"), ours.encode())["orders"] == ["e2e4"]
    assert describe_email(plain(f"g1f3\n\n{ours}"), ours.encode())["orders"] == ["g1f3"]


def test_a_very_long_line_is_cut_and_is_not_an_order() -> None:
    letter = parse_email(plain(", ".join(["e2e4"] * 500)))
    assert letter.lines[0].endswith(" [cut]")
    assert len(letter.lines[0]) < 2_100
    assert kind_of(letter.lines[0]) == "puzzling"


@pytest.mark.parametrize("line", ["And so it went on.", "\u00bd" * 100, "Nf3", "x " * 300])
def test_an_email_with_too_many_lines_is_answered_and_tries_nothing(line: str) -> None:
    found = describe_email(plain("e2e4\n\n" + f"{line}\n" * 1_200), None)

    assert found["orders"] == []
    assert found["puzzled"]["line"] == line.strip()  # type: ignore[index]


def test_an_order_above_a_very_long_quotation_acts() -> None:
    head = "From: Ann\nSent: Friday\nTo: Umpire\n"
    thread = "And so it went on, one letter below the other.\n" * 2_000

    assert describe_email(plain(f"e2e4\n\n{head}\n{thread}"), None)["orders"] == ["e2e4"]
    assert describe_email(plain("e2e4\n\n" + "> And so it went on.\n" * 4_000), None)["orders"] == ["e2e4"]


def test_a_ligature_of_many_characters_is_not_folded() -> None:
    assert fold("\ufdfa" * 100) == "\ufdfa" * 100
    assert fold("\uff45\uff12\uff45\uff14 \u2026") == "e2e4 .."


def test_base64_may_be_in_pieces_and_truncated() -> None:
    head = b"Content-Transfer-Encoding: base64\r\n"
    assert parse_email(plain("ZTI=ZTQK\r\nVGhhbmtzA", head)).lines == ("e2e4", "Thanks")


# ---------------------------------------------------------------- headers


@pytest.mark.parametrize(
    ("field", "sender"),
    [
        ("Ann <ann@Example.ORG>", "ann@example.org"),
        ("ann@example.org", "ann@example.org"),
        ('"Lee, Ann (at home)" <ann@example.org>', "ann@example.org"),
        ("Lee, Ann <ann@example.org>", "ann@example.org"),
        ("ann@example.org <ann@example.org>", "ann@example.org"),
        ('"eve@evil.example" <ann@example.org>', "ann@example.org"),
        ("=?utf-8?q?J=C3=BCrgen?= <Ann.B@example.org>", "Ann.B@example.org"),
        ("Ann <ann@example.org> (her own)", "ann@example.org"),
        ("eve@evil.example <ann@example.org>", ""),
        ("ann@example.org, eve@evil.example", ""),
        ("Players: ann@example.org;", ""),
        ("<ann@example.org> eve", ""),
        ("<ann@example.org", ""),
        ("<>", ""),
        ("", ""),
        ("Ann", ""),
        ("ann@", ""),
        ("((((((", ""),
    ],
)
def test_the_sender_is_one_address_or_none(field: str, sender: str) -> None:
    assert parse_email(f"From: {field}\r\n\r\ne2e4".encode()).sender == sender


def test_duplicate_from_and_message_id_headers_are_ignored() -> None:
    letter = parse_email(
        b"From: ann@example.org\r\nFrom: eve@evil.example\r\nMessage-ID: <a@b>\r\nMessage-ID: <c@d>\r\n\r\n"
    )
    assert (letter.sender, letter.message_id) == ("", "")


def test_recipients_are_in_the_order_of_looking_for_a_token() -> None:
    letter = parse_email(
        b"Envelope-To: e@x\r\nX-Original-To: d@x\r\nDelivered-To: c@x\r\nCc: Club: b@x, b2@x;\r\n"
        b'To: "t@y" <a@x>,\r\n a2@x\r\nTo: a@x\r\n\r\n'
    )
    assert letter.to == ("a@x", "a2@x", "b@x", "b2@x", "c@x", "d@x", "e@x")


def test_references_are_valid_limited_and_begin_with_in_reply_to() -> None:
    ids = " ".join(f"<{number}@x>" for number in range(100))
    letter = parse_email(
        f"In-Reply-To: <z@x> (Ann's letter)\r\nReferences: <no id> <> {ids}\r\n\r\n".encode()
    )
    assert letter.references[:3] == ("z@x", "0@x", "1@x")
    assert len(letter.references) == 50


def test_a_subject_is_decoded_and_has_no_line_breaks() -> None:
    head = b"Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe=0A?=\r\n =?iso-2022-jp?b?GyRCJCIbKEI=?= and =?x?q?no\r\n\r\n"
    assert parse_email(head).subject == "Gr\u00fc\u00dfe \u3042 and =?x?q?no"


def test_a_bare_carriage_return_does_not_start_a_header() -> None:
    letter = parse_email(b"Subject: a\rFrom: eve@evil.example\r\nFrom: ann@example.org\r\n\r\n")
    assert letter.sender == "ann@example.org"


def test_an_mbox_from_line_is_not_a_header() -> None:
    assert parse_email(b"From ann@example.org Tue Nov 17\nFrom: ann@example.org\n\ne2e4\n").lines == ("e2e4",)


# ---------------------------------------------------------------- automatic emails


@pytest.mark.parametrize(
    ("head", "why"),
    [
        ("Auto-Submitted: auto-replied (vacation)", "auto-replied"),
        ("Auto-Submitted: auto-generated; owner=x", "auto-generated"),
        ("auto-submitted: Auto-Notified", "auto-notified"),
        ("X-Autoreply: yes", "auto-replied"),
        ("X-Autorespond: Re: hello", "auto-replied"),
        ("X-Autoresponder: yes", "auto-replied"),
        ("X-Autoreply-From: ann@example.org", "auto-replied"),
        ("X-Mail-Autoreply: yes", "auto-replied"),
        ("X-Autogenerated: Reply", "auto-replied"),
        ("Precedence: bulk", "bulk mail"),
        ("Precedence: List", "mailing list"),
        ("Precedence: junk", "bulk mail"),
        ("Precedence: auto_reply", "auto-replied"),
        ("Return-Path: <>", "null sender"),
        ("Return-Path: < >", "null sender"),
        ("Content-Type: multipart/report; report-type=delivery-status; boundary=b", "bounce"),
        ("Content-Type: multipart/report; report-type=disposition-notification; boundary=b", "receipt"),
        ("Auto-Submitted: auto-replied\r\nContent-Type: multipart/report; boundary=b", "bounce"),
        ("X-Failed-Recipients: a@b.c", "bounce"),
        ("From: Mail System <MAILER-DAEMON@mx.example>", "bounce"),
        ("From: postmaster@mx.example", "bounce"),
        ("List-Id: <club.example>", "mailing list"),
        ("List-Post: <mailto:club@club.example>", "mailing list"),
        ("Mailing-List: contact club@club.example", "mailing list"),
        ("Content-Type: message/delivery-status", "bounce"),
        ("Content-Type: message/disposition-notification", "receipt"),
        ("X-MS-Exchange-Inbox-Rules-Loop: ann@example.org", "auto-replied"),
        ("X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent", "auto-replied"),
        ("X-POST-MessageClass: 9; Autoresponder", "auto-replied"),
        ("Content-Type: text/calendar; method=REPLY", "calendar"),
        ("Content-Type: text/calendar; METHOD=reply; charset=utf-8", "calendar"),
        ("X-MLServer: fml [fml 4.0.3]", "mailing list"),
        ("X-MS-Exchange-Organization-SCL: 0\r\nX-MS-Has-Attach:", None),
        ("Auto-Submitted: no\r\nX-Auto-Response-Suppress: All", None),
        ("X-Auto-Response-Suppress: DR, OOF, AutoReply", None),
        ("Precedence: first-class", None),
        ("X-Autoreply: no", None),
        ("Return-Path: <ann@example.org>", None),
        ("List-Unsubscribe: <mailto:x@y.z>", None),
        ("From: Postmaster Pat <pat@example.org>", None),
    ],
)
def test_automatic_emails_are_recognised_by_their_headers(head: str, why: str | None) -> None:
    found = describe_email(f"{head}\r\n\r\ne2e4".encode(), None)
    assert found["automatic"] == (why or False)
    assert found["orders"] == ([] if why else ["e2e4"])


# ---------------------------------------------------------------- unreadable emails


UNREADABLE = {
    "too big": FIXED["two megabytes"],
    "a header too long": FIXED["a million bytes of header"],
    "a field too long": plain("e2e4", b"Cc: " + b"(" * 9_000 + b"\r\n"),
    "too many parts": FIXED["10000 parts"],
    "too deep": FIXED["11 deep"],
    "no boundary": FIXED["no boundary"],
    "tangled": html("<b>" * 30_000),
    "too many lines": plain("\r\n" * 10_000),
    "encrypted": (HARDER / "pgp_encrypted.eml").read_bytes(),
    "encrypted too": (HARDER / "smime_encrypted.eml").read_bytes(),
    "no text": plain("x", b"Content-Type: image/png\r\n"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_an_unreadable_email_gets_a_reason_that_is_not_an_order(name: str) -> None:
    letter = parse_email(UNREADABLE[name])
    assert letter.lines == ()
    assert letter.trouble
    for width in range(20, 100):
        assert {kind_of(line) for line in textwrap.wrap(letter.trouble, width)} == {"prose"}


def with_header(size: int) -> bytes:
    """Return an email whose header has this many bytes, each line ended by one of them."""
    fields = len(HEAD.replace(b"\r\n", b"\n"))
    many = (size - fields) // 12 - 10
    last = size - fields - 12 * many - len("X-Last: ")
    return plain("e2e4", b"X-Filler: x\r\n" * many + b"X-Last: " + b"x" * last + b"\r\n")


#: Emails exactly at each limit, or this much over it.
AT_LIMIT: dict[str, Callable[[int], bytes]] = {
    "bytes": lambda more: plain("e2e4\r\n\r\n".ljust(limits.LETTER_BYTES - len(HEAD) - 2 + more, "x")),
    "lines": lambda more: plain("e2e4\r\n" + "\r\n" * (limits.LETTER_LINES - 1 + more)),
    "parts": lambda more: many_parts(limits.LETTER_PARTS - 1 + more),
    "depth": lambda more: nested(limits.LETTER_PARTS_DEEP + more),
    "the header": lambda more: with_header(limits.LETTER_HEAD_BYTES + more),
    "a field": lambda more: plain(
        "e2e4", b"To:" + b" a@b.c," * 10 + b"x" * (limits.LETTER_FIELD_CHARACTERS - 80 + 100 * more)
    ),
}


@pytest.mark.parametrize("name", AT_LIMIT)
def test_an_email_is_read_up_to_each_limit(name: str) -> None:
    assert parse_email(AT_LIMIT[name](0)).trouble is None
    assert parse_email(AT_LIMIT[name](1)).trouble


def test_a_long_unused_header_is_accepted() -> None:
    assert parse_email(plain("e2e4", b"X-Spam-Report: " + b"x" * 20_000 + b"\r\n")).lines == ("e2e4",)


def test_an_empty_email_is_readable() -> None:
    assert parse_email(plain("")).trouble is None


@pytest.mark.parametrize(
    "name", ["no header", "nothing", "noise", "an empty line", "3000 forwarded", "many headers"]
)
def test_any_bytes_can_be_read_as_an_email(name: str) -> None:
    assert describe_email(FIXED[name], None)["orders"] == []


@pytest.mark.parametrize("name", GROWING)
def test_a_small_hostile_email_is_read_or_refused(name: str) -> None:
    """The hostile shapes, small enough to stay within the limits, so that their lines are read."""
    assert isinstance(describe_email(GROWING[name](600), b"On x <a@b.c\nFrom: a@b.c"), dict)
