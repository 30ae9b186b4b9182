"""Tells a sender that their email could not be read, by our fault, and was set aside.

The texts are "failed" in `templates/en/parts/answers.txt` and in `[mail]` of `templates/en/sentences.toml`. An email
that nobody could read, such as an encrypted one, is answered by the readers instead: with "trouble" from the same
file, and the reason from `[mail]`.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select

from corr import limits
from corr.mail.inward.authentication import verdict
from corr.mail.inward.letter import is_automatic
from corr.messages import sentence
from corr.service.games.game_session import sit_down
from corr.service.games.seats import KeptSeat, with_seats
from corr.service.house import House
from corr.service.mail import answer_limits, clock_resets, site_answer_limits
from corr.service.mail.email_contents import SeatLetter
from corr.service.mail.forwarding import Places
from corr.service.mail.intake import Intake
from corr.service.mail.site_inbox import SiteLetter
from corr.service.players import mailboxes
from corr.store.rows import pairs_of
from corr.store.tables import SeatRow, SiteOutboxRow


def tell_seat(
    intake: Intake[SeatLetter], connection: Connection, house: House, row: SeatLetter, now: datetime
) -> None:
    """Tell the sender, and restart their clock on their turn, once per game.

    The opponent sees that the clock restarts, and must not learn of every email, hence only once. Orders for a later
    turn are dropped, because the email may have taken them back.
    """
    if row.bounce or (not row.page and is_automatic(row.raw)):
        return
    an_hour = house.answers_an_hour
    asked = {"seat": row.seat_id, **answer_limits.lately(an_hour, now)}
    ((kept, writer),) = pairs_of(KeptSeat, _Answered, connection.execute(_WRITER, asked))
    seat = kept.seat
    sitting = sit_down(connection, seat.game_id, now)
    if clock_resets.begin_anew(sitting, seat.side):
        intake.amend(connection, row.id, ply=sitting.state.ply)
    words: dict[str, object] = {"ignored": [], "items": [], "doubt": "failed"}
    words |= sitting.take_back(seat.side)
    if row.page:
        sitting.answer_on_page(seat.side)
        answer = answer_limits.kept_answer(sitting, seat.side, words)
        intake.amend(connection, row.id, answer=answer)
    elif (
        last := answer_limits.last_of(connection, seat.id, "failed", an_hour - writer.answered, now)
    ) is not None:
        sitting.write(seat.side, "answer", row.id, to="", last=last, **words)
    sitting.close()


class _Answered(NamedTuple):
    answered: int


_WRITER = with_seats(answer_limits.answered(SeatRow.id).label("answered")).where(
    SeatRow.id == bindparam("seat")
)


def tell_mailbox(
    _intake: Intake[SiteLetter], connection: Connection, house: House, row: SiteLetter, now: datetime
) -> None:
    """Tell the sender, within their answer limit; a doubtful sender only once a day.

    In listed games that the email may concern, their clock restarts if it is their turn, and their orders for a later
    turn are dropped, because the email may have taken them back.
    """
    if row.bounce or is_automatic(row.raw):
        return
    is_doubtful = not (row.letter or row.vouched) or verdict(row.raw, house.authserv_id) == "fail"
    most = limits.SITE_DOUBTFUL_FAULTS_A_DAY if is_doubtful else limits.SITE_ANSWERS_A_DAY
    listed = {} if is_doubtful else _listed(connection, row)
    settled = clock_resets.settle_where_listed(connection, listed, row.message_key, row.received_at, now)
    why = sentence("mail.failed_anew") if settled.anew else sentence("mail.failed")
    if settled.taken_back:
        why = f"{why} {sentence('mail.taken_back')}"
    who = mailboxes.correspondent(connection, row.correspondent_id)
    if who.address and site_answer_limits.read_today(connection, row, ("failed",), now) <= most:
        words: dict[str, object] = {"items": [], "puzzled": None, "ignored": [], "challenge": None}
        mailboxes.write(connection, who, "site", now, answers="", trouble=why, **words)


def _listed(connection: Connection, row: SiteLetter) -> Places:
    """Return the games listed in our email that this one answers."""
    asked = {"correspondent": row.correspondent_id, "letter": row.letter}
    words = connection.execute(_WORDS, asked).scalar_one_or_none()
    listed: Places = json.loads(words or "{}").get("listed", {})
    return listed


_WORDS = select(SiteOutboxRow.words).where(
    SiteOutboxRow.correspondent_id == bindparam("correspondent"), SiteOutboxRow.number == bindparam("letter")
)
