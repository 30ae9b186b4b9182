"""Programs that write to a seat: they get no answer, and their letters do nothing."""

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
    """What a program of Ann's writes by itself: it names no letter of ours."""
    newest = table.newest(ANN)
    table.written += 1
    lines = (
        f"From: {ANN}",
        f"To: {newest['Reply-To']}",
        f"Subject: {subject}{newest['Subject']}",
        f"Message-ID: <notice-{table.written}@mail.example>",
        *([head] if head else []),
        "",
        text,
        "",
    )
    return "\r\n".join(lines).encode()


@pytest.mark.parametrize("subject", ["Automatic reply: ", "Abwesenheitsnotiz: ", "Автоматический ответ: "])
def test_two_programs_do_not_write_to_each_other(table: Table, subject: str) -> None:
    table.begin()
    before = len(table.all_letters())

    for _ in range(3):
        table.post(notice(table, subject, AWAY))
        table.work()

    assert len(table.all_letters()) == before
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
def test_a_program_known_by_its_head_is_not_answered(table: Table, head: str) -> None:
    table.begin()
    before = len(table.all_letters())

    table.post(notice(table, "Re: ", AWAY, head))
    table.work()

    assert len(table.all_letters()) == before


def test_a_notice_from_another_address_is_not_told_of(table: Table) -> None:
    table.begin()
    before = len(table.all_letters())

    table.post(notice(table, "Out of Office: ", AWAY).replace(b"From: ann@", b"From: assistant@"))
    table.work()

    assert len(table.all_letters()) == before


def test_a_move_under_the_subject_of_an_absence_is_made(table: Table) -> None:
    table.begin()

    table.post(notice(table, "Automatic reply: ", "e2e4"))
    table.work()

    assert "Your move has been made." in table.says(ANN)


def test_a_notice_to_the_site_is_not_answered(table: Table) -> None:
    table.begin()
    before = len(table.all_letters())

    table.post(table.unasked(ANN, AWAY).replace(b"Subject: a game", b"Subject: Out of Office"))
    table.work()

    assert len(table.all_letters()) == before


def test_a_letter_that_cannot_be_read_is_answered_though_it_asks_programs_for_no_answer(table: Table) -> None:
    table.begin()
    secret = "X-Auto-Response-Suppress: All\r\nContent-Type: application/pkcs7-mime"

    table.post(notice(table, "Re: ", "MIAGCSqGSIb3DQEHA6CAMIACAQAx", secret))
    table.work()

    assert "It's encrypted" in table.says(ANN)
