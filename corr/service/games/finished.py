"""Reads finished games for anybody; nothing about an unfinished game ever leaves this module."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple, TypeAlias

from sqlalchemy import BindParameter, Connection, bindparam, func, select

from corr.game.clock import parse_clock
from corr.service import catalogue
from corr.service.games import log_rows
from corr.service.players import publishing
from corr.service.players.authentication import Visitor
from corr.service.server import Server
from corr.store.rows import columns_of, one_of, one_or_none_of, rows_of
from corr.store.slips import unpack
from corr.store.tables import GameRow, InboxRow, OutboxRow, PlayerRow, SeatRow, SlipRow
from corr.text.messages import sentence
from corr.words.board import Pair, Side
from corr.words.errors import Refused
from corr.words.replay import CompletedGame, DisclosedOrders, Replay
from corr.words.slips import Outcome, Slip
from corr.words.view import Stage

_UNKNOWN_DATE = "????.??.??"
_MARK_BYTES = 10


class StoredGame(NamedTuple):
    id: int
    code: str
    variant: str
    clock: str
    state: str
    winner: str | None
    reason: str | None
    lesson: int | None


class SeatedPlayer(NamedTuple):
    id: int
    side: str
    player_id: int
    name: str
    publishes: str
    tells_tries: bool


class PackedSlip(NamedTuple):
    """A slip (what the umpire told one side at a time), packed for its row."""

    facts: bytes
    sight: bytes


PackedSlips: TypeAlias = tuple[PackedSlip, ...]


@dataclass(frozen=True, slots=True)
class FinishedGame:
    variant: str
    finished: CompletedGame

    def under(self, names: Pair[str]) -> FinishedGame:
        """Return the same game with these names for its players."""
        return replace(self, finished=replace(self.finished, players=names))

    @property
    def pgn(self) -> str:
        return catalogue.write_pgn(self.variant, self.finished)

    @property
    def scouted(self) -> Pair[catalogue.RbcTurns]:
        """Return what both sides sensed and moved, in Reconnaissance Blind Chess."""
        return catalogue.list_scouting(self.variant, self.finished.slips)

    @property
    def replay(self) -> Replay:
        """Return the game to step through, as it was and as each side saw it."""
        return catalogue.make_replay(self.variant, self.finished.slips)


def pgn(server: Server, code: str) -> str:
    """Return a finished game's PGN by its code; raise Refused if there is none."""
    return load_by_code(server, code).pgn


def load_by_code(server: Server, code: str) -> FinishedGame:
    """Find a finished game by its code; raise Refused if unfinished, a lesson or never begun."""
    with server.store.reading() as connection:
        asked = {"code": code.strip().lower()}
        game = one_or_none_of(StoredGame, connection.execute(_BY_CODE, asked))
        if game is None:
            raise Refused(sentence("games.no_code", code=code))
        return _load_finished(connection, game, server.domain)


def load_game(connection: Connection, game_id: int, domain: str) -> FinishedGame:
    """Read a finished game by its id, with all its slips; raise Refused if not over."""
    game = one_of(StoredGame, connection.execute(_BY_ID, {"game": game_id}))
    return _load_finished(connection, game, domain)


def find_page_key(connection: Connection, code: str) -> str | None:
    """Return the unguessable key in a finished game's public address; None if it has no page."""
    game = one_or_none_of(StoredGame, connection.execute(_SHARED_QUERY, {"code": code}))
    return compute_page_key(publishing.load_secret(connection), code) if game else None


def find_named_marks(connection: Connection, codes: Collection[str]) -> dict[str, str]:
    """Map game codes to the keys in public addresses, for games that show strangers both names."""
    shared = connection.execute(_SHARED_CODES_QUERY, {"codes": list(codes)}).scalars().all()
    secret = publishing.load_secret(connection) if shared else b""
    return {code: compute_page_key(secret, code) for code in shared}


def find_by_mark(connection: Connection, mark: str) -> StoredGame:
    """Find a finished game by the key in its public address; raise Refused for any other."""
    code = mark.partition("-")[0]
    is_ours = hmac.compare_digest(
        compute_page_key(publishing.load_secret(connection), code).encode(), mark.encode()
    )
    game = one_or_none_of(StoredGame, connection.execute(_SHARED_QUERY, {"code": code})) if is_ours else None
    if game is None:
        raise Refused(sentence("games.no_page"))
    return game


def load_by_mark(server: Server, mark: str, visitor: Visitor | None = None) -> FinishedGame:
    """Load a finished game by its public key, with names for this visitor; or raise Refused."""
    with server.store.reading() as connection:
        game = find_by_mark(connection, mark)
        found = _load_finished(connection, game, server.domain)
        names = names_for(connection, seats_of(connection, game.id), visitor)
    return found.under(names)


def names_for(
    connection: Connection, seats: Mapping[Side, SeatedPlayer], visitor: Visitor | None
) -> Pair[str]:
    """Return the players' names for a visitor: each other's real ones, else as each chose."""
    if visitor and any(seat.player_id == visitor.who.player_id for seat in seats.values()):
        return Pair(seats[Side.WHITE].name, seats[Side.BLACK].name)
    secret = publishing.load_secret(connection)
    both = (seats[side] for side in Side)
    return Pair(*(publishing.name_by_link(secret, at.player_id, at.name, at.publishes) for at in both))


def compute_page_key(secret: bytes, code: str) -> str:
    """Return the key in a finished game's public address: its code and a keyed hash."""
    mac = hmac.digest(secret, f"finished {code}".encode(), hashlib.sha256)[:_MARK_BYTES]
    return f"{code}-{base64.b32encode(mac).decode().lower()}"


_GAME = select(*columns_of(StoredGame, GameRow))
_BY_CODE = _GAME.where(GameRow.code == bindparam("code"))
#: A finished game has a page, but not a lesson, nor a game that ended before its pieces were set up.
_HAS_PAGE = (
    (GameRow.state == Stage.OVER)
    & (GameRow.ply >= 0)
    & GameRow.lesson.is_(None)
    & select(SeatRow.id)
    .join(SlipRow, SlipRow.seat_id == SeatRow.id)
    .where(SeatRow.game_id == GameRow.id)
    .exists()
)
_SHARED_QUERY = _BY_CODE.where(_HAS_PAGE)
_ARE_BOTH_NAMED = (
    ~select(SeatRow.id)
    .join(PlayerRow, PlayerRow.id == SeatRow.player_id)
    .where(
        SeatRow.game_id == GameRow.id,
        publishing.select_publishing(SeatRow, PlayerRow).not_in(publishing.BY_NAME),
    )
    .exists()
)
_SHARED_CODES_QUERY = select(GameRow.code).where(
    GameRow.code.in_(bindparam("codes", expanding=True)), _HAS_PAGE, _ARE_BOTH_NAMED
)
_BY_ID = _GAME.where(GameRow.id == bindparam("game"))
_SEATS = (
    select(
        *columns_of(
            SeatedPlayer, SeatRow, PlayerRow, publishes=publishing.select_publishing(SeatRow, PlayerRow)
        )
    )
    .join(PlayerRow, PlayerRow.id == SeatRow.player_id)
    .where(SeatRow.game_id == bindparam("game"))
)
_SLIPS = (
    select(SlipRow.facts, SlipRow.sight)
    .where(SlipRow.seat_id == bindparam("seat"))
    .order_by(SlipRow.number, SlipRow.step)
)
_SEAT_IDS: BindParameter[Collection[int]] = bindparam("seats", expanding=True)
_FIRST_EMAIL = select(func.min(OutboxRow.made_at)).where(OutboxRow.seat_id.in_(_SEAT_IDS), OutboxRow.slip > 0)
_FIRST_ORDER = select(func.min(InboxRow.received_at)).where(InboxRow.seat_id.in_(_SEAT_IDS))
_STARTED_QUERY = select(func.coalesce(_FIRST_EMAIL.scalar_subquery(), _FIRST_ORDER.scalar_subquery()))


def _load_finished(connection: Connection, game: StoredGame, domain: str) -> FinishedGame:
    """Read all of a finished game; raise Refused if unfinished, a lesson or never begun."""
    if game.state == Stage.OFFERED:
        raise Refused(sentence("games.not_begun", code=game.code))
    if game.state != Stage.OVER:
        raise Refused(sentence("games.not_over", code=game.code))
    if game.lesson:
        raise Refused(sentence("games.lessons", code=game.code))
    seats = seats_of(connection, game.id)
    slips = Pair(*(unpack_slips(side, load_packed_slips(connection, seats[side].id)) for side in Side))
    if not (slips.white and slips.black):
        raise Refused(sentence("games.never_begun", code=game.code))
    begun = find_start(connection, seats.values())
    finished = CompletedGame(
        game=game.code,
        site=domain,
        begun=begun.strftime("%Y.%m.%d") if begun else _UNKNOWN_DATE,
        time_control=parse_clock(game.clock).time_control,
        players=Pair(seats[Side.WHITE].name, seats[Side.BLACK].name),
        slips=slips,
        outcome=outcome_of(game),
        disclosed=Pair(*(_load_disclosed(connection, seats[side]) for side in Side)),
    )
    return FinishedGame(game.variant, finished)


def outcome_of(game: StoredGame) -> Outcome:
    return Outcome(Side(game.winner) if game.winner else None, game.reason or "")


def seats_of(connection: Connection, game_id: int) -> dict[Side, SeatedPlayer]:
    seats = rows_of(SeatedPlayer, connection.execute(_SEATS, {"game": game_id}))
    return {Side(seat.side): seat for seat in seats}


def _load_disclosed(connection: Connection, seat: SeatedPlayer) -> DisclosedOrders:
    """Return which orders of a seat anyone may read: refused ones only if its player agreed."""
    return log_rows.list_disclosed(
        log_rows.load_orders(connection, seat.id, whole=seat.tells_tries), tells_tries=seat.tells_tries
    )


def load_packed_slips(connection: Connection, seat_id: int) -> PackedSlips:
    """Read all that the umpire told a seat, still packed as in the database."""
    return tuple(rows_of(PackedSlip, connection.execute(_SLIPS, {"seat": seat_id})))


def unpack_slips(side: Side, kept: PackedSlips) -> tuple[Slip, ...]:
    return tuple(unpack(side, each.facts, each.sight) for each in kept)


def find_start(connection: Connection, seats: Collection[SeatedPlayer]) -> datetime | None:
    """Return when its first email was written, or the first order, as guests get no emails; None without both."""
    moment: datetime | None = connection.execute(
        _STARTED_QUERY, {"seats": [seat.id for seat in seats]}
    ).scalar_one()
    return moment
