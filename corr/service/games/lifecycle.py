"""Creates, begins and ends games: lost on time, abandoned (when: `corr/limits.py`), or lost by leaving an event."""

from __future__ import annotations

import base64
import os
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, func, insert, select, union_all

from corr.game.clock import parse_clock
from corr.mail.address import AddressSigner
from corr.service.games import log_rows, outages
from corr.service.games.game_session import GameSession, open_session
from corr.service.games.umpire_access import Judgement
from corr.store.rows import one_of, rows_of
from corr.store.tables import ChallengeRow, EventRow, GameRow, SeatRow
from corr.words.board import Pair, Side
from corr.words.slips import Slip
from corr.words.view import Stage

# A code has no letters a to h, so it never looks like a square, and begins with a letter, unlike a number.
_LETTERS = "jkmnpqrstvwxyz"
_CODE_CHARACTERS = "23456789" + _LETTERS
_LENGTH = 5


@dataclass(frozen=True, slots=True)
class Pairing:
    players: Pair[int]
    variant: str
    clock: str
    rated: bool
    lesson: int | None = None  # the lesson that a tutorial begins with
    bot_side: Side | None = None  # the side of the site's own bot
    by_lot: bool = False  # whether the colours were drawn by lot


class NewGame(NamedTuple):
    id: int
    code: str


def create_game(connection: Connection, pairing: Pairing, *, accepted: bool) -> NewGame:
    """Insert a game and its two seats; `accepted` tells if both players have agreed already."""
    made = (
        insert(GameRow)
        .values(
            code=draw_code(connection),
            variant=pairing.variant,
            clock=pairing.clock,
            rated=pairing.rated,
            by_lot=pairing.by_lot,
            lesson=pairing.lesson,
            state=Stage.OFFERED,
            credited=func.coalesce(outages.NEWEST_OUTAGE, 0),
            ply=0,
            offered_white=0,
            offered_black=0,
        )
        .returning(GameRow.id, GameRow.code)
    )
    game = one_of(NewGame, connection.execute(made))
    bank = parse_clock(pairing.clock).pace.bank
    for side in Side:
        signer = AddressSigner.new()
        connection.execute(
            insert(SeatRow).values(
                game_id=game.id,
                player_id=pairing.players[side],
                side=side,
                house=side is pairing.bot_side,
                code=signer.code,
                key=signer.key,
                bank=bank,
                accepted=accepted,
                slips=0,
                steps=0,
                letters=0,
            )
        )
    return game


class _GameRow(NamedTuple):
    variant: str
    clock: str
    rated: bool


class _SeatedRow(NamedTuple):
    side: str
    player_id: int
    house: bool


_GAME_QUERY = select(GameRow.variant, GameRow.clock, GameRow.rated)
_SEATS_QUERY = select(SeatRow.side, SeatRow.player_id, SeatRow.house)


def swap_sides(connection: Connection, game_id: int) -> Pairing:
    """Return the pairing for a rematch of a game, with colours swapped."""
    game = one_of(_GameRow, connection.execute(_GAME_QUERY.where(GameRow.id == game_id)))
    seats = rows_of(_SeatedRow, connection.execute(_SEATS_QUERY.where(SeatRow.game_id == game_id)))
    by_side = {Side(seat.side): seat.player_id for seat in seats}
    players = Pair(by_side[Side.BLACK], by_side[Side.WHITE])
    kept = next((Side(seat.side).other for seat in seats if seat.house), None)
    return Pairing(players, game.variant, game.clock, rated=game.rated, bot_side=kept)


def draw_code(connection: Connection) -> str:
    """Draw a short code that no game, challenge or event has."""
    while True:
        code = secrets.choice(_LETTERS) + "".join(
            secrets.choice(_CODE_CHARACTERS) for _ in range(_LENGTH - 1)
        )
        taken = union_all(
            *(select(kind.id).where(kind.code == code) for kind in (GameRow, ChallengeRow, EventRow))
        )
        if connection.execute(taken).scalars().first() is None:
            return code


def draw_secret() -> str:
    """Draw an unguessable code for a private link."""
    return base64.b32encode(os.urandom(16)).decode().rstrip("=").lower()


def flag(session: GameSession, side: Side) -> None:
    """End a game because this side ran out of time, and tell both sides."""
    tell_both(session, end(session, out_of_time(session, side)))


def out_of_time(session: GameSession, side: Side) -> Judgement:
    """Let the umpire judge a side out of time: a loss, or no result if hardly begun."""
    rule = session.umpire.abandon if session.state.has_hardly_begun else session.umpire.flag
    return rule(side)


def abandon(session: GameSession, side: Side) -> None:
    """End a game without a result because a side abandoned it, and tell both."""
    tell_both(session, end(session, session.umpire.abandon(side)))


def leave(session: GameSession, side: Side) -> None:
    """End a game that a side loses by leaving its event, and tell both."""
    tell_both(session, end(session, session.umpire.leave(side)))


def end(session: GameSession, judgement: Judgement) -> Pair[Slip | None]:
    """End a game as judged, and return what both sides are to be told."""
    assert judgement.outcome is not None
    session.mark_turn()
    session.state = session.state.end(judgement.outcome, session.now)
    return judgement.slips


def start(connection: Connection, pairing: Pairing, now: datetime) -> NewGame:
    """Create and begin a game that both players have accepted already."""
    game = create_game(connection, pairing, accepted=True)
    session = open_session(connection, game.id, now)
    begin(session)
    session.close()
    return game


def begin(session: GameSession) -> None:
    """Set up an accepted game: start White's clock, or ask both sides to place their pieces."""
    log_rows.copy_settings(session.connection, session.game_id)
    judgement = session.umpire.begin()
    state, now = session.state, session.now
    session.state = state.play(judgement.turn, now) if judgement.turn else state.deploy(now)
    tell_both(session, judgement.slips)


def tell_both(session: GameSession, slips: Pair[Slip | None]) -> None:
    """Give each side its slip of facts, if any, as news that the session emails."""
    for side in Side:
        slip = slips[side]
        if slip:
            session.add_news(side, slip)
