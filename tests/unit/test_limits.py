"""Limits in sentences: text and `corr/limits.py` agree. If you change one, change the other and the row here."""

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
SENTENCES = "messages.toml"

#: A file, its text, the limit it states, and the limit's value.
IN_TEMPLATES = [
    (SENTENCES, "we open at most a million bytes", limits.LETTER_BYTES, 1_000_000),
    (SENTENCES, "more than 5,000 lines, the most we read", limits.LETTER_LINES, 5_000),
    (SENTENCES, "signed in within the last ten minutes", limits.RECENT_SIGN_IN, timedelta(minutes=10)),
    (SENTENCES, "You have five addresses, which is the maximum", limits.ADDRESSES, 5),
    (SENTENCES, "You've added five addresses in the last 24 hours", limits.ADDRESSES_A_DAY, 5),
    (SENTENCES, "You've sent five challenges in the last 24 hours", limits.CHALLENGES_A_DAY, 5),
    (SENTENCES, "or it's more than five minutes old", limits.WEBHOOK_SIGNATURE_LIFE, timedelta(minutes=5)),
    ("web/settings.html", "You can change it three times a day", limits.NAMES_A_DAY, 3),
    (
        "web/confirm_with_passkey.html",
        "You have five minutes",
        limits.PASSKEY_CHALLENGE_LIFE,
        timedelta(minutes=5),
    ),
    ("web/admin.html", "Bounces in the last two weeks", limits.PROBLEMS_PERIOD, timedelta(days=14)),
    (SENTENCES, "didn't answer within ten seconds", WebhookClient().seconds, 10.0),
    (SENTENCES, "automatically go on vacation for 3 days", limits.LEAVE_DAYS, 3),
    ("mail/leave.txt", "you have one hour left", limits.TIME_AFTER_LEAVE, timedelta(hours=1)),
    ("parts/answers.txt", "We tell you about such emails at most once a day", limits.FORGED_ANSWERS_A_DAY, 1),
    (
        SENTENCES,
        "one after half of your time, and one after four fifths of it",
        limits.REMINDER_FRACTIONS,
        (0.5, 0.8),
    ),
    (
        "web/hours.html",
        "one after half of your time, and one after four fifths",
        limits.REMINDER_FRACTIONS,
        (0.5, 0.8),
    ),
    ("web/hours.html", "you then have one hour to move", limits.TIME_AFTER_LEAVE, timedelta(hours=1)),
    (SENTENCES, "up to twelve months ahead", limits.VACATION_AHEAD, timedelta(days=366)),
    (SENTENCES, "already had three rated games", limits.RATED_GAMES_PER_PAIR, 3),
    (SENTENCES, "three rated games in 30 days", limits.RATED_PAIR_PERIOD, timedelta(days=30)),
    ("parts/game_end.txt", "only three games between the same two players", limits.RATED_GAMES_PER_PAIR, 3),
    ("parts/game_end.txt", "count in thirty days", limits.RATED_PAIR_PERIOD, timedelta(days=30)),
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
    ("parts/bots.html", "with three days for each move", terms.DEFAULT_CLOCK, "3d"),
    ("mail/doubted.txt", "We tell you about such emails at most once a day", limits.FORGED_ANSWERS_A_DAY, 1),
]


@pytest.mark.parametrize(("file", "says", "limit", "figure"), IN_TEMPLATES, ids=str)
def test_templates_state_the_current_limits(file: str, says: str, limit: object, figure: object) -> None:
    _check(f"templates/en/{file}", (TEMPLATES / file).read_text("utf-8"), says, limit, figure)


def _check(file: str, text: str, says: str, limit: object, figure: object) -> None:
    assert says in text, f'{file} no longer says "{says}": is it still what corr/limits.py says, {limit!r}?'
    assert limit == figure, f'corr/limits.py now says {limit!r}: {file} must, too, where it says "{says}"'


PLAY, API, MAIL, OPERATE, ORDERS = (
    f"docs/{each}.md" for each in ("play", "api", "mail", "operate", "orders")
)
_DAY = timedelta(days=1)

#: A page of the docs, its text, the limit it states, and the limit's value.
IN_DOCS = [
    (PLAY, "A player can invite up to 5 others a day", limits.CHALLENGES_A_DAY, 5),
    (PLAY, "20 emails a day go to strangers at one domain", limits.STRANGERS_OF_A_DOMAIN_A_DAY, 20),
    (
        PLAY,
        "after a month we keep only a code that doesn't reveal the address",
        limits.STRANGERS_KEPT,
        timedelta(days=30),
    ),
    (PLAY, "up to five email addresses", limits.ADDRESSES, 5),
    (PLAY, "If you signed in more than ten minutes ago", limits.RECENT_SIGN_IN, timedelta(minutes=10)),
    (PLAY, "after an hour it is still waiting", limits.LATE_EMAIL_AFTER, timedelta(hours=1)),
    (PLAY, "for seven days in this game", limits.LATE_EMAIL_WAIT, timedelta(days=7)),
    (PLAY, "we keep trying for three days", limits.DELIVERY_LIFE, timedelta(days=3)),
    (PLAY, "We keep your newest 50 notes", limits.NOTES, 50),
    (PLAY, "up to 500 characters each", limits.NOTE_CHARACTERS, 500),
    (PLAY, "after you've been away for seven days", limits.GUEST_IDLE, 7 * _DAY),
    (PLAY, "five games against our bots at once", limits.BOT_GAMES_AT_ONCE, 5),
    (PLAY, "and start twenty a day", limits.BOT_GAMES_A_DAY, 20),
    (PLAY, "At most three rated games between the same two", limits.RATED_GAMES_PER_PAIR, 3),
    (PLAY, "two players count in any 30 days", limits.RATED_PAIR_PERIOD, 30 * _DAY),
    (PLAY, "the last ten finished games", limits.ENDED_SHOWN, 10),
    (PLAY, "settled (±110 or less)", PROVISIONAL, 110.0),
    (PLAY, "you've met five different opponents", limits.LISTED_OPPONENTS, 5),
    (PLAY, "a rated game in the last 90 days", limits.LISTED_AFTER_GAME, 90 * _DAY),
    (PLAY, "(or any number from 1 to 60)", limits.CLOCK_DAYS, 60),
    (PLAY, "After thirty days without a claim", limits.UNCLAIMED_LIFE, 30 * _DAY),
    (PLAY, "half a year without a move", limits.IDLE_GAME_NOTICE + limits.IDLE_GAME_END, 180 * _DAY),
    (PLAY, "we hold it for up to seven days", limits.CONFIRMATION_LIFE, 7 * _DAY),
    (PLAY, "at most a week if you have a time bank", limits.DEPLOYMENT_TIME, 7 * _DAY),
    (PLAY, "these days don't count, up to 30 a year", limits.VACATION_DAYS, 30),
    (PLAY, "we use three vacation days", limits.LEAVE_DAYS, 3),
    (PLAY, "after which you have one hour", limits.TIME_AFTER_LEAVE, timedelta(hours=1)),
    (PLAY, "for up to 30 days, until one of you writes `resume`", limits.LONGEST_PAUSE, 30 * _DAY),
    (PLAY, "half of your time is gone and again at four fifths", limits.REMINDER_FRACTIONS, (0.5, 0.8)),
    (PLAY, "two weeks in all your games within a year", limits.BOUNCING_MAILBOX_WAIT, 14 * _DAY),
    (PLAY, "After a week, [bots]", limits.WAIT_BEFORE_BOTS, 7 * _DAY),
    (API, "twelve requests a second for as long as it likes", limits.BOT_PAGES[0], 12),
    (API, "bursts of up to 400", limits.BOT_PAGES[1], 400),
    (API, "at most 7,200 orders an hour", limits.BOT_ORDERS_AN_HOUR, 7_200),
    (API, "413: the request has more than 100,000 bytes", limits.FORM_BYTES, 100_000),
    (API, "A bot can offer only one game to everyone at a time", limits.BOT_OPEN_OFFERS, 1),
    (API, "We answer twenty emails an hour", limits.ANSWERS_AN_HOUR, 20),
    (API, "(20 orders at most)", limits.ORDERS_TOLD, 20),
    (API, "six hours have passed", limits.WEBHOOK_CALL_LIFE, timedelta(hours=6)),
    (API, "After three days without success we stop", limits.WEBHOOK_FAILING_LIFE, 3 * _DAY),
    (MAIL, "to our question within seven days", limits.CONFIRMATION_LIFE, 7 * _DAY),
    (MAIL, "We ask at most three times a day", limits.CONFIRMATIONS_A_DAY, 3),
    (MAIL, "at least two minutes after the deadline", limits.CLAIM_DELAY, timedelta(minutes=2)),
    (MAIL, "A seat gets 20 an hour", limits.ANSWERS_AN_HOUR, 20),
    (MAIL, "gives a sender 20 a day", limits.SITE_ANSWERS_A_DAY, 20),
    (MAIL, "50 more for replies", limits.SITE_REPLIES_A_DAY, 50),
    (MAIL, "and 5 if unverified", limits.SITE_DOUBTFUL_ANSWERS_A_DAY, 5),
    (MAIL, "unknown address or domain | not delivered | 1 |", limits.HARD_BOUNCE_SCORE, 1.0),
    (MAIL, "for one we can't read | not delivered | 0.2 |", limits.SOFT_BOUNCE_SCORE, 0.2),
    (MAIL, "its score halves in a week", limits.BOUNCE_SCORE_HALF_LIFE, 7 * _DAY),
    (MAIL, "we keep trying for three days", limits.DELIVERY_LIFE, 3 * _DAY),
    (MAIL, "at most four hours apart", limits.DELIVERY_LONGEST_WAIT, timedelta(hours=4)),
    (OPERATE, "comes more than five minutes late", limits.OUTAGE_GAP, timedelta(minutes=5)),
    (OPERATE, "For an hour afterwards nobody loses on time", limits.FLAG_FREE_SPAN, timedelta(hours=1)),
    (OPERATE, "signed-in browser (bursts of 200)", limits.BROWSER_PAGES, (4, 200)),
    (OPERATE, "20 per address or IPv6 /64 (bursts of 600)", limits.ADDRESS_PAGES, (20, 600)),
    (OPERATE, "the game has been over for 30 days", limits.LETTERS_KEPT, 30 * _DAY),
    (OPERATE, "| emails about no game | 30 days |", limits.LETTERS_KEPT, 30 * _DAY),
    (OPERATE, "| bounces | 90 days", limits.BOUNCES_KEPT, 90 * _DAY),
    (OPERATE, "mailbox's score | 90 days after", limits.BOUNCES_KEPT, 90 * _DAY),
    (OPERATE, "newest 50 notes of a game", limits.NOTES, 50),
    (OPERATE, "a guest's for a week after the last visit", limits.GUEST_IDLE, 7 * _DAY),
    (OPERATE, "requests to sign in | 30 days after last use", limits.SESSION_IDLE, 30 * _DAY),
    (OPERATE, "failing for three days", limits.WEBHOOK_FAILING_LIFE, 3 * _DAY),
    (OPERATE, "without an answer | 30 days", limits.STRANGERS_KEPT, 30 * _DAY),
    (ORDERS, "at the latest an hour before your deadline", limits.STANDING_ORDERS_LEAD, timedelta(hours=1)),
    (ORDERS, "in up to 120 characters", limits.ABOUT_CHARACTERS, 120),
    (ORDERS, "bots may fill it after a week", limits.WAIT_BEFORE_BOTS, 7 * _DAY),
]


@pytest.mark.parametrize(("page", "says", "limit", "figure"), IN_DOCS, ids=str)
def test_the_docs_state_the_current_limits(page: str, says: str, limit: object, figure: object) -> None:
    _check(page, " ".join(PAGES[page].split()), says, limit, figure)


def test_the_umpire_states_the_limit_of_set_ups() -> None:
    assert "more than five set-ups" in conflicts._TOO_MANY_HINT
    assert limits.SET_UPS == 5
