"""A player's page of one game: what stands on it, and what is written there."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, select
from sqlalchemy.orm import aliased

from corr.desk import decrees, dossier, log, opening, review, signing
from corr.desk.decrees import Decreed
from corr.desk.house import House
from corr.game import telling
from corr.game.telling import Time, Told
from corr.mail.lacks import Lacks
from corr.sentences import sentence
from corr.store.once import insert_once
from corr.store.tables import Correspondent, Decree, Game, InboxRow, Player, SeatRow, Session
from corr.words import Refused, Side, View

#: How much may be written at once.
LONGEST = 10_000


@dataclass(frozen=True, slots=True)
class Place:
    """One player's place in one game, as the page knows it: without the key to its addresses."""

    id: int
    game_id: int
    side: Side
    player: str
    zone: str


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a game stands for one player, all that tells whether the page has changed."""

    place: Place
    men: str
    waits: bool
    decreed: bool
    rated: bool
    accepted: bool
    again: str | None  # who would like another game, or that there is one
    answer: str | None  # what the umpire last answered on the page
    stamp: str  # the seat's own counters: another one after everything that this player was told or answered
    mark: str  # the stamp with all that is public and all that the player has set
    unheard: opening.Unheard | None  # the letter about this turn, where its time may wait for the page
    meeting: dossier.Meeting
    moment: dossier.Moment


@dataclass(frozen=True, slots=True)
class Table:
    """What stands on the page."""

    view: View
    log: log.Log
    answer: dict[str, Any] | None
    decrees: tuple[Decreed, ...]  # what the operator has done about the game
    shared: str | None  # by which mark anybody may see the game, once it is over


def standing(house: House, secret: str, code: str, side: str, now: datetime) -> Standing | None:
    """Where a game stands for whoever is at a browser, by one question; None where they do not play it.

    Who plays both sides is shown the one that is awaited, unless the page that is answered was of a side.
    """
    asked = {"code": code.lower(), "of_side": side, **signing.browser(secret, now)}
    with house.store.asking() as connection:
        row = connection.execute(_STANDING, asked).first()
    return _standing(row, now) if row else None


_OTHER_SEAT, _OPPONENT, _PLAYER = aliased(SeatRow), aliased(Player), aliased(Player)
_WAITING = (
    select(InboxRow.id)
    .where(InboxRow.seat_id == SeatRow.id, InboxRow.read_at.is_(None), InboxRow.page)
    .exists()
)
_ANSWER = (
    select(InboxRow.answer)
    .where(InboxRow.seat_id == SeatRow.id, InboxRow.page)
    .order_by(InboxRow.id.desc())
    .limit(1)
    .scalar_subquery()
)
_DECREED = select(Decree.id).where(Decree.game_id == Game.id, Decree.said.is_not(None)).exists()
_IS_MOVERS = (SeatRow.side == Game.turn).label("is_movers")
_STANDING = (
    select(
        SeatRow.id.label("seat_id"),
        SeatRow.side,
        SeatRow.slips,
        SeatRow.steps,
        SeatRow.answers,
        SeatRow.accepted,
        Game.id.label("game_id"),
        Game.code,
        Game.variant,
        Game.clock,
        Game.state,
        Game.ply,
        Game.turn,
        Game.deadline,
        Game.offer,
        Game.winner,
        Game.reason,
        Game.again,
        Game.rated,
        Game.paused_at,
        Game.waits_from,
        Game.earliest,
        SeatRow.telling,
        SeatRow.opened,
        SeatRow.opened_at,
        SeatRow.delayed_from,
        SeatRow.held,
        _OTHER_SEAT.telling.label("other_telling"),
        _OTHER_SEAT.delayed_from.label("other_delayed_from"),
        _OTHER_SEAT.held.label("other_held"),
        _PLAYER.name,
        _PLAYER.men,
        _PLAYER.zone,
        _PLAYER.language,
        _OPPONENT.name.label("opponent"),
        _WAITING.label("waits"),
        _DECREED.label("decreed"),
        _ANSWER.label("answer"),
        _IS_MOVERS,
    )
    .join_from(Session, Correspondent, Correspondent.id == Session.correspondent_id)
    .join(SeatRow, SeatRow.player_id == Correspondent.player_id)
    .join(Game, Game.id == SeatRow.game_id)
    .join(_PLAYER, _PLAYER.id == SeatRow.player_id)
    .join(_OTHER_SEAT, (_OTHER_SEAT.game_id == Game.id) & (_OTHER_SEAT.id != SeatRow.id))
    .join(_OPPONENT, _OPPONENT.id == _OTHER_SEAT.player_id)
    .where(Game.code == bindparam("code"), signing.IS_HERE)
    .order_by((SeatRow.side == bindparam("of_side")).desc(), _IS_MOVERS.desc(), SeatRow.accepted, SeatRow.id)
)


def _standing(row: Row[*tuple[Any, ...]], now: datetime) -> Standing:
    unheard = opening.unheard(row, now)
    shown = _shown(row, now)
    late = shown.deadline is not None and now > shown.deadline and row.paused_at is None
    stamp = f"{row.slips}-{row.steps}-{row.answers}"
    told = (
        *(row.code, row.side, stamp, row.waits, row.accepted, row.state, row.ply, row.turn, *_told(shown)),
        *(row.offer, row.winner, row.reason, row.again, row.paused_at, late),
        *(row.name, row.men, row.zone, row.language, row.opponent),
    )
    public = {
        "state": row.state,
        "ply": row.ply,
        "turn": row.turn,
        "deadline": shown.deadline.isoformat() if shown.deadline else None,
        "late": late,
        "delay": shown.delay,
        "until": shown.until.isoformat() if shown.until else None,
        "paused": row.paused_at is not None,
        "offer": row.offer,
        "outcome": [row.winner, row.reason] if row.reason else None,
    }
    return Standing(
        place=Place(row.seat_id, row.game_id, Side(row.side), row.name, row.zone),
        men=row.men,
        waits=row.waits,
        decreed=row.decreed,
        rated=row.rated,
        accepted=row.accepted,
        again=row.again,
        answer=row.answer,
        stamp=stamp,
        unheard=unheard,
        mark=hashlib.blake2b(repr(told).encode(), digest_size=12).hexdigest(),
        meeting=dossier.Meeting(row.code, row.variant, row.clock, row.opponent),
        moment=dossier.Moment(row.slips, row.steps, None, public),
    )


def _shown(row: Row[*tuple[Any, ...]], now: datetime) -> telling.Shown:
    """What this player may know of the time of the turn, which runs from when the page is opened at the latest."""
    own = Told(_is_awaited(row, row.side), row.telling is not None, row.delayed_from, row.held)
    side = Side(row.side).other
    other = Told(
        _is_awaited(row, side), row.other_telling is not None, row.other_delayed_from, row.other_held
    )
    is_open = row.state != "deploying" and row.telling is not None and row.opened == row.telling
    heard = row.opened_at if is_open else row.paused_at or now
    return telling.shown(Time(row.deadline, row.earliest, row.waits_from), own, other, heard)


def _is_awaited(row: Row[*tuple[Any, ...]], side: str) -> bool:
    return bool(row.turn == side or (row.state == "deploying" and row.turn is None))


def _told(shown: telling.Shown) -> tuple[datetime | str | None, ...]:
    return shown.deadline, shown.delay, shown.until


def table(house: House, standing: Standing, since: int) -> Table:
    """What stands on the page, with the log since so many moves had been made."""
    place, moment = standing.place, standing.moment
    with house.store.reading() as connection:
        kept = log.kept(connection, place, since)
        decreed = decrees.of_game(connection, place.game_id) if standing.decreed else ()
        is_over = moment.public["state"] == "over"
        shared = review.share_mark(connection, standing.meeting.code) if is_over else None
    view = dossier.fold(standing.meeting, place, moment, kept.slips, Lacks())
    answer = json.loads(standing.answer) if standing.answer else None
    news = answer if answer and answer["slip"] == moment.slip else None
    return Table(view, kept.log(), news, decreed, shared)


@dataclass(frozen=True, slots=True)
class Written:
    """What a player has written on the page: the text, and which slip and stamp the page had."""

    text: str
    slip: int
    stamp: str

    @property
    def key(self) -> str:
        """The same for what is sent twice from the same page."""
        said = hashlib.blake2b(f"{self.slip}\n{self.stamp}\n{self.text}".encode(), digest_size=16)
        return f"page {said.hexdigest()}"


def write(house: House, place: Place, written: Written, now: datetime) -> None:
    """Hand what was written on the page to the umpire, once; a worker judges it."""
    if len(written.text) > LONGEST:
        raise Refused(sentence("games.too_long"))
    with house.store.writing() as connection:
        insert_once(
            connection,
            InboxRow,
            seat_id=place.id,
            slip=written.slip,
            bounce=False,
            recipients="[]",
            message_key=written.key,
            raw=written.text.encode(),
            received_at=now,
            tries=0,
            page=True,
        )


def is_answered(house: House, place: Place, written: Written) -> bool:
    """Whether the umpire has answered what was written."""
    with house.store.asking() as connection:
        return connection.execute(_IS_READ, {"seat": place.id, "key": written.key}).first() is not None


_IS_READ = select(InboxRow.id).where(
    InboxRow.seat_id == bindparam("seat"),
    InboxRow.message_key == bindparam("key"),
    InboxRow.read_at.is_not(None),
)
