"""Letters out to seats: what each says is what the seat's slips tell."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, TypeAlias

from sqlalchemy import Connection, Row
from sqlalchemy.exc import DBAPIError

from corr.desk import catalogue, dossier, review
from corr.desk.dispatch import Addressed, Opened, Tray
from corr.desk.house import House
from corr.desk.seats import Seat, seats_by_id
from corr.mail.address import Kind
from corr.mail.compose import Outgoing
from corr.mail.lacks import Lacks
from corr.sentences import sentence
from corr.store.claims import Rows
from corr.store.tables import OutboxRow

#: Letters by their ids, each made when it is called for, outside a transaction.
Worded: TypeAlias = Mapping[int, Callable[[], Outgoing]]
Word: TypeAlias = Callable[[Connection, House, Mapping[int, Seat], Rows], Worded]


def send_some(house: House, now: datetime, most: int = 20) -> int:
    """Send letters that are due, each by itself; how many were in hand, 0 if none is due."""
    return TRAY.send_some(house, now, most)


def look(connection: Connection, house: House, rows: Rows, unmade: Rows) -> Opened:
    """Where letters go, and what they say."""
    return _opened(connection, house, rows, unmade, _worded)


def look_plainly(connection: Connection, house: House, rows: Rows, unmade: Rows) -> Opened:
    """The same, with plain letters for those that cannot be made."""
    return _opened(connection, house, rows, unmade, _worded_plainly)


def _opened(connection: Connection, house: House, rows: Rows, unmade: Rows, word: Word) -> Opened:
    seats = seats_by_id(connection, {row.seat_id for row in rows})
    addressed = {row.id: _addressed(seats[row.seat_id], row, house.domain) for row in rows}
    spared = {row.id for row in rows if row.kind in _NEWS and not seats[row.seat_id].mail}
    wanted = [row for row in unmade if row.id not in spared]
    return Opened(addressed, word(connection, house, seats, wanted), spared)


#: What comes by itself, and what a player may do without who looks at the pages.
_NEWS = ("turn", "reminder", "over", "delay")


def _addressed(seat: Seat, row: Row[*tuple[Any, ...]], domain: str) -> Addressed:
    return Addressed(seat.signet.mailbox(Kind.BOUNCE, row.number, domain), seat.address)


def _worded(connection: Connection, house: House, seats: Mapping[int, Seat], rows: Rows) -> Worded:
    """What letters say; the file of a game that is over is written when it is called for, outside a transaction."""
    known = dossier.known(connection, {seats[row.seat_id].game_id for row in rows})
    worded: dict[int, Callable[[], Outgoing]] = {}
    for row in rows:
        seat, lacks = seats[row.seat_id], Lacks()
        letter = _outgoing(connection, house, known, seat, row, lacks)
        game = _game(connection, seat.game_id, house.domain, lacks) if _tells_of_the_end(letter) else None
        worded[row.id] = partial(_with_game, letter, game, lacks)
    return worded


def _game(connection: Connection, game_id: int, domain: str, lacks: Lacks) -> review.Reviewed | None:
    """A finished game as it is kept."""
    return lacks.or_without("game", lambda: review.of_game(connection, game_id, domain), None, DBAPIError)


def _with_game(letter: Outgoing, game: review.Reviewed | None, lacks: Lacks) -> Outgoing:
    pgn = lacks.or_without("game", lambda: game.pgn if game else "", "")
    return replace(letter, game=pgn, lacks=tuple(lacks.found))


def _tells_of_the_end(letter: Outgoing) -> bool:
    """Whether a game that was played is over, and this letter is the one by which its reader learns it."""
    assert letter.view
    if not (letter.view.state == "over" and letter.view.revealed):
        return False
    items: Any = letter.words.get("items", ())
    return letter.kind in ("over", "decree") or any(item["note"] in _ENDING for item in items)


_ENDING = ("moved", "said")


def _outgoing(
    connection: Connection,
    house: House,
    known: dossier.Known,
    seat: Seat,
    row: Row[*tuple[Any, ...]],
    lacks: Lacks,
) -> Outgoing:
    words = json.loads(row.words)
    shown = any(item["note"] == "show" for item in words.get("items", ()))
    moment = dossier.Moment(row.slip, row.step, row.inbox_id, words.pop("public"))
    whole_score = shown or moment.public["state"] == "over"
    view = dossier.view(connection, known, seat, moment, lacks, whole_score=whole_score)
    about = _about(seat, view.card.name, view.opponent, view.game)
    letter = _headed(house, seat, row, about, words.get("to", ""))
    return replace(letter, view=view, words=_answered(shown=shown) | words if row.kind == "answer" else words)


def _answered(*, shown: bool) -> dict[str, object]:
    """What the template of answers asks for, beside what was answered."""
    return _ANSWER | {"shown": shown, "cards": {card.key: card for card in catalogue.cards()}}


def _headed(house: House, seat: Seat, row: Row[*tuple[Any, ...]], about: str, answered: str) -> Outgoing:
    """A letter that says nothing yet."""
    answer_to = (Kind.CONFIRM, row.number) if row.kind == "doubted" else (Kind.REPLY, row.slip)
    root, parent = _thread(seat, row.number, answered, house.domain)
    return Outgoing(
        kind=row.kind,
        about=about,
        view=None,
        date=row.made_at,
        sender=house.umpire,
        recipient=seat.address,
        reply_to=seat.signet.mailbox(*answer_to, house.domain),
        message_id=seat.signet.mailbox(Kind.LETTER, row.number, house.domain),
        parent=parent,
        root=root,
    )


def _about(seat: Seat, variant: str, opponent: str, code: str) -> str:
    return sentence("subjects.game", variant=variant, opponent=seat.opponent or opponent, code=code)


def _worded_plainly(connection: Connection, house: House, seats: Mapping[int, Seat], rows: Rows) -> Worded:
    """Plain letters; all that can be looked up for them is."""
    known = dossier.known(connection, {seats[row.seat_id].game_id for row in rows})
    return {
        row.id: partial(replace, _plain(connection, house, known, seats[row.seat_id], row)) for row in rows
    }


def _plain(
    connection: Connection, house: House, known: dossier.Known, seat: Seat, row: Row[*tuple[Any, ...]]
) -> Outgoing:
    words, lacks = json.loads(row.words), Lacks()
    moment = dossier.Moment(row.slip, row.step, row.inbox_id, words.pop("public"))
    game = known[seat.game_id, seat.side.other]
    bare = dossier.bare(connection, game, seat, moment, lacks)
    about = _about(seat, bare.variant, bare.opponent, game.code)
    letter = _headed(house, seat, row, about, words.get("to", ""))
    return replace(letter, words=words, bare=bare, lacks=tuple(lacks.found))


_ANSWER: dict[str, object] = {
    "doubt": "",
    "why": "",
    "sender": "",
    "puzzled": None,
    "again": False,
    "last": "",
}


def _thread(seat: Seat, number: int, answered: str, domain: str) -> tuple[str | None, str | None]:
    """The first letter of the thread, and the letter that this one answers or follows."""
    root = seat.signet.mailbox(Kind.LETTER, 1, domain) if number > 1 else None
    if re.fullmatch(r"[!-;=?-~]+@[!-;=?-~]+", answered) and len(answered) <= 200:
        return root, answered
    return root, seat.signet.mailbox(Kind.LETTER, number - 1, domain) if number > 1 else None


#: Letters that wait to be sent; a seat's go in order.
TRAY = Tray(OutboxRow, "seat_id", look, look_plainly)
