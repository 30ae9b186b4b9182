"""Lists the games that reconchess' contract invites a bot to: challenges to it, and its running games.

A game that came from a challenge keeps the challenge's code until it ends, so a bot that restarts after a crash finds
its game again.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, func, literal, select, union_all

from corr.service.lobby.page import OUTCOME_QUERY, OWN_MAILBOXES, ChallengeOutcome
from corr.service.server import Server
from corr.store.rows import one_or_none_of
from corr.store.tables import ChallengeRow, GameRow, SeatRow
from corr.words.view import Stage

#: The only variant that the contract knows.
VARIANT = "rbc"


_CHALLENGES_QUERY = select(ChallengeRow.code).where(
    ChallengeRow.to_id.in_(OWN_MAILBOXES),
    ChallengeRow.state == "open",
    ChallengeRow.kind == "invitation",
    ChallengeRow.variant == VARIANT,
)
_GAMES_QUERY = (
    select(func.coalesce(ChallengeRow.code, GameRow.code).label("code"))
    .join_from(SeatRow, GameRow, GameRow.id == SeatRow.game_id)
    .outerjoin(ChallengeRow, ChallengeRow.game_id == GameRow.id)
    .where(
        SeatRow.player_id == bindparam("player"), GameRow.state == Stage.RUNNING, GameRow.variant == VARIANT
    )
)
_INVITATIONS_QUERY = union_all(_CHALLENGES_QUERY, _GAMES_QUERY)
_CHALLENGE_OUTCOME_QUERY = OUTCOME_QUERY.where(
    ChallengeRow.code == bindparam("code"), ChallengeRow.variant == VARIANT
)
_GAME_OUTCOME_QUERY = select(
    GameRow.id, literal("accepted").label("state"), GameRow.code.label("game")
).where(GameRow.code == bindparam("code"), GameRow.variant == VARIANT)


def invitations(server: Server, player_id: int) -> Sequence[str]:
    with server.store.asking() as connection:
        return connection.execute(_INVITATIONS_QUERY, {"player": player_id}).scalars().all()


def load_outcome(server: Server, code: str) -> ChallengeOutcome | None:
    """Return the outcome of the invitation with this code, for any player, or None."""
    asked = {"code": code}
    with server.store.asking() as connection:
        came = one_or_none_of(ChallengeOutcome, connection.execute(_CHALLENGE_OUTCOME_QUERY, asked))
        return came or one_or_none_of(ChallengeOutcome, connection.execute(_GAME_OUTCOME_QUERY, asked))
