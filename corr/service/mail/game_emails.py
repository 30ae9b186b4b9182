"""Composes and sends emails to seats; each says only what the seat's slips tell."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, bindparam, false, func, null, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import aliased

from corr.mail.address import Kind, Signet
from corr.mail.outward.compose import Outgoing
from corr.mail.outward.missing_parts import Lacks
from corr.messages import sentence
from corr.service import catalogue
from corr.service.games import board_overlay, finished, game_records, view
from corr.service.games.board_marks import without_recalled
from corr.service.games.public_state import of_words
from corr.service.games.seats import KeptSeat, Seat, with_seats
from corr.service.games.suggestions import proposed
from corr.service.house import House
from corr.service.mail import json_attachment, outdated_emails
from corr.service.mail.outbox import Addressed, PreparedLetters, Tray
from corr.service.players import table_preferences, unsubscribe
from corr.service.players.mail_preferences import DAILY, OFF
from corr.service.players.table_preferences import Switch
from corr.store.outgoing_texts import Shelf
from corr.store.rows import pairs_of, rows_of
from corr.store.tables import (
    CorrespondentRow,
    Game,
    LetterWords,
    OutboxRow,
    Parcel,
    Player,
    Quotable,
    SeatRow,
)
from corr.words.errors import Refused
from corr.words.slips import Marked
from corr.words.view import Replay, Stage, View


class GameLetter(NamedTuple):
    """An email to a seat that a worker holds, with its bytes if composed."""

    id: int
    seat_id: int
    number: int
    kind: str
    slip: int
    step: int
    inbox_id: int | None
    words: str
    seal: str
    made_at: datetime
    due_at: datetime
    tries: int
    message: bytes | None
    any_busy: bool


#: The columns of a `GameLetter`, except its bytes.
GAME_LETTER = (
    OutboxRow.id,
    OutboxRow.seat_id,
    OutboxRow.number,
    OutboxRow.kind,
    OutboxRow.slip,
    OutboxRow.step,
    OutboxRow.inbox_id,
    select(LetterWords.words).where(LetterWords.letter_id == OutboxRow.id).scalar_subquery().label("words"),
    OutboxRow.seal,
    OutboxRow.made_at,
    OutboxRow.due_at,
    OutboxRow.tries,
)


#: Functions that compose emails, by email id; they run outside a transaction.
Worded: TypeAlias = Mapping[int, Callable[[], Outgoing]]


class Place(NamedTuple):
    """A seat, its opponent and game, and its player's board settings."""

    seat: Seat
    meeting: view.Meeting
    on: frozenset[Switch]  # the table switches that its player has on
    reader: Signet | None  # identifies its player's mailbox
    renewed: int  # how often its player's seats got new addresses
    accepted: bool
    slip_file: bool  # whether its emails carry the JSON attachment

    def stops(self, house: House, kind: str) -> tuple[str, ...]:
        """Return how its player can unsubscribe from a kind of email, if optional."""
        return unsubscribe.ways(house, self.reader, self.renewed) if self.reader and kind in _STOPPED else ()


Places: TypeAlias = Mapping[int, Place]
Wording: TypeAlias = Callable[[Connection, House, Places, Sequence[GameLetter]], Worded]


def send_some(house: House, now: datetime, most: int = 20) -> int:
    """Send due emails one by one; return how many were claimed."""
    return TRAY.send_some(house, now, most)


def prepare(
    connection: Connection, house: House, rows: Sequence[GameLetter], unmade: Sequence[GameLetter]
) -> PreparedLetters:
    """Look up where emails go and what they say."""
    return _prepared(connection, house, rows, unmade, _worded)


def prepare_plainly(
    connection: Connection, house: House, rows: Sequence[GameLetter], unmade: Sequence[GameLetter]
) -> PreparedLetters:
    """Do the same, with plain emails in place of those that cannot be composed."""
    return _prepared(connection, house, rows, unmade, _worded_plainly)


def _prepared(
    connection: Connection,
    house: House,
    rows: Sequence[GameLetter],
    unmade: Sequence[GameLetter],
    word: Wording,
) -> PreparedLetters:
    places = _places(connection, {row.seat_id for row in rows})
    addressed = {row.id: _addressed(places[row.seat_id].seat, row, house.domain) for row in rows}
    spared = {row.id for row in rows if _is_spared(row, places[row.seat_id].seat.mailing)}
    spared |= outdated_emails.among(connection, rows)
    wanted = [row for row in unmade if row.id not in spared]
    return PreparedLetters(addressed, word(connection, house, places, wanted), spared)


class _GameOfSeat(NamedTuple):
    game: str
    variant: str
    clock: str
    opponent_name: str
    switched: str
    renewed: int
    reader_code: str | None
    reader_key: bytes | None
    accepted: bool
    slip_file: bool

    @property
    def reader(self) -> Signet | None:
        if self.reader_code is None or self.reader_key is None:
            return None
        return Signet(self.reader_code, self.reader_key)


_OTHER, _OPPONENT = aliased(SeatRow), aliased(Player)
_PLACES = (
    with_seats(
        Game.code.label("game"),
        Game.variant,
        Game.clock,
        _OPPONENT.name.label("opponent_name"),
        Player.switched,
        Player.renewed,
        CorrespondentRow.code.label("reader_code"),
        CorrespondentRow.key.label("reader_key"),
        SeatRow.accepted,
        Player.slip_file,
    )
    .join(Game, Game.id == SeatRow.game_id)
    .join(_OTHER, (_OTHER.game_id == SeatRow.game_id) & (_OTHER.side != SeatRow.side))
    .join(_OPPONENT, _OPPONENT.id == _OTHER.player_id)
    .outerjoin(
        CorrespondentRow,
        (CorrespondentRow.player_id == Player.id)
        & (func.lower(CorrespondentRow.address) == Player.address_key),
    )
    .where(SeatRow.id.in_(bindparam("seats", expanding=True)))
)


def _places(connection: Connection, seats: Collection[int]) -> Places:
    found = pairs_of(KeptSeat, _GameOfSeat, connection.execute(_PLACES, {"seats": list(seats)}))
    return {
        kept.id: Place(
            kept.seat,
            view.Meeting(game.game, game.variant, game.clock, game.opponent_name),
            table_preferences.on(game.switched),
            game.reader,
            game.renewed,
            game.accepted,
            game.slip_file,
        )
        for kept, game in found
    }


#: Kinds of unrequested email that a daily digest replaces for players who chose it.
IN_DIGESTS = ("turn", "tried", "delay")
#: Kinds of email that a player can turn off. Everyone is told by email how a game ended.
_STOPPED = (*IN_DIGESTS, "reminder")
_SPARED = {OFF: _STOPPED, DAILY: IN_DIGESTS}


def _is_spared(row: GameLetter, mailing: str) -> bool:
    """Whether the player's settings suppress this email; a last call is always sent."""
    return row.kind in _SPARED.get(mailing, ()) and not _is_last_call(json.loads(row.words))


def _is_last_call(words: Mapping[str, Any]) -> bool:
    return bool(words.get("last_call"))


def _addressed(seat: Seat, row: GameLetter, domain: str) -> Addressed:
    return Addressed(seat.signet.mailbox(Kind.BOUNCE, row.number, domain), seat.address)


def seen(connection: Connection, letters: Sequence[int]) -> list[View]:
    """Return the view that each email would show, leaving out those that cannot be made."""
    asked = select(*GAME_LETTER, null().label("message"), false().label("any_busy")).where(
        OutboxRow.id.in_(letters)
    )
    rows = {row.id: row for row in rows_of(GameLetter, connection.execute(asked))}
    places, found = _places(connection, {row.seat_id for row in rows.values()}), list[View]()
    for row in (rows[each] for each in letters if each in rows):
        place, lacks = places[row.seat_id], Lacks()
        about = _asked(place.seat, row, json.loads(row.words))
        known = lacks.or_without("view", partial(_known, connection, place, about, lacks), None, DBAPIError)
        if known:
            found.append(known if Switch.RECALLED in place.on else without_recalled(known))
    return found


def _known(connection: Connection, place: Place, asked: view.Asked, lacks: Lacks) -> View:
    return view.known(place.meeting, asked, view.records(connection, [asked]), lacks)


def _worded(connection: Connection, house: House, places: Places, rows: Sequence[GameLetter]) -> Worded:
    """Word the emails; a finished game's files are written later, outside the transaction."""
    words = {row.id: json.loads(row.words) for row in rows}
    asked = {row.id: _asked(places[row.seat_id].seat, row, words[row.id]) for row in rows}
    records = view.records(connection, asked.values())
    worded: dict[int, Callable[[], Outgoing]] = {}
    for row in rows:
        place, lacks = places[row.seat_id], Lacks()
        known = view.known(place.meeting, asked[row.id], records, lacks)
        seen = known if Switch.RECALLED in place.on else without_recalled(known)
        said = words[row.id]
        beside = _beside(place, asked[row.id], records, said) if place.slip_file else None
        if row.kind == "answer":
            said["meant"] = lacks.or_without("proposals", partial(proposed, said, known), _NOTHING)
        letter = _outgoing(house, place, row, seen, said)
        over = _tells_of_the_end(letter)
        game = _game(connection, place.seat.game_id, house.domain, lacks) if over else None
        letter = replace(
            letter, marks=lacks.or_without("marks", partial(board_overlay.of_view, seen, place.on), _UNMARKED)
        )
        if over and (mark := finished.share_mark(connection, place.meeting.code)):
            letter = replace(letter, whole=f"{house.web_url}/finished/{mark}")
        if over:
            kept = lacks.or_without(
                "record", partial(_record, connection, place.seat, row.number), b"", DBAPIError
            )
            letter = replace(letter, record=kept, words={**letter.words, "verify": f"{house.web_url}/verify"})
        worded[row.id] = partial(_with_files, letter, game, beside, lacks)
    return worded


def _asked(seat: Seat, row: GameLetter, words: dict[str, Any]) -> view.Asked:
    moment = view.UpTo(row.slip, row.step, row.inbox_id, of_words(words.pop("public"), row.seal))
    own = view.Own(**words.pop("own", {}))
    return view.Asked(seat, moment, own, _is_shown(words) or moment.public.is_over)


def _is_shown(words: dict[str, Any]) -> bool:
    """Whether the player asked to see the whole game."""
    return any(item["note"] == "show" for item in words.get("items", ()))


def _game(connection: Connection, game_id: int, domain: str, lacks: Lacks) -> finished.FinishedGame | None:
    return lacks.or_without("game", lambda: finished.of_game(connection, game_id, domain), None, DBAPIError)


def _record(connection: Connection, seat: Seat, before: int) -> bytes:
    """Return the record of a finished game; empty if it ended before turns were sealed."""
    try:
        return game_records.packed(game_records.record(connection, seat.game_id, seat.side, before))
    except Refused:
        return b""


def _beside(
    place: Place, asked: view.Asked, records: view.Records, said: dict[str, Any]
) -> json_attachment.Beside:
    """Gather what the JSON attachment of an email tells."""
    return json_attachment.Beside(
        place.meeting, asked, place.accepted, dict(said), view.handed(asked, records)
    )


def _with_files(
    letter: Outgoing, game: finished.FinishedGame | None, beside: json_attachment.Beside | None, lacks: Lacks
) -> Outgoing:
    file = lacks.or_without("file", lambda: json_attachment.written(beside, letter) if beside else "", "")
    pgn = lacks.or_without("game", lambda: game.pgn if game else "", "")
    replay = lacks.or_without("film", lambda: game.replay if game else None, None)
    marks = lacks.or_without("marks", lambda: _last_marks(replay) if replay else letter.marks, _UNMARKED)
    return replace(letter, game=pgn, file=file, replay=replay, marks=marks, lacks=tuple(lacks.found))


def _last_marks(replay: Replay) -> Marked:
    """Return the marks on the whole board of a finished game's last half-move."""
    return board_overlay.of_end(replay.scene(replay.last).marks)


_NOTHING: tuple[str, ...] = ()
_UNMARKED: Marked = ()


def _tells_of_the_end(letter: Outgoing) -> bool:
    """Whether this is the email that tells its reader how a played game ended."""
    assert letter.view
    if letter.view.lesson or not (letter.view.state is Stage.OVER and letter.view.revealed):
        return False
    items: Any = letter.words.get("items", ())
    return letter.kind in ("over", "decree") or any(item["note"] in _ENDING for item in items)


_ENDING = ("moved", "said")


def _outgoing(house: House, place: Place, row: GameLetter, view: View, words: dict[str, Any]) -> Outgoing:
    about = _about(place.seat, view.card.name, view.opponent, view.game)
    letter = _headed(house, place, row, about, words.get("to", ""))
    table = f"{house.web_url}/games/{view.game}"
    said = _answered(shown=_is_shown(words)) | words if row.kind == "answer" else words
    stops = () if _is_last_call(words) else letter.stops
    return replace(letter, view=view, words=said, table=table, stops=stops)


def _answered(*, shown: bool) -> dict[str, object]:
    """Return the values that the answer template needs besides the answer itself."""
    return _ANSWER | {"shown": shown, "cards": {card.key: card for card in catalogue.cards()}}


def _headed(house: House, place: Place, row: GameLetter, about: str, answered: str) -> Outgoing:
    """Build an email that has its headers but no content yet."""
    seat = place.seat
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
        ready_to=seat.signet.mailbox(Kind.READY, row.number, house.domain),
        parent=parent,
        root=root,
        stops=place.stops(house, row.kind),
    )


def _about(seat: Seat, variant: str, opponent: str, code: str) -> str:
    return sentence("subjects.game", variant=variant, opponent=seat.opponent or opponent, code=code)


def _worded_plainly(
    connection: Connection, house: House, places: Places, rows: Sequence[GameLetter]
) -> Worded:
    return {row.id: partial(replace, _plain(connection, house, places[row.seat_id], row)) for row in rows}


def _plain(connection: Connection, house: House, place: Place, row: GameLetter) -> Outgoing:
    words, lacks = json.loads(row.words), Lacks()
    words.pop("own", None)
    moment = view.UpTo(row.slip, row.step, row.inbox_id, of_words(words.pop("public"), row.seal))
    bare = view.bare(connection, place.meeting, place.seat, moment, lacks)
    about = _about(place.seat, bare.variant, bare.opponent, place.meeting.code)
    letter = _headed(house, place, row, about, words.get("to", ""))
    return replace(letter, words=words, bare=bare, lacks=tuple(lacks.found))


_ANSWER: dict[str, object] = {
    "doubt": "",
    "why": "",
    "sender": "",
    "puzzled": None,
    "taught": None,
    "meant": (),
    "again": False,
    "last": "",
}


def _thread(seat: Seat, number: int, answered: str, domain: str) -> tuple[str | None, str | None]:
    """Return the Message-IDs of the thread's first email and of this email's parent."""
    root = seat.signet.mailbox(Kind.LETTER, 1, domain) if number > 1 else None
    if re.fullmatch(r"[!-;=?-~]+@[!-;=?-~]+", answered) and len(answered) <= 200:
        return root, answered
    return root, seat.signet.mailbox(Kind.LETTER, number - 1, domain) if number > 1 else None


#: Emails that wait to be sent; each seat's emails go in order.
TRAY = Tray(
    OutboxRow,
    Shelf(OutboxRow, Parcel, Quotable),
    "seat_id",
    GameLetter,
    GAME_LETTER,
    prepare,
    prepare_plainly,
)
