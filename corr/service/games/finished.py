"""What anybody may read of a game that is over: nothing of one that is not ever leaves here."""

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
    """What is public about a game, as it is kept."""

    id: int
    code: str
    variant: str
    clock: str
    state: str
    winner: str | None
    reason: str | None
    lesson: int | None


class Seated(NamedTuple):
    """Who played which side."""

    id: int
    side: str
    player_id: int
    name: str
    publishes: str
    tells_tries: bool


class PackedSlip(NamedTuple):
    """What a side was handed, as it is kept."""

    facts: bytes
    sight: bytes


PackedSlips: TypeAlias = tuple[PackedSlip, ...]


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game and which variant it was."""

    variant: str
    finished: Finished

    def under(self, names: Pair[str]) -> FinishedGame:
        """The same game, its players called so."""
        return replace(self, finished=replace(self.finished, players=names))

    @property
    def pgn(self) -> str:
        """The game as a PGN file."""
        return catalogue.written(self.variant, self.finished)

    @property
    def scouted(self) -> Pair[catalogue.Scouting]:
        """What both sides sensed and moved."""
        return catalogue.scouted(self.variant, self.finished.slips)

    @property
    def replay(self) -> Replay:
        """The game move by move."""
        return catalogue.replayed(self.variant, self.finished.slips)


def pgn(house: House, code: str) -> str:
    """A finished game as a PGN file; Refused for one that is not over, or of which there is nothing to tell."""
    return of_code(house, code).pgn


def of_code(house: House, code: str) -> FinishedGame:
    """A finished game by its code; Refused for one that is not over, or of which there is nothing to tell."""
    with house.store.reading() as connection:
        asked = {"code": code.strip().lower()}
        game = one_or_none_of(KeptGame, connection.execute(_BY_CODE, asked))
        if game is None:
            raise Refused(sentence("games.no_code", code=code))
        return _finished(connection, game, house.domain)


def of_game(connection: Connection, game_id: int, domain: str) -> FinishedGame:
    """A finished game, all that was handed out in it; Refused for one that is not over."""
    game = one_of(KeptGame, connection.execute(_BY_ID, {"game": game_id}))
    return _finished(connection, game, domain)


def share_mark(connection: Connection, code: str) -> str | None:
    """By which a finished game's page is found: the same at every call, and not to be guessed.

    None while the game is not over, and where its men were never on the board.
    """
    game = one_or_none_of(KeptGame, connection.execute(_SHARED, {"code": code}))
    return marked(publishing.secret(connection), code) if game else None


def marks_by_name(connection: Connection, codes: Collection[str]) -> dict[str, str]:
    """The same of many games, by their codes, but for those whose players strangers are not to be told of by name."""
    shared = connection.execute(_SHARED_OF, {"codes": list(codes)}).scalars().all()
    secret = publishing.secret(connection) if shared else b""
    return {code: marked(secret, code) for code in shared}


def shared(connection: Connection, mark: str) -> KeptGame:
    """The finished game of a page's mark; Refused alike for any other."""
    code = mark.partition("-")[0]
    is_ours = hmac.compare_digest(marked(publishing.secret(connection), code).encode(), mark.encode())
    game = one_or_none_of(KeptGame, connection.execute(_SHARED, {"code": code})) if is_ours else None
    if game is None:
        raise Refused(sentence("games.no_page"))
    return game


def of_mark(house: House, mark: str, visitor: Visitor | None = None) -> FinishedGame:
    """The finished game of a page's mark, as this visitor is told who played it; Refused where there is none."""
    with house.store.reading() as connection:
        game = shared(connection, mark)
        found = _finished(connection, game, house.domain)
        names = names_for(connection, seats_of(connection, game.id), visitor)
    return found.under(names)


def names_for(connection: Connection, seats: Mapping[Side, Seated], visitor: Visitor | None) -> Pair[str]:
    """As the players of a game are called: to themselves by their names, to anybody else as each has chosen."""
    if visitor and any(seat.player_id == visitor.who.player_id for seat in seats.values()):
        return Pair(seats[Side.WHITE].name, seats[Side.BLACK].name)
    secret = publishing.secret(connection)
    return Pair(*(_called(secret, seats[side]) for side in Side))


def _called(secret: bytes, seat: Seated) -> str:
    return publishing.called_by_link(secret, seat.player_id, seat.name, seat.publishes)


def marked(secret: bytes, code: str) -> str:
    """The mark of a finished game's page."""
    mac = hmac.digest(secret, f"finished {code}".encode(), hashlib.sha256)[:_MAC]
    return f"{code}-{base64.b32encode(mac).decode().lower()}"


_GAME = select(
    Game.id, Game.code, Game.variant, Game.clock, Game.state, Game.winner, Game.reason, Game.lesson
)
_BY_CODE = _GAME.where(Game.code == bindparam("code"))
#: In a game that ends before the men are on the board nothing was played; lessons are no game.
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
#: The first letter that told of a slip is the one with which the game began.
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
    """How a game that is over ended."""
    return Outcome(Side(game.winner) if game.winner else None, game.reason or "")


def seats_of(connection: Connection, game_id: int) -> dict[Side, Seated]:
    """Who played which side of a game."""
    seats = rows_of(Seated, connection.execute(_SEATS, {"game": game_id}))
    return {Side(seat.side): seat for seat in seats}


def _disclosed(connection: Connection, seat: Seated) -> Disclosed:
    return log.disclosed(
        log.of_seat(connection, seat.id, whole=seat.tells_tries), tells_tries=seat.tells_tries
    )


def handed(connection: Connection, seat_id: int) -> PackedSlips:
    """What a side was handed, as it is kept."""
    return tuple(rows_of(PackedSlip, connection.execute(_SLIPS, {"seat": seat_id})))


def unpacked(side: Side, kept: PackedSlips) -> tuple[Slip, ...]:
    """The slips themselves."""
    return tuple(unpack(side, each.facts, each.sight) for each in kept)


def begun(connection: Connection, seats: Collection[Seated]) -> datetime | None:
    """When the first letter was written that told of a slip."""
    moment: datetime | None = connection.execute(_BEGUN, {"seats": [seat.id for seat in seats]}).scalar_one()
    return moment


def _day(moment: datetime | None) -> str:
    return moment.strftime("%Y.%m.%d") if moment else _UNKNOWN_DAY
