"""Automatic emails to a seat, such as absence notices, do nothing and get no answer."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from corr.store.tables import InboxRow
from tests.support.table import ANN, Table

AWAY = "I am away until Monday and will read your letter then."


def readings(table: Table) -> list[str | None]:
    with table.server.store.reading() as connection:
        return list(connection.execute(select(InboxRow.reading).order_by(InboxRow.id)).scalars())


def notice(table: Table, subject: str, text: str, head: str = "") -> bytes:
    """An automatic email from Ann's mailbox, without In-Reply-To."""
    newest = table.last_email(ANN)
    table.emails_written += 1
    lines = (
        f"From: {ANN}",
        f"To: {newest['Reply-To']}",
        f"Subject: {subject}{newest['Subject']}",
        f"Message-ID: <notice-{table.emails_written}@mail.example>",
        *([head] if head else []),
        "",
        text,
        "",
    )
    return "\r\n".join(lines).encode()


@pytest.mark.parametrize("subject", ["Automatic reply: ", "Abwesenheitsnotiz: ", "Автоматический ответ: "])
def test_absence_notices_are_not_answered(table: Table, subject: str) -> None:
    table.begin()
    before = len(table.all_emails())

    for _ in range(3):
        table.deliver(notice(table, subject, AWAY))
        table.run_workers()

    assert len(table.all_emails()) == before
    assert readings(table)[-3:] == ["automatic: absence"] * 3


@pytest.mark.parametrize(
    "head",
    [
        "X-Auto-Response-Suppress: All",
        "X-MS-Exchange-Inbox-Rules-Loop: ann@a.example",
        "X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent",
        "X-POST-MessageClass: 9; Autoresponder",
        "Content-Type: multipart/report; report-type=disposition-notification; boundary=b",
        "Content-Type: text/calendar; method=REPLY",
    ],
)
def test_an_automatic_email_known_by_its_headers_is_not_answered(table: Table, head: str) -> None:
    table.begin()
    before = len(table.all_emails())

    table.deliver(notice(table, "Re: ", AWAY, head))
    table.run_workers()

    assert len(table.all_emails()) == before


def test_an_absence_notice_from_another_address_is_not_reported(table: Table) -> None:
    table.begin()
    before = len(table.all_emails())

    table.deliver(notice(table, "Out of Office: ", AWAY).replace(b"From: ann@", b"From: assistant@"))
    table.run_workers()

    assert len(table.all_emails()) == before


def test_a_move_under_an_absence_subject_is_made(table: Table) -> None:
    table.begin()

    table.deliver(notice(table, "Automatic reply: ", "e2e4"))
    table.run_workers()

    assert "Your move has been made." in table.last_text(ANN)


def test_a_notice_to_the_site_is_not_answered(table: Table) -> None:
    table.begin()
    before = len(table.all_emails())

    table.deliver(table.site_email(ANN, AWAY).replace(b"Subject: a game", b"Subject: Out of Office"))
    table.run_workers()

    assert len(table.all_emails()) == before


def test_an_encrypted_email_is_answered_even_if_it_suppresses_auto_replies(table: Table) -> None:
    table.begin()
    headers = "X-Auto-Response-Suppress: All\r\nContent-Type: application/pkcs7-mime"

    table.deliver(notice(table, "Re: ", "MIAGCSqGSIb3DQEHA6CAMIACAQAx", headers))
    table.run_workers()

    assert "It's encrypted" in table.last_text(ANN)
