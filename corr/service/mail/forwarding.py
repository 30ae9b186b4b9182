"""Passes parts of an email on: from the site to several games, or from a game to the site."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, NotRequired, TypeAlias, TypedDict

from sqlalchemy import Connection, bindparam, select, union_all

from corr.mail.address import Kind, Signet
from corr.service.house import House
from corr.service.mail import deduplication, inbox
from corr.service.mail.arrival import Arrival
from corr.service.players import mailboxes
from corr.store.rows import rows_of
from corr.store.tables import Game, SeatRow, SiteInboxRow, VoidSignet
from corr.words.orders import Order, Word

_LONG_LINE, _TRIES_A_LINE = 1000, 100
# The prefix of a line that is no order, and how much of such lines is passed on: an answer repeats less.
_BESIDE, _LINES, _SIGNS = "| ", 10, 200


class Place(TypedDict):
    """A listed game: its seat's code, newest slip, step and move number, but no key.

    A list of an older release lacks the step: orders given out of turn in answer to it are not kept.
    """

    seat: str
    slip: int
    step: NotRequired[int]
    move: int


Places: TypeAlias = Mapping[str, Place]


class Came(NamedTuple):
    """An email about several games: its sender, key, time, and the text beside its orders."""

    sender: str
    key: str
    received_at: datetime
    beside: Sequence[str]


class _Place(NamedTuple):
    game: str
    ply: int
    code: str
    slips: int
    steps: int


class _Signet(NamedTuple):
    code: str
    key: bytes


_PLACES = (
    select(
        Game.code.label("game"),
        Game.ply,
        SeatRow.code,
        SeatRow.slips,
        SeatRow.steps,
    )
    .join(SeatRow, SeatRow.game_id == Game.id)
    .where(SeatRow.player_id == bindparam("player"), Game.code.in_(bindparam("games", expanding=True)))
)
_SIGNETS = union_all(
    *(
        select(each.code, each.key).where(each.code.in_(bindparam("seats", expanding=True)))
        for each in (SeatRow, VoidSignet)
    )
)


def places(connection: Connection, player_id: int | None, games: Collection[str]) -> Places:
    """Return a player's seats in listed games; a later move outdates answers to the list."""
    asked = {"player": player_id, "games": list(games)}
    return {found.game: _place(found) for found in rows_of(_Place, connection.execute(_PLACES, asked))}


def _place(found: _Place) -> Place:
    return {"seat": found.code, "slip": found.slips, "step": found.steps, "move": found.ply // 2 + 1}


def moves(listed: Places) -> dict[str, int]:
    """Return the move numbers of listed games."""
    return {code: place["move"] for code, place in listed.items()}


def hand_on(
    connection: Connection,
    house: House,
    listed: Places,
    coded: Sequence[tuple[str, Sequence[Order]]],
    came: Came,
) -> None:
    """Store for each seat what an email says about its game, as if sent there.

    Only the first seat's email includes the text beside the orders.
    """
    seats = {"seats": [listed[code]["seat"] for code, _ in coded]}
    keys = {signet.code: signet.key for signet in rows_of(_Signet, connection.execute(_SIGNETS, seats))}
    for part, (code, orders) in enumerate(coded):
        place = listed[code]
        signet = Signet(place["seat"], keys[place["seat"]])
        address = signet.mailbox(Kind.REPLY, place["slip"], house.domain)
        said = letter_of(came.sender, orders, () if part else came.beside)
        arrival = Arrival(said, (address,), came.received_at)
        inbox.take_part(connection, house.domain, address, place.get("step"), came.key, arrival)


def hand_to_site(
    connection: Connection, player_id: int, letter: int, orders: Sequence[Order], at: datetime
) -> None:
    """Store what an email to a game says to the site, from its proved player."""
    who = mailboxes.of_player(connection, player_id)
    assert who.address is not None
    arrival = Arrival(letter_of(who.address, orders), (), at)
    key = f"game {letter}"
    deduplication.keep(connection, SiteInboxRow, who.id, key, arrival, bounce=False, letter=0, vouched=True)


def letter_of(sender: str, orders: Sequence[Order], beside: Sequence[str] = ()) -> bytes:
    """Write orders as an email to one game, without what concerns other games.

    The text in `beside`, which is no order, follows below on lines that never parse as orders.
    """
    marked = ["", *(f"{_BESIDE}{line[:_SIGNS]}" for line in beside[:_LINES])] if beside else []
    head = f"From: {sender}\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n"
    return "\n".join((head, *(_broken(order) for order in orders), *marked, "")).encode()


def left_alone(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of a passed-on email that were no orders."""
    return tuple(line.removeprefix(_BESIDE) for line in lines if line.startswith(_BESIDE))


def _broken(order: Order) -> str:
    """Split a long order after commas into readable lines; never split a note."""
    written = str(order)
    steps = written.split(", ")
    if len(written) <= _LONG_LINE or isinstance(order, Word):
        return written
    lines = (steps[first : first + _TRIES_A_LINE] for first in range(0, len(steps), _TRIES_A_LINE))
    return ",\n".join(", ".join(line) for line in lines)
