"""No line of a letter that we send may be read as an order, however it is quoted, wrapped or flattened."""

from __future__ import annotations

import re
import textwrap
from email.message import EmailMessage
from pathlib import Path

import pytest
from authenticator import set_up, take_away
from relay import relayed
from sqlalchemy import select
from table import ANN, AUTHSERV_ID, BEN, EVE, FAY, Table, html_of, text_of

from corr.desk import addresses, correspondents, decrees, outbox, players, rekeying, restoring, signing
from corr.desk.decrees import Deed
from corr.desk.signing import Visitor
from corr.mail.html import flattened
from corr.mail.letter import open_letter, reading_of
from corr.orders import kind_of
from corr.store.tables import OutboxRow, SiteOutboxRow
from corr.words import Side

WIDTHS = (60, 66, 72, 76)
OUTLOOK = ("From: Umpire <umpire@play.example>", "Sent: Friday", "To: Ann", "Subject: Re: a game")
NAMES = ("e2e4", "resign resign", "O-O", "a1a2, b1b2", "| e2e4")
HOSTILE = """\
e2e5, e4e5
note e2e4
help
rules
show
"""


#: The kinds of letters to seats.
SEATS = (
    "answer",
    "challenge",
    "decree",
    "declined",
    "delay",
    "doubted",
    "new_address",
    "over",
    "reminder",
    "restored",
    "turn",
)


def game_with(table: Table, name: str) -> list:
    """Every kind of letter, with a hostile name in it and hostile lines quoted."""
    code = table.challenge(f'"{name}" <{ANN}>', f'"{name}" <{BEN}>')
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    for text in (
        "e2e5",
        "e2e4 looks good",
        HOSTILE,
        "e2e4\n\nA long goodbye:\nx e2e4\nresign is what I shall never do",
    ):
        table.reply(ANN, text)
    for text in ("accept", "resign", "d7d5\ndraw?"):
        table.reply(BEN, text)
    table.clock.pass_by(days=2, hours=12)
    table.sweep()
    for text in ("decline", "e4d5", "help me please", "new address"):
        table.reply(ANN, text)
    table.reply(ANN, "e4d5", to=table.letters(ANN)[-2])
    for side in Side:
        rekeying.rekey_of_game(table.house, code, side, table.clock())
        table.work()
    table.reply(BEN, "d8d5", sender="eve@e.example")
    for text in ("resign resign\ndraw?", "accept"):
        table.reply(
            BEN, text, headers=f"Authentication-Results: {AUTHSERV_ID}; dmarc=fail header.from=b.example"
        )
    for number, (deed, detail) in enumerate(DECREED, start=1):
        wish = decrees.wish(deed, detail, detail, f"{name} {detail}\n{HOSTILE}")
        decrees.decree(table.house, "olga@house.example", 1, str(number), wish, table.clock())
        table.work()
    restoring.resume(table.house, table.clock())
    table.send()
    decrees.decree(
        table.house, "olga@house.example", 1, "4", decrees.wish(Deed.PAUSE, "", "", name), table.clock()
    )
    table.work()
    table.reply(BEN, "resign resign")
    voided(table, name)
    for variant in ("wild16", "assassin"):
        delayed(table, name, variant)
    table.challenge(f'"{name}" <{ANN}>', f'"{name}" <{BEN}>')
    table.reply(ANN, "decline")
    return [letter for player in (ANN, BEN) for letter in table.letters(player)]


DECREED = ((Deed.EXTEND, "9"), (Deed.PAUSE, ""), (Deed.RESUME, ""))


def voided(table: Table, name: str) -> None:
    """Games that the operator ends: one that is only proposed, and one that runs."""
    for game_id in (2, 3):
        table.challenge(f'"{name}" <{ANN}>', f'"{name}" <{BEN}>')
        if game_id == 3:
            table.reply(ANN, "accept")
            table.reply(BEN, "accept")
        wish = decrees.wish(Deed.ADJUDICATE, "", "void", HOSTILE)
        decrees.decree(table.house, "olga@house.example", game_id, "1", wish, table.clock())
        table.work()


def delayed(table: Table, name: str, variant: str) -> None:
    """A game about which letters to one side are refused for a while."""
    relay = relayed(table)
    table.challenge(f'"{name}" <{ANN}>', f'"{name}" <{BEN}>', variant)
    table.reply(ANN, "accept")
    relay.refused = {ANN}
    table.reply(BEN, "accept")
    table.sweep()
    table.work()
    relay.refused = set()
    table.clock.pass_by(minutes=5)
    outbox.TRAY.revive(table.house, table.clock())
    table.work()
    table.sweep()
    table.work()


def wrapped(text: str, columns: int) -> list[str]:
    """Lines as a mail program breaks them: each long line anew, short ones left alone."""
    return [piece for line in text.splitlines() for piece in textwrap.wrap(line, columns) or [""]]


def without_quotes(text: str) -> str:
    """What a mail program could join: not the lines that a person wrote, which are short."""
    return "\n\n".join(block for block in text.split("\n\n") if not block.startswith("| "))


def filled(text: str, columns: int) -> list[str]:
    """Lines as a mail program breaks them that first joins paragraphs."""
    return [
        piece for block in text.split("\n\n") for piece in textwrap.wrap(" ".join(block.split("\n")), columns)
    ]


def texts_of(letter: EmailMessage) -> list[str]:
    """A letter's text, and its HTML read as text."""
    return [text_of(letter), "\n".join(flattened(html_of(letter)))]


def kinds_of(table: Table) -> set[str]:
    """The kinds of all letters that were written."""
    with table.house.store.reading() as connection:
        return {
            kind
            for row in (OutboxRow, SiteOutboxRow)
            for kind in connection.execute(select(row.kind)).scalars()
        }


@pytest.mark.parametrize("name", NAMES)
def test_no_line_that_we_send_reads_as_an_order(table: Table, name: str) -> None:
    letters = game_with(table, name)

    assert len(letters) > 20
    assert sum("could not be handed over" in text_of(letter) for letter in letters) > 2
    assert set(SEATS) <= kinds_of(table)
    for text in (text for letter in letters for text in texts_of(letter)):
        lines = set(text.splitlines())
        for columns in WIDTHS:
            lines |= {*wrapped(text, columns), *filled(without_quotes(text), columns)}
        assert {line for line in lines if kind_of(line) == "order"} == set()


def test_a_reply_that_quotes_us_without_marks_and_wrapped_anew_is_read_all_the_same(table: Table) -> None:
    for letter in game_with(table, "Ann"):
        for text in texts_of(letter):
            for columns in WIDTHS:
                for quotation in (wrapped(text, columns), filled(text, columns)):
                    raw = "From: ann@a.example\r\n\r\n" + "\n".join(["e2e4", "", *OUTLOOK, "", *quotation])
                    reading = reading_of(open_letter(raw.encode()), text_of(letter))
                    assert (reading.puzzled, list(map(str, reading.orders))) == (None, ["e2e4"])


def test_what_a_reply_may_quote_is_known_line_by_line(table: Table) -> None:
    """What is kept of a letter for this is written anew, not read from its HTML, since that would take long."""
    game_with(table, "Zoë  Ann <b>&amp;")
    with table.house.store.reading() as connection:
        in_order = select(OutboxRow.text).order_by(OutboxRow.sent_at, OutboxRow.id)
        kept = connection.execute(in_order).all()

    assert len(kept) > 20
    for letter, row in zip(table.all_letters(), kept, strict=True):
        shown = [line for text in texts_of(letter) for line in text.splitlines()]
        assert set(shown) - {""} <= set(row.text.splitlines())


LONG = "x" * 72
#: What somebody writes who would like a line of our letters to read as an order.
WRITTEN = (
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
    "take 22222",
    "e2e4",
    f"e2e4 {LONG} resign",
    f"{LONG} resign {LONG}",
)
SITE = (
    "confirm",
    "invitation",
    "challenge_news",
    "sign_in",
    "site",
    "again",
    "address",
    "addresses",
    "passkeys",
)


def site_letters(table: Table, name: str) -> list[EmailMessage]:
    """Every kind of letter that is about no game yet, to one who writes hostile words and to one who is challenged."""
    players.add(table.house, "Fay", FAY, table.clock())
    table.write(EVE, "seek wild16", name=name)
    table.reply(EVE, "confirm")
    for text in WRITTEN:
        table.write(EVE, text, name=name)
        table.clock.pass_by(hours=2)
    table.write(EVE, f"challenge gus@{'g' * 60}.resign wild16")
    table.write(EVE, "challenge Fay rbc 1d black")
    table.reply(FAY, "decline")
    table.write(EVE, "challenge Fay wild16")
    table.reply(FAY, "accept")
    (first,) = (each for each in table.letters(FAY) if each["Subject"].endswith(")"))
    table.reply(FAY, "resign resign", to=first)
    table.reply(FAY, "again", to=first)
    signing.ask(table.house, EVE, None, table.clock())
    _change_addresses(table)
    take_away(table, set_up(table, FAY, name))
    table.work()
    table.clock.pass_by(days=20)
    table.sweep()
    return table.all_letters()


def _change_addresses(table: Table) -> None:
    """One more, another one, one fewer: each is told."""
    with table.house.store.reading() as connection:
        who = correspondents.known(connection, FAY)
    assert who
    fay, other = Visitor(who, "Fay", table.clock()), f"fay@{'f' * 60}.resign"
    asking = addresses.ask(table.house, fay, other, table.clock())
    table.work()
    found = re.search(r'the number "(\d{6})"', table.says(other))
    assert found
    addresses.add_by_number(table.house, fay, asking, found[1], table.clock())
    for chosen in (other, FAY):
        addresses.choose(table.house, fay, chosen, table.clock())
    addresses.remove(table.house, fay, other, table.clock())


@pytest.mark.parametrize(
    "name", [*NAMES, "delay", "note", "never again never again", "Confirm Accept Resign"]
)
def test_no_line_of_a_letter_of_the_site_reads_as_an_order(table: Table, name: str) -> None:
    letters = site_letters(table, name)

    assert set(SITE) <= kinds_of(table)
    for text in (text for letter in letters for text in texts_of(letter)):
        lines = set(text.splitlines())
        for columns in WIDTHS:
            lines |= {*wrapped(text, columns), *filled(without_quotes(text), columns)}
        assert {line for line in lines if kind_of(line) == "order"} == set()


def test_a_reply_that_quotes_a_letter_of_the_site_anyhow_says_what_its_writer_said(table: Table) -> None:
    for letter in site_letters(table, "Eve"):
        for text in texts_of(letter):
            for columns in WIDTHS:
                for quotation in (wrapped(text, columns), filled(text, columns)):
                    raw = "From: eve@e.example\r\n\r\n" + "\n".join(["seeks", "", *OUTLOOK, "", *quotation])
                    reading = reading_of(open_letter(raw.encode()), text_of(letter))
                    assert (reading.puzzled, list(map(str, reading.orders))) == (None, ["seeks"])


GALLERY = sorted((Path(__file__).parents[1] / "gallery").glob("*/*.txt"))


def test_no_line_of_any_letter_of_any_variant_reads_as_an_order() -> None:
    assert len(GALLERY) > 100
    for path in GALLERY:
        text = path.read_text()
        lines = set(text.splitlines())
        for columns in WIDTHS:
            lines |= {*wrapped(text, columns), *filled(without_quotes(text), columns)}
        assert {line for line in lines if kind_of(line) == "order"} == set(), path


def test_no_letter_of_any_variant_quoted_anyhow_hides_a_players_move() -> None:
    for path in GALLERY:
        text = path.read_text()
        for columns in WIDTHS:
            for quotation in (wrapped(text, columns), filled(text, columns)):
                raw = "From: ann@a.example\r\n\r\n" + "\n".join(["e2e4", "", *OUTLOOK, "", *quotation])
                reading = reading_of(open_letter(raw.encode()), text)
                assert (reading.puzzled, list(map(str, reading.orders))) == (None, ["e2e4"]), path
