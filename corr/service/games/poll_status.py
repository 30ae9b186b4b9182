"""Answers bots that poll a game twice a second with one small query, and words the time left."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import BindParameter, bindparam, func, literal, select

from corr.service.players import authentication
from corr.service.server import Server
from corr.store.rows import one_or_none_of
from corr.store.tables import ChallengeRow, GameRow, PlayerRow, SeatRow, TokenRow
from corr.text.messages import sentence
from corr.words.view import Stage


class PollStatus(NamedTuple):
    name: str
    is_my_turn: bool
    is_over: bool


_CODE: BindParameter[str] = bindparam("code")
#: The game's id by its own code, or by the code of its challenge.
_GAME_ID = func.coalesce(
    select(GameRow.id).where(GameRow.code == _CODE).scalar_subquery(),
    select(ChallengeRow.game_id).where(ChallengeRow.code == _CODE).scalar_subquery(),
)
_IS_MY_TURN = func.coalesce(
    (GameRow.state == Stage.RUNNING) & (GameRow.turn == SeatRow.side) & GameRow.paused_at.is_(None),
    literal(value=False),
)
_STATUS_QUERY = (
    select(
        PlayerRow.name,
        _IS_MY_TURN.label("is_my_turn"),
        (GameRow.state == Stage.OVER).label("is_over"),
    )
    .join_from(TokenRow, PlayerRow, PlayerRow.id == TokenRow.player_id)
    .join(SeatRow, SeatRow.player_id == PlayerRow.id)
    .join(GameRow, GameRow.id == SeatRow.game_id)
    .where(TokenRow.digest == bindparam("token"), TokenRow.plays, GameRow.id == _GAME_ID)
    .order_by(_IS_MY_TURN.desc())
    .limit(1)
)


def load_status(server: Server, token: str, code: str) -> PollStatus | None:
    """Return a game's status for an API token's owner; None if they don't play it."""
    asked = {"token": authentication.digest(token), "code": code}
    with server.store.asking() as connection:
        return one_or_none_of(PollStatus, connection.execute(_STATUS_QUERY, asked))


_MINUTE = timedelta(minutes=1)
#: The placeholder for a number in the word forms, with which a page updates the time by itself.
_PLACEHOLDER = "#"


def round_to_minute(deadline: datetime) -> datetime:
    """Round a deadline down to the minute: its seconds would reveal the opponent's move time."""
    return deadline.replace(second=0, microsecond=0)


def count_minutes(deadline: datetime, now: datetime) -> int:
    """Return the full minutes left until a deadline rounded down to its minute, at least 0."""
    return max(round_to_minute(deadline) - now, timedelta()) // _MINUTE


def word_minutes(left: int) -> str:
    """Word a number of minutes: `2 d 14 h`, `5 h 12 min`."""
    hours, rest = divmod(left, 60)
    if hours >= 24:
        return sentence("remaining.days", days=hours // 24, hours=hours % 24)
    return sentence("remaining.hours", hours=hours, minutes=rest)


def word_forms() -> dict[str, str]:
    """Return the forms, such as `# d # h`, with which scripts word the time left."""
    return {
        "days": sentence("remaining.days", days=_PLACEHOLDER, hours=_PLACEHOLDER),
        "hours": sentence("remaining.hours", hours=_PLACEHOLDER, minutes=_PLACEHOLDER),
    }
