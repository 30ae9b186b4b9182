"""What an email to a game may do, depending on the evidence of its sender: the table in `docs/mail.md`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from sqlalchemy import select

from corr.orders.authority import AUTHORITY, Authority, Evidence, Matter
from corr.store.tables import InboxRow, OrderRow, PlayerRow
from tests.support.docs import PAGES
from tests.support.table import ANN, AUTHSERV_ID, BEN, Table, text_of, unwrap

UMPIRE = "umpire@play.example"
FORGED = f"Authentication-Results: {AUTHSERV_ID}; dmarc=fail header.from=a.example"
VOUCHED = f"Authentication-Results: {AUTHSERV_ID}; dmarc=pass header.from=a.example"
#: Each kind of evidence: an email from Ann that has it, and its name in the docs.
EVIDENCE: dict[Evidence, tuple[Callable[[Table, str], bytes], str]] = {
    Evidence.ADDRESS: (
        lambda table, text: table.reply_email(ANN, text),
        "it came to a secret address of our email, from the player's own",
    ),
    Evidence.VOUCHED: (
        lambda table, text: table.reply_email(ANN, text, at=UMPIRE, headers=VOUCHED),
        "our mail server vouches for the player's own address",
    ),
    Evidence.MESSAGE_ID: (
        lambda table, text: table.reply_email(ANN, text, at=UMPIRE),
        "it names one of our emails by its Message-ID, nothing else",
    ),
    Evidence.CALLED_FORGED: (
        lambda table, text: table.reply_email(ANN, text, headers=FORGED),
        "our mail server says that the player's address is forged",
    ),
    Evidence.ELSEWHERE: (
        lambda table, text: table.reply_email(ANN, text, sender="ann@elsewhere.example"),
        "it came from another address than the player's",
    ),
}
#: Example emails about each matter.
EXAMPLES = {
    Matter.NOTHING: ("Thank you!", "confirm"),
    Matter.QUESTION: ("show", "help"),
    Matter.GAME: ("a2a4", "resign resign", "draw?", "note his queen is out", "new address"),
    Matter.ACCOUNT: ("vacation 2026-11-21 2026-11-30", "mail off", "weekends off", "publish name", "data"),
}
CASES = [
    (evidence, matter, text) for evidence, matter in product(Evidence, Matter) for text in EXAMPLES[matter]
]


def stored_state(table: Table) -> tuple[object, ...]:
    """Everything that an email from Ann could change: the game's log and her settings."""
    with table.server.store.reading() as connection:
        orders = connection.execute(select(OrderRow.text)).scalars().all()
        ann = select(
            PlayerRow.mailing, PlayerRow.weekends, PlayerRow.vacations, PlayerRow.publishes, PlayerRow.renewed
        )
        return (*orders, *connection.execute(ann.where(PlayerRow.address == ANN)).one())


def reading(table: Table) -> str | None:
    """How the newest email was read."""
    with table.server.store.reading() as connection:
        newest = select(InboxRow.reading).order_by(InboxRow.id.desc()).limit(1)
        return connection.execute(newest).scalar_one()


def deliver(table: Table, raw: bytes) -> None:
    table.deliver(raw)
    table.run_workers()


def test_the_docs_have_the_table() -> None:
    heads = " | ".join(["what shows who wrote an email to a game", *Matter])
    rows = [
        " | ".join([label, *(AUTHORITY[evidence, matter] for matter in Matter)])
        for evidence, (_, label) in EVIDENCE.items()
    ]

    table = [f"| {heads} |", "|---|---|---|---|---|", *(f"| {row} |" for row in rows)]
    assert "\n".join(["", *table, ""]) in PAGES["docs/mail.md"]


@pytest.mark.parametrize(("evidence", "matter", "text"), CASES)
def test_an_email_does_what_the_table_says(
    table: Table, evidence: Evidence, matter: Matter, text: str
) -> None:
    table.begin()
    before, others = stored_state(table), len(table.emails_to(BEN))

    deliver(table, EVIDENCE[evidence][0](table, text))

    match AUTHORITY[evidence, matter]:
        case Authority.ACTS:
            assert reading(table) in ("read", "nothing")
        case Authority.ASKS:
            assert reading(table) == "to be confirmed"
            assert f"| {text}" in table.last_text(ANN)
            assert 'with the one word "confirm"' in unwrap(table.last_text(ANN))
        case Authority.REFUSED:
            assert reading(table) == evidence
    if AUTHORITY[evidence, matter] is not Authority.ACTS:
        assert (stored_state(table), len(table.emails_to(BEN))) == (before, others)


@pytest.mark.parametrize(
    "text", ["a2a4", "vacation 2026-11-21 2026-11-30", "mail off", "weekends off", "publish name"]
)
def test_an_order_by_message_id_is_done_once_confirmed(table: Table, text: str) -> None:
    table.begin()
    before = stored_state(table)
    deliver(table, EVIDENCE[Evidence.MESSAGE_ID][0](table, text))

    table.reply(ANN, "confirm")

    assert stored_state(table) != before


def test_a_confirm_by_message_id_confirms_nothing(table: Table) -> None:
    table.begin()
    deliver(table, table.reply_email(ANN, "a2a4", at=UMPIRE))
    before, emails = stored_state(table), len(table.emails_to(ANN))

    deliver(table, table.reply_email(ANN, "confirm", at=UMPIRE))

    assert (stored_state(table), len(table.emails_to(ANN))) == (before, emails + 1)
    assert "There is nothing to confirm" in table.last_text(ANN)


def test_emails_by_message_id_get_only_a_few_answers(table: Table) -> None:
    table.begin()
    before, newest = len(table.emails_to(ANN)), table.last_email(ANN)

    for file in "abcdefgh":
        deliver(table, table.reply_email(ANN, f"{file}2{file}4", to=newest, at=UMPIRE))

    asked = ["one word" in unwrap(text_of(email)) for email in table.emails_to(ANN)[before:]]
    assert asked == [True, True, True, False]


def test_an_email_to_our_envelope_sender_changes_nothing(table: Table) -> None:
    """Mail servers log that address, as they log the Message-ID."""
    table.begin()
    newest, before = table.last_email(ANN), stored_state(table)

    for recipients in ((), (UMPIRE,)):
        raw = table.reply_email(ANN, "a2a4", to=newest, at=str(newest["X-Envelope-From"]))
        assert table.deliver(raw, *recipients) == 1
        table.run_workers()

    assert stored_state(table) == before


@pytest.mark.parametrize("chosen", ["mail each", "mail daily 18", "mail off"])
def test_a_loss_on_time_is_emailed_whatever_the_settings(table: Table, chosen: str) -> None:
    table.begin()
    table.play("e2e4", "e7e5", "d2d4", "d7d5")
    table.reply(ANN, chosen)

    table.clock.advance(days=4)
    table.sweep()

    assert "White is out of time." in table.last_text(ANN)
    assert "The game is over" in table.last_text(ANN)


@pytest.mark.parametrize("chosen", ["mail each", "mail off"])
def test_a_resignation_is_emailed_whatever_the_settings(table: Table, chosen: str) -> None:
    table.begin()
    table.reply(ANN, chosen)

    table.reply(BEN, "resign resign")

    assert "Black resigns" in table.last_text(ANN)
