"""Players: a name that nobody takes for another's, and the addresses at which they read letters."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any

from sqlalchemy import Connection, select, update

from corr.desk import correspondents
from corr.desk.correspondents import Correspondent
from corr.desk.house import House
from corr.desk.names import looks, name_of, nearest_name, numbered
from corr.store.once import insert_once
from corr.store.tables import (
    Challenge,
    Game,
    InboxRow,
    OrderRow,
    OutboxRow,
    Player,
    SeatRow,
    Session,
    SignIn,
    SiteInboxRow,
    SiteOutboxRow,
)
from corr.store.tables import Correspondent as CorrespondentRow
from corr.words import Refused

_TAKEN = "Another player's name looks the same: please choose another one."
_FORGOTTEN = "Somebody"


@dataclass(frozen=True, slots=True)
class Listed:
    """A player as the operator sees one."""

    name: str
    addresses: tuple[str, ...]
    games: int


def name_of_player(connection: Connection, player_id: int) -> str:
    """What a player is called."""
    return connection.execute(select(Player.name).where(Player.id == player_id)).scalar_one()


def named(connection: Connection, name: str) -> int | None:
    """The player of a name, however its letters are written."""
    return connection.execute(select(Player.id).where(Player.name_key == looks(name))).scalar_one_or_none()


def enrol(connection: Connection, who: Correspondent, name: str, now: datetime) -> int:
    """Make a player of somebody who has chosen a name; Refused where it is no name, or another's."""
    if who.player_id is not None:
        return who.player_id
    player_id = _made(connection, name_of(name), who.address or "")
    if player_id is None:
        raise Refused(_TAKEN)
    return _settled(connection, who, player_id, now)


def enrol_as_written(connection: Connection, who: Correspondent, name: str, now: datetime) -> int:
    """Make a player of somebody who has only written a letter: by the nearest name that is free."""
    if who.player_id is not None:
        return who.player_id
    address = who.address or ""
    wish = nearest_name(name or address.partition("@")[0])
    tries = (wish if number == 1 else numbered(wish, number) for number in count(1))
    made = (_made(connection, each, address) for each in tries)
    return _settled(connection, who, next(each for each in made if each is not None), now)


def _made(connection: Connection, name: str, address: str) -> int | None:
    """The player at an address, a new one if need be; None where the name is taken."""
    key = address.casefold()
    insert_once(connection, Player, name=name, name_key=looks(name), address=address, address_key=key)
    return connection.execute(select(Player.id).where(Player.address_key == key)).scalar_one_or_none()


def _settled(connection: Connection, who: Correspondent, player_id: int, now: datetime) -> int:
    correspondents.confirm(connection, who, now)
    owned = update(CorrespondentRow).where(CorrespondentRow.id == who.id)
    connection.execute(owned.values(player_id=player_id))
    return player_id


# ---------------------------------------------------------------- what the operator does


def add(house: House, name: str, address: str, now: datetime) -> None:
    """Make a player, or give one of that name another address; the operator vouches for it."""
    address = correspondents.plain_address(address, house.domain)
    with house.store.writing() as connection:
        who = correspondents.met(connection, address, now)
        if who.player_id is not None:
            raise Refused(f"{address} is {name_of_player(connection, who.player_id)}'s already.")
        player_id = named(connection, name)
        if player_id is None:
            enrol(connection, who, name, now)
        else:
            _settled(connection, who, player_id, now)


def listed(house: House) -> list[Listed]:
    """All players."""
    with house.store.reading() as connection:
        rows = connection.execute(select(Player.id, Player.name).order_by(Player.id)).all()
        return [
            Listed(row.name, tuple(_addresses(connection, row.id)), len(_seats(connection, row.id)))
            for row in rows
        ]


def export(house: House, name: str) -> dict[str, Any]:
    """All that is kept of a player, but for what the umpire alone may know: for themselves to read."""
    with house.store.reading() as connection:
        player_id = _existing(connection, name)
        seats = _seats(connection, player_id)
        orders = select(OrderRow.text, OrderRow.at, SeatRow.side, Game.code).join(
            SeatRow, SeatRow.id == OrderRow.seat_id
        )
        orders = orders.join(Game, Game.id == SeatRow.game_id).where(OrderRow.seat_id.in_(seats))
        return {
            "name": name_of_player(connection, player_id),
            "addresses": _addresses(connection, player_id),
            "orders": [
                {"game": row.code, "side": row.side, "order": row.text, "at": row.at.isoformat()}
                for row in connection.execute(orders.order_by(OrderRow.id))
            ],
            "letters": [
                raw.decode("utf-8", "replace")
                for raw in connection.execute(
                    select(InboxRow.raw).where(InboxRow.seat_id.in_(seats)).order_by(InboxRow.id)
                ).scalars()
            ],
        }


def forget(house: House, name: str, now: datetime) -> None:
    """Take a player's name, addresses and letters out of everything that is kept; slips stay, and so do games.

    Refused while a game of theirs is going on, since nobody could be written to.
    """
    with house.store.writing() as connection:
        player_id = _existing(connection, name)
        seats = _seats(connection, player_id)
        running = select(Game.code).join(SeatRow, SeatRow.game_id == Game.id)
        codes = connection.execute(
            running.where(SeatRow.id.in_(seats), Game.state != "over").order_by(Game.id)
        ).scalars()
        if going_on := list(codes):
            raise Refused(f"{name} still plays: {', '.join(going_on)}. A game must be over first.")
        _forget_letters(connection, player_id, seats, now)
        connection.execute(
            update(Player)
            .where(Player.id == player_id)
            .values(name=_FORGOTTEN, name_key=None, address="", address_key=f"forgotten {player_id}")
        )


def _existing(connection: Connection, name: str) -> int:
    player_id = named(connection, name)
    if player_id is None:
        raise Refused(f"There is no player called {name}.")
    return player_id


def _addresses(connection: Connection, player_id: int) -> list[str]:
    """Where letters go, and from where they may come."""
    primary = select(Player.address).where(Player.id == player_id)
    others = select(CorrespondentRow.address).where(
        CorrespondentRow.player_id == player_id, CorrespondentRow.address.is_not(None)
    )
    found = [connection.execute(primary).scalar_one(), *connection.execute(others).scalars()]
    return list(dict.fromkeys(found))


def _seats(connection: Connection, player_id: int) -> list[int]:
    return list(connection.execute(select(SeatRow.id).where(SeatRow.player_id == player_id)).scalars())


def _forget_letters(connection: Connection, player_id: int, seats: list[int], now: datetime) -> None:
    owned = select(CorrespondentRow.id).where(CorrespondentRow.player_id == player_id)
    ids = list(connection.execute(owned).scalars())
    for change in (
        update(InboxRow).where(InboxRow.seat_id.in_(seats)).values(raw=b"", recipients="[]"),
        update(OutboxRow).where(OutboxRow.seat_id.in_(seats)).values(message=None, text=None),
        update(SiteInboxRow).where(SiteInboxRow.correspondent_id.in_(ids)).values(raw=b""),
        update(SiteOutboxRow)
        .where(SiteOutboxRow.correspondent_id.in_(ids))
        .values(message=None, text=None, words="{}"),
        update(Session).where(Session.correspondent_id.in_(ids)).values(ended_at=now),
        update(SignIn).where(SignIn.correspondent_id.in_(ids)).values(used_at=now),
        update(Challenge).where(Challenge.to_id.in_(ids)).values(whom=None),
        update(Challenge)
        .where(Challenge.by_id.in_(ids) | Challenge.to_id.in_(ids), Challenge.state == "open")
        .values(state="withdrawn", expires_at=None),
        update(CorrespondentRow)
        .where(CorrespondentRow.id.in_(ids))
        .values(address=None, player_id=None, confirmed_at=None, unanswered_at=None),
    ):
        connection.execute(change)
