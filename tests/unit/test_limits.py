"""Where a limit is told in words, they say what the limit is: change both, and the row here."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from corr import limits
from corr.game.rating import PROVISIONAL
from corr.notifications.client import WebhookClient
from corr.orders import conflicts
from corr.service.lobby import terms
from tests.support.docs import PAGES

TEMPLATES = Path(__file__).parents[2] / "templates" / "en"
SENTENCES = "sentences.toml"

#: A file, what it says, and the limit of which it says so with what that is in figures.
WORDED = [
    (SENTENCES, "we open at most a million bytes", limits.LETTER_BYTES, 1_000_000),
    (SENTENCES, "more than 5,000 lines, the most we read", limits.LETTER_LINES, 5_000),
    (SENTENCES, "more than ten minutes ago", limits.RECENT_SIGN_IN, timedelta(minutes=10)),
    (SENTENCES, "You have five addresses, the maximum", limits.ADDRESSES, 5),
    (SENTENCES, "You've added five addresses in the last 24 hours", limits.ADDRESSES_A_DAY, 5),
    (SENTENCES, "You've sent five challenges in the last 24 hours", limits.CHALLENGES_A_DAY, 5),
    (SENTENCES, "or is more than five minutes old", limits.WEBHOOK_SIGNATURE_LIFE, timedelta(minutes=5)),
    ("web/settings.html", "You can change it three times a day", limits.NAMES_A_DAY, 3),
    (
        "web/confirm_with_passkey.html",
        "You have five minutes",
        limits.PASSKEY_CHALLENGE_LIFE,
        timedelta(minutes=5),
    ),
    ("web/admin.html", "Bounces in the last two weeks", limits.PROBLEMS_PERIOD, timedelta(days=14)),
    (SENTENCES, "didn't answer within ten seconds", WebhookClient().seconds, 10.0),
    (SENTENCES, "go on vacation automatically, 3 days each time", limits.LEAVE_DAYS, 3),
    ("mail/leave.txt", "you have one hour left", limits.TIME_AFTER_LEAVE, timedelta(hours=1)),
    ("parts/answers.txt", "We tell you about such emails at most once a day", limits.FORGED_ANSWERS_A_DAY, 1),
    (SENTENCES, "half your time is gone, and one when four fifths is", limits.REMINDER_FRACTIONS, (0.5, 0.8)),
    (
        "web/hours.html",
        "after half and after four fifths of your time",
        limits.REMINDER_FRACTIONS,
        (0.5, 0.8),
    ),
    ("web/hours.html", "you then have one hour to move", limits.TIME_AFTER_LEAVE, timedelta(hours=1)),
    (SENTENCES, "up to twelve months ahead", limits.VACATION_AHEAD, timedelta(days=366)),
    (SENTENCES, "already had three rated games", limits.RATED_GAMES_PER_PAIR, 3),
    (SENTENCES, "three rated games in 30 days", limits.RATED_PAIR_PERIOD, timedelta(days=30)),
    ("parts/over.txt", "only three games between the same two players", limits.RATED_GAMES_PER_PAIR, 3),
    ("parts/over.txt", "count in thirty days", limits.RATED_PAIR_PERIOD, timedelta(days=30)),
    ("web/rating_history.html", "At most three rated games", limits.RATED_GAMES_PER_PAIR, 3),
    ("web/rating_history.html", "±60 becomes ±110 within a year", PROVISIONAL, 110.0),
    ("web/leaderboard.html", "five different opponents", limits.LISTED_OPPONENTS, 5),
    ("web/leaderboard.html", "(±110 or less)", PROVISIONAL, 110.0),
    ("web/players.html", "five different opponents", limits.LISTED_OPPONENTS, 5),
    ("web/players.html", "(±110 or less)", PROVISIONAL, 110.0),
    ("parts/site.txt", "Enter the next section: five players", limits.SECTION_SIZE, 5),
    ("web/admin_events.html", "Sections of five players", limits.SECTION_SIZE, 5),
    ("parts/site.txt", "bots may fill it after a week", limits.WAIT_BEFORE_BOTS, timedelta(days=7)),
    ("web/event.html", "fill empty places after a week", limits.WAIT_BEFORE_BOTS, timedelta(days=7)),
    ("mail/section.txt", "once a day at most", limits.CROSSTABLE_INTERVAL, timedelta(days=1)),
    ("web/notifications.html", "we wait ten seconds for an answer", WebhookClient().seconds, 10.0),
    ("parts/programs.html", "with three days for each move", terms.DEFAULT_CLOCK, "3d"),
    ("mail/doubted.txt", "We tell you about such emails at most once a day", limits.FORGED_ANSWERS_A_DAY, 1),
]


@pytest.mark.parametrize(("file", "says", "limit", "figure"), WORDED, ids=str)
def test_a_sentence_tells_the_limit_that_there_is(
    file: str, says: str, limit: object, figure: object
) -> None:
    _check(f"templates/en/{file}", (TEMPLATES / file).read_text("utf-8"), says, limit, figure)


def _check(file: str, text: str, says: str, limit: object, figure: object) -> None:
    assert says in text, f'{file} no longer says "{says}": is it still what corr/limits.py says, {limit!r}?'
    assert limit == figure, f'corr/limits.py now says {limit!r}: {file} must, too, where it says "{says}"'


#: What the page for players says, and each limit that it tells of with what that is in figures.
PLAY = [
    ("A player can invite up to 5 others a day", limits.CHALLENGES_A_DAY, 5),
    ("20 emails a day go to strangers at one domain", limits.STRANGERS_OF_A_DOMAIN_A_DAY, 20),
    (
        "after a month we keep only a code that doesn't reveal the address",
        limits.STRANGERS_KEPT,
        timedelta(days=30),
    ),
    ("up to five email addresses", limits.ADDRESSES, 5),
    ("If you signed in more than ten minutes ago", limits.RECENT_SIGN_IN, timedelta(minutes=10)),
    ("after an hour it is still waiting", limits.LATE_EMAIL_AFTER, timedelta(hours=1)),
    ("seven days for you in one game", limits.LATE_EMAIL_WAIT, timedelta(days=7)),
    ("we keep trying for three days", limits.DELIVERY_LIFE, timedelta(days=3)),
    ("We keep your newest 50 notes", limits.NOTES, 50),
    ("up to 500 characters each", limits.NOTE_CHARACTERS, 500),
]


#: The same of the page for programs.
PROGRAMS = [
    ("twelve requests a second for as long as it likes", limits.BOT_PAGES[0], 12),
    ("bursts of up to 400", limits.BOT_PAGES[1], 400),
    ("at most 7,200 orders an hour", limits.BOT_ORDERS_AN_HOUR, 7_200),
    ("413 above 100,000 bytes", limits.FORM_BYTES, 100_000),
    ("A bot can offer only one game to everyone at a time", limits.BOT_OPEN_OFFERS, 1),
]


@pytest.mark.parametrize(("says", "limit", "figure"), PROGRAMS, ids=str)
def test_the_page_for_programs_tells_the_limit_that_there_is(says: str, limit: int, figure: int) -> None:
    _check("docs/api.md", " ".join(PAGES["docs/api.md"].split()), says, limit, figure)


@pytest.mark.parametrize(("says", "limit", "figure"), PLAY, ids=str)
def test_the_page_for_players_tells_the_limit_that_there_is(
    says: str, limit: int | timedelta, figure: int | timedelta
) -> None:
    _check("docs/play.md", " ".join(PAGES["docs/play.md"].split()), says, limit, figure)


def test_so_many_set_ups_are_looked_at_as_the_umpire_says() -> None:
    assert "more than five set-ups" in conflicts._TOO_MANY_HINT
    assert limits.SET_UPS == 5
