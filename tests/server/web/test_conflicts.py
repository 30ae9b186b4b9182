"""An operator who plays: what an opponent does in private moves no byte of the operators' pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from corr.mail.outward.transport import DeliveryFate
from corr.service import worker_rounds
from corr.service.admin import statistics
from corr.service.mail import game_reader
from corr.store import truths
from tests.support.browser import Browser
from tests.support.moody_transport import Moody, drain
from tests.support.table import ANN, BEN, EVE, Table

OLGA, TOKEN = "olga@house.example", "a long secret of the operator's"
REASON = "The mail was away."


def pages_of(table: Table) -> Flask:
    return table.app(None, TOKEN, OLGA, ANN)


def begin(table: Table) -> str:
    code = table.challenge()
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    table.play("e2e4")
    return code


def let_in(app: Flask, table: Table, address: str, name: str = "") -> Browser:
    browser = Browser(app)
    browser.sign_in(table, address, name)
    return browser


def told(browser: Browser, code: str) -> list[bytes]:
    addresses = ("/admin/", "/admin/games", "/admin/games?for=ben", f"/admin/games/{code}")
    with_token = {"Authorization": f"Bearer {TOKEN}"}
    figures = [whole(browser.client.get(path, headers=with_token)) for path in ("/metrics", "/healthz")]
    return [whole(browser.client.get(address)) for address in addresses] + figures


def whole(answer: TestResponse) -> bytes:
    heads = [f"{name}: {value}" for name, value in answer.headers if name not in ("Set-Cookie", "Date")]
    return f"{answer.status} {heads}".encode() + answer.data


def his_letter_waits(table: Table) -> None:
    table.post(table.letter(BEN, "e7e4"))


def his_try_is_refused_and_the_answer_waits(table: Table) -> None:
    table.post(table.letter(BEN, "e7e4"))
    table.read()


def the_answer_to_his_try_is_put_off(table: Table) -> None:
    his_try_is_refused_and_the_answer_waits(table)
    drain(table, Moody([DeliveryFate.LATER]))


def the_answer_to_his_try_is_given_up(table: Table) -> None:
    his_try_is_refused_and_the_answer_waits(table)
    drain(table, Moody([DeliveryFate.NEVER]))


def his_letter_breaks_the_reader(table: Table) -> None:
    with table.server.store.writing() as connection:
        whole = truths.load_truth(connection, 1)
        truths.update_truth(connection, 1, b"not a truth")
    table.post(table.letter(BEN, "a7a6"))
    game_reader.read_some(table.server, table.clock())
    with table.server.store.writing() as connection:
        truths.update_truth(connection, 1, whole)


def his_mail_comes_back(table: Table) -> None:
    table.post(table.letter(BEN, "No such user", headers="X-Failed-Recipients: ben@b.example"))
    table.work()


def he_writes_to_the_house(table: Table) -> None:
    table.post(table.unasked(BEN, "help"))


def the_house_cannot_answer_him(table: Table) -> None:
    table.post(table.unasked(BEN, "help"))
    table.read()
    drain(table, Moody([DeliveryFate.NEVER]))


def he_asks_to_be_let_in(table: Table) -> None:
    browser = Browser(pages_of(table))
    browser.open("/sign-in")
    browser.press("Email me a code", address=BEN)
    table.read()


def he_names_another_address(table: Table) -> None:
    browser = Browser(pages_of(table))
    browser.open("/sign-in")
    browser.press("Email me a code", address="ben@elsewhere.example")
    table.read()


@pytest.mark.parametrize(
    "deed",
    [
        his_letter_waits,
        his_try_is_refused_and_the_answer_waits,
        the_answer_to_his_try_is_put_off,
        the_answer_to_his_try_is_given_up,
        his_letter_breaks_the_reader,
        his_mail_comes_back,
        he_writes_to_the_house,
        the_house_cannot_answer_him,
        he_asks_to_be_let_in,
        he_names_another_address,
    ],
    ids=lambda deed: deed.__name__,
)
def test_what_an_opponent_does_in_private_changes_no_page(
    table: Table, deed: Callable[[Table], None]
) -> None:
    code = begin(table)
    ann = let_in(pages_of(table), table, ANN)
    before = told(ann, code)

    deed(table)

    assert told(ann, code) == before
    table.clock.pass_by(days=1)
    later = told(ann, code)[-2:]
    assert later == before[-2:]


def test_a_page_that_an_opponent_opens_changes_none(table: Table) -> None:
    code = begin(table)
    app = pages_of(table)
    ann, ben = let_in(app, table, ANN), let_in(app, table, BEN)
    before = told(ann, code)

    ben.open(f"/games/{code}")
    ben.send("e7e4")

    assert told(ann, code) == before


def test_the_house_tells_who_plays_no_opponents_game_with_others_either(table: Table) -> None:
    """When a person is at the mailbox is told by whatever they write there."""
    code = begin(table)
    other = table.challenge(BEN, EVE)
    table.reply(EVE, "accept")
    table.reply(BEN, "accept")
    ann, olga = (let_in(pages_of(table), table, each) for each in (ANN, OLGA))
    before = told(ann, code), told(ann, other)

    table.post(table.letter(BEN, "e7e5 e2e4"))
    table.read()
    drain(table, Moody([DeliveryFate.NEVER]))

    assert (told(ann, code), told(ann, other)) == before
    assert "Emails we couldn't deliver 1" in olga.open("/admin/")


def test_when_an_opponent_opened_the_page_of_another_game_is_not_told(table: Table) -> None:
    """Its time began then, where its letter was late."""
    begin(table)
    ann, olga, ben = (let_in(pages_of(table), table, each) for each in (ANN, OLGA, BEN))
    other = table.challenge(BEN, EVE)
    table.reply(EVE, "accept")
    table.post(table.letter(BEN, "accept"))
    table.read()
    table.clock.pass_by(hours=2)
    worker_rounds.sweep(table.server, table.clock())
    before = [each.open(f"/admin/games/{other}") for each in (ann, olga)]

    ben.open(f"/games/{other}")
    worker_rounds.sweep(table.server, table.clock())
    after = [each.open(f"/admin/games/{other}") for each in (ann, olga)]

    assert after[0] == before[0]
    assert after[1] != before[1]


def test_everything_is_sent_again_but_what_an_opponent_would_get(table: Table) -> None:
    begin(table)
    ann, olga = (let_in(pages_of(table), table, each) for each in (ANN, OLGA))
    table.post(table.letter(BEN, "e7e4"))
    table.read()
    drain(table, Moody([DeliveryFate.NEVER]))
    ann.open("/admin/")

    assert "Emails queued to be sent again: 0." in ann.press("Resend all")
    olga.open("/admin/")
    assert "Emails queued to be sent again: 1." in olga.press("Resend all")


def test_a_letter_to_an_opponent_is_not_sent_again_by_its_mark(table: Table) -> None:
    begin(table)
    ann, olga = (let_in(pages_of(table), table, each) for each in (ANN, OLGA))
    table.post(table.letter(BEN, "e7e4"))
    table.read()
    drain(table, Moody([DeliveryFate.NEVER]))
    olga.open("/admin/")
    ann.open("/admin/")
    mark = olga.answer.get_data(as_text=True).partition('name="letter" value="')[2].partition('"')[0]

    assert "is no longer in the queue to be sent again" in ann.press("Resend all", letter=mark)
    assert "The email is queued to be sent again." in olga.press("Resend")


def test_ones_own_letters_are_counted_still_and_all_when_the_game_is_over(table: Table) -> None:
    begin(table)
    ann = let_in(pages_of(table), table, ANN)
    table.post(table.letter(ANN, "show"))
    table.post(table.letter(BEN, "show"))

    assert "Incoming emails to process 1, the oldest" in ann.open("/admin/")
    table.work()
    table.reply(BEN, "resign resign")
    table.post(table.letter(BEN, "show"))
    assert "Incoming emails to process 1, the oldest" in ann.open("/admin/")


def test_nothing_is_decreed_in_ones_own_game(table: Table) -> None:
    code = begin(table)
    ann, olga = (let_in(pages_of(table), table, each) for each in (ANN, OLGA))
    page = ann.open(f"/admin/games/{code}")
    assert "You're playing this game, so another admin has to decide." in page
    assert "End the game" not in page
    ann.open("/admin/")
    form = {"csrf": ann.csrf, "deed": "pause", "number": "1", "reason": REASON}

    refused = ann.client.post(f"/admin/games/{code}", data=form)

    assert "so another admin has to decide. Nothing was changed." in refused.get_data(as_text=True)
    table.work()
    assert "Decreed" not in table.says(BEN)
    olga.open(f"/admin/games/{code}")
    assert "Waiting for a worker." in olga.press("Pause the game", reason=REASON)


def test_the_last_sweep_is_told_in_minutes(table: Table) -> None:
    olga = let_in(pages_of(table), table, OLGA)
    statistics.record_run(table.server, "sweep", table.clock())
    table.clock.pass_by(seconds=1)
    early = whole(olga.client.get("/admin/"))
    table.clock.pass_by(seconds=58)

    assert whole(olga.client.get("/admin/")) == early
    assert "Deadlines last checked less than a minute ago" in olga.open("/admin/")
