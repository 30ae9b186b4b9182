"""The answer to a letter that could not be read, and was put aside: it is our fault, and its writer is told so.

Its words are "failed" in `templates/en/parts/answers.txt`, and in `[mail]` of `templates/en/sentences.toml`. A letter
that nobody could read, as one that is encrypted, is answered by the readers: "trouble" there, and why from `[mail]`.
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
    """The writer is told, by letter or on the page; whose turn it is gets the time for it anew, once a game.

    That its time begins anew is seen by the other side, who is not to learn of everything that it writes. What the
    writer had ordered for a turn to come is not tried: the letter may have taken it back.
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
    """The writer is told, as often as their letters may be answered; who is in doubt, once a day.

    Where it is their turn in a game that was listed, and of which they may have written, its time begins anew; what
    they had ordered there for a turn to come is kept no longer, since they may have taken it back.
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
    """The games that the answered letter of ours lists."""
    asked = {"correspondent": row.correspondent_id, "letter": row.letter}
    words = connection.execute(_WORDS, asked).scalar_one_or_none()
    listed: Places = json.loads(words or "{}").get("listed", {})
    return listed


_WORDS = select(SiteOutboxRow.words).where(
    SiteOutboxRow.correspondent_id == bindparam("correspondent"), SiteOutboxRow.number == bindparam("letter")
)
