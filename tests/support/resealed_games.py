"""Seals a finished game again as a dishonest operator could, also in the emails sent."""

from __future__ import annotations

from sqlalchemy import Connection, delete, select, update

from corr.record.turns import Heading
from corr.service.games import seals
from corr.service.games.public_state import outcome_of
from corr.service.games.seal_times import TurnTimes
from corr.service.games.seals import EndedTurn, SealedGame, SealState
from corr.store.tables import GameRow, OutboxRow, SeatRow, TurnSealRow
from corr.words.board import Pair, Side


def reseal_game(connection: Connection, game_id: int) -> None:
    """Make a game's record consistent again after its rows were changed."""
    game = connection.execute(select(GameRow).where(GameRow.id == game_id)).one()
    found = connection.execute(select(SeatRow.side, SeatRow.id).where(SeatRow.game_id == game_id))
    seats = dict(map(tuple, found))
    heading = Heading(game.code, game.variant, game.clock, game.rated, game.by_lot)
    sat = SealedGame(game_id, Pair(*(seats[side] for side in Side)), heading, Pair("", ""))
    told = connection.execute(select(TurnSealRow.told).order_by(TurnSealRow.number)).scalars().all()
    ends = [None] * (len(told) - 1) + [outcome_of(game.winner, game.reason)]
    ended = [EndedTurn(TurnTimes.of_kept(each), end) for each, end in zip(told, ends, strict=True)]
    connection.execute(delete(TurnSealRow))
    sealed = seals.seal(connection, sat, SealState(), ended, seals.load_rows(connection, sat))
    anew = {each.turn: str(each) for each in sealed[1:]}
    for number, shown in connection.execute(select(OutboxRow.id, OutboxRow.seal)).all():
        if seal := anew.get(shown.partition(":")[0]):
            connection.execute(update(OutboxRow).where(OutboxRow.id == number).values(seal=seal))
