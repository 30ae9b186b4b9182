"""Answers have an end: by the hour for whatever is written, by the day for what does nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import func, select

from corr import limits
from corr.config import Config
from corr.store.tables import ChallengeRow, OrderRow
from corr.words.errors import Misconfigured
from tests.support.table import ANN, BEN, EVE, Table, flat, text_of

LAST_OF_THE_HOUR = "We send only so many answers an hour"
LAST_OF_THE_DAY = "This is today's last answer"
PROSE = "Thank you for your letter, it was a pleasure to read."


def orders(table: Table) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(OrderRow)).scalar_one()


def answers(table: Table, text: str, times: int, *, sender: str = "") -> int:
    """How many letters a player gets for so many of the same text."""
    before = len(table.letters(ANN))
    answered = table.newest(ANN)
    for _ in range(times):
        table.post(table.letter(ANN, text, to=answered, sender=sender))
    table.work()
    return len(table.letters(ANN)) - before


def test_twenty_answers_an_hour_and_the_last_one_says_so(table: Table) -> None:
    table.begin()
    answered = table.newest(ANN)
    table.clock.pass_by(hours=2)

    assert answers(table, "show", 41) == 20
    said = [LAST_OF_THE_HOUR in str(each) for each in table.letters(ANN)[-20:]]
    assert said == [False] * 19 + [True]

    table.clock.pass_by(hours=2)
    table.reply(ANN, "show", to=answered)
    assert "Here is your board." in table.says(ANN)


def test_the_operator_may_allow_more_or_fewer(table: Table) -> None:
    table.begin()
    table.clock.pass_by(hours=2)

    patient = replace(table, server=replace(table.server, answers_an_hour=25))

    assert answers(patient, "show", 41) == 25


@pytest.mark.parametrize("text", ["none", "0", "-1", "2.5", "99999999"])
def test_what_is_no_number_of_answers_is_told_at_once(text: str) -> None:
    settings = {
        "CORR_DATABASE_URL": "sqlite://",
        "CORR_MAIL_DOMAIN": "p.example",
        "CORR_ANSWERS_AN_HOUR": text,
    }
    with pytest.raises(Misconfigured, match="CORR_ANSWERS_AN_HOUR"):
        Config.from_env(settings)


def test_what_is_written_after_that_acts_and_the_other_side_notices_nothing(table: Table) -> None:
    table.begin()
    table.clock.pass_by(hours=2)
    answers(table, "show", 25)
    letters = len(table.letters(ANN))

    table.reply(ANN, "e2e4")

    assert len(table.letters(ANN)) == letters
    assert "Your turn: reply by" in table.says(BEN)
    table.reply(BEN, "e7e5")
    assert "Your turn: reply by" in table.says(ANN)


def test_the_end_of_a_game_is_told_however_much_was_written_before(table: Table) -> None:
    table.begin()
    table.clock.pass_by(hours=2)
    answers(table, "show", 25)

    table.reply(ANN, "resign resign")
    assert "The game is over" in table.says(ANN)

    letters = len(table.letters(ANN))
    table.reply(ANN, "show")
    assert len(table.letters(ANN)) == letters


def test_that_an_address_is_void_is_told_however_much_was_written_before(table: Table) -> None:
    table.begin()
    table.clock.pass_by(hours=2)
    newest = table.newest(ANN)
    answers(table, "show", 25)
    table.reply(ANN, "new address", to=newest)

    table.reply(ANN, "e2e4", to=newest)

    assert "your old reply address for this game, so I did nothing" in table.says(ANN)
    table.reply(ANN, "e2e4")
    assert "Your turn: reply by" in table.says(BEN)


def test_of_a_letter_in_their_name_the_owner_is_told_however_much_was_written_before(table: Table) -> None:
    table.begin()
    table.clock.pass_by(hours=2)
    answers(table, "show", 25)

    assert answers(table, "e2e4", 9, sender=EVE) == 1


def test_the_same_orders_again_do_nothing_though_the_first_were_not_answered(table: Table) -> None:
    table.begin()
    table.clock.pass_by(hours=2)
    newest = table.newest(ANN)
    answers(table, "show", 25)
    table.reply(ANN, "e2e4", to=newest)
    table.clock.pass_by(hours=2)

    table.reply(ANN, "e2e4", to=newest)

    assert "You sent these orders before" in table.says(ANN)
    assert "Your move has been made." in table.says(ANN)
    assert orders(table) == 1


def test_twenty_letters_a_day_that_do_nothing_are_answered_and_then_none_till_tomorrow(table: Table) -> None:
    table.begin()
    table.clock.pass_by(hours=2)
    answered = table.newest(ANN)
    got = []
    for _ in range(6):
        got.append(answers(table, PROSE, 4) + answers(table, "Nf3", 1))
        table.clock.pass_by(hours=2)

    assert got == [5, 5, 5, 5, 0, 0]
    assert LAST_OF_THE_DAY in table.says(ANN)

    table.reply(ANN, "show", to=answered)
    assert "Here is your board." in table.says(ANN)
    table.clock.pass_by(days=1)
    assert answers(table, PROSE, 1) == 1


def test_of_letters_from_other_addresses_the_owner_is_told_once_a_day(table: Table) -> None:
    table.begin()

    assert answers(table, "e2e4", 9, sender=EVE) == 1
    assert "We tell you about such emails at most once a day." in table.says(ANN)
    table.clock.pass_by(hours=23)
    assert answers(table, "d2d4", 9, sender=BEN) == 0
    table.clock.pass_by(hours=2)
    assert answers(table, "e2e4", 9, sender=EVE) == 1
    assert orders(table) == 0


def test_what_strangers_send_uses_up_nothing_of_the_players_own(table: Table) -> None:
    table.begin()
    table.clock.pass_by(hours=2)
    answers(table, "e2e4", 30, sender=EVE)

    assert answers(table, PROSE, 18) == 18


# ---------------------------------------------------------------- emails to the site

LAST_OF_THE_SITE = "We send only so many answers a day, and this is the last one for a while."
UNCONFIRMED = "An order that you'd have to confirm does nothing, because we can't ask you."


def site_answers(
    table: Table, text: str, times: int, *, player: str = ANN, vouched: bool = True
) -> list[str]:
    """What a player is answered to so many emails of the same text to the site's address."""
    before = len(table.letters(player))
    for _ in range(times):
        table.write(player, text, vouched=vouched)
    return [flat(text_of(each)) for each in table.letters(player)[before:]]


def offers(table: Table) -> int:
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
    assert offers(table) == 1
    assert site_answers(table, "seek wild16\nNf3 to the umpire", 1) == [], "an unclear line stops it"
    assert offers(table) == 1
    assert site_answers(table, "seek wild16", 30) == []
    assert offers(table) == limits.CHALLENGES_AT_ONCE, "the other limits hold"

    table.clock.pass_by(hours=25)
    assert [LAST_OF_THE_SITE in each for each in site_answers(table, "help", 2)] == [False, False]


def test_replies_to_the_site_have_a_last_answer_of_their_own(table: Table) -> None:
    table.begin()
    table.write(ANN, "help")
    answered = table.newest(ANN)
    before = len(table.letters(ANN))
    for _ in range(51):
        table.reply(ANN, "games", to=answered)

    said = [LAST_OF_THE_SITE in flat(text_of(each)) for each in table.letters(ANN)[before:]]
    assert said == [False] * 49 + [True]
    table.reply(ANN, "seek wild16", to=answered)
    assert len(table.letters(ANN)) == before + 50
    assert offers(table) == 1


def test_a_sender_who_would_have_to_confirm_is_told_that_it_does_nothing_any_more(table: Table) -> None:
    said = site_answers(table, "help", 20, player=EVE)

    assert said[-1].count(LAST_OF_THE_SITE) == 1
    assert UNCONFIRMED in said[-1]
    assert site_answers(table, "seek wild16", 1, player=EVE) == []
    assert offers(table) == 0


def test_the_last_answer_to_emails_that_nobody_vouches_for_says_so(table: Table) -> None:
    table.begin()

    said = site_answers(table, "help", 9, vouched=False)

    last = "This is today's last answer to emails that may not be yours: we send at most 5 of those a day."
    assert [last in each for each in said] == [False] * 4 + [True]
    assert site_answers(table, "seek wild16", 1, vouched=False) == []
    assert offers(table) == 0
    assert len(site_answers(table, "help", 1)) == 1, "the player's own are answered"
