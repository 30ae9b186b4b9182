"""Reads finished games for anybody; nothing about an unfinished game ever leaves this module."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple, TypeAlias

from sqlalchemy import Connection, bindparam, func, select

from corr.game.clock import clock_of
from corr.messages import sentence
from corr.service import catalogue
from corr.service.games import log
from corr.service.house import House
from corr.service.players import publishing
from corr.service.players.authentication import Visitor
from corr.store.rows import one_of, one_or_none_of, rows_of
from corr.store.slips import unpack
from corr.store.tables import Game, OutboxRow, Player, SeatRow, SlipRow
from corr.words.board import Pair, Side
from corr.words.errors import Refused
from corr.words.slips import Outcome, Slip
from corr.words.view import Disclosed, Finished, Replay, Stage

_UNKNOWN_DAY = "????.??.??"
_MAC = 10


class KeptGame(NamedTuple):
    """The public columns of a game row."""

    id: int
    code: str
    variant: str
    clock: str
    state: str
    winner: str | None
    reason: str | None
    lesson: int | None


class Seated(NamedTuple):
    """The player of one side, with their publishing choices."""

    id: int
    side: str
    player_id: int
    name: str
    publishes: str
    tells_tries: bool


class PackedSlip(NamedTuple):
    """A slip as its row keeps it."""

    facts: bytes
    sight: bytes


PackedSlips: TypeAlias = tuple[PackedSlip, ...]


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game and its variant."""

    variant: str
    finished: Finished

    def under(self, names: Pair[str]) -> FinishedGame:
        """Return the same game with these names for its players."""
        return replace(self, finished=replace(self.finished, players=names))

    @property
    def pgn(self) -> str:
        """Return the game as a PGN file."""
        return catalogue.written(self.variant, self.finished)

    @property
    def scouted(self) -> Pair[catalogue.Scouting]:
        """Return what both sides sensed and moved."""
        return catalogue.scouted(self.variant, self.finished.slips)

    @property
    def replay(self) -> Replay:
        """Return the game move by move."""
        return catalogue.replayed(self.variant, self.finished.slips)


def pgn(house: House, code: str) -> str:
    """Return a finished game as PGN; Refused if unfinished, a lesson or never begun."""
    return of_code(house, code).pgn


def of_code(house: House, code: str) -> FinishedGame:
    """Find a finished game by its code; Refused if unfinished, a lesson or never begun."""
    with house.store.reading() as connection:
        asked = {"code": code.strip().lower()}
        game = one_or_none_of(KeptGame, connection.execute(_BY_CODE, asked))
        if game is None:
            raise Refused(sentence("games.no_code", code=code))
        return _finished(connection, game, house.domain)


def of_game(connection: Connection, game_id: int, domain: str) -> FinishedGame:
    """Read a finished game with all its slips; Refused for one that is not over."""
    game = one_of(KeptGame, connection.execute(_BY_ID, {"game": game_id}))
    return _finished(connection, game, domain)


def share_mark(connection: Connection, code: str) -> str | None:
    """Return the mark that finds a finished game's page: stable and not guessable.

    None while the game is not over, and where its pieces were never on the board.
    """
    game = one_or_none_of(KeptGame, connection.execute(_SHARED, {"code": code}))
    return marked(publishing.secret(connection), code) if game else None


def marks_by_name(connection: Connection, codes: Collection[str]) -> dict[str, str]:
    """Return these marks by game code, for games whose players all show strangers their names."""
    shared = connection.execute(_SHARED_OF, {"codes": list(codes)}).scalars().all()
    secret = publishing.secret(connection) if shared else b""
    return {code: marked(secret, code) for code in shared}


def shared(connection: Connection, mark: str) -> KeptGame:
    """Return a page mark's finished game; every other mark gets the same Refused."""
    code = mark.partition("-")[0]
    is_ours = hmac.compare_digest(marked(publishing.secret(connection), code).encode(), mark.encode())
    game = one_or_none_of(KeptGame, connection.execute(_SHARED, {"code": code})) if is_ours else None
    if game is None:
        raise Refused(sentence("games.no_page"))
    return game


def of_mark(house: House, mark: str, visitor: Visitor | None = None) -> FinishedGame:
    """Return a mark's game, with the names this visitor may see; else Refused."""
    with house.store.reading() as connection:
        game = shared(connection, mark)
        found = _finished(connection, game, house.domain)
        names = names_for(connection, seats_of(connection, game.id), visitor)
    return found.under(names)


def names_for(connection: Connection, seats: Mapping[Side, Seated], visitor: Visitor | None) -> Pair[str]:
    """Name a game's players: to each other by name, to strangers as each chose."""
    if visitor and any(seat.player_id == visitor.who.player_id for seat in seats.values()):
        return Pair(seats[Side.WHITE].name, seats[Side.BLACK].name)
    secret = publishing.secret(connection)
    return Pair(*(_called(secret, seats[side]) for side in Side))


def _called(secret: bytes, seat: Seated) -> str:
    return publishing.called_by_link(secret, seat.player_id, seat.name, seat.publishes)


def marked(secret: bytes, code: str) -> str:
    """Compute the mark of a finished game's page."""
    mac = hmac.digest(secret, f"finished {code}".encode(), hashlib.sha256)[:_MAC]
    return f"{code}-{base64.b32encode(mac).decode().lower()}"


_GAME = select(
    Game.id, Game.code, Game.variant, Game.clock, Game.state, Game.winner, Game.reason, Game.lesson
)
_BY_CODE = _GAME.where(Game.code == bindparam("code"))
#: A finished game has a page, but not a lesson, nor a game that ended before its pieces were set up.
_HAS_PAGE = (
    (Game.state == Stage.OVER)
    & (Game.ply >= 0)
    & Game.lesson.is_(None)
    & select(SeatRow.id)
    .join(SlipRow, SlipRow.seat_id == SeatRow.id)
    .where(SeatRow.game_id == Game.id)
    .exists()
)
_SHARED = _BY_CODE.where(_HAS_PAGE)
_IS_BY_NAME = (
    ~select(SeatRow.id)
    .join(Player, Player.id == SeatRow.player_id)
    .where(SeatRow.game_id == Game.id, publishing.in_game(SeatRow, Player).not_in(publishing.BY_NAME))
    .exists()
)
_SHARED_OF = select(Game.code).where(
    Game.code.in_(bindparam("codes", expanding=True)), _HAS_PAGE, _IS_BY_NAME
)
_BY_ID = _GAME.where(Game.id == bindparam("game"))
_SEATS = (
    select(
        SeatRow.id,
        SeatRow.side,
        SeatRow.player_id,
        Player.name,
        publishing.in_game(SeatRow, Player).label("publishes"),
        SeatRow.tells_tries,
    )
    .join(Player, Player.id == SeatRow.player_id)
    .where(SeatRow.game_id == bindparam("game"))
)
_SLIPS = (
    select(SlipRow.facts, SlipRow.sight)
    .where(SlipRow.seat_id == bindparam("seat"))
    .order_by(SlipRow.number, SlipRow.step)
)
#: A game began with its first email that tells of a slip.
_BEGUN = select(func.min(OutboxRow.made_at)).where(
    OutboxRow.seat_id.in_(bindparam("seats", expanding=True)), OutboxRow.slip > 0
)


def _finished(connection: Connection, game: KeptGame, domain: str) -> FinishedGame:
    if game.state == Stage.OFFERED:
        raise Refused(sentence("games.not_begun", code=game.code))
    if game.state != Stage.OVER:
        raise Refused(sentence("games.not_over", code=game.code))
    if game.lesson:
        raise Refused(sentence("games.lessons", code=game.code))
    seats = seats_of(connection, game.id)
    slips = Pair(*(unpacked(side, handed(connection, seats[side].id)) for side in Side))
    if not (slips.white and slips.black):
        raise Refused(sentence("games.never_begun", code=game.code))
    finished = Finished(
        game=game.code,
        site=domain,
        begun=_day(begun(connection, seats.values())),
        time_control=clock_of(game.clock).time_control,
        players=Pair(seats[Side.WHITE].name, seats[Side.BLACK].name),
        slips=slips,
        outcome=outcome_of(game),
        disclosed=Pair(*(_disclosed(connection, seats[side]) for side in Side)),
    )
    return FinishedGame(game.variant, finished)


def outcome_of(game: KeptGame) -> Outcome:
    """Return how a finished game ended."""
    return Outcome(Side(game.winner) if game.winner else None, game.reason or "")


def seats_of(connection: Connection, game_id: int) -> dict[Side, Seated]:
    """Return the player of each side of a game."""
    seats = rows_of(Seated, connection.execute(_SEATS, {"game": game_id}))
    return {Side(seat.side): seat for seat in seats}


def _disclosed(connection: Connection, seat: Seated) -> Disclosed:
    return log.disclosed(
        log.of_seat(connection, seat.id, whole=seat.tells_tries), tells_tries=seat.tells_tries
    )


def handed(connection: Connection, seat_id: int) -> PackedSlips:
    """Return a side's slips as their rows keep them."""
    return tuple(rows_of(PackedSlip, connection.execute(_SLIPS, {"seat": seat_id})))


def unpacked(side: Side, kept: PackedSlips) -> tuple[Slip, ...]:
    """Unpack a side's slips."""
    return tuple(unpack(side, each.facts, each.sight) for each in kept)


def begun(connection: Connection, seats: Collection[Seated]) -> datetime | None:
    """Return when the first email with a slip was written."""
    moment: datetime | None = connection.execute(_BEGUN, {"seats": [seat.id for seat in seats]}).scalar_one()
    return moment


def _day(moment: datetime | None) -> str:
    return moment.strftime("%Y.%m.%d") if moment else _UNKNOWN_DAY
