"""Exports all data that the server keeps about a player, for that player to read."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, literal, select

from corr.service.players import (
    bouncing_mailboxes,
    notifications,
    players,
    publishing,
    setting_orders,
    settings,
)
from corr.service.server import Server
from corr.store.rows import dict_of, rows_of
from corr.store.tables import (
    ChallengeRow,
    EntrantRow,
    EventRow,
    GameRow,
    InboxRow,
    IncomingTextRow,
    NoteRow,
    OrderRow,
    PasskeyRow,
    PlayerRow,
    PushSubscriptionRow,
    RatedGameRow,
    RatingRow,
    SeatRow,
    SiteInboxRow,
    TokenRow,
)
from corr.words.board import Side


def export(server: Server, name: str) -> dict[str, Any]:
    """Return all data kept about a player, except what only the umpire may know."""
    with server.store.reading() as connection:
        player_id = players.require_player(connection, name)
        return {**export_for_web(connection, player_id), **export_emails(connection, player_id)}


def export_for_web(connection: Connection, player_id: int) -> dict[str, Any]:
    """Return the same without the emails, which the web pages cannot read."""
    ids, seats = players.mailboxes_of(connection, player_id), players.seats_of(connection, player_id)
    orders = select(OrderRow.text, OrderRow.origin, OrderRow.at, SeatRow.side, GameRow.code).join(
        SeatRow, SeatRow.id == OrderRow.seat_id
    )
    orders = orders.join(GameRow, GameRow.id == SeatRow.game_id).where(OrderRow.seat_id.in_(seats))
    return {
        "name": players.name_of_player(connection, player_id),
        "ways": notifications.export_ways(connection, player_id),
        "settings": _exported_settings(connection, player_id),
        "made_up_name": publishing.make_pen_name(publishing.load_secret(connection), player_id),
        "hours": setting_orders.load_time_settings(connection, player_id)._asdict(),
        "addresses": players.mail_addresses_of(connection, player_id),
        "failing_addresses": _exported_failing(connection, player_id),
        "passkeys": _exported_passkeys(connection, player_id),
        "tokens": _exported_tokens(connection, player_id),
        "devices": _exported_devices(connection, player_id),
        "orders": [
            {
                "game": each.code,
                "side": each.side,
                "order": each.text,
                "origin": each.origin,
                "at": each.at.isoformat(),
            }
            for each in rows_of(_ExportedOrder, connection.execute(orders.order_by(OrderRow.id)))
        ],
        "challenges": _exported_challenges(connection, ids),
        "ratings": _exported_ratings(connection, player_id),
        "rated_games": _exported_rated_games(connection, player_id),
        "events": _exported_events(connection, player_id),
        "notes": _exported_notes(connection, seats),
        "ghosts": _exported_ghosts(connection, seats),
        "next_turns": _exported_next_turns(connection, seats),
    }


def export_emails(connection: Connection, player_id: int) -> dict[str, Any]:
    """Return a player's stored emails, and the address that the web pages cannot read."""
    ids, seats = players.mailboxes_of(connection, player_id), players.seats_of(connection, player_id)
    return {
        "addresses": players.addresses_of(connection, player_id),
        "letters": [
            raw.decode("utf-8", "replace")
            for kept in (
                select(IncomingTextRow.raw)
                .join(InboxRow)
                .where(InboxRow.seat_id.in_(seats))
                .order_by(IncomingTextRow.letter_id),
                select(SiteInboxRow.raw)
                .where(SiteInboxRow.correspondent_id.in_(ids))
                .order_by(SiteInboxRow.id),
            )
            for raw in connection.execute(kept).scalars()
            if raw
        ],
    }


def _exported_failing(connection: Connection, player_id: int) -> list[dict[str, str]]:
    return [
        {"address": each.address, "status": each.status, "at": each.counted_at.isoformat()}
        for each in bouncing_mailboxes.list_bouncing(connection, player_id)
    ]


class _ExportedOrder(NamedTuple):
    text: str
    origin: str
    at: datetime
    side: str
    code: str


class _ExportedNote(NamedTuple):
    code: str
    text: str


class _ExportedGhosts(NamedTuple):
    code: str
    ghosts: str


class _ExportedNextTurn(NamedTuple):
    code: str
    standing: str | None
    standing_delay: str | None


class _ExportedDevice(NamedTuple):
    name: str
    endpoint: str
    made_at: datetime


class _ExportedEvent(NamedTuple):
    code: str
    kind: str
    variant: str
    entered_at: datetime
    withdrawn_at: datetime | None


class _ExportedChallenge(NamedTuple):
    kind: str
    state: str
    variant: str
    whom: str | None
    made_at: datetime


def _exported_settings(connection: Connection, player_id: int) -> dict[str, Any]:
    asked = select(
        PlayerRow.zone,
        PlayerRow.mailing,
        PlayerRow.digest_hour,
        PlayerRow.switched,
        PlayerRow.about,
        PlayerRow.program,
        *settings.SETTING_COLUMNS,
    )
    kept = dict_of(connection.execute(asked.where(PlayerRow.id == player_id)))
    return kept | {"checkpoints": kept.pop("checkpoint")}


def _exported_passkeys(connection: Connection, player_id: int) -> list[str]:
    named = select(PasskeyRow.name).where(PasskeyRow.player_id == player_id)
    return list(connection.execute(named.order_by(PasskeyRow.id)).scalars())


def _exported_tokens(connection: Connection, player_id: int) -> list[str]:
    named = select(TokenRow.name).where(TokenRow.player_id == player_id)
    return list(connection.execute(named.order_by(TokenRow.id)).scalars())


def _exported_devices(connection: Connection, player_id: int) -> list[dict[str, str]]:
    """List the browsers that notify them of their turn, without the keys."""
    kept = select(PushSubscriptionRow.name, PushSubscriptionRow.endpoint, PushSubscriptionRow.made_at)
    theirs = kept.where(PushSubscriptionRow.player_id == player_id).order_by(PushSubscriptionRow.id)
    found = rows_of(_ExportedDevice, connection.execute(theirs))
    return [each._asdict() | {"made_at": each.made_at.isoformat()} for each in found]


def _exported_notes(connection: Connection, seats: list[int]) -> list[dict[str, str]]:
    noted = select(GameRow.code, NoteRow.text).join_from(NoteRow, SeatRow).join(GameRow)
    theirs = noted.where(NoteRow.seat_id.in_(seats)).order_by(NoteRow.seat_id, NoteRow.number)
    found = rows_of(_ExportedNote, connection.execute(theirs))
    return [{"game": note.code, "note": note.text} for note in found]


def _exported_ghosts(connection: Connection, seats: list[int]) -> list[dict[str, str]]:
    """List the pieces they imagine in their games, by letter and square."""
    imagined = select(GameRow.code, SeatRow.ghosts).join_from(SeatRow, GameRow)
    theirs = imagined.where(SeatRow.id.in_(seats), SeatRow.ghosts != "").order_by(SeatRow.id)
    found = rows_of(_ExportedGhosts, connection.execute(theirs))
    return [{"game": each.code, "ghosts": each.ghosts} for each in found]


def _exported_next_turns(connection: Connection, seats: list[int]) -> list[dict[str, str | None]]:
    """List their orders for a later turn, and how long these wait."""
    kept = select(GameRow.code, SeatRow.standing, SeatRow.standing_delay).join_from(SeatRow, GameRow)
    theirs = kept.where(SeatRow.id.in_(seats), SeatRow.standing.is_not(None)).order_by(SeatRow.id)
    found = rows_of(_ExportedNextTurn, connection.execute(theirs))
    return [{"game": each.code, "orders": each.standing, "delay": each.standing_delay} for each in found]


def _exported_events(connection: Connection, player_id: int) -> list[dict[str, str | None]]:
    """List the events they entered, and when they withdrew."""
    entered = select(
        EventRow.code, EventRow.kind, EventRow.variant, EntrantRow.entered_at, EntrantRow.withdrawn_at
    )
    theirs = entered.join(EntrantRow, EntrantRow.event_id == EventRow.id)
    found = theirs.where(EntrantRow.player_id == player_id).order_by(EntrantRow.id)
    return [
        each._asdict()
        | {
            "entered_at": each.entered_at.isoformat(),
            "withdrawn_at": each.withdrawn_at.isoformat() if each.withdrawn_at else None,
        }
        for each in rows_of(_ExportedEvent, connection.execute(found))
    ]


def _exported_challenges(connection: Connection, ids: list[int]) -> list[dict[str, str | None]]:
    """List what they offered, were offered or accepted, but not who else offered it."""
    theirs = ChallengeRow.by_id.in_(ids) | ChallengeRow.to_id.in_(ids)
    told = select(
        ChallengeRow.kind, ChallengeRow.state, ChallengeRow.variant, ChallengeRow.whom, ChallengeRow.made_at
    )
    found = rows_of(_ExportedChallenge, connection.execute(told.where(theirs).order_by(ChallengeRow.id)))
    return [each._asdict() | {"made_at": each.made_at.isoformat()} for each in found]


class _ExportedRating(NamedTuple):
    variant: str
    rating: float
    deviation: float
    volatility: float
    won: int
    drawn: int
    lost: int
    opponents: int
    rated_at: datetime


class _ExportedRatedGame(NamedTuple):
    code: str
    variant: str
    ended_at: datetime
    winner: str | None
    uncounted: str
    side: str
    rating: float
    deviation: float
    volatility: float
    rating_after: float
    deviation_after: float
    volatility_after: float


def _exported_ratings(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    kept = select(*(getattr(RatingRow, name) for name in _ExportedRating._fields))
    theirs = kept.where(RatingRow.player_id == player_id).order_by(RatingRow.variant)
    found = rows_of(_ExportedRating, connection.execute(theirs))
    return [each._asdict() | {"rated_at": each.rated_at.isoformat()} for each in found]


def _exported_rated_games(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    """List their rated games, earliest first; of the opponent only the result."""
    found = [
        each
        for side in Side
        for each in rows_of(_ExportedRatedGame, connection.execute(_select_rated_games(side, player_id)))
    ]
    found.sort(key=lambda each: each.ended_at)
    return [each._asdict() | {"ended_at": each.ended_at.isoformat()} for each in found]


def _select_rated_games(side: Side, player_id: int) -> Select[Any]:
    """Select the rated games that a player played on a side."""
    kept = RatedGameRow.__table__.c
    numbers = (name for name in _ExportedRatedGame._fields[6:])
    return (
        select(
            GameRow.code,
            RatedGameRow.variant,
            RatedGameRow.ended_at,
            RatedGameRow.winner,
            RatedGameRow.uncounted,
            literal(str(side)).label("side"),
            *(kept[f"{side}_{name}"].label(name) for name in numbers),
        )
        .join(GameRow, GameRow.id == RatedGameRow.game_id)
        .where(kept[f"{side}_id"] == player_id)
        .order_by(RatedGameRow.id)
    )
