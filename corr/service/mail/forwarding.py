"""Forwards orders in one email to the several games, or to the site, that they concern."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, NotRequired, TypeAlias, TypedDict

from sqlalchemy import Connection, bindparam, select, union_all

from corr.mail.address import AddressSigner, TokenKind
from corr.service.mail import arrivals, inbox
from corr.service.mail.arrivals import Arrival
from corr.service.players import mailboxes
from corr.service.server import Server
from corr.store.rows import rows_of
from corr.store.tables import GameRow, OldAddressRow, SeatRow, SiteInboxRow
from corr.words.orders import Command, Order

_LONG_LINE, _TRIES_A_LINE = 1000, 100
# The prefix of a line that is no order, and how much of such lines is passed on; an answer repeats even less.
_QUOTE_PREFIX, _LINES, _QUOTED_CHARACTERS = "| ", 10, 200


class ListedGame(TypedDict):
    """A game in an email's list, with what a reply to the list needs.

    A list of an older release lacks the step: orders given out of turn in answer to it are not kept.
    """

    seat: str
    slip: int
    step: NotRequired[int]
    move: int


ListedGames: TypeAlias = Mapping[str, ListedGame]


class SourceEmail(NamedTuple):
    """An email about several games: its sender, key, time, and the text beside its orders."""

    sender: str
    key: str
    received_at: datetime
    beside: Sequence[str]


class _ListedGameRow(NamedTuple):
    game: str
    ply: int
    code: str
    slips: int
    steps: int


class _SignerRow(NamedTuple):
    code: str
    key: bytes


_LISTED_GAMES_QUERY = (
    select(
        GameRow.code.label("game"),
        GameRow.ply,
        SeatRow.code,
        SeatRow.slips,
        SeatRow.steps,
    )
    .join(SeatRow, SeatRow.game_id == GameRow.id)
    .where(SeatRow.player_id == bindparam("player"), GameRow.code.in_(bindparam("games", expanding=True)))
)
_SIGNERS = union_all(
    *(
        select(each.code, each.key).where(each.code.in_(bindparam("seats", expanding=True)))
        for each in (SeatRow, OldAddressRow)
    )
)


def load_listed_games(connection: Connection, player_id: int | None, games: Collection[str]) -> ListedGames:
    """Return the player's place in each listed game, to store for replies to the list."""
    asked = {"player": player_id, "games": list(games)}
    return {
        found.game: {
            "seat": found.code,
            "slip": found.slips,
            "step": found.steps,
            "move": found.ply // 2 + 1,
        }
        for found in rows_of(_ListedGameRow, connection.execute(_LISTED_GAMES_QUERY, asked))
    }


_IS_TO_MOVE = (GameRow.turn == SeatRow.side) | GameRow.turn.is_(
    None
)  # while both deploy, it is nobody's turn
_TURN_QUERY = (
    select(_IS_TO_MOVE).join(SeatRow, SeatRow.game_id == GameRow.id).where(SeatRow.code == bindparam("seat"))
)


def is_to_move(connection: Connection, seat: str) -> bool:
    """Whether a new game waits for an order of the seat with this address code."""
    return bool(connection.execute(_TURN_QUERY, {"seat": seat}).scalar_one())


def forward_to_games(
    connection: Connection,
    server: Server,
    listed: ListedGames,
    coded: Sequence[tuple[str, Sequence[Order]]],
    source: SourceEmail,
) -> None:
    """Store each game's orders from one email as if sent to that game.

    Only the first game's part includes the text beside the orders.
    """
    seats = {"seats": [listed[code]["seat"] for code, _ in coded]}
    keys = {signer.code: signer.key for signer in rows_of(_SignerRow, connection.execute(_SIGNERS, seats))}
    for part, (code, orders) in enumerate(coded):
        place = listed[code]
        signer = AddressSigner(place["seat"], keys[place["seat"]])
        address = signer.mailbox(TokenKind.REPLY, place["slip"], server.domain)
        said = write_email(source.sender, orders, () if part else source.beside)
        arrival = Arrival(said, (address,), source.received_at)
        inbox.store_part(connection, server.domain, address, place.get("step"), source.key, arrival)


def forward_to_site(
    connection: Connection, player_id: int, letter: int, orders: Sequence[Order], at: datetime
) -> None:
    """Store a game email's orders about the site as an email to the site."""
    who = mailboxes.load_main_mailbox(connection, player_id)
    assert who.address is not None
    arrival = Arrival(write_email(who.address, orders), (), at)
    key = f"game {letter}"
    arrivals.store_once(connection, SiteInboxRow, who.id, key, arrival, bounce=False, letter=0, vouched=True)


def write_email(sender: str, orders: Sequence[Order], beside: Sequence[str] = ()) -> bytes:
    """Write orders as an email; text `beside` follows on lines that never parse as orders."""
    marked = (
        ["", *(f"{_QUOTE_PREFIX}{line[:_QUOTED_CHARACTERS]}" for line in beside[:_LINES])] if beside else []
    )
    head = f"From: {sender}\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n"
    return "\n".join((head, *(_break_lines(order) for order in orders), *marked, "")).encode()


def list_ignored_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the text that `write_email` put below the orders, unmarked."""
    return tuple(line.removeprefix(_QUOTE_PREFIX) for line in lines if line.startswith(_QUOTE_PREFIX))


def _break_lines(order: Order) -> str:
    """Write an order as text, splitting a long list of tries into several lines."""
    written = str(order)
    steps = written.split(", ")
    if len(written) <= _LONG_LINE or isinstance(order, Command):
        return written
    lines = (steps[first : first + _TRIES_A_LINE] for first in range(0, len(steps), _TRIES_A_LINE))
    return ",\n".join(", ".join(line) for line in lines)
