"""No line of our own emails may be read as an order, however a reply quotes, wraps or flattens it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from email.message import EmailMessage
from functools import cache
from pathlib import Path

import pytest
from sqlalchemy import select

from corr.mail.address import TokenKind
from corr.mail.inward.html import html_to_lines
from corr.mail.inward.incoming_email import parse_email, parse_orders
from corr.orders import kind_of
from corr.service.admin import restore
from corr.service.events import admin_log
from corr.service.events.admin_log import ActRequest
from corr.service.games import moderation, seats
from corr.service.games.moderation import DecreeKind
from corr.service.mail import game_emails
from corr.service.players import (
    addresses,
    authentication,
    mail_preferences,
    mailboxes,
    players,
    tokens,
    vacations,
)
from corr.service.players.authentication import Visitor
from corr.store.tables import OutboxRow, PlayerRow, QuotableRow, SiteOutboxRow
from corr.text.messages import sentence
from corr.words.board import Side
from tests.support import events
from tests.support.authenticator import add_passkey, remove_passkey
from tests.support.broken_relay import use_broken_relay
from tests.support.email_kinds import KINDS
from tests.support.gallery import room_of_the_tutorial
from tests.support.sign_in_codes import code_in
from tests.support.table import ANN, AUTHSERV_ID, BEN, EVE, FAY, Table, html_of, text_of, unwrap

WIDTHS = (60, 66, 72, 76)
OUTLOOK = ("From: Umpire <umpire@play.example>", "Sent: Friday", "To: Ann", "Subject: Re: a game")
NAMES = ("e2e4", "resign resign", "O-O", "a1a2, b1b2", "| e2e4")
HOSTILE = """\
e2e5, e4e5
note e2e4
ghost qd8 e5 f5
help
rules
show
games
"""

#: Two hundred moves that are impossible at first, of pieces behind their own pawns.
LONG_LIST = ", ".join(f"{man}1{file}{rank}" for man in "acdef" for file in "abcdefgh" for rank in "34567")

#: The kinds of emails to seats; `game_with` brings them all.
SEAT_KINDS = (
    "answer",
    "challenge",
    "decree",
    "declined",
    "delay",
    "doubted",
    "leave",
    "new_address",
    "over",
    "overdue",
    "reminder",
    "restored",
    "tried",
    "turn",
)


def game_with(table: Table, name: str) -> list:
    """Every kind of email to a seat, with a hostile name and hostile lines quoted."""
    code = table.challenge(f'"{name}" <{ANN}>', f'"{name}" <{BEN}>')
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    for text in (
        "e2e5",
        LONG_LIST,
        "e2e4 looks good",
        "Nf3",
        "e2e4\nd2d4",
        "e2e4, d2d4, a2a3, b2b3, c2c3, Nf3, g2g3, h2h3, f2f3, a2a4, b2b4, c2c4",
        HOSTILE,
        "e2e4\n\nA long goodbye:\nx e2e4\nresign is what I shall never do",
    ):
        table.reply(ANN, text)
    for text in ("accept", "resign", "d7d5\ndraw?"):
        table.reply(BEN, text)
    table.clock.advance(days=2, hours=12)
    table.sweep()
    for text in ("decline", "e4d5", "help me please", "new address"):
        table.reply(ANN, text)
    table.reply(ANN, "e4d5", to=table.emails_to(ANN)[-2])
    for side in Side:
        seats.renew_for_operator(table.server, code, side, table.clock())
        table.run_workers()
    table.reply(BEN, "help", sender="eve@e.example")
    table.reply(ANN, f"e4d5\n{HOSTILE}\nnote {name}", sender=f'"{name}" <resign@e.example>')
    for text in ("resign resign\ndraw?", "accept"):
        table.reply(
            BEN, text, headers=f"Authentication-Results: {AUTHSERV_ID}; dmarc=fail header.from=b.example"
        )
    for number, (kind, detail) in enumerate(DECISIONS, start=1):
        decide(table, 1, number, kind, f"{name} {detail}\n{HOSTILE}", detail)
    restore.resume_after_restore(table.server, table.clock())
    table.send_emails()
    decide(table, 1, 4, DecreeKind.PAUSE, name)
    table.reply(BEN, "resign resign")
    void_games(table, name)
    game_with_delayed_orders(table, name)
    overdue_games(table, name)
    for variant in ("wild16", "assassin"):
        game_with_late_emails(table, name, variant)
    table.challenge(f'"{name}" <{ANN}>', f'"{name}" <{BEN}>')
    table.reply(ANN, "decline")
    return [email for player in (ANN, BEN) for email in table.emails_to(player)]


def decide(table: Table, game_id: int, number: int, kind: DecreeKind, reason: str, detail: str = "") -> None:
    """Record an operator's decision, and let the workers work."""
    request = moderation.check_request(kind, detail, detail, reason)
    moderation.decree(table.server, "olga@house.example", game_id, str(number), request, table.clock())
    table.run_workers()


DECISIONS = ((DecreeKind.EXTEND, "9"), (DecreeKind.PAUSE, ""), (DecreeKind.RESUME, ""))


def void_games(table: Table, name: str) -> None:
    """The operator makes two games void: a proposed one and a running one."""
    for game_id in (2, 3):
        table.challenge(f'"{name}" <{ANN}>', f'"{name}" <{BEN}>')
        if game_id == 3:
            table.reply(ANN, "accept")
            table.reply(BEN, "accept")
        decide(table, game_id, 1, DecreeKind.ADJUDICATE, HOSTILE, "void")


def game_with_delayed_orders(table: Table, name: str) -> None:
    """A game in which standing orders wait for their delay."""
    table.challenge(f'"{name}" <{ANN}>', f'"{name}" <{BEN}>')
    for player, text in ((ANN, "accept"), (BEN, "accept"), (ANN, "e2e4"), (ANN, "d2d4"), (ANN, "delay 2h")):
        table.reply(player, text)
    table.reply(BEN, "e7e5")
    table.clock.advance(hours=3)
    table.sweep()


def overdue_games(table: Table, name: str) -> None:
    """Games in which time runs out: with a request for a pause, a claim, and an automatic vacation."""
    for clock, texts in (("3d claim", ("pause?",)), ("3d", ("vacation 2027-01-04 2027-01-06",))):
        table.challenge(f'"{name}" <{ANN}>', f'"{name}" <{BEN}>', clock=clock)
        for player, text in ((ANN, "accept"), (BEN, "accept"), *((BEN, text) for text in texts)):
            table.reply(player, text)
        enable_automatic_vacation(table, ANN)
        for _ in range(2):
            table.clock.advance(days=4)
            table.sweep()


def enable_automatic_vacation(table: Table, player: str) -> None:

    with table.server.store.writing() as connection:
        found = connection.execute(select(PlayerRow.id).where(PlayerRow.address == player)).scalar_one()
        vacations.set_automatic_vacation(connection, found, on=True, now=table.clock())


def game_with_late_emails(table: Table, name: str, variant: str) -> None:
    """A game whose emails to one side are refused for a while."""
    relay = use_broken_relay(table)
    table.challenge(f'"{name}" <{ANN}>', f'"{name}" <{BEN}>', variant)
    table.reply(ANN, "accept")
    relay.refused = {ANN}
    table.reply(BEN, "accept")
    table.sweep()
    table.run_workers()
    relay.refused = set()
    table.clock.advance(minutes=5)
    game_emails.OUTBOX.revive(table.server, table.clock())
    table.run_workers()
    table.sweep()
    table.run_workers()


#: A hash, a key or a signature in base64.
_SIGNED = re.compile(r"[A-Za-z0-9+/]{43}")


@cache
def break_line(line: str, columns: int) -> list[str]:
    """Break a line as a mail program does.

    Hashes and signatures stay whole: no mail program cuts them, and a random piece could look like an order.
    """
    return textwrap.wrap(line, columns, break_long_words=not _SIGNED.search(line))


def wrap_lines(text: str, columns: int) -> list[str]:
    """Wrap each long line by itself."""
    return [piece for line in text.splitlines() for piece in break_line(line, columns) or [""]]


def without_quotes(text: str) -> str:
    """The paragraphs that a mail program could join: people's quoted lines are too short for that."""
    return "\n\n".join(block for block in text.split("\n\n") if not block.startswith("| "))


def fill_paragraphs(text: str, columns: int) -> list[str]:
    """Join the lines of each paragraph before wrapping it."""
    return [
        piece for block in text.split("\n\n") for piece in break_line(" ".join(block.split("\n")), columns)
    ]


def quotations(text: str) -> Iterator[str]:
    """A text as mail programs may quote it without marks, wrapped in each way."""
    ways = (way(text, columns) for columns in WIDTHS for way in (wrap_lines, fill_paragraphs))
    yield from sorted({"\n".join(lines) for lines in ways})


def orders_in(texts: Iterable[str]) -> set[str]:
    """The lines that read as orders, however a mail program wraps these texts."""
    lines = set()
    for text in texts:
        lines |= set(text.splitlines())
        for columns in WIDTHS:
            lines |= {*wrap_lines(text, columns), *fill_paragraphs(without_quotes(text), columns)}
    return {line for line in lines if reads_as_order(line)}


@cache
def reads_as_order(line: str) -> bool:
    return kind_of(line) == "order"


def read(order: str, quotation: str, answered: str) -> tuple[object, list[str]]:
    """Read a reply above a quoted email; return the unclear line, if any, and the orders."""
    raw = "From: ann@a.example\r\n\r\n" + "\n".join([order, "", *OUTLOOK, "", quotation])
    reading = parse_orders(parse_email(raw.encode()), answered)
    return reading.puzzled, list(map(str, reading.orders))


def texts_of(email: EmailMessage) -> list[str]:
    """An email's text, and its HTML as text."""
    return [text_of(email), "\n".join(html_to_lines(html_of(email)))]


def kinds_of(table: Table) -> set[str]:
    """The kinds of all emails that were written."""
    with table.server.store.reading() as connection:
        return {
            kind
            for row in (OutboxRow, SiteOutboxRow)
            for kind in connection.execute(select(row.kind)).scalars()
        }


@pytest.mark.parametrize("name", NAMES)
def test_no_line_that_we_send_reads_as_an_order(table: Table, name: str) -> None:
    emails = game_with(table, name)

    assert len(emails) > 20
    assert sum("our email to" in unwrap(text_of(email)).lower() for email in emails) > 2
    assert set(SEAT_KINDS) <= kinds_of(table)
    assert orders_in(text for email in emails for text in texts_of(email)) == set()


def test_peoples_words_are_quoted_in_lines_of_sixty_columns_at_most(table: Table) -> None:
    emails = game_with(table, "resign resign " * 3)
    texts = [text for each in emails for text in texts_of(each) if "Deploy your pieces" not in text]
    quoted = [line for text in texts for line in text.splitlines() if line.startswith("| ")]

    assert max(map(len, quoted)) > 50
    assert [line for line in quoted if len(line) > 60] == []


def test_no_line_of_the_tutorial_reads_as_an_order(table: Table) -> None:
    room_of_the_tutorial(table)
    emails = table.emails_to(EVE)

    assert len(emails) > 20
    assert orders_in(text for email in emails for text in texts_of(email)) == set()
    for email in emails:
        for quotation in quotations(text_of(email)):
            assert read("e2e4", quotation, text_of(email)) == (None, ["e2e4"])


def test_a_reply_that_quotes_us_unmarked_and_rewrapped_is_read_correctly(table: Table) -> None:
    for email in game_with(table, "Ann"):
        for text in texts_of(email):
            for quotation in quotations(text):
                assert read("e2e4", quotation, text_of(email)) == (None, ["e2e4"])


def test_the_stored_quotable_text_has_every_line_of_the_email(table: Table) -> None:
    """We compose this text separately, because parsing the HTML would be slow."""
    game_with(table, "Zoë  Ann <b>&amp;")
    with table.server.store.reading() as connection:
        in_order = select(QuotableRow.text).join(OutboxRow).order_by(OutboxRow.sent_at, OutboxRow.id)
        stored = connection.execute(in_order).all()

    assert len(stored) > 20
    for email, row in zip(table.all_emails(), stored, strict=True):
        shown = [line for text in texts_of(email) for line in text.splitlines()]
        assert set(shown) - {""} <= set(row.text.splitlines())


LONG = "x" * 72
#: Emails from somebody who wants a line of our answer to read as an order.
HOSTILE_EMAILS = (
    f"challenge {LONG} never again {LONG} wild16",
    f"challenge resign resign {LONG} wild16",
    f"challenge fay@{'e' * 60}.{'e' * 60}.resign wild16",
    f"challenge fay@f.example {LONG}-resign",
    f"challenge fay@f.example wild16 1{LONG}-e2e4",
    "challenge fay@f.example e2e4",
    f"seek {LONG}-accept",
    f"seek wild16 9{LONG}/accept",
    f"rules {LONG}-confirm",
    "seek wild16 3d white rated",
    "seeks",
    "rules",
    "games",
    "help",
    "accept",
    "withdraw",
    "withdraw 22222",
    "enter 22222",
    f"enter {LONG}-resign",
    f"challenge {LONG} resign wild16 pyramid",
    "events",
    "enter wild16 pyramid",
    "enter rbc programs",
    "take 22222",
    "e2e4",
    f"e2e4 {LONG} resign",
    f"{LONG} resign {LONG}",
)
#: The kinds of emails that aren't about one game; `site_emails` brings them all.
SITE_KINDS = (
    "confirm",
    "invitation",
    "challenge_news",
    "digest",
    "sign_in",
    "site",
    "again",
    "address",
    "addresses",
    "checkpoint",
    "section",
    "crosstable",
    "event_stopped",
    "passkeys",
    "tokens",
    "stopped",
    "uncalled",
    "failing",
    "own_data",
)


def test_every_kind_of_email_is_covered() -> None:
    assert {*SEAT_KINDS, *SITE_KINDS} == KINDS


def site_emails(table: Table, name: str) -> list[EmailMessage]:
    """Every kind of email to the site's correspondents: Eve, who writes hostile words, and Fay, whom she challenges."""
    players.add(table.server, "Fay", FAY, table.clock())
    table.write_to_site(EVE, "seek wild16", name=name)
    table.reply(EVE, "confirm")
    for text in HOSTILE_EMAILS:
        table.write_to_site(EVE, text, name=name)
        table.clock.advance(hours=2)
    table.write_to_site(EVE, f"challenge gus@{'g' * 60}.resign wild16")
    table.write_to_site(EVE, "challenge Fay rbc 1d black")
    table.reply(FAY, "decline")
    table.write_to_site(EVE, "challenge Fay wild16")
    table.reply(FAY, "accept")
    (first,) = (each for each in table.emails_to(FAY) if each["Subject"].endswith(")"))
    table.write_to_site(EVE, "games")
    table.reply(EVE, "22222: e2e4")
    table.write_to_site(EVE, "mail daily")
    table.write_to_site(EVE, "mail checkpoints")
    table.write_to_site(EVE, "data")
    table.reply(FAY, "ghost qd8 e5", to=first)
    table.reply(FAY, "e2e4", to=first)
    table.clock.advance(days=1)
    table.sweep()
    table.reply(EVE, "resign resign")
    table.reply(FAY, "resign resign", to=first)
    table.reply(FAY, "again", to=first)
    authentication.request_sign_in(table.server, EVE, None, table.clock())
    _change_addresses(table)
    _play_in_a_section(table, EVE)
    fay = add_passkey(table, FAY, name)
    remove_passkey(table, fay)
    tokens.make(table.server, fay, name, table.clock(), plays=False)
    with table.server.store.writing() as connection:
        context = {"url": "https://hooks.example/e2e4", "trouble": sentence("calls.no_answer")}
        mailboxes.write(
            connection, fay.who, "uncalled", table.clock(), settings="https://play.example/", **context
        )
        mailboxes.write(connection, fay.who, "failing", table.clock(), address=f"fay@{'f' * 60}.resign")
        mail_preferences.unsubscribe(connection, table.server, fay.who, TokenKind.STOP, table.clock())
    table.run_workers()
    table.clock.advance(days=20)
    table.sweep()
    return table.all_emails()


def _play_in_a_section(table: Table, address: str) -> None:
    """A section starts, one of its games ends, a day passes, and an operator stops it."""
    table.write_to_site(address, "enter cincinnati")
    for name in events.FIVE[:4]:
        entered = events.enter_section(table, name, "cincinnati")
    table.run_workers()
    table.sweep()
    events.end_game(table, events.running_games(table, entered)[0], "white")
    table.clock.advance(days=1, minutes=1)
    table.sweep()
    by = ActRequest(events.make_player(table, "Olga").who, "1", f"e2e4 {LONG} resign")
    admin_log.stop_event(table.server, by, entered.code, table.clock())
    table.run_workers()


def _change_addresses(table: Table) -> None:
    """Add an address, change the main one twice, and remove one; each sends an email."""
    with table.server.store.reading() as connection:
        who = mailboxes.find_correspondent(connection, FAY)
    assert who
    fay, other = Visitor(who, "Fay", table.clock()), f"fay@{'f' * 60}.resign"
    asking = addresses.request_address(table.server, fay, other, table.clock())
    table.run_workers()
    addresses.add_by_number(table.server, fay, asking, code_in(table.last_text(other)), table.clock())
    for chosen in (other, FAY):
        addresses.choose_main(table.server, fay, chosen, table.clock())
    addresses.remove(table.server, fay, other, table.clock())


@pytest.mark.parametrize(
    "name", [*NAMES, "delay", "note", "never again never again", "Confirm Accept Resign"]
)
def test_no_line_of_an_email_from_the_site_reads_as_an_order(table: Table, name: str) -> None:
    emails = site_emails(table, name)

    assert set(SITE_KINDS) <= kinds_of(table)
    assert orders_in(text for email in emails for text in texts_of(email)) == set()


def test_a_reply_that_quotes_an_email_from_the_site_is_read_correctly(table: Table) -> None:
    for email in site_emails(table, "Eve"):
        for text in texts_of(email):
            for quotation in quotations(text):
                assert read("seeks", quotation, text_of(email)) == (None, ["seeks"])


GALLERY = sorted((Path(__file__).parents[2] / "gallery").glob("*/*.txt"))


def test_no_line_of_the_gallery_reads_as_an_order() -> None:
    assert len(GALLERY) > 100
    for path in GALLERY:
        assert orders_in([path.read_text()]) == set(), path


def test_quoting_any_email_of_the_gallery_hides_no_move() -> None:
    for path in GALLERY:
        text = path.read_text()
        for quotation in quotations(text):
            assert read("e2e4", quotation, text) == (None, ["e2e4"]), path


STANDING_ORDERS = (
    (
        ANN,
        "e2e4\nif capture e5: d4e5, f3e5; if check rank and no capture: e1e2, e1f1, e1d1; else f1c4, f1b5, d2d4",
    ),
    (ANN, "show"),
    (BEN, "e7e5\nif check: e8e7, e8d8; if capture e5: d7d6, b8c6, f7f6"),
    (ANN, "a2a3, b2b3, c2c3, d2d3, g2g3, h2h3, o-o, o-o-o, b1a3, b1c3, g1h3, g1f3, d1e2"),
    (ANN, "delay 2-8h"),
    (BEN, "b8c6\nif no check: a8a5, h8h4"),
    (ANN, "cancel"),
    (ANN, "if tries>0: e4d5"),
)


def test_no_line_about_standing_orders_reads_as_an_order(table: Table) -> None:
    table.begin()
    for player, text in STANDING_ORDERS:
        table.reply(player, text)
    table.clock.advance(hours=9)
    table.sweep()
    texts = [text for email in table.all_emails() for text in texts_of(email)]

    for said in (
        "for this turn applied",
        "for this turn will be tried later",
        "I tried your orders",
        "Your orders for next turn",
    ):
        assert any(said in text for text in texts), said
    assert orders_in(texts) == set()
