"""Composes emails about games from what the umpire told their player; subjects are in `messages.toml`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, bindparam, func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import aliased

from corr.mail.address import AddressSigner, TokenKind
from corr.mail.outward.email_to_send import Answer, EmailToSend
from corr.mail.outward.missing_parts import MissingParts
from corr.service import catalogue
from corr.service.games import board_marks, finished, game_records, view
from corr.service.games.board_marks import drop_recalled
from corr.service.games.page_orders import suggest_orders
from corr.service.games.public_state import parse_state
from corr.service.games.seats import Seat, StoredSeat, select_seats
from corr.service.mail import delivery, json_attachment
from corr.service.mail.delivery import OutgoingEmail
from corr.service.mail.outbox import Outbox, PreparedEmails
from corr.service.players import mail_preferences, switches
from corr.service.players.mail_preferences import DAILY, OFF
from corr.service.players.switches import Switch
from corr.service.server import Server
from corr.store.rows import pairs_of
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
from corr.store.texts import OutgoingTexts
from corr.text.messages import sentence
from corr.words.errors import Refused
from corr.words.view import Stage, View

#: Kinds of unrequested email that a daily digest replaces for players who chose it.
DIGEST_KINDS = ("turn", "tried", "delay")
#: Kinds of email that a player can turn off. Everyone is told by email how a game ended.
_OPTIONAL_KINDS = (*DIGEST_KINDS, "reminder")
_SUPPRESSED_KINDS = {OFF: _OPTIONAL_KINDS, DAILY: DIGEST_KINDS}
_ENDING_NOTES = ("moved", "said")
_NOTHING: tuple[Any, ...] = ()


class _EmailRow(NamedTuple):
    letter: int
    slip: int
    step: int
    inbox_id: int | None
    seal: str
    game: str
    variant: str
    clock: str
    opponent_name: str
    switched: str
    renewed: int  # how often its player's seats got new addresses
    reader_code: str | None
    reader_key: bytes | None
    accepted: bool
    slip_file: bool  # whether its player's emails carry the JSON attachment


class GameEmail(NamedTuple):
    """An email to a seat: what the outbox, the game and the player's settings say of it."""

    row: OutgoingEmail
    seat: Seat
    about: _EmailRow

    @property
    def info(self) -> view.GameInfo:
        """The game and the opponent's name, which both players know."""
        about = self.about
        return view.GameInfo(about.game, about.variant, about.clock, about.opponent_name)

    @property
    def switches(self) -> frozenset[Switch]:
        return switches.parse_switches(self.about.switched)

    def shown(self, view: View) -> View:
        """Return a view without pieces shown in earlier turns, unless the player wants these."""
        return view if Switch.RECALLED in self.switches else drop_recalled(view)

    @property
    def is_suppressed(self) -> bool:
        """Whether the player turned this kind of email off; a last call and a turn with an answer always go."""
        if self.row.kind not in _SUPPRESSED_KINDS.get(self.seat.mailing, ()):
            return False
        words = json.loads(self.row.words)
        return not (words.get("last_call") or words.get("merged"))

    def moment(self, words: dict[str, Any]) -> view.ViewMoment:
        """Pop from `words` the point in the game that the email shows."""
        public = parse_state(words.pop("public"), self.about.seal)
        return view.ViewMoment(self.about.slip, self.about.step, self.about.inbox_id, public)

    def request(self, words: dict[str, Any]) -> view.ViewRequest:
        """Pop from `words` what to load for the view of the game that the email shows."""
        moment = self.moment(words)
        own = view.PrivateState(**words.pop("own", {}))
        return view.ViewRequest(self.seat, moment, own, _has_asked_show(words) or moment.public.is_over)

    def stops(self, server: Server) -> tuple[str, ...]:
        """Return the unsubscribe links for an optional kind of email, else none."""
        code, key = self.about.reader_code, self.about.reader_key
        if code is None or key is None or self.row.kind not in _OPTIONAL_KINDS:
            return ()
        return mail_preferences.make_links(server, AddressSigner(code, key), self.about.renewed)


_OTHER_SEAT, _OPPONENT = aliased(SeatRow), aliased(PlayerRow)
_EMAILS_QUERY = (
    select_seats(
        OutboxRow.id.label("letter"),
        OutboxRow.slip,
        OutboxRow.step,
        OutboxRow.inbox_id,
        OutboxRow.seal,
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
    .join(OutboxRow, OutboxRow.seat_id == SeatRow.id)
    .join(GameRow, GameRow.id == SeatRow.game_id)
    .join(_OTHER_SEAT, (_OTHER_SEAT.game_id == SeatRow.game_id) & (_OTHER_SEAT.side != SeatRow.side))
    .join(_OPPONENT, _OPPONENT.id == _OTHER_SEAT.player_id)
    .outerjoin(
        CorrespondentRow,
        (CorrespondentRow.player_id == PlayerRow.id)
        & (func.lower(CorrespondentRow.address) == PlayerRow.address_key),
    )
    .where(OutboxRow.id.in_(bindparam("letters", expanding=True)))
)


def load_emails(connection: Connection, rows: Sequence[OutgoingEmail]) -> dict[int, GameEmail]:
    """Load the games, seats and settings of claimed emails, by email id."""
    kept = {row.id: row for row in rows}
    found = pairs_of(StoredSeat, _EmailRow, connection.execute(_EMAILS_QUERY, {"letters": list(kept)}))
    return {about.letter: GameEmail(kept[about.letter], stored.seat, about) for stored, about in found}


def _has_asked_show(words: dict[str, Any]) -> bool:
    """Whether the email answers the order `show`, which asks for the whole game so far."""
    return any(item["note"] == "show" for item in words.get("items", ()))


#: Functions that compose emails, by email id; they run outside a transaction.
_Composers: TypeAlias = Mapping[int, Callable[[], EmailToSend]]
_MakeComposers: TypeAlias = Callable[[Connection, Server, Sequence[GameEmail]], _Composers]


def prepare(
    connection: Connection,
    server: Server,
    rows: Sequence[OutgoingEmail],
    unmade: Sequence[OutgoingEmail],
    make_composers: _MakeComposers | None = None,
) -> PreparedEmails:
    """Load who gets `rows`, and return functions that compose the emails in `unmade`."""
    emails = load_emails(connection, rows)
    spared = {letter for letter, email in emails.items() if email.is_suppressed}
    spared |= delivery.find_outdated(connection, rows)
    wanted = [emails[row.id] for row in unmade if row.id not in spared]
    composers = (make_composers or _make_composers)(connection, server, wanted)
    return PreparedEmails({letter: email.seat for letter, email in emails.items()}, composers, spared)


def _make_composers(connection: Connection, server: Server, emails: Sequence[GameEmail]) -> _Composers:
    """Return a function for each email that composes it later, outside the transaction."""
    words = [json.loads(email.row.words) for email in emails]
    requests = [email.request(said) for email, said in zip(emails, words, strict=True)]
    records = view.load_records(connection, requests)
    return {
        email.row.id: _make_composer(connection, server, email, request, records, said)
        for email, request, said in zip(emails, requests, words, strict=True)
    }


def _make_composer(
    connection: Connection,
    server: Server,
    email: GameEmail,
    request: view.ViewRequest,
    records: view.SeatRecords,
    words: dict[str, Any],
) -> Callable[[], EmailToSend]:
    """Load and word an email; return a function that adds its files outside the transaction."""
    row, seat, lacks = email.row, email.seat, MissingParts()
    known = view.build_view(email.info, request, records, lacks)
    seen, attach = email.shown(known), None
    if email.about.slip_file:
        told = (email.info, request, email.about.accepted, dict(words), view.list_slips(request, records))
        attach = partial(json_attachment.write_attachment, *told)
    meant = _NOTHING
    if row.kind == "answer":
        meant = lacks.make_or_replace("proposals", partial(suggest_orders, words, known), _NOTHING)
        cards = {card.key: card for card in catalogue.cards()}
        answer = Answer.from_words(words, meant=meant, shown=_has_asked_show(words), cards=cards)
        words = {**words, "answer": answer}
    game, more = None, dict[str, Any](stops=()) if words.get("last_call") else {}
    if _is_end_email(row.kind, seen, words):
        load_game = partial(finished.load_game, connection, seat.game_id, server.domain)
        game = lacks.make_or_replace("game", load_game, None, DBAPIError)
        mark = finished.find_page_key(connection, email.info.code)
        write_record = partial(_write_record, connection, seat, row.number)
        more["whole"] = f"{server.web_url}/finished/{mark}" if mark else ""
        more["record"] = lacks.make_or_replace("record", write_record, b"", DBAPIError)
        words = {**words, "verify": f"{server.web_url}/verify"}
    marks = lacks.make_or_replace("marks", partial(board_marks.overlay_view, seen, email.switches), _NOTHING)
    letter = _make_email(
        server,
        email,
        seen.card.name,
        seen.opponent,
        view=seen,
        words=words,
        table=f"{server.web_url}/games/{seen.game}",
        proposals=meant,
        marks=marks,
        **more,
    )
    return partial(_attach_files, letter, game, attach, lacks)


def _is_end_email(kind: str, view: View, words: Mapping[str, Any]) -> bool:
    """Whether this is the email that tells its reader how a played game ended."""
    if view.lesson or not (view.state is Stage.OVER and view.revealed):
        return False
    return kind in ("over", "decree") or any(item["note"] in _ENDING_NOTES for item in words.get("items", ()))


def _write_record(connection: Connection, seat: Seat, before: int) -> bytes:
    """Return a finished game's compressed record; empty if it ended before turns were sealed."""
    try:
        return game_records.compress(game_records.write_record(connection, seat.game_id, seat.side, before))
    except Refused:
        return b""


def _attach_files(
    letter: EmailToSend,
    game: finished.FinishedGame | None,
    attach: Callable[[EmailToSend], str] | None,
    lacks: MissingParts,
) -> EmailToSend:
    """Add the JSON, PGN and replay to an email, and mark the last move."""
    file = lacks.make_or_replace("file", lambda: attach(letter) if attach else "", "")
    pgn = lacks.make_or_replace("game", lambda: game.pgn if game else "", "")
    replay = lacks.make_or_replace("film", lambda: game.replay if game else None, None)
    if replay:  # the marks on the whole board after its last half-move
        overlay = board_marks.overlay_last_move
        marks = lacks.make_or_replace("marks", lambda: overlay(replay.scene(replay.last).marks), _NOTHING)
    else:
        marks = letter.marks
    return replace(letter, game=pgn, file=file, replay=replay, marks=marks, lacks=tuple(lacks.found))


def _make_plain_composers(connection: Connection, server: Server, emails: Sequence[GameEmail]) -> _Composers:
    """Return a function for each email that gives its words without a board."""
    return {email.row.id: partial(replace, _make_plain_email(connection, server, email)) for email in emails}


def _make_plain_email(connection: Connection, server: Server, email: GameEmail) -> EmailToSend:
    """Make an email without a board, for one that could not be composed in full."""
    words, lacks = json.loads(email.row.words), MissingParts()
    words.pop("own", None)
    bare = view.build_bare(connection, email.info, email.seat, email.moment(words), lacks)
    given = {"view": None, "words": words, "bare": bare, "lacks": tuple(lacks.found)}
    return _make_email(server, email, bare.variant, bare.opponent, **given)


def _make_email(server: Server, email: GameEmail, variant: str, opponent: str, **more: Any) -> EmailToSend:
    """Build an email with its headers, and with `more` of its fields."""
    row, seat = email.row, email.seat
    mailbox = partial(seat.signer.mailbox, domain=server.domain)
    is_question = row.kind == "doubted"
    answer_to = (TokenKind.CONFIRM, row.number) if is_question else (TokenKind.REPLY, email.about.slip)
    root, parent = _thread(seat, row.number, more["words"].get("to", ""), server.domain)
    return EmailToSend(
        kind=row.kind,
        about=sentence(
            "subjects.game", variant=variant, opponent=seat.opponent or opponent, code=email.about.game
        ),
        date=row.made_at,
        sender=server.umpire,
        recipient=seat.address,
        reply_to=mailbox(*answer_to),
        message_id=mailbox(TokenKind.LETTER, row.number),
        ready_to=mailbox(TokenKind.READY, row.number),
        parent=parent,
        root=root,
        **{"stops": email.stops(server), **more},
    )


def _thread(seat: Seat, number: int, answered: str, domain: str) -> tuple[str | None, str | None]:
    """Return the Message-IDs of the thread's first email and of this email's parent."""
    root = seat.signer.mailbox(TokenKind.LETTER, 1, domain) if number > 1 else None
    if re.fullmatch(r"[!-;=?-~]+@[!-;=?-~]+", answered) and len(answered) <= 200:
        return root, answered
    return root, seat.signer.mailbox(TokenKind.LETTER, number - 1, domain) if number > 1 else None


#: The queue of emails about games that wait to be sent.
OUTBOX = Outbox(
    OutboxRow,
    OutboxRow.seat_id,
    select(EmailWordsRow.words).where(EmailWordsRow.letter_id == OutboxRow.id).scalar_subquery(),
    OutgoingTexts(OutboxRow, EmailBytesRow, QuotableRow),
    prepare,
    partial(prepare, make_composers=_make_plain_composers),
)
