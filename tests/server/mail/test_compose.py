"""Outgoing emails: well-formed, reproducible byte for byte, and readable without pictures or styles."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_string
from email.header import decode_header, make_header
from pathlib import Path

import pytest
from PIL import Image
from sqlalchemy import select

from bench.letter import outgoing, views
from corr.demo.mailbox import PEOPLE, DemoEmail
from corr.demo.reply import reply
from corr.mail.inward.html import html_to_lines
from corr.mail.inward.incoming_email import parse_email, parse_orders
from corr.mail.outward.compose import compose
from corr.mail.outward.email_to_send import EmailToSend
from corr.service.games import finished
from corr.service.mail import game_emails
from corr.store.tables import QuotableRow
from tests.support.table import ANN, BEN, NOON, WEB_URL, Table, html_of, make_table, parse_message, text_of


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A game with every kind of email in both mailboxes; tests only read it."""
    table = make_table(tmp_path_factory.mktemp("played"))
    table.begin()
    table.reply(ANN, "e2e5\nshow")
    table.play("e2e4", "d7d5", "px\ndraw?")
    table.clock.advance(days=2, hours=12)
    table.sweep()
    table.reply(BEN, "help")
    table.reply(BEN, "resign resign")
    yield table
    table.server.store.close()


def spooled(path: Path) -> bytes:
    """An email's own bytes, without the two envelope lines of the spool."""
    return path.read_bytes().split(b"\r\n", 2)[2]


def all_emails(table: Table) -> list:
    return [email for player in (ANN, BEN) for email in table.emails_to(player)]


def test_no_email_has_a_defect(played: Table) -> None:
    for email in all_emails(played):
        assert [defect for part in email.walk() for defect in part.defects] == []
        assert all(len(line) <= 998 for line in email.as_bytes().split(b"\n"))


def test_an_email_is_text_and_html_with_the_board_as_a_picture(played: Table) -> None:
    email = played.emails_to(ANN)[-2]

    assert [part.get_content_type() for part in email.walk()] == [
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
    ]
    picture = next(part for part in email.walk() if part.get_content_type() == "image/png")
    assert f"cid:{picture['Content-ID'].strip('<>')}" in html_of(email)
    assert Image.open(io.BytesIO(picture.get_payload(decode=True))).size == (400, 400)


def test_the_html_says_what_the_text_says(played: Table) -> None:
    """Except the board of letters and its legend."""
    for email in all_emails(played):
        said = " ".join("\n".join(html_to_lines(html_of(email))).split())
        for paragraph in text_of(email).split("\n\n"):
            if not paragraph.strip().startswith(
                ("8 ", "1 ", "a b", "h g", "White's pieces are capital letters")
            ):
                assert " ".join(paragraph.split()) in said


def test_the_subject_never_changes_and_reveals_nothing(played: Table) -> None:
    subjects = [email["Subject"] for email in played.emails_to(ANN)]

    assert subjects[0].startswith("[corr] Wild 16 with ben (")
    assert set(subjects[1:]) == {f"Re: {subjects[0]}"}


def test_each_email_is_in_its_readers_thread_below_the_first_one(played: Table) -> None:
    threaded = []
    for player in (ANN, BEN):
        first, *others = played.emails_to(player)
        assert (first["In-Reply-To"], first["References"]) == (None, None)
        for email in others:
            references = email["References"].split()
            assert references[0] == first["Message-ID"]
            assert references[-1] == email["In-Reply-To"]
        threaded += [text_of(email) for email in others]
    for each in ("Your turn: reply by", "remind", "The game is over"):
        assert any(each in text for text in threaded)


@pytest.mark.parametrize("kind", ["Your turn: reply by", "The umpire's last announcement"])
def test_the_button_to_the_game_is_above_the_board(played: Table, kind: str) -> None:
    shown = [html_of(each) for each in all_emails(played) if kind in text_of(each)]
    drawn = [each for each in shown if "<img" in each and "Open the game" in each]

    assert drawn
    for each in drawn:
        assert each.index("Open the game") < each.index("<img")


def test_an_email_says_that_it_is_automatic(played: Table) -> None:
    for email in all_emails(played):
        assert email["Auto-Submitted"] == "auto-generated"
        assert email["X-Auto-Response-Suppress"] == "All"
        assert email["From"] == "Umpire <umpire@play.example>"
        assert email["Reply-To"].endswith("@play.example")


def test_an_email_links_only_to_its_game_and_the_last_one_to_the_whole_game(played: Table) -> None:
    for player in (ANN, BEN):
        htmls = [html_of(email) for email in played.emails_to(player)]
        pages = [re.findall(r'href="(http[^"]*)"', html) for html in htmls]
        code = re.search(r"\((\w+)\)", played.last_email(player)["Subject"])[1]

        assert {page for each in pages[:-1] for page in each} == {f"{WEB_URL}/games/{code}"}
        assert {*pages[-1]} == {f"{WEB_URL}/finished/{share_mark(played, code)}", f"{WEB_URL}/verify"}
        assert "Open the game" in htmls[-2]
        assert "Open the whole game" in htmls[-1]


def test_the_first_email_links_to_the_game_right_below_how_to_accept(played: Table) -> None:
    html = html_of(played.emails_to(ANN)[0])
    places = [html.index(each) for each in ("To play, reply", "Open the game", "anyone who has it can move")]
    assert places == sorted(places)


def share_mark(table: Table, code: str) -> str | None:
    with table.server.store.reading() as connection:
        return finished.find_page_key(connection, code)


def test_the_button_to_the_game_is_above_the_set_ups(table: Table) -> None:
    table.begin_by_email("welbeck")
    html = html_of(table.last_email(ANN))

    assert html.index("Both sides deploy their pieces.") < html.index("Open the game") < html.index("| home")


def test_no_email_has_the_opponents_address_or_a_remote_image(played: Table) -> None:
    for player, other in ((ANN, BEN), (BEN, ANN)):
        for email in played.emails_to(player):
            assert other not in email.as_string()
            assert set(re.findall(r'src="([^"]*)"', html_of(email))) <= {"cid:board", "cid:film"}
            assert "url(" not in html_of(email)


def email_about_game_with(name: str) -> EmailToSend:
    return replace(outgoing(views()[0]), about=f"[corr] Wild 16 with {name} (k3x9m)")


@pytest.mark.parametrize("line_end", ["\r\n", "\n", "\r"])
def test_a_line_end_in_a_name_is_refused(line_end: str) -> None:
    with pytest.raises(ValueError, match="isn't allowed in a header"):
        compose(email_about_game_with(f"x{line_end}Bcc: eve@e.example"))


@pytest.mark.parametrize("name", ["x\u2028Bcc: y", "x\u2029y", "x\x85y", "\u202ex", "Zoë" * 8])
def test_odd_characters_in_a_name_are_encoded_and_end_no_line(name: str) -> None:
    head = compose(email_about_game_with(name)).message.partition(b"\r\n\r\n")[0].decode("ascii")

    assert [line for line in head.splitlines() if line.startswith("Bcc")] == []
    raw = message_from_string(head)["Subject"]
    assert " ".join(name.split()) in str(make_header(decode_header(raw)))


def test_umlauts_in_names_arrive_intact(table: Table) -> None:
    table.challenge("Zoë <ann@a.example>", "Jürgen Müller-Lüdenscheidt <ben@b.example>")

    email = table.last_email(ANN)

    assert email["Subject"].startswith("[corr] Wild 16 with Jürgen Müller-Lüdenschei (")
    assert "Hello Zoë!" in text_of(email)
    assert email.defects == []


def test_composing_an_email_again_gives_the_same_bytes(played: Table) -> None:
    with played.server.store.reading() as connection:
        rows = connection.execute(select(*game_emails.OUTBOX.columns)).all()
        worded = game_emails.prepare(connection, played.server, rows, rows).worded
    again = [compose(worded[row.id]()) for row in rows]

    assert len(rows) > 12
    assert {each.message for each in again} == {spooled(each) for each in played.spool.glob("*.eml")}
    assert parse_message(again[0].message)["Message-ID"] is not None


@pytest.mark.parametrize(
    "mail_program", ["Outlook, HTML only", "Gmail", "Outlook", "Thunderbird, answer below"]
)
def test_a_reply_that_quotes_our_whole_email_is_read_without_it(played: Table, mail_program: str) -> None:
    with played.server.store.reading() as connection:
        rows = connection.execute(select(QuotableRow.text).order_by(QuotableRow.letter_id)).all()
    for email, row in zip(played.all_emails(), rows, strict=True):
        mail = DemoEmail("ann-1", PEOPLE[0], False, b"", email, text_of(email))
        raw = reply(mail, "e2e4", mail_program, NOON, PEOPLE[0])

        reading = parse_orders(parse_email(raw), row.text)

        assert (list(map(str, reading.orders)), reading.puzzled, reading.ignored) == (["e2e4"], None, ())
