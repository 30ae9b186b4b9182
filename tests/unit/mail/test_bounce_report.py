"""Bounces as mail servers write them: hard, soft, or no failure."""

from __future__ import annotations

import pytest

from corr.mail.failure_reason import Failure
from corr.mail.inward.bounce_report import read_bounce

HARD, SOFT = True, False
UNCLEAR = Failure(SOFT, "", is_clear=False)
GLOBAL = "message/global-delivery-status"


def notice(*blocks: str, kind: str = "message/delivery-status") -> bytes:
    """Return an RFC 3464 report: text for people, blocks for programs, and the header of our email."""
    status = "\n\n".join(("Reporting-MTA: dns; mx.example", *blocks))
    return (
        "From: MAILER-DAEMON@mx.example\nTo: b123@house.example\nSubject: Undelivered Mail Returned to Sender\n"
        "MIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; boundary=BB\n\n"
        "--BB\nContent-Type: text/plain\n\nI'm sorry to have to inform you. Action: failed\n\n"
        f"--BB\nContent-Type: {kind}\n\n{status}\n\n"
        "--BB\nContent-Type: text/rfc822-headers\n\nFrom: umpire@house.example\nAction: failed\n\n--BB--\n"
    ).encode()


def recipient(action: str, status: str, *more: str) -> str:
    return "\n".join(
        ("Final-Recipient: rfc822; ann@mx.example", f"Action: {action}", f"Status: {status}", *more)
    )


def server(text: str) -> str:
    """Return the other server's answer as a field."""
    return f"Diagnostic-Code: smtp; {text}"


def daemon(text: str, *head: str) -> bytes:
    """Return a bounce with text for people only, and a copy of our email."""
    fields = ("From: MAILER-DAEMON@mx.example", "To: b123@house.example", "Subject: failure notice", *head)
    ours = "--- Below this line is a copy of the message.\n\nReturn-Path: <b@house.example>\n\nunknown user\n"
    return "\n".join((*fields, "", "Hi. This is the mailer.", text, "", ours)).encode()


def other(text: str, *head: str) -> bytes:
    return "\n".join(("From: ann@mx.example", *head, "", text)).encode()


RECEIPT = "Content-Type: multipart/report; report-type=disposition-notification; boundary=B"
WRAPPED = "host mx.example [192.0.2.1]:\n  550 <ann@mx.example>:\n  Recipient address rejected: User unknown"
AT_THE_SENDER = "SMTP error from remote mail server after MAIL FROM:<b1@house.example>:\n  550 no such user"
AFTER_THE_TEXT = "550 unknown user (in reply to end of DATA command)"
QMAIL = "<ann@mx.example>:\nSorry, no mailbox here by that name. (#5.1.1)"
QMAIL_FULL = "<ann@mx.example>:\nRemote host said: 552 mailbox is full\nGiving up on 192.0.2.1."
UNKNOWN, AT_SPAM = server("550 Unknown user ann"), server("550 <a@spam.example>: User unknown")
NO_BLOCK = "Final-Recipient: rfc822; ann@mx.example\nAction: failed"

REPORTS = (
    ("nobody there", notice(recipient("failed", "5.1.1")), Failure(HARD, "5.1.1")),
    ("text after the code", notice(recipient("failed", "5.1.1 (unknown user)")), Failure(HARD, "5.1.1")),
    ("an unknown domain", notice(recipient("failed", "5.1.2")), Failure(HARD, "5.1.2")),
    ("a policy rejection", notice(recipient("failed", "5.7.1")), Failure(SOFT, "5.7.1")),
    ("a full mailbox", notice(recipient("failed", "5.2.2")), Failure(SOFT, "5.2.2")),
    ("a disabled mailbox", notice(recipient("failed", "5.2.1")), Failure(SOFT, "5.2.1")),
    ("no route", notice(recipient("failed", "5.4.7")), Failure(SOFT, "5.4.7")),
    ("given up after days", notice(recipient("failed", "4.4.7")), Failure(SOFT, "4.4.7")),
    ("delayed", notice(recipient("delayed", "4.4.1")), None),
    ("delivered", notice(recipient("delivered", "2.1.5")), None),
    ("relayed", notice(recipient("relayed", "2.1.9")), None),
    ("OpenSMTPD's word", notice(recipient("error", "5.1.1")), Failure(HARD, "5.1.1")),
    ("in capitals", notice(recipient("Failed", "5.1.1")), Failure(HARD, "5.1.1")),
    ("no status code", notice(NO_BLOCK), Failure(SOFT, "")),
    ("an unspecific code", notice(recipient("failed", "5.0.0")), Failure(SOFT, "5.0.0")),
    ("text in a code", notice(recipient("failed", "5.1.1; DROP")), Failure(HARD, "5.1.1")),
    ("a code that is too long", notice(recipient("failed", "5.11111.1")), Failure(SOFT, "")),
    ("the server's code", notice(recipient("failed", "5.0.0", server("550 5.1.1 no"))), Failure(HARD, "5.1.1")),
    ("the server's text", notice(recipient("failed", "5.0.0", UNKNOWN)), Failure(HARD, "5.0.0")),
    ("text against code", notice(recipient("failed", "5.1.1", server("552 Over quota"))), Failure(SOFT, "5.1.1")),
    ("names don't count as text", notice(recipient("failed", "5.0.0", AT_SPAM)), Failure(HARD, "5.0.0")),
    ("blank lines between blocks", notice(f"\n\n{recipient('failed', '5.1.1')}"), Failure(HARD, "5.1.1")),
    ("delayed and failed", notice(recipient("delayed", "4.4.1"), recipient("failed", "5.1.1")), Failure(HARD, "5.1.1")),
    ("global delivery status", notice(recipient("failed", "5.1.1"), kind=GLOBAL), Failure(HARD, "5.1.1")),
    ("fields in the text", notice(recipient("failed", "5.1.1"), kind="text/plain"), Failure(HARD, "5.1.1")),
    ("no final boundary", notice(recipient("failed", "5.1.1")).replace(b"--BB--", b""), Failure(HARD, "5.1.1")),
    ("no boundary", notice(recipient("failed", "5.1.1")).replace(b"=BB", b"=CC"), Failure(HARD, "5.1.1")),
    ("nested parts", b"Content-Type: multipart/report; boundary=B\n\n" + b"--B\n" * 5_000, UNCLEAR),
    ("qmail", daemon(QMAIL), Failure(HARD, "5.1.1")),
    ("qmail, full", daemon(QMAIL_FULL), Failure(SOFT, "")),
    ("Exim", daemon("No.", "X-Failed-Recipients: ann@mx.example"), Failure(SOFT, "")),
    ("an answer over three lines", daemon(WRAPPED), Failure(HARD, "")),
    ("an unknown domain in the text", daemon("ann@mx.example\n  Unrouteable address"), Failure(HARD, "")),
    ("refused at the sender", daemon(AT_THE_SENDER), Failure(SOFT, "")),
    ("refused after the text", daemon(AFTER_THE_TEXT), Failure(SOFT, "")),
    ("our own email's text doesn't count", daemon("It failed."), Failure(SOFT, "")),
    ("nor does its subject", daemon("Subject: with Spam\n\nUnknown recipient"), Failure(HARD, "")),
    ("a daemon's answer", daemon("User unknown", "Auto-Submitted: auto-replied"), Failure(HARD, "")),
    ("a warning", daemon("THIS IS A WARNING MESSAGE ONLY. User unknown so far."), None),
    ("still trying", daemon("Your message has not yet been delivered."), None),
    ("unknown text", other("Hola."), UNCLEAR),
    ("an empty email", b"", UNCLEAR),
    ("an absence", other("I am away. My mailbox is full.", "Auto-Submitted: auto-replied"), None),
    ("an absence by its subject", other("My mailbox is full.", "Subject: Out of office"), None),
    ("a complaint", notice(kind="x/y").replace(b"delivery-status;", b"feedback-report;"), None),
    ("a receipt", other("--B\n\nIt was read.\n", RECEIPT), None),
    ("a refusal as a receipt", other("--B\n\nAutomatically rejected: Quota exceeded\n", RECEIPT), Failure(SOFT, "")),
)  # fmt: skip


@pytest.mark.parametrize(
    ("raw", "expected"), [each[1:] for each in REPORTS], ids=[each[0] for each in REPORTS]
)
def test_a_bounce_is_hard_soft_or_no_failure(raw: bytes, expected: Failure | None) -> None:
    assert read_bounce(raw) == expected


def test_lines_may_end_with_crlf() -> None:
    raw = notice(recipient("failed", "5.1.1")).replace(b"\n", b"\r\n")

    assert read_bounce(raw) == Failure(HARD, "5.1.1")
