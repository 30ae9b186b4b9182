"""Writes a finished game's record: a line a turn, with salts that prove its seals (hashes)."""

from __future__ import annotations

import gzip
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, select

from corr.record import turns
from corr.record.seals import to_canonical_json
from corr.record.turns import Heading
from corr.service.games import seals
from corr.service.games.public_state import outcome_of
from corr.service.games.seal_times import TurnTimes
from corr.service.games.seals import EndedTurn, SealedGame
from corr.service.server import Server
from corr.store.rows import columns_of, one_of, rows_of
from corr.store.tables import GameRow, OutboxRow, PlayerRow, QuotableRow, SeatRow, TurnSealRow
from corr.text.messages import sentence
from corr.words.board import Pair, Side
from corr.words.errors import Refused
from corr.words.view import Stage


class _PlayedRow(NamedTuple):
    game_id: int
    side: str


class _GameRow(NamedTuple):
    code: str
    variant: str
    clock: str
    rated: bool
    by_lot: bool
    state: str
    winner: str | None
    reason: str | None


class _PlayerRow(NamedTuple):
    id: int
    side: str
    tells_tries: bool
    opponent: str | None
    name: str


class _LeafRow(NamedTuple):
    number: int
    told: str
    seal: bytes
    disclosed: bytes | None


class _DigestRow(NamedTuple):
    number: int
    digest: str


_BY_CODE = select(GameRow.id).where(GameRow.code == bindparam("code"))
_OWN_GAME_QUERY = (
    select(SeatRow.game_id, SeatRow.side)
    .join(GameRow, GameRow.id == SeatRow.game_id)
    .where(GameRow.code == bindparam("code"), SeatRow.player_id == bindparam("player"))
    .order_by(SeatRow.id)
)
_GAME = select(*columns_of(_GameRow, GameRow)).where(GameRow.id == bindparam("game"))
_SEATS = (
    select(SeatRow.id, SeatRow.side, SeatRow.tells_tries, SeatRow.opponent, PlayerRow.name)
    .join(PlayerRow, PlayerRow.id == SeatRow.player_id)
    .where(SeatRow.game_id == bindparam("game"))
)
_LEAVES = (
    select(TurnSealRow.number, TurnSealRow.told, TurnSealRow.seal, TurnSealRow.disclosed)
    .where(TurnSealRow.game_id == bindparam("game"))
    .order_by(TurnSealRow.number)
)
#: Digests of emails that are still kept; after the newest of them, no turn may have been sealed.
_DIGESTS_QUERY = (
    select(OutboxRow.number, QuotableRow.digest)
    .join(OutboxRow, OutboxRow.id == QuotableRow.letter_id)
    .where(OutboxRow.seat_id == bindparam("seat"), QuotableRow.digest != "")
)
_SHOWN_SEALS_QUERY = (
    select(OutboxRow.seal)
    .where(OutboxRow.seat_id == bindparam("seat"), func.length(OutboxRow.seal) > 0)
    .order_by(OutboxRow.number)
)


def load_by_code(server: Server, code: str, side: Side) -> str:
    """Return a finished game's record as one side may read it; raise Refused without one."""
    with server.store.reading() as connection:
        found = connection.execute(_BY_CODE, {"code": code.strip().lower()}).scalar_one_or_none()
        if found is None:
            raise Refused(sentence("games.no_code", code=code))
        return write_record(connection, found, side)


def load_own_record(server: Server, code: str, player_id: int) -> str:
    """Return a player's record of their own finished game; raise the same Refused for all others."""
    with server.store.reading() as connection:
        asked = {"code": code.strip().lower(), "player": player_id}
        found = rows_of(_PlayedRow, connection.execute(_OWN_GAME_QUERY, asked))
        if not found:
            raise Refused(sentence("games.no_code", code=code))
        return write_record(connection, found[0].game_id, Side(found[0].side))


def compress(text: str) -> bytes:
    """Compress a record with gzip; the same record always gives the same bytes."""
    return gzip.compress(text.encode(), mtime=0)


def write_record(connection: Connection, game_id: int, side: Side, before: float = math.inf) -> str:
    """Return a finished game's record as one side may read it; raise Refused without one."""
    # An email's record lists only emails numbered below `before`, so composing it again gives the same text.
    return "".join(f"{each}\n" for each in write_lines(connection, game_id, side, before))


def write_lines(
    connection: Connection, game_id: int, side: Side | None, before: float = math.inf
) -> Iterator[str]:
    """Yield a finished game's record by line, as one side (None: everybody) may read it; Refused without one."""
    # A side's own part is only for its player; the part with its refused tries is public if its player agreed.
    game = one_of(_GameRow, connection.execute(_GAME, {"game": game_id}))
    leaves = rows_of(_LeafRow, connection.execute(_LEAVES, {"game": game_id}))
    if game.state != Stage.OVER or not leaves:
        raise Refused(sentence("games.no_record", code=game.code))
    seats = {
        Side(seat.side): seat for seat in rows_of(_PlayerRow, connection.execute(_SEATS, {"game": game_id}))
    }
    sat = SealedGame(
        game_id,
        Pair(*(seats[each].id for each in Side)),
        Heading(game.code, game.variant, game.clock, game.rated, game.by_lot),
        Pair(*(seats[each.other].opponent or seats[each].name for each in Side)),
    )
    names = {each.value: sat.names[each] for each in Side} if side else {}
    happened = seals.group_by_leaf(seals.load_rows(connection, sat), sat.seats)
    read = {turns.tries_part_name(each) for each in Side if seats[each].tells_tries}
    if side:
        read |= {side.value, turns.tries_part_name(side)}
    sealed = [seals.format_seal_line(TurnTimes.of_kept(leaf.told).turn, leaf.seal) for leaf in leaves]
    sent = {each: _list_seals(connection, seats[each].id, sealed) for each in Side}
    letters = _list_digests(connection, seats[side].id, before) if side else []
    yield to_canonical_json(
        {"corr": "record", "game": game.code, "side": side, "sent": sent, "letters": letters}
    )
    for leaf in leaves:
        is_last = leaf.number == len(leaves) - 1
        ended = EndedTurn(
            TurnTimes.of_kept(leaf.told), outcome_of(game.winner, game.reason) if is_last else None
        )
        line = seals.build_line(
            sat.heading, leaf.number, happened.get(leaf.number), ended, leaf.disclosed or b""
        )
        yield line.written(leaf.seal, read, names)


def _list_digests(connection: Connection, seat_id: int, before: float) -> list[str]:
    """Return the hashes of a seat's kept emails numbered below `before`."""
    kept = rows_of(_DigestRow, connection.execute(_DIGESTS_QUERY, {"seat": seat_id}))
    return sorted({each.digest for each in kept if each.number < before})


def _list_seals(connection: Connection, seat_id: int, sealed: Sequence[str]) -> list[list[str]]:
    """List all turns' seals as [turn, seal], and others that a side's emails showed."""
    # Listing only the emailed seals would reveal orders given ahead, and whether the side gets emails at all.
    shown = connection.execute(_SHOWN_SEALS_QUERY, {"seat": seat_id}).scalars()
    return [each.split(": ") for each in dict.fromkeys((*sealed, *shown))]
