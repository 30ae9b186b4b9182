"""Reports that a letter came back, as mail servers write them: which mailbox takes none, and which may again."""

from __future__ import annotations

import pytest

from corr.mail.failure import Failure
from corr.mail.inward.report import report_of

HARD, SOFT = True, False
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
    ("OpenSMTPD's word", notice(reader("error", "5.0.0")), Failure(HARD, "5.0.0")),
    ("in capitals", notice(reader("Failed", "5.1.1")), Failure(HARD, "5.1.1")),
    ("no figures", notice("Final-Recipient: rfc822; ann@mx.example\nAction: failed"), Failure(HARD, "")),
    ("figures that are none", notice(reader("failed", "5.1.1; DROP")), Failure(HARD, "5.1.1")),
    ("figures too long", notice(reader("failed", "5.11111.1")), Failure(HARD, "")),
    ("one late, one failed", notice(reader("delayed", "4.4.1"), reader("failed", "5.1.1")), Failure(HARD, "5.1.1")),
    ("its own kind", notice(reader("failed", "5.1.1"), kind=GLOBAL), Failure(HARD, "5.1.1")),
    ("words alone", notice(reader("failed", "5.1.1"), kind="text/plain"), None),
    ("Exim's mark", b"From: Mailer-Daemon@x.example\nX-Failed-Recipients: ann@x.example\n\nNo.\n", Failure(HARD, "")),
    ("an absence", b"From: ann@mx.example\nAuto-Submitted: auto-replied\n\nI am away. Action: failed\n", None),
    ("nothing", b"", None),
    ("a border without end", notice(reader("failed", "5.1.1")).replace(b"--BB--", b""), Failure(HARD, "5.1.1")),
    ("parts in parts", b"Content-Type: multipart/report; boundary=B\n\n" + b"--B\n" * 5_000, None),
)  # fmt: skip


@pytest.mark.parametrize(("raw", "said"), [each[1:] for each in SAYS], ids=[each[0] for each in SAYS])
def test_a_report_tells_whether_a_letter_will_arrive(raw: bytes, said: Failure | None) -> None:
    assert report_of(raw) == said


def test_lines_end_as_they_do_on_the_wire() -> None:
    raw = notice(reader("failed", "5.1.1")).replace(b"\n", b"\r\n")

    assert report_of(raw) == Failure(HARD, "5.1.1")
