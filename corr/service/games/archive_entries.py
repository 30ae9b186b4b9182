"""Puts finished games into the archive (short and long: `corr/limits.py`): everybody's list and each player's list."""

from __future__ import annotations

from enum import StrEnum

from sqlalchemy import Connection, bindparam, case, insert, literal_column, select, union_all

from corr import limits
from corr.game.state import State
from corr.store.tables import ArchiveRow, Moment, SeatRow
from corr.words.board import Side

#: The player id under which the archive lists every game.
EVERYBODY = 0
NO_RESULT = ("declined", "void")


class Length(StrEnum):
    SHORT = "short"
    MIDDLE = "middle"
    LONG = "long"


def add_entry(connection: Connection, game_id: int, variant: str, state: State) -> None:
    """Archive an ended game, unless it is a lesson, never began or has no result."""
    outcome = state.outcome
    if outcome and state.lesson is None and state.ply >= 0 and outcome.reason not in NO_RESULT:
        length = classify_length(state.ply)
        kinds = {side.value: name_group(variant, outcome.winner, length, side) for side in Side}
        whole = name_group(variant, outcome.winner, length)
        connection.execute(_ENTRY_INSERT, {"game": game_id, "ended": state.ended_at, "whole": whole, **kinds})


def name_group(variant: str, winner: Side | None, length: Length, side: Side | None = None) -> str:
    """Return the archive group of a game, such as "wild16 ws" for White's short win."""
    # In a player's own list, the name also has the player's side.
    return f"{variant} {winner[0] if winner else 'd'}{length[0]}{side[0] if side else ''}"


def classify_length(ply: int) -> Length:
    """Classify a game's length by its number of half-moves."""
    made = (ply + 1) // 2
    if made <= limits.SHORT_GAME:
        return Length.SHORT
    return Length.MIDDLE if made <= limits.MIDDLE_GAME else Length.LONG


_ENDED_AT = bindparam("ended", type_=Moment)
_GAME = bindparam("game", type_=ArchiveRow.game_id.type)
_SIDE_KINDS = {side.value: bindparam(side.value, type_=ArchiveRow.kind.type) for side in Side}
_ROWS = union_all(
    select(
        SeatRow.player_id,
        case(_SIDE_KINDS, value=SeatRow.side),
        _ENDED_AT,
        SeatRow.game_id,
    ).where(SeatRow.game_id == _GAME),
    select(literal_column(f"{EVERYBODY}"), bindparam("whole", type_=ArchiveRow.kind.type), _ENDED_AT, _GAME),
)
_ENTRY_INSERT = insert(ArchiveRow).from_select(["player_id", "kind", "ended_at", "game_id"], _ROWS)
