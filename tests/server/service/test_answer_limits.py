"""Limits on our answers: per hour for all emails, per day for those that do nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import func, select

from corr import limits
from corr.config import Config
from corr.store.tables import ChallengeRow, OrderRow
from corr.words.errors import Misconfigured
from tests.support.table import ANN, BEN, EVE, Table, text_of, unwrap

LAST_OF_THE_HOUR = "We send only so many answers an hour"
LAST_OF_THE_DAY = "This is today's last answer"
PROSE = "Thank you for your letter, it was a pleasure to read."


def count_orders(table: Table) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(OrderRow)).scalar_one()


def answers(table: Table, text: str, times: int, *, sender: str = "") -> int:
    """How many emails Ann gets in answer to so many of the same text."""
    before = len(table.emails_to(ANN))
    answered = table.last_email(ANN)
    for _ in range(times):
        table.deliver(table.reply_email(ANN, text, to=answered, sender=sender))
    table.run_workers()
    return len(table.emails_to(ANN)) - before


def test_twenty_answers_an_hour_and_the_last_one_says_so(table: Table) -> None:
    table.begin()
    answered = table.last_email(ANN)
    table.clock.advance(hours=2)

    assert answers(table, "show", 41) == 20
    said = [LAST_OF_THE_HOUR in str(each) for each in table.emails_to(ANN)[-20:]]
    assert said == [False] * 19 + [True]

    table.clock.advance(hours=2)
    table.reply(ANN, "show", to=answered)
    assert "Here is your board." in table.last_text(ANN)


def test_the_operator_may_allow_more_or_fewer(table: Table) -> None:
    table.begin()
    table.clock.advance(hours=2)

    generous = replace(table, server=replace(table.server, answers_an_hour=25))

    assert answers(generous, "show", 41) == 25


@pytest.mark.parametrize("text", ["none", "0", "-1", "2.5", "99999999"])
def test_a_bad_number_of_answers_is_refused_at_the_start(text: str) -> None:
    settings = {
        "CORR_DATABASE_URL": "sqlite://",
        "CORR_MAIL_DOMAIN": "p.example",
        "CORR_ANSWERS_AN_HOUR": text,
    }
    with pytest.raises(Misconfigured, match="CORR_ANSWERS_AN_HOUR"):
        Config.from_env(settings)


def test_orders_still_act_after_the_last_answer(table: Table) -> None:
    table.begin()
    table.clock.advance(hours=2)
    answers(table, "show", 25)
    emails = len(table.emails_to(ANN))

    table.reply(ANN, "e2e4")

    assert len(table.emails_to(ANN)) == emails
    assert "Your turn: reply by" in table.last_text(BEN)
    table.reply(BEN, "e7e5")
    assert "Your turn: reply by" in table.last_text(ANN)


def test_the_end_of_a_game_is_emailed_whatever_the_limit(table: Table) -> None:
    table.begin()
    table.clock.advance(hours=2)
    answers(table, "show", 25)

    table.reply(ANN, "resign resign")
    assert "The game is over" in table.last_text(ANN)

    emails = len(table.emails_to(ANN))
    table.reply(ANN, "show")
    assert len(table.emails_to(ANN)) == emails


def test_an_email_to_an_old_address_is_answered_whatever_the_limit(table: Table) -> None:
    table.begin()
    table.clock.advance(hours=2)
    newest = table.last_email(ANN)
    answers(table, "show", 25)
    table.reply(ANN, "new address", to=newest)

    table.reply(ANN, "e2e4", to=newest)

    assert "your old reply address for this game, so I did nothing" in table.last_text(ANN)
    table.reply(ANN, "e2e4")
    assert "Your turn: reply by" in table.last_text(BEN)


def test_an_email_in_a_players_name_is_reported_whatever_the_limit(table: Table) -> None:
    table.begin()
    table.clock.advance(hours=2)
    answers(table, "show", 25)

    assert answers(table, "e2e4", 9, sender=EVE) == 1


def test_repeated_orders_do_nothing_even_if_the_first_were_not_answered(table: Table) -> None:
    table.begin()
    table.clock.advance(hours=2)
    newest = table.last_email(ANN)
    answers(table, "show", 25)
    table.reply(ANN, "e2e4", to=newest)
    table.clock.advance(hours=2)

    table.reply(ANN, "e2e4", to=newest)

    assert "You sent these orders before" in table.last_text(ANN)
    assert "Your move has been made." in table.last_text(ANN)
    assert count_orders(table) == 1


def test_twenty_emails_a_day_that_do_nothing_are_answered(table: Table) -> None:
    table.begin()
    table.clock.advance(hours=2)
    answered = table.last_email(ANN)
    counts = []
    for _ in range(6):
        counts.append(answers(table, PROSE, 4) + answers(table, "Nf3", 1))
        table.clock.advance(hours=2)

    assert counts == [5, 5, 5, 5, 0, 0]
    assert LAST_OF_THE_DAY in table.last_text(ANN)

    table.reply(ANN, "show", to=answered)
    assert "Here is your board." in table.last_text(ANN)
    table.clock.advance(days=1)
    assert answers(table, PROSE, 1) == 1


def test_emails_from_other_addresses_are_reported_once_a_day(table: Table) -> None:
    table.begin()

    assert answers(table, "e2e4", 9, sender=EVE) == 1
    assert "We tell you about such emails at most once a day." in table.last_text(ANN)
    table.clock.advance(hours=23)
    assert answers(table, "d2d4", 9, sender=BEN) == 0
    table.clock.advance(hours=2)
    assert answers(table, "e2e4", 9, sender=EVE) == 1
    assert count_orders(table) == 0


def test_emails_from_strangers_do_not_use_up_the_players_own_answers(table: Table) -> None:
    table.begin()
    table.clock.advance(hours=2)
    answers(table, "e2e4", 30, sender=EVE)

    assert answers(table, PROSE, 18) == 18


# ---------------------------------------------------------------- emails to the site

LAST_OF_THE_SITE = "We send only so many answers a day, and this is the last one for a while."
UNCONFIRMED = "An order that you'd have to confirm does nothing, because we can't ask you."


def site_answers(
    table: Table, text: str, times: int, *, player: str = ANN, vouched: bool = True
) -> list[str]:
    """The answers to so many emails of the same text to the site's address."""
    before = len(table.emails_to(player))
    for _ in range(times):
        table.write_to_site(player, text, vouched=vouched)
    return [unwrap(text_of(each)) for each in table.emails_to(player)[before:]]


def count_offers(table: Table) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(ChallengeRow)).scalar_one()


def test_the_last_answer_of_the_site_says_so_and_orders_act_without_one(table: Table) -> None:
    table.begin()
    table.reply(ANN, "zone Europe/Paris")

    said = site_answers(table, "help", 20)

    assert [LAST_OF_THE_SITE in each for each in said] == [False] * 19 + [True]
    assert "Your orders still work as always; we just won't answer them." in said[-1]
    assert UNCONFIRMED not in said[-1]
    assert site_answers(table, "seek wild16\nhelp", 1) == []
    assert count_offers(table) == 1
    assert site_answers(table, "seek wild16\nNf3 to the umpire", 1) == [], "an unclear line stops the email"
    assert count_offers(table) == 1
    assert site_answers(table, "seek wild16", 30) == []
    assert count_offers(table) == limits.CHALLENGES_AT_ONCE, "the other limits hold"

    table.clock.advance(hours=25)
    assert [LAST_OF_THE_SITE in each for each in site_answers(table, "help", 2)] == [False, False]


def test_replies_to_the_site_have_a_last_answer_of_their_own(table: Table) -> None:
    table.begin()
    table.write_to_site(ANN, "help")
    answered = table.last_email(ANN)
    before = len(table.emails_to(ANN))
    for _ in range(51):
        table.reply(ANN, "games", to=answered)

    said = [LAST_OF_THE_SITE in unwrap(text_of(each)) for each in table.emails_to(ANN)[before:]]
    assert said == [False] * 49 + [True]
    table.reply(ANN, "seek wild16", to=answered)
    assert len(table.emails_to(ANN)) == before + 50
    assert count_offers(table) == 1


def test_the_last_answer_tells_an_unconfirmed_sender_that_orders_stop_working(table: Table) -> None:
    said = site_answers(table, "help", 20, player=EVE)

    assert said[-1].count(LAST_OF_THE_SITE) == 1
    assert UNCONFIRMED in said[-1]
    assert site_answers(table, "seek wild16", 1, player=EVE) == []
    assert count_offers(table) == 0


def test_the_last_answer_to_unverified_emails_says_so(table: Table) -> None:
    table.begin()

    said = site_answers(table, "help", 9, vouched=False)

    last = "This is today's last answer to emails that may not be yours: we send at most 5 of those a day."
    assert [last in each for each in said] == [False] * 4 + [True]
    assert site_answers(table, "seek wild16", 1, vouched=False) == []
    assert count_offers(table) == 0
    assert len(site_answers(table, "help", 1)) == 1, "the player's own emails are answered"
