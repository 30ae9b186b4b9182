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

from corr.mail.address import AddressSigner, TokenKind
from corr.mail.outward.compose import EmailToSend
from corr.mail.outward.missing_parts import MissingParts
from corr.messages import sentence
from corr.service import catalogue
from corr.service.games import board_overlay, finished, game_records, view
from corr.service.games.board_marks import drop_recalled
from corr.service.games.public_state import parse_state
from corr.service.games.seats import Seat, StoredSeat, select_seats
from corr.service.games.suggestions import suggest_orders
from corr.service.mail import json_attachment, outdated_emails
from corr.service.mail.outbox import EmailRoute, Outbox, PreparedEmails
from corr.service.players import table_preferences, unsubscribe
from corr.service.players.mail_preferences import DAILY, OFF
from corr.service.players.table_preferences import Switch
from corr.service.server import Server
from corr.store.outgoing_texts import OutgoingTexts
from corr.store.rows import pairs_of, rows_of
from corr.store.tables import (
    CorrespondentRow,
    EmailBytesRow,
    EmailWordsRow,
    GameRow,
    OutboxRow,
    PlayerRow,
    QuotableRow,
    SeatRow,
)
from corr.words.errors import Refused
from corr.words.slips import SquareMarks
from corr.words.view import Replay, Stage, View


class GameEmail(NamedTuple):
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
    has_holds: bool


#: The columns of a `GameEmail`, except its bytes.
GAME_EMAIL_COLUMNS = (
    OutboxRow.id,
    OutboxRow.seat_id,
    OutboxRow.number,
    OutboxRow.kind,
    OutboxRow.slip,
    OutboxRow.step,
    OutboxRow.inbox_id,
    select(EmailWordsRow.words)
    .where(EmailWordsRow.letter_id == OutboxRow.id)
    .scalar_subquery()
    .label("words"),
    OutboxRow.seal,
    OutboxRow.made_at,
    OutboxRow.due_at,
    OutboxRow.tries,
)


#: Functions that compose emails, by email id; they run outside a transaction.
EmailComposers: TypeAlias = Mapping[int, Callable[[], EmailToSend]]


class EmailContext(NamedTuple):
    """A seat, its opponent and game, and its player's board settings."""

    seat: Seat
    meeting: view.GameInfo
    on: frozenset[Switch]  # the table switches that its player has on
    reader: AddressSigner | None  # identifies its player's mailbox
    renewed: int  # how often its player's seats got new addresses
    accepted: bool
    slip_file: bool  # whether its emails carry the JSON attachment

    def stops(self, server: Server, kind: str) -> tuple[str, ...]:
        """Return how its player can unsubscribe from a kind of email, if optional."""
        return (
            unsubscribe.make_links(server, self.reader, self.renewed)
            if self.reader and kind in _OPTIONAL_KINDS
            else ()
        )


EmailContexts: TypeAlias = Mapping[int, EmailContext]
MakeComposers: TypeAlias = Callable[[Connection, Server, EmailContexts, Sequence[GameEmail]], EmailComposers]


def send_some(server: Server, now: datetime, most: int = 20) -> int:
    """Send due emails one by one; return how many were claimed."""
    return OUTBOX.send_some(server, now, most)


def prepare(
    connection: Connection, server: Server, rows: Sequence[GameEmail], unmade: Sequence[GameEmail]
) -> PreparedEmails:
    """Look up where emails go and what they say."""
    return _prepare_with(connection, server, rows, unmade, _make_composers)


def prepare_plainly(
    connection: Connection, server: Server, rows: Sequence[GameEmail], unmade: Sequence[GameEmail]
) -> PreparedEmails:
    """Do the same, with plain emails in place of those that cannot be composed."""
    return _prepare_with(connection, server, rows, unmade, _make_plain_composers)


def _prepare_with(
    connection: Connection,
    server: Server,
    rows: Sequence[GameEmail],
    unmade: Sequence[GameEmail],
    word: MakeComposers,
) -> PreparedEmails:
    places = _load_contexts(connection, {row.seat_id for row in rows})
    addressed = {row.id: _make_route(places[row.seat_id].seat, row, server.domain) for row in rows}
    spared = {row.id for row in rows if _is_suppressed(row, places[row.seat_id].seat.mailing)}
    spared |= outdated_emails.find_outdated(connection, rows)
    wanted = [row for row in unmade if row.id not in spared]
    return PreparedEmails(addressed, word(connection, server, places, wanted), spared)


class _ContextRow(NamedTuple):
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
    def reader(self) -> AddressSigner | None:
        if self.reader_code is None or self.reader_key is None:
            return None
        return AddressSigner(self.reader_code, self.reader_key)


_OTHER_SEAT, _OPPONENT = aliased(SeatRow), aliased(PlayerRow)
_CONTEXTS_QUERY = (
    select_seats(
        GameRow.code.label("game"),
        GameRow.variant,
        GameRow.clock,
        _OPPONENT.name.label("opponent_name"),
        PlayerRow.switched,
        PlayerRow.renewed,
        CorrespondentRow.code.label("reader_code"),
        CorrespondentRow.key.label("reader_key"),
        SeatRow.accepted,
        PlayerRow.slip_file,
    )
    .join(GameRow, GameRow.id == SeatRow.game_id)
    .join(_OTHER_SEAT, (_OTHER_SEAT.game_id == SeatRow.game_id) & (_OTHER_SEAT.side != SeatRow.side))
    .join(_OPPONENT, _OPPONENT.id == _OTHER_SEAT.player_id)
    .outerjoin(
        CorrespondentRow,
        (CorrespondentRow.player_id == PlayerRow.id)
        & (func.lower(CorrespondentRow.address) == PlayerRow.address_key),
    )
    .where(SeatRow.id.in_(bindparam("seats", expanding=True)))
)


def _load_contexts(connection: Connection, seats: Collection[int]) -> EmailContexts:
    found = pairs_of(StoredSeat, _ContextRow, connection.execute(_CONTEXTS_QUERY, {"seats": list(seats)}))
    return {
        kept.id: EmailContext(
            kept.seat,
            view.GameInfo(game.game, game.variant, game.clock, game.opponent_name),
            table_preferences.parse_switches(game.switched),
            game.reader,
            game.renewed,
            game.accepted,
            game.slip_file,
        )
        for kept, game in found
    }


#: Kinds of unrequested email that a daily digest replaces for players who chose it.
DIGEST_KINDS = ("turn", "tried", "delay")
#: Kinds of email that a player can turn off. Everyone is told by email how a game ended.
_OPTIONAL_KINDS = (*DIGEST_KINDS, "reminder")
_SUPPRESSED_KINDS = {OFF: _OPTIONAL_KINDS, DAILY: DIGEST_KINDS}


def _is_suppressed(row: GameEmail, mailing: str) -> bool:
    """Whether the player's settings suppress this email; a last call is always sent."""
    return row.kind in _SUPPRESSED_KINDS.get(mailing, ()) and not _is_last_call(json.loads(row.words))


def _is_last_call(words: Mapping[str, Any]) -> bool:
    return bool(words.get("last_call"))


def _make_route(seat: Seat, row: GameEmail, domain: str) -> EmailRoute:
    return EmailRoute(seat.signet.mailbox(TokenKind.BOUNCE, row.number, domain), seat.address)


def list_views(connection: Connection, letters: Sequence[int]) -> list[View]:
    """Return the view that each email would show, leaving out those that cannot be made."""
    asked = select(*GAME_EMAIL_COLUMNS, null().label("message"), false().label("has_holds")).where(
        OutboxRow.id.in_(letters)
    )
    rows = {row.id: row for row in rows_of(GameEmail, connection.execute(asked))}
    places, found = _load_contexts(connection, {row.seat_id for row in rows.values()}), list[View]()
    for row in (rows[each] for each in letters if each in rows):
        place, lacks = places[row.seat_id], MissingParts()
        about = _make_request(place.seat, row, json.loads(row.words))
        known = lacks.make_or_replace(
            "view", partial(_build_view, connection, place, about, lacks), None, DBAPIError
        )
        if known:
            found.append(known if Switch.RECALLED in place.on else drop_recalled(known))
    return found


def _build_view(
    connection: Connection, place: EmailContext, asked: view.ViewRequest, lacks: MissingParts
) -> View:
    return view.build_view(place.meeting, asked, view.records(connection, [asked]), lacks)


def _make_composers(
    connection: Connection, server: Server, places: EmailContexts, rows: Sequence[GameEmail]
) -> EmailComposers:
    """Word the emails; a finished game's files are written later, outside the transaction."""
    words = {row.id: json.loads(row.words) for row in rows}
    asked = {row.id: _make_request(places[row.seat_id].seat, row, words[row.id]) for row in rows}
    records = view.records(connection, asked.values())
    worded: dict[int, Callable[[], EmailToSend]] = {}
    for row in rows:
        place, lacks = places[row.seat_id], MissingParts()
        known = view.build_view(place.meeting, asked[row.id], records, lacks)
        seen = known if Switch.RECALLED in place.on else drop_recalled(known)
        said = words[row.id]
        beside = _make_attachment(place, asked[row.id], records, said) if place.slip_file else None
        if row.kind == "answer":
            said["meant"] = lacks.make_or_replace(
                "proposals", partial(suggest_orders, said, known), _NO_PROPOSALS
            )
        letter = _make_email(server, place, row, seen, said)
        over = _is_end_email(letter)
        game = _game(connection, place.seat.game_id, server.domain, lacks) if over else None
        letter = replace(
            letter,
            marks=lacks.make_or_replace(
                "marks", partial(board_overlay.overlay_view, seen, place.on), _NO_MARKS
            ),
        )
        if over and (mark := finished.find_mark(connection, place.meeting.code)):
            letter = replace(letter, whole=f"{server.web_url}/finished/{mark}")
        if over:
            kept = lacks.make_or_replace(
                "record", partial(_record, connection, place.seat, row.number), b"", DBAPIError
            )
            letter = replace(
                letter, record=kept, words={**letter.words, "verify": f"{server.web_url}/verify"}
            )
        worded[row.id] = partial(_attach_files, letter, game, beside, lacks)
    return worded


def _make_request(seat: Seat, row: GameEmail, words: dict[str, Any]) -> view.ViewRequest:
    moment = view.ViewMoment(row.slip, row.step, row.inbox_id, parse_state(words.pop("public"), row.seal))
    own = view.PrivateState(**words.pop("own", {}))
    return view.ViewRequest(seat, moment, own, _has_asked_show(words) or moment.public.is_over)


def _has_asked_show(words: dict[str, Any]) -> bool:
    """Whether the player asked to see the whole game."""
    return any(item["note"] == "show" for item in words.get("items", ()))


def _game(
    connection: Connection, game_id: int, domain: str, lacks: MissingParts
) -> finished.FinishedGame | None:
    return lacks.make_or_replace(
        "game", lambda: finished.load_game(connection, game_id, domain), None, DBAPIError
    )


def _record(connection: Connection, seat: Seat, before: int) -> bytes:
    """Return the record of a finished game; empty if it ended before turns were sealed."""
    try:
        return game_records.compress(game_records.write_record(connection, seat.game_id, seat.side, before))
    except Refused:
        return b""


def _make_attachment(
    place: EmailContext, asked: view.ViewRequest, records: view.SeatRecords, said: dict[str, Any]
) -> json_attachment.AttachmentData:
    """Gather what the JSON attachment of an email tells."""
    return json_attachment.AttachmentData(
        place.meeting, asked, place.accepted, dict(said), view.list_slips(asked, records)
    )


def _attach_files(
    letter: EmailToSend,
    game: finished.FinishedGame | None,
    beside: json_attachment.AttachmentData | None,
    lacks: MissingParts,
) -> EmailToSend:
    file = lacks.make_or_replace(
        "file", lambda: json_attachment.write_attachment(beside, letter) if beside else "", ""
    )
    pgn = lacks.make_or_replace("game", lambda: game.pgn if game else "", "")
    replay = lacks.make_or_replace("film", lambda: game.replay if game else None, None)
    marks = lacks.make_or_replace("marks", lambda: _last_marks(replay) if replay else letter.marks, _NO_MARKS)
    return replace(letter, game=pgn, file=file, replay=replay, marks=marks, lacks=tuple(lacks.found))


def _last_marks(replay: Replay) -> SquareMarks:
    """Return the marks on the whole board of a finished game's last half-move."""
    return board_overlay.overlay_last_move(replay.scene(replay.last).marks)


_NO_PROPOSALS: tuple[str, ...] = ()
_NO_MARKS: SquareMarks = ()


def _is_end_email(letter: EmailToSend) -> bool:
    """Whether this is the email that tells its reader how a played game ended."""
    assert letter.view
    if letter.view.lesson or not (letter.view.state is Stage.OVER and letter.view.revealed):
        return False
    items: Any = letter.words.get("items", ())
    return letter.kind in ("over", "decree") or any(item["note"] in _ENDING_NOTES for item in items)


_ENDING_NOTES = ("moved", "said")


def _make_email(
    server: Server, place: EmailContext, row: GameEmail, view: View, words: dict[str, Any]
) -> EmailToSend:
    about = _word_subject(place.seat, view.card.name, view.opponent, view.game)
    letter = _start_email(server, place, row, about, words.get("to", ""))
    table = f"{server.web_url}/games/{view.game}"
    said = _answer_values(shown=_has_asked_show(words)) | words if row.kind == "answer" else words
    stops = () if _is_last_call(words) else letter.stops
    return replace(letter, view=view, words=said, table=table, stops=stops)


def _answer_values(*, shown: bool) -> dict[str, object]:
    """Return the values that the answer template needs besides the answer itself."""
    return _ANSWER | {"shown": shown, "cards": {card.key: card for card in catalogue.cards()}}


def _start_email(
    server: Server, place: EmailContext, row: GameEmail, about: str, answered: str
) -> EmailToSend:
    """Build an email that has its headers but no content yet."""
    seat = place.seat
    answer_to = (TokenKind.CONFIRM, row.number) if row.kind == "doubted" else (TokenKind.REPLY, row.slip)
    root, parent = _thread(seat, row.number, answered, server.domain)
    return EmailToSend(
        kind=row.kind,
        about=about,
        view=None,
        date=row.made_at,
        sender=server.umpire,
        recipient=seat.address,
        reply_to=seat.signet.mailbox(*answer_to, server.domain),
        message_id=seat.signet.mailbox(TokenKind.LETTER, row.number, server.domain),
        ready_to=seat.signet.mailbox(TokenKind.READY, row.number, server.domain),
        parent=parent,
        root=root,
        stops=place.stops(server, row.kind),
    )


def _word_subject(seat: Seat, variant: str, opponent: str, code: str) -> str:
    return sentence("subjects.game", variant=variant, opponent=seat.opponent or opponent, code=code)


def _make_plain_composers(
    connection: Connection, server: Server, places: EmailContexts, rows: Sequence[GameEmail]
) -> EmailComposers:
    return {
        row.id: partial(replace, _make_plain_email(connection, server, places[row.seat_id], row))
        for row in rows
    }


def _make_plain_email(
    connection: Connection, server: Server, place: EmailContext, row: GameEmail
) -> EmailToSend:
    words, lacks = json.loads(row.words), MissingParts()
    words.pop("own", None)
    moment = view.ViewMoment(row.slip, row.step, row.inbox_id, parse_state(words.pop("public"), row.seal))
    bare = view.build_bare(connection, place.meeting, place.seat, moment, lacks)
    about = _word_subject(place.seat, bare.variant, bare.opponent, place.meeting.code)
    letter = _start_email(server, place, row, about, words.get("to", ""))
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
    root = seat.signet.mailbox(TokenKind.LETTER, 1, domain) if number > 1 else None
    if re.fullmatch(r"[!-;=?-~]+@[!-;=?-~]+", answered) and len(answered) <= 200:
        return root, answered
    return root, seat.signet.mailbox(TokenKind.LETTER, number - 1, domain) if number > 1 else None


#: Emails that wait to be sent; each seat's emails go in order.
OUTBOX = Outbox(
    OutboxRow,
    OutgoingTexts(OutboxRow, EmailBytesRow, QuotableRow),
    "seat_id",
    GameEmail,
    GAME_EMAIL_COLUMNS,
    prepare,
    prepare_plainly,
)
