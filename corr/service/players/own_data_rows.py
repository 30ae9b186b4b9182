"""Exports all data that the server keeps about a player, for that player to read."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, literal, select

from corr.service.players import (
    bouncing_mailboxes,
    notifications,
    players,
    publishing,
    settings,
    times,
)
from corr.service.server import Server
from corr.store.rows import dicts_of
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
    """Return a player's data without their emails, which the website's database role cannot read."""
    ids, seats = players.mailboxes_of(connection, player_id), players.seats_of(connection, player_id)
    return {
        "name": players.name_of_player(connection, player_id),
        "ways": notifications.export_ways(connection, player_id),
        "settings": _export_settings(connection, player_id),
        "made_up_name": publishing.make_pen_name(publishing.load_secret(connection), player_id),
        "hours": times.load_hours(connection, player_id)._asdict(),
        "addresses": players.mail_addresses_of(connection, player_id),
        "failing_addresses": _export_failing(connection, player_id),
        "passkeys": _export_names(connection, PasskeyRow, player_id),
        "tokens": _export_names(connection, TokenRow, player_id),
        "devices": _export(connection, _DEVICES.where(PushSubscriptionRow.player_id == player_id)),
        "orders": _export(connection, _ORDERS.where(OrderRow.seat_id.in_(seats))),
        "challenges": _export(
            connection, _CHALLENGES.where(ChallengeRow.by_id.in_(ids) | ChallengeRow.to_id.in_(ids))
        ),
        "ratings": _export(connection, _RATINGS.where(RatingRow.player_id == player_id)),
        "rated_games": _export_rated_games(connection, player_id),
        "events": _export(connection, _EVENTS.where(EntrantRow.player_id == player_id)),
        "notes": _export(connection, _NOTES.where(NoteRow.seat_id.in_(seats))),
        "ghosts": _export(connection, _GHOSTS.where(SeatRow.id.in_(seats))),
        "next_turns": _export(connection, _NEXT_TURNS.where(SeatRow.id.in_(seats))),
    }


def export_emails(connection: Connection, player_id: int) -> dict[str, Any]:
    """Return the emails a player sent and all their addresses, which the website cannot read."""
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


#: The browsers that notify a player of their turn, without the keys.
_DEVICES = select(
    PushSubscriptionRow.name, PushSubscriptionRow.endpoint, PushSubscriptionRow.made_at
).order_by(PushSubscriptionRow.id)
_ORDERS = (
    select(
        GameRow.code.label("game"),
        SeatRow.side,
        OrderRow.text.label("order"),
        OrderRow.origin,
        OrderRow.at,
    )
    .join_from(OrderRow, SeatRow, SeatRow.id == OrderRow.seat_id)
    .join(GameRow, GameRow.id == SeatRow.game_id)
    .order_by(OrderRow.id)
)
#: The challenges that a player made, received or accepted, but not who else made them.
_CHALLENGES = select(
    ChallengeRow.kind, ChallengeRow.state, ChallengeRow.variant, ChallengeRow.whom, ChallengeRow.made_at
).order_by(ChallengeRow.id)
_RATINGS = select(
    RatingRow.variant,
    RatingRow.rating,
    RatingRow.deviation,
    RatingRow.volatility,
    RatingRow.won,
    RatingRow.drawn,
    RatingRow.lost,
    RatingRow.opponents,
    RatingRow.rated_at,
).order_by(RatingRow.variant)
#: The events that a player entered, and when they withdrew.
_EVENTS = (
    select(EventRow.code, EventRow.kind, EventRow.variant, EntrantRow.entered_at, EntrantRow.withdrawn_at)
    .join(EntrantRow, EntrantRow.event_id == EventRow.id)
    .order_by(EntrantRow.id)
)
_NOTES = (
    select(GameRow.code.label("game"), NoteRow.text.label("note"))
    .join_from(NoteRow, SeatRow)
    .join(GameRow)
    .order_by(NoteRow.seat_id, NoteRow.number)
)
#: The opponent's pieces that a player imagines in their games, by letter and square.
_GHOSTS = (
    select(GameRow.code.label("game"), SeatRow.ghosts)
    .join_from(SeatRow, GameRow)
    .where(SeatRow.ghosts != "")
    .order_by(SeatRow.id)
)
#: A player's orders for a later turn, and how long these wait.
_NEXT_TURNS = (
    select(
        GameRow.code.label("game"), SeatRow.standing.label("orders"), SeatRow.standing_delay.label("delay")
    )
    .join_from(SeatRow, GameRow)
    .where(SeatRow.standing.is_not(None))
    .order_by(SeatRow.id)
)


def _export(connection: Connection, asked: Select[*tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Return a query's rows as dicts for JSON, with dates as ISO strings."""
    return [
        {name: value.isoformat() if isinstance(value, datetime) else value for name, value in row.items()}
        for row in dicts_of(connection.execute(asked))
    ]


def _export_names(connection: Connection, kind: type[PasskeyRow | TokenRow], player_id: int) -> list[str]:
    named = select(kind.name).where(kind.player_id == player_id)
    return list(connection.execute(named.order_by(kind.id)).scalars())


def _export_failing(connection: Connection, player_id: int) -> list[dict[str, str]]:
    return [
        {"address": each.address, "status": each.status, "at": each.counted_at.isoformat()}
        for each in bouncing_mailboxes.list_bouncing(connection, player_id)
    ]


def _export_settings(connection: Connection, player_id: int) -> dict[str, Any]:
    asked = select(
        PlayerRow.zone,
        PlayerRow.mailing,
        PlayerRow.digest_hour,
        PlayerRow.switched,
        PlayerRow.about,
        PlayerRow.program,
        *settings.SETTING_COLUMNS,
    )
    (kept,) = dicts_of(connection.execute(asked.where(PlayerRow.id == player_id)))
    return kept | {"checkpoints": kept.pop("checkpoint")}


def _export_rated_games(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    """List a player's rated games, earliest first, without the opponent's name and ratings."""
    found = [each for side in Side for each in _export(connection, _select_rated_games(side, player_id))]
    return sorted(found, key=lambda each: datetime.fromisoformat(each["ended_at"]))


def _select_rated_games(side: Side, player_id: int) -> Select[*tuple[Any, ...]]:
    """Select the rated games that a player played on a side."""
    kept = RatedGameRow.__table__.c
    numbers = ("rating", "deviation", "volatility", "rating_after", "deviation_after", "volatility_after")
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
