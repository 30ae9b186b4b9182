"""An operator who plays: an opponent's private acts change no byte of the admin pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from corr.mail.outward.transport import DeliveryFate
from corr.service import worker_rounds
from corr.service.admin import statistics
from corr.service.mail import game_reader
from corr.store import truths
from tests.server.web.test_admin import begin as begin_game
from tests.server.web.test_admin import page_bytes
from tests.support.browser import Browser
from tests.support.moody_transport import ScriptedMailer, send_all_due
from tests.support.table import ANN, BEN, EVE, Table

OLGA, TOKEN = "olga@house.example", "a long secret of the operator's"
REASON = "The mail was away."


def app_with_operators(table: Table) -> Flask:
    return table.app(None, TOKEN, OLGA, ANN)


def begin(table: Table) -> str:
    code = begin_game(table)
    table.play("e2e4")
    return code


def signed_in(app: Flask, table: Table, address: str, name: str = "") -> Browser:
    browser = Browser(app)
    browser.sign_in(table, address, name)
    return browser


def pages(browser: Browser, code: str) -> list[bytes]:
    addresses = ("/admin/", "/admin/games", "/admin/games?for=ben", f"/admin/games/{code}")
    with_token = {"Authorization": f"Bearer {TOKEN}"}
    figures = [page_bytes(browser.client.get(path, headers=with_token)) for path in ("/metrics", "/healthz")]
    return [page_bytes(browser.client.get(address)) for address in addresses] + figures


def his_email_is_unread(table: Table) -> None:
    table.deliver(table.reply_email(BEN, "e7e4"))


def his_try_is_refused_and_the_answer_is_unsent(table: Table) -> None:
    table.deliver(table.reply_email(BEN, "e7e4"))
    table.read_emails()


def the_answer_to_his_try_is_delayed(table: Table) -> None:
    his_try_is_refused_and_the_answer_is_unsent(table)
    send_all_due(table, ScriptedMailer([DeliveryFate.LATER]))


def the_answer_to_his_try_is_undeliverable(table: Table) -> None:
    his_try_is_refused_and_the_answer_is_unsent(table)
    send_all_due(table, ScriptedMailer([DeliveryFate.NEVER]))


def his_email_cannot_be_read(table: Table) -> None:
    with table.server.store.writing() as connection:
        intact = truths.load_truth(connection, 1)
        truths.update_truth(connection, 1, b"not a truth")
    table.deliver(table.reply_email(BEN, "a7a6"))
    game_reader.read_some(table.server, table.clock())
    with table.server.store.writing() as connection:
        truths.update_truth(connection, 1, intact)


def an_email_to_him_bounces(table: Table) -> None:
    table.deliver(table.reply_email(BEN, "No such user", headers="X-Failed-Recipients: ben@b.example"))
    table.run_workers()


def he_writes_to_the_site(table: Table) -> None:
    table.deliver(table.site_email(BEN, "help"))


def the_answer_of_the_site_is_undeliverable(table: Table) -> None:
    table.deliver(table.site_email(BEN, "help"))
    table.read_emails()
    send_all_due(table, ScriptedMailer([DeliveryFate.NEVER]))


def he_asks_to_sign_in(table: Table) -> None:
    browser = Browser(app_with_operators(table))
    browser.open("/sign-in")
    browser.press("Email me a code", address=BEN)
    table.read_emails()


def he_enters_another_address(table: Table) -> None:
    browser = Browser(app_with_operators(table))
    browser.open("/sign-in")
    browser.press("Email me a code", address="ben@elsewhere.example")
    table.read_emails()


@pytest.mark.parametrize(
    "act",
    [
        his_email_is_unread,
        his_try_is_refused_and_the_answer_is_unsent,
        the_answer_to_his_try_is_delayed,
        the_answer_to_his_try_is_undeliverable,
        his_email_cannot_be_read,
        an_email_to_him_bounces,
        he_writes_to_the_site,
        the_answer_of_the_site_is_undeliverable,
        he_asks_to_sign_in,
        he_enters_another_address,
    ],
    ids=lambda act: act.__name__,
)
def test_an_opponents_private_act_changes_no_page(table: Table, act: Callable[[Table], None]) -> None:
    code = begin(table)
    ann = signed_in(app_with_operators(table), table, ANN)
    before = pages(ann, code)

    act(table)

    assert pages(ann, code) == before
    table.clock.advance(days=1)
    later = pages(ann, code)[-2:]
    assert later == before[-2:]


def test_an_opponents_orders_on_a_page_change_no_admin_page(table: Table) -> None:
    code = begin(table)
    app = app_with_operators(table)
    ann, ben = signed_in(app, table, ANN), signed_in(app, table, BEN)
    before = pages(ann, code)

    ben.open(f"/games/{code}")
    ben.send("e7e4")

    assert pages(ann, code) == before


def test_an_opponents_acts_in_other_games_are_hidden_too(table: Table) -> None:
    """Any email that the opponent writes shows when they were at their mailbox."""
    code = begin(table)
    other = table.challenge(BEN, EVE)
    table.reply(EVE, "accept")
    table.reply(BEN, "accept")
    ann, olga = (signed_in(app_with_operators(table), table, each) for each in (ANN, OLGA))
    before = pages(ann, code), pages(ann, other)

    table.deliver(table.reply_email(BEN, "e7e5 e2e4"))
    table.read_emails()
    send_all_due(table, ScriptedMailer([DeliveryFate.NEVER]))

    assert (pages(ann, code), pages(ann, other)) == before
    assert "Emails we couldn't deliver 1" in olga.open("/admin/")


def test_when_an_opponent_opened_another_games_page_is_hidden(table: Table) -> None:
    """The email was late, so the turn's clock starts when its page is opened."""
    begin(table)
    ann, olga, ben = (signed_in(app_with_operators(table), table, each) for each in (ANN, OLGA, BEN))
    other = table.challenge(BEN, EVE)
    table.reply(EVE, "accept")
    table.deliver(table.reply_email(BEN, "accept"))
    table.read_emails()
    table.clock.advance(hours=2)
    worker_rounds.sweep(table.server, table.clock())
    before = [each.open(f"/admin/games/{other}") for each in (ann, olga)]

    ben.open(f"/games/{other}")
    worker_rounds.sweep(table.server, table.clock())
    after = [each.open(f"/admin/games/{other}") for each in (ann, olga)]

    assert after[0] == before[0]
    assert after[1] != before[1]


def test_resend_all_skips_emails_to_an_opponent(table: Table) -> None:
    begin(table)
    ann, olga = (signed_in(app_with_operators(table), table, each) for each in (ANN, OLGA))
    the_answer_to_his_try_is_undeliverable(table)
    ann.open("/admin/")

    assert "Emails queued to be sent again: 0." in ann.press("Resend all")
    olga.open("/admin/")
    assert "Emails queued to be sent again: 1." in olga.press("Resend all")


def test_an_email_to_an_opponent_cannot_be_resent_by_its_id(table: Table) -> None:
    begin(table)
    ann, olga = (signed_in(app_with_operators(table), table, each) for each in (ANN, OLGA))
    the_answer_to_his_try_is_undeliverable(table)
    olga.open("/admin/")
    ann.open("/admin/")
    email_id = olga.answer.get_data(as_text=True).partition('name="letter" value="')[2].partition('"')[0]

    assert "is no longer waiting to be resent" in ann.press("Resend all", letter=email_id)
    assert "The email is queued to be sent again." in olga.press("Resend")


def test_own_emails_are_counted_and_all_emails_once_the_game_is_over(table: Table) -> None:
    begin(table)
    ann = signed_in(app_with_operators(table), table, ANN)
    table.deliver(table.reply_email(ANN, "show"))
    table.deliver(table.reply_email(BEN, "show"))

    assert "Incoming emails to process 1, the oldest" in ann.open("/admin/")
    table.run_workers()
    table.reply(BEN, "resign resign")
    table.deliver(table.reply_email(BEN, "show"))
    assert "Incoming emails to process 1, the oldest" in ann.open("/admin/")


def test_operators_cannot_moderate_their_own_game(table: Table) -> None:
    code = begin(table)
    ann, olga = (signed_in(app_with_operators(table), table, each) for each in (ANN, OLGA))
    page = ann.open(f"/admin/games/{code}")
    assert "You're playing this game, so another admin has to decide." in page
    assert "End the game" not in page
    ann.open("/admin/")
    form = {"csrf": ann.csrf, "deed": "pause", "number": "1", "reason": REASON}

    refused = ann.client.post(f"/admin/games/{code}", data=form)

    assert "so another admin has to decide. Nothing was changed." in refused.get_data(as_text=True)
    table.run_workers()
    assert "Decreed" not in table.last_text(BEN)
    olga.open(f"/admin/games/{code}")
    assert "Waiting for a worker." in olga.press("Pause the game", reason=REASON)


def test_the_last_sweep_is_shown_in_minutes(table: Table) -> None:
    olga = signed_in(app_with_operators(table), table, OLGA)
    statistics.record_run(table.server, "sweep", table.clock())
    table.clock.advance(seconds=1)
    early = page_bytes(olga.client.get("/admin/"))
    table.clock.advance(seconds=58)

    assert page_bytes(olga.client.get("/admin/")) == early
    assert "Deadlines last checked less than a minute ago" in olga.open("/admin/")
