"""Reports that a letter came back, as mail servers write them: which mailbox takes none, and which may again."""

from __future__ import annotations

import pytest

from corr.mail.inward.bounce_report import read_bounce
from corr.mail.unknown_address import Failure

HARD, SOFT = True, False
UNCLEAR = Failure(SOFT, "", is_clear=False)
GLOBAL = "message/global-delivery-status"


def notice(*blocks: str, kind: str = "message/delivery-status") -> bytes:
    """A notice of RFC 3464: words for people, blocks for programs, and the head of the letter."""
    told = "\n\n".join(("Reporting-MTA: dns; mx.example", *blocks))
    return (
        "From: MAILER-DAEMON@mx.example\nTo: b123@house.example\nSubject: Undelivered Mail Returned to Sender\n"
        "MIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; boundary=BB\n\n"
        "--BB\nContent-Type: text/plain\n\nI'm sorry to have to inform you. Action: failed\n\n"
        f"--BB\nContent-Type: {kind}\n\n{told}\n\n"
        "--BB\nContent-Type: text/rfc822-headers\n\nFrom: umpire@house.example\nAction: failed\n\n--BB--\n"
    ).encode()


def reader(action: str, status: str, *more: str) -> str:
    return "\n".join(
        ("Final-Recipient: rfc822; ann@mx.example", f"Action: {action}", f"Status: {status}", *more)
    )


def server(said: str) -> str:
    """What the other server answered, as a field."""
    return f"Diagnostic-Code: smtp; {said}"


def daemon(said: str, *head: str) -> bytes:
    """A bounce for people alone, with a copy of our letter."""
    fields = ("From: MAILER-DAEMON@mx.example", "To: b123@house.example", "Subject: failure notice", *head)
    ours = "--- Below this line is a copy of the message.\n\nReturn-Path: <b@house.example>\n\nunknown user\n"
    return "\n".join((*fields, "", "Hi. This is the mailer.", said, "", ours)).encode()


def other(said: str, *head: str) -> bytes:
    return "\n".join(("From: ann@mx.example", *head, "", said)).encode()


RECEIPT = "Content-Type: multipart/report; report-type=disposition-notification; boundary=B"
WRAPPED = "host mx.example [192.0.2.1]:\n  550 <ann@mx.example>:\n  Recipient address rejected: User unknown"
AT_THE_SENDER = "SMTP error from remote mail server after MAIL FROM:<b1@house.example>:\n  550 no such user"
AFTER_THE_TEXT = "550 unknown user (in reply to end of DATA command)"
QMAIL = "<ann@mx.example>:\nSorry, no mailbox here by that name. (#5.1.1)"
QMAIL_FULL = "<ann@mx.example>:\nRemote host said: 552 mailbox is full\nGiving up on 192.0.2.1."
UNKNOWN, AT_SPAM = server("550 Unknown user ann"), server("550 <a@spam.example>: User unknown")
NO_BLOCK = "Final-Recipient: rfc822; ann@mx.example\nAction: failed"

SAYS = (
    ("nobody there", notice(reader("failed", "5.1.1")), Failure(HARD, "5.1.1")),
    ("with words behind", notice(reader("failed", "5.1.1 (unknown user)")), Failure(HARD, "5.1.1")),
    ("a domain that is not", notice(reader("failed", "5.1.2")), Failure(HARD, "5.1.2")),
    ("refused for what we are", notice(reader("failed", "5.7.1")), Failure(SOFT, "5.7.1")),
    ("a mailbox that is full", notice(reader("failed", "5.2.2")), Failure(SOFT, "5.2.2")),
    ("one that is switched off", notice(reader("failed", "5.2.1")), Failure(SOFT, "5.2.1")),
    ("no way there", notice(reader("failed", "5.4.7")), Failure(SOFT, "5.4.7")),
    ("given up after days", notice(reader("failed", "4.4.7")), Failure(SOFT, "4.4.7")),
    ("late, and still on its way", notice(reader("delayed", "4.4.1")), None),
    ("handed over", notice(reader("delivered", "2.1.5")), None),
    ("handed on to another", notice(reader("relayed", "2.1.9")), None),
    ("OpenSMTPD's word", notice(reader("error", "5.1.1")), Failure(HARD, "5.1.1")),
    ("in capitals", notice(reader("Failed", "5.1.1")), Failure(HARD, "5.1.1")),
    ("no figures", notice(NO_BLOCK), Failure(SOFT, "")),
    ("figures that say nothing", notice(reader("failed", "5.0.0")), Failure(SOFT, "5.0.0")),
    ("figures that are none", notice(reader("failed", "5.1.1; DROP")), Failure(HARD, "5.1.1")),
    ("figures too long", notice(reader("failed", "5.11111.1")), Failure(SOFT, "")),
    ("figures of the server", notice(reader("failed", "5.0.0", server("550 5.1.1 no"))), Failure(HARD, "5.1.1")),
    ("words of the server", notice(reader("failed", "5.0.0", UNKNOWN)), Failure(HARD, "5.0.0")),
    ("words against figures", notice(reader("failed", "5.1.1", server("552 Over quota"))), Failure(SOFT, "5.1.1")),
    ("names are no words", notice(reader("failed", "5.0.0", AT_SPAM)), Failure(HARD, "5.0.0")),
    ("blank lines between blocks", notice(f"\n\n{reader('failed', '5.1.1')}"), Failure(HARD, "5.1.1")),
    ("one late, one failed", notice(reader("delayed", "4.4.1"), reader("failed", "5.1.1")), Failure(HARD, "5.1.1")),
    ("its own kind", notice(reader("failed", "5.1.1"), kind=GLOBAL), Failure(HARD, "5.1.1")),
    ("fields among the words", notice(reader("failed", "5.1.1"), kind="text/plain"), Failure(HARD, "5.1.1")),
    ("a border without end", notice(reader("failed", "5.1.1")).replace(b"--BB--", b""), Failure(HARD, "5.1.1")),
    ("no border at all", notice(reader("failed", "5.1.1")).replace(b"=BB", b"=CC"), Failure(HARD, "5.1.1")),
    ("parts in parts", b"Content-Type: multipart/report; boundary=B\n\n" + b"--B\n" * 5_000, UNCLEAR),
    ("qmail", daemon(QMAIL), Failure(HARD, "5.1.1")),
    ("qmail, full", daemon(QMAIL_FULL), Failure(SOFT, "")),
    ("Exim", daemon("No.", "X-Failed-Recipients: ann@mx.example"), Failure(SOFT, "")),
    ("an answer over three lines", daemon(WRAPPED), Failure(HARD, "")),
    ("a domain that is not there", daemon("ann@mx.example\n  Unrouteable address"), Failure(HARD, "")),
    ("refused at the sender", daemon(AT_THE_SENDER), Failure(SOFT, "")),
    ("refused after the text", daemon(AFTER_THE_TEXT), Failure(SOFT, "")),
    ("what our letter says does not count", daemon("It failed."), Failure(SOFT, "")),
    ("nor does our subject", daemon("Subject: with Spam\n\nUnknown recipient"), Failure(HARD, "")),
    ("a daemon's answer", daemon("User unknown", "Auto-Submitted: auto-replied"), Failure(HARD, "")),
    ("a warning", daemon("THIS IS A WARNING MESSAGE ONLY. User unknown so far."), None),
    ("tried again", daemon("Your message has not yet been delivered."), None),
    ("words that nobody knows", other("Hola."), UNCLEAR),
    ("nothing", b"", UNCLEAR),
    ("an absence", other("I am away. My mailbox is full.", "Auto-Submitted: auto-replied"), None),
    ("an absence by its subject", other("My mailbox is full.", "Subject: Out of office"), None),
    ("a complaint", notice(kind="x/y").replace(b"delivery-status;", b"feedback-report;"), None),
    ("a receipt", other("--B\n\nIt was read.\n", RECEIPT), None),
    ("a refusal as a receipt", other("--B\n\nAutomatically rejected: Quota exceeded\n", RECEIPT), Failure(SOFT, "")),
)  # fmt: skip


@pytest.mark.parametrize(("raw", "said"), [each[1:] for each in SAYS], ids=[each[0] for each in SAYS])
def test_a_report_tells_whether_a_letter_will_arrive(raw: bytes, said: Failure | None) -> None:
    assert read_bounce(raw) == said


def test_lines_end_as_they_do_on_the_wire() -> None:
    raw = notice(reader("failed", "5.1.1")).replace(b"\n", b"\r\n")

    assert read_bounce(raw) == Failure(HARD, "5.1.1")
