"""The admin pages: hidden from everyone else, silent about boards, and each action is done once."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select, update
from werkzeug.test import TestResponse

from corr.config import Config
from corr.mail.outward.transport import DeliveryFate
from corr.service.admin import statistics
from corr.service.players import players
from corr.store import truths
from corr.store.tables import DecisionRow, GameRow, OutboxRow, SiteOutboxRow
from corr.words.errors import Misconfigured
from tests.support.browser import Browser, text_of_page
from tests.support.moody_transport import ScriptedMailer, send_all_due
from tests.support.table import ANN, BEN, EVE, Table, make_table, text_of

OLGA = "Olga@House.example"
REASON = "The mail was away."
ADDRESSES = (
    "/admin",
    "/admin/",
    "/admin//",
    "/%61dmin/",
    "/admin/games",
    "/admin/games/",
    "/admin/games?for=ann",
    "/admin/play",
    "/admin/resend",
    "/admin/mailbox",
    "/admin/whatever",
)


def app_with_operators(table: Table) -> Flask:
    """The website of a server with two operators: Olga, and Ann, who also plays."""
    return table.app(None, None, OLGA.casefold(), ANN)


def signed_in(table: Table, address: str = OLGA) -> Browser:
    browser = Browser(app_with_operators(table))
    browser.sign_in(table, address)
    return browser


def begin(table: Table, variant: str = "wild16") -> str:
    """The code of a game that both have accepted."""
    code = table.challenge(variant=variant)
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    return code


def all_pages(browser: Browser, code: str) -> list[bytes]:
    """Every admin page with its headers, except the cookie and the date, which change with time."""
    addresses = ("/admin/", "/admin/games", "/admin/games?for=ben", f"/admin/games/{code}")
    found = []
    for address in addresses:
        answer = browser.client.get(address)
        assert answer.status_code == 200
        found.append(page_bytes(answer))
    return found


def page_bytes(answer: TestResponse) -> bytes:
    headers = [f"{name}: {value}" for name, value in answer.headers if name not in ("Set-Cookie", "Date")]
    return f"{answer.status} {headers}".encode() + answer.data


# ---------------------------------------------------------------- who can open them


@pytest.mark.parametrize("method", ["get", "post", "head", "put", "options"])
def test_admin_pages_look_missing_to_everybody_else(table: Table, method: str) -> None:
    app = app_with_operators(table)
    stranger, player = Browser(app), Browser(app)
    stranger.open("/sign-in")
    player.sign_in(table, EVE, "Eve")
    code = begin(table)

    for client in (app.test_client(), stranger.client, player.client):
        ask = getattr(client, method)
        assert page_bytes(ask("/", environ_overrides={"PATH_INFO": "//admin/"})) == page_bytes(
            ask("/no/such/page")
        )
        for each in (*ADDRESSES, f"/admin/games/{code}"):
            unknown = ask("/no/such/page")
            assert unknown.status_code == 404
            assert page_bytes(ask(each)) == page_bytes(unknown)
            assert bool(ask(each).headers.get("Set-Cookie")) == bool(unknown.headers.get("Set-Cookie"))


def test_operators_must_sign_in_with_their_listed_address(table: Table) -> None:
    """Neither the same person's other address nor a similar one will do."""
    players.add(table.server, "Olga", OLGA, table.clock())
    players.add(table.server, "Olga", "olga@elsewhere.example", table.clock())

    assert signed_in(table, "olga@elsewhere.example").client.get("/admin/").status_code == 404
    assert signed_in(table, f"x{OLGA}").client.get("/admin/").status_code == 404
    browser = signed_in(table)
    assert "Admin" in browser.open("/lobby/")
    assert "Incoming emails to process none" in browser.open("/admin/")
    browser.client.post("/sign-out", data={"csrf": csrf_of(browser)})
    assert browser.client.get("/admin/").status_code == 404


def csrf_of(browser: Browser) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', browser.answer.get_data(as_text=True))
    assert found
    return found[1]


def test_only_operators_see_the_link_to_the_admin_pages(table: Table) -> None:
    assert "/admin" not in signed_in(table, EVE).client.get("/lobby/").get_data(as_text=True)
    assert "/admin/" in signed_in(table).client.get("/lobby/").get_data(as_text=True)


@pytest.mark.parametrize("form", ["/admin/resend", "/admin/mailbox", "/admin/games/{code}"])
def test_a_form_without_the_csrf_token_is_refused(table: Table, form: str) -> None:
    code = begin(table)
    browser = signed_in(table)
    data = {"csrf": "guessed", "deed": "pause", "reason": REASON, "number": "1", "letter": "all"}

    assert browser.client.post(form.format(code=code), data=data).status_code == 400
    with table.server.store.reading() as connection:
        assert connection.execute(select(DecisionRow.id)).all() == []


def test_the_configuration_names_the_operators() -> None:
    environ = {"CORR_DATABASE_URL": "sqlite://", "CORR_MAIL_DOMAIN": "play.example"}
    named = Config.from_env(environ | {"CORR_OPERATORS": " Olga@House.example,, pia@p.example\tq@q.example "})

    assert Config.from_env(environ).operators == frozenset()
    assert named.operators == {"olga@house.example", "pia@p.example", "q@q.example"}
    with pytest.raises(Misconfigured, match="CORR_OPERATORS has 'olga'"):
        Config.from_env(environ | {"CORR_OPERATORS": "olga pia@p.example"})


# ---------------------------------------------------------------- what they never show


@pytest.mark.parametrize("address", [OLGA, ANN])
@pytest.mark.parametrize("variant", ["wild16", "assassin", "rbc"])
def test_refused_orders_change_no_admin_page(table: Table, address: str, variant: str) -> None:
    code = begin(table, variant)
    browser = signed_in(table, address)
    refused = {
        "wild16": ("e7e4", "show", "help", "Rd3"),
        "assassin": ("deploy home", "deploy corner", "deploy Ke1"),
        "rbc": ("sense e4", "sense", "a7a2"),
    }[variant]
    if variant == "wild16":
        table.play("e2e4")
    elif variant == "rbc":
        table.reply(ANN, "sense none; e2e4")
    else:
        table.reply(BEN, "deploy spread")
    before = all_pages(browser, code)

    for text in refused:
        table.reply(BEN, text)
        assert all_pages(browser, code) == before


def test_orders_refused_on_a_page_change_no_admin_page(table: Table) -> None:
    code = begin(table)
    olga, ben = signed_in(table), signed_in(table, BEN)
    table.play("e2e4")
    before = all_pages(olga, code)
    ben.open(f"/games/{code}")
    ben.press("Send to the umpire", orders="e7e4")
    table.run_workers()

    assert "Illegal move" in ben.open(f"/games/{code}")
    assert all_pages(olga, code) == before


def test_twin_games_have_the_same_pages(tmp_path: Path) -> None:
    shown = []
    for number, moves in enumerate((("e2e4", "d7d6", "b1c3"), ("d2d3", "a7a6", "g1h3"))):
        (tmp_path / str(number)).mkdir()
        table = make_table(tmp_path / str(number))
        code = begin(table)
        browser = signed_in(table)
        table.play(*moves)
        browser.open(f"/admin/games/{code}")
        mark = csrf_of(browser).encode()
        shown.append(
            [each.replace(code.encode(), b"CODE").replace(mark, b"MARK") for each in all_pages(browser, code)]
        )
        table.server.store.close()

    one, other = shown
    lengths = re.compile(rb"'Content-Length: \d+'")
    assert [lengths.sub(b"", each) for each in one] == [lengths.sub(b"", each) for each in other]
    assert b"Moves by both sides</dt><dd>3</dd>" in one[3]


def test_no_admin_page_names_a_square_a_piece_or_an_order(table: Table) -> None:
    code = begin(table)
    table.play("e2e4", "d7d5")
    table.reply(ANN, "e4e5")
    pages = " ".join(text_of_page(each.decode()) for each in all_pages(signed_in(table), code))

    assert not re.search(r"\b[a-h][1-8]([a-h][1-8])?\b", pages.replace(code, ""))
    assert not re.search(r"\b(king|queen|rook|bishop|knight|pawn|illegal|check)s?\b", pages, re.IGNORECASE)


def test_no_emails_to_or_from_an_opponent_are_listed(table: Table) -> None:
    """Ann is an operator and plays: an undelivered answer to Ben would show that he wrote."""
    code = begin(table)
    ann, olga = signed_in(table, ANN), signed_in(table)
    table.deliver(table.reply_email(BEN, "e7e5"))
    table.read_emails()
    send_all_due(table, ScriptedMailer([DeliveryFate.NEVER]))
    set_an_email_aside(table, BEN)

    assert f"ben < {BEN}>" not in ann.open("/admin/")
    assert "an answer in a game" not in ann.open("/admin/")
    page = olga.open("/admin/")
    assert f"To ben <{BEN}> : an answer in a game, game {code} ." in page
    assert f"From ben <{BEN}> , game {code}" in page
    assert "We couldn't deliver an email to a player." in page
    assert "We couldn't deliver an email to a player." not in ann.open("/admin/")

    olga.open(f"/admin/games/{code}")
    olga.press("End the game", reason=REASON, end="void")
    table.read_emails()
    assert f"To ben <{BEN}>" in ann.open("/admin/")


def test_the_games_page_hides_the_delivery_of_an_opponents_emails(table: Table) -> None:
    code = begin(table)
    table.deliver(table.reply_email(ANN, "e2e4"))
    table.read_emails()
    send_all_due(table, ScriptedMailer([DeliveryFate.NEVER, DeliveryFate.NEVER]))
    ann, olga = signed_in(table, ANN), signed_in(table)
    address = f"/admin/games/{code}"

    assert "To ben: a turn." in olga.open(address)
    assert "undelivered" in olga.open(address)
    page = ann.open(address)
    assert "To ann: " in page
    assert ("To ben" in page, "undelivered" in page) == (False, False)
    assert "It also leaves out emails to your own opponents" in page
    olga.open(address)
    olga.press("End the game", reason=REASON, end="void")
    table.read_emails()
    assert "To ben: a turn." in ann.open(address)


def set_an_email_aside(table: Table, player: str) -> None:
    """Set an email aside by breaking the truth while it is read; then repair the truth."""
    with table.server.store.writing() as connection:
        intact = truths.load_truth(connection, 1)
        truths.update_truth(connection, 1, b"not a truth")
        connection.execute(update(GameRow).values(turn="black" if player == BEN else "white"))
    table.deliver(table.reply_email(player, "a7a6"))
    for _ in range(6):
        table.read_emails()
        table.clock.advance(hours=1)
    with table.server.store.writing() as connection:
        truths.update_truth(connection, 1, intact)


# ---------------------------------------------------------------- the mail


def test_an_opponents_unread_email_is_not_shown(table: Table) -> None:
    begin(table)
    ann, olga = signed_in(table, ANN), signed_in(table)
    with table.server.store.writing() as connection:
        truths.update_truth(connection, 1, b"not a truth")
    table.deliver(table.reply_email(BEN, "resign resign"))
    for _ in range(3):
        table.read_emails()
        table.clock.advance(minutes=10)
    table.clock.advance(days=3, hours=1)
    signs = ("an email that came earlier is still unread", "We have tried several times")

    assert [each in olga.open("/admin/") for each in signs] == [True, True]
    assert [each in ann.open("/admin/") for each in signs] == [False, False]
    assert "Its time ran out long ago" in ann.open("/admin/")


def test_undelivered_emails_are_listed_and_resent(table: Table) -> None:
    begin(table)
    browser = signed_in(table)
    for text in ("show", "help"):
        table.deliver(table.reply_email(ANN, text))
    table.read_emails()
    send_all_due(table, ScriptedMailer([DeliveryFate.NEVER, DeliveryFate.NEVER]))
    before = len(table.emails_to(ANN))
    table.clock.advance(hours=3)

    page = browser.open("/admin/")
    assert page.count(f"To ann <{ANN}> : an answer in a game") == 2
    assert "because" in page
    assert "Emails we couldn't deliver 2" in page
    assert "The email is queued to be sent again." in browser.press("Resend")
    table.send_emails()
    assert len(table.emails_to(ANN)) == before + 1
    assert "Emails queued to be sent again: 1." in browser.press("Resend all")
    table.send_emails()
    assert len(table.emails_to(ANN)) == before + 2
    assert "Emails we couldn't deliver none" in browser.open("/admin/")


def test_a_second_click_on_resend_sends_no_second_email(table: Table) -> None:
    begin(table)
    browser = signed_in(table)
    table.deliver(table.reply_email(ANN, "show"))
    table.read_emails()
    send_all_due(table, ScriptedMailer([DeliveryFate.NEVER]))
    browser.open("/admin/")
    stale = browser.answer
    browser.press("Resend")
    table.send_emails()
    before = len(table.emails_to(ANN))
    browser.answer = stale

    assert "is no longer waiting to be resent" in browser.press("Resend")
    table.send_emails()
    assert len(table.emails_to(ANN)) == before


def test_undelivered_emails_of_the_site_are_listed_too(table: Table) -> None:
    browser = Browser(app_with_operators(table))
    browser.sign_in_by_email(table, OLGA)
    with table.server.store.writing() as connection:
        dead = update(SiteOutboxRow)
        connection.execute(dead.values(sent_at=None, dead_at=table.clock(), trouble="550 <script>x</script>"))

    page = browser.open("/admin/")
    assert f"To {OLGA} : a sign-in code." in page
    assert "<script>" not in browser.answer.get_data(as_text=True)
    assert "The email is queued to be sent again." in browser.press("Resend")


def test_unreadable_emails_and_bounces_are_listed(table: Table) -> None:
    code = begin(table)
    browser = signed_in(table)
    bounce = table.reply_email(BEN, "No such user", headers="X-Failed-Recipients: ben@b.example")
    table.deliver(bounce)
    table.run_workers()
    set_an_email_aside(table, ANN)

    page = browser.open("/admin/")
    assert f"From ann <{ANN}> , game {code} . Fri 20 Nov 2026, 12:00 UTC" in page
    assert f"ben <{BEN}> : 1 email, last on Fri 20 Nov 2026, 12:00 UTC" in page
    table.clock.advance(days=15)
    assert "ben <" not in browser.open("/admin/").partition("Bounces in the last")[2]


# ---------------------------------------------------------------- games


def test_stuck_games_are_listed_with_the_reason(table: Table) -> None:
    code = begin(table)
    browser = signed_in(table)
    assert "Stuck games None." in browser.open("/admin/")
    with table.server.store.writing() as connection:
        truths.update_truth(connection, 1, b"not a truth")
    table.deliver(table.reply_email(ANN, "e2e4"))
    for _ in range(3):
        table.read_emails()
        table.clock.advance(minutes=10)
    assert "We have tried several times to read an email about it, and failed." in browser.open("/admin/")
    table.clock.advance(days=3, hours=1)
    page = browser.open("/admin/")
    assert "Its time ran out long ago, but nobody lost on time." in page
    assert "Its time has run out, but an email that came earlier is still unread." in page
    assert f"{code} : Wild 16, ann against ben" in page


def test_a_game_is_found_by_its_code_or_by_a_player(table: Table) -> None:
    code = begin(table)
    browser = signed_in(table)

    for asked in (code, f" {code.upper()} ", "ann", "BEN", "be"):
        found = browser.client.get("/admin/games", query_string={"for": asked})
        assert f"/admin/games/{code}" in found.get_data(as_text=True)
    for asked in ("zoe", "%", "_", "\x00", "'; --", "x" * 5000, "\ud800", "<script>alert(1)</script>"):
        found = browser.client.get("/admin/games", query_string={"for": asked.encode("utf-8", "replace")})
        assert found.status_code == 200
        assert "/admin/games/" not in found.get_data(as_text=True)
        assert "<script>" not in found.get_data(as_text=True)


def test_games_are_listed_newest_first(table: Table) -> None:
    browser = signed_in(table)
    assert "Nobody has proposed a game yet." in browser.open("/admin/games")

    codes = [begin(table), begin(table, "rbc")]
    page = browser.open("/admin/games")

    assert re.findall(r"(\w{5}) : ", page) == codes[::-1]


def test_operators_are_warned_while_beat_is_not_running(table: Table) -> None:
    browser = signed_in(table)
    assert "The beat process isn't running" in browser.open("/admin/")

    statistics.record_run(table.server, "sweep", table.clock())
    assert "The beat process isn't running" not in browser.open("/admin/")
    table.clock.advance(minutes=1)
    assert "The beat process isn't running" in browser.open("/admin/")


@pytest.mark.parametrize("code", ["zzzzz", "%00", "x" * 4000, "..", "%e2%80%ae", "1/2"])
def test_an_unknown_game_is_not_found(table: Table, code: str) -> None:
    browser = signed_in(table)

    assert browser.client.get(f"/admin/games/{code}").status_code == 404
    data = {"csrf": csrf_of(browser), "deed": "pause", "reason": REASON, "number": "1"}
    assert browser.client.post(f"/admin/games/{code}", data=data).status_code in (404, 405)


def test_a_game_is_paused_extended_resumed_and_ended(table: Table) -> None:
    code = begin(table)
    browser = signed_in(table)
    browser.open(f"/admin/games/{code}")

    assert "Waiting for a worker." in browser.press("Pause the game", reason=REASON)
    table.run_workers()
    assert "An admin has paused the game." in table.last_text(BEN)
    page = browser.open(f"/admin/games/{code}")
    assert "Paused since Fri 20 Nov 2026, 12:00 UTC" in page
    assert f"An admin has paused the game. Fri 20 Nov 2026, 12:00 UTC Ordered by {OLGA}: pause" in page
    assert "It is paused." in browser.open("/admin/")
    browser.open(f"/admin/games/{code}")
    browser.press("Give more time", reason=REASON, days="5")
    table.run_workers()
    assert "An admin has given White 5 more days." in table.last_text(ANN)
    browser.press("Resume the game", reason=REASON)
    table.run_workers()
    assert "Your turn: reply by Sat 28 Nov 2026, 12:00 UTC." in table.last_text(ANN)
    browser.press("End the game", reason=REASON, end="black")
    table.run_workers()
    page = browser.open(f"/admin/games/{code}")
    assert "Black won: adjudication" in page
    assert "<h2>Actions</h2>" not in browser.client.get(f"/admin/games/{code}").text
    assert "An admin has ended the game. Black wins." in table.last_text(ANN)


def test_the_players_page_shows_the_pause(table: Table) -> None:
    code = begin(table)
    browser, ben = signed_in(table), signed_in(table, BEN)
    browser.open(f"/admin/games/{code}")
    browser.press("Pause the game", reason=REASON)
    table.run_workers()
    table.clock.advance(days=9)

    page = ben.open(f"/games/{code}")
    assert "White is to move. An admin has paused this game, so the clocks are stopped." in page
    assert "An admin has paused the game." in page


def test_a_double_click_and_an_outdated_page_do_nothing(table: Table) -> None:
    code = begin(table)
    browser = signed_in(table)
    browser.open(f"/admin/games/{code}")
    old = browser.answer
    browser.press("Give more time", reason=REASON, days="5")
    for button in ("Give more time", "Pause the game"):
        browser.answer = old
        assert "Something has changed since you opened this page" in browser.press(button, reason=REASON)
    table.run_workers()

    with table.server.store.reading() as connection:
        assert connection.execute(select(DecisionRow.deed, DecisionRow.detail)).all() == [("extend", "5")]
        assert len(connection.execute(select(OutboxRow.id).where(OutboxRow.kind == "decree")).all()) == 2


def test_a_rejected_form_says_why_and_keeps_what_was_typed(table: Table) -> None:
    code = begin(table)
    browser = signed_in(table)
    browser.open(f"/admin/games/{code}")
    first = browser.answer

    assert "Please give a reason: both players will read it." in browser.press("Pause the game", reason="  ")
    browser.answer = first
    assert "yours has 501" in browser.press("End the game", reason="<é" * 250 + "x", end="void")
    typed = browser.answer.get_data(as_text=True)
    assert escape("<é" * 250 + "x") + "</textarea>" in typed
    assert '<option value="void" selected>' in typed
    assert typed.count("&lt;é") == 250
    browser.answer = first
    assert "Please choose how the game ends." in browser.press("End the game", reason=REASON, end="")
    browser.answer = first
    assert "from 1 to 30" in browser.press("Give more time", reason=REASON, days="31")
    with table.server.store.reading() as connection:
        assert connection.execute(select(DecisionRow.id)).all() == []


def test_reasons_and_names_are_escaped_everywhere(table: Table) -> None:
    hostile_reason = "<script>alert(1)</script>\"'&{{ 7*7 }}"
    code = table.challenge(f'"O\'Neil" <{ANN}>')
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    browser = signed_in(table)
    browser.open(f"/admin/games/{code}")
    browser.press("Pause the game", reason=hostile_reason)
    table.run_workers()
    browser.open(f"/admin/games/{code}")

    source = browser.answer.get_data(as_text=True)
    assert "<script>" not in source
    assert "{{ 7*7 }}" in source
    assert hostile_reason in text_of_page(source)
    email = table.last_email(BEN)
    assert "| <script>alert(1)</script>\"'&{{ 7*7 }}" in text_of(email)
    assert "<script>" not in email.get_body(("html",)).get_content()


HOSTILE_VALUES = (
    "",
    "\x00",
    "\u0661",
    "-1",
    "9" * 400,
    "é" * 3000,
    "\u202e",
    "' OR 1=1 --",
    "pause",
    "extend",
)


@pytest.mark.parametrize("field", ["deed", "number", "days", "end", "reason", "letter"])
def test_hostile_form_values_break_no_page(table: Table, field: str) -> None:
    code = begin(table)
    browser = signed_in(table)
    browser.open(f"/admin/games/{code}")
    good = {"csrf": csrf_of(browser), "deed": "extend", "number": "1", "days": "2", "reason": "why"}
    for hostile in HOSTILE_VALUES:
        for form in ("/admin/resend", "/admin/mailbox", f"/admin/games/{code}"):
            answer = browser.client.post(form, data=good | {field: hostile}, follow_redirects=True)
            assert answer.status_code in (200, 400)
    missing = {key: value for key, value in good.items() if key != field}
    for form in ("/admin/resend", "/admin/mailbox", f"/admin/games/{code}"):
        assert browser.client.post(form, data=missing).status_code in (200, 303, 400)
    table.run_workers()
    assert browser.client.get(f"/admin/games/{code}").status_code == 200
