"""Players: a name that nobody takes for another's, and the addresses at which they read letters."""

from __future__ import annotations

import json
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
_NO_ADDRESS = "Your address is not kept here any more: please write a letter to the umpire first."
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
    player_id = _made(connection, name_of(name), who.address)
    if player_id is None:
        raise Refused(_TAKEN)
    return _settled(connection, who, player_id, now)


def enrol_as_written(connection: Connection, who: Correspondent, name: str, now: datetime) -> int:
    """Make a player of somebody who has only written a letter: by the nearest name that is free."""
    if who.player_id is not None:
        return who.player_id
    wish = nearest_name(name or (who.address or "").partition("@")[0])
    tries = (wish if number == 1 else numbered(wish, number) for number in count(1))
    made = (_made(connection, each, who.address) for each in tries)
    return _settled(connection, who, next(each for each in made if each is not None), now)


def _made(connection: Connection, name: str, address: str | None) -> int | None:
    """The player at an address, a new one if need be; None where the name is taken."""
    if address is None:
        raise Refused(_NO_ADDRESS)
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
        if player_id is None or name_of_player(connection, player_id).casefold() != name.casefold():
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
        ids, seats = _mailboxes(connection, player_id), _seats(connection, player_id)
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
            "challenges": _exported_challenges(connection, ids),
            "letters": [
                raw.decode("utf-8", "replace")
                for letters in (
                    select(InboxRow.raw).where(InboxRow.seat_id.in_(seats)).order_by(InboxRow.id),
                    select(SiteInboxRow.raw)
                    .where(SiteInboxRow.correspondent_id.in_(ids))
                    .order_by(SiteInboxRow.id),
                )
                for raw in connection.execute(letters).scalars()
            ],
        }


def _exported_challenges(connection: Connection, ids: list[int]) -> list[dict[str, str | None]]:
    """What they have offered, and what they were offered or took up; not who else offered it."""
    theirs = Challenge.by_id.in_(ids) | Challenge.to_id.in_(ids)
    rows = connection.execute(select(Challenge.__table__).where(theirs).order_by(Challenge.id))
    return [
        {
            "kind": row.kind,
            "state": row.state,
            "variant": row.variant,
            "whom": row.whom,
            "made_at": row.made_at.isoformat(),
        }
        for row in rows
    ]


def forget(house: House, name: str, now: datetime) -> None:
    """Take a player's name, addresses and letters out of everything that is kept; slips stay, and so do games.

    Refused while a game of theirs is going on, since nobody could be written to.
    """
    with house.store.writing() as connection:
        player_id = _existing(connection, name)
        ids = _mailboxes(connection, player_id)
        _forget_challenges(connection, ids)
        _forget_mailboxes(connection, ids, now)
        # Looked for last: what has begun until now is seen, and what has not will not begin.
        seats = _seats(connection, player_id)
        if going_on := _going_on(connection, seats):
            raise Refused(f"{name} still plays: {', '.join(going_on)}. A game must be over first.")
        _forget_letters(connection, ids, seats)
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


def _mailboxes(connection: Connection, player_id: int) -> list[int]:
    owned = select(CorrespondentRow.id).where(CorrespondentRow.player_id == player_id)
    return list(connection.execute(owned).scalars())


def _going_on(connection: Connection, seats: list[int]) -> list[str]:
    """The codes of games that are not over."""
    theirs = select(SeatRow.game_id).where(SeatRow.id.in_(seats))
    running = select(Game.code).where(Game.id.in_(theirs), Game.state != "over")
    return list(connection.execute(running.order_by(Game.id)).scalars())


# ---------------------------------------------------------------- what is taken out


def _forget_challenges(connection: Connection, ids: list[int]) -> None:
    """No game comes any more of what they have offered or taken up, and nothing says who it was."""
    by_them, to_them = Challenge.by_id.in_(ids), Challenge.to_id.in_(ids)
    for change in (
        update(Challenge)
        .where(by_them | to_them, Challenge.state.in_(("open", "accepted")), Challenge.game_id.is_(None))
        .values(state="withdrawn", expires_at=None),
        update(Challenge).where(to_them).values(whom=None, domain=None),
    ):
        connection.execute(change)


def _forget_mailboxes(connection: Connection, ids: list[int], now: datetime) -> None:
    """Nobody is at a browser as this player any more, and no letter goes to the addresses."""
    for change in (
        update(CorrespondentRow)
        .where(CorrespondentRow.id.in_(ids))
        .values(address=None, player_id=None, confirmed_at=None, unanswered_at=None, asked_at=None),
        update(Session).where(Session.correspondent_id.in_(ids)).values(ended_at=now),
        update(SignIn).where(SignIn.correspondent_id.in_(ids)).values(used_at=now),
    ):
        connection.execute(change)


def _forget_letters(connection: Connection, ids: list[int], seats: list[int]) -> None:
    """No letter of theirs is kept, and none that names them to somebody who was challenged."""
    _unname_invitations(connection, ids)
    theirs = SiteOutboxRow.correspondent_id.in_(ids)
    for change in (
        update(InboxRow).where(InboxRow.seat_id.in_(seats)).values(raw=b"", recipients="[]"),
        update(OutboxRow).where(OutboxRow.seat_id.in_(seats)).values(message=None, text=None),
        update(SiteInboxRow).where(SiteInboxRow.correspondent_id.in_(ids)).values(raw=b""),
        update(SiteOutboxRow).where(theirs).values(message=None, text=None, words="{}"),
    ):
        connection.execute(change)


def _unname_invitations(connection: Connection, ids: list[int]) -> None:
    """Whoever they have challenged does not read their name any more on the page that the letter names."""
    theirs = select(Challenge.id, Challenge.to_id).where(
        Challenge.by_id.in_(ids), Challenge.to_id.is_not(None)
    )
    challenged = {row.id: row.to_id for row in connection.execute(theirs)}
    letters = select(SiteOutboxRow.id, SiteOutboxRow.words).where(
        SiteOutboxRow.correspondent_id.in_(set(challenged.values())), SiteOutboxRow.kind == "invitation"
    )
    for row in connection.execute(letters).all():
        words = json.loads(row.words)
        if words.get("challenge") in challenged:
            unnamed = json.dumps(words | {"challenger": _FORGOTTEN}, ensure_ascii=False)
            this = update(SiteOutboxRow).where(SiteOutboxRow.id == row.id)
            connection.execute(this.values(words=unnamed, message=None, text=None))
