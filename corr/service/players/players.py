"""Creates, finds, lists and renames players, and turns them into bots."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, count
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import aliased

from corr.service.players import erasure, mailboxes
from corr.service.players.mailboxes import Correspondent
from corr.service.players.names import (
    add_bot_mark,
    add_number,
    clean_name,
    fold_lookalikes,
    is_reserved,
    nearest_name,
    remove_bot_mark,
)
from corr.service.server import Server
from corr.store.locks import insert_if_new
from corr.store.rows import rows_of
from corr.store.tables import (
    ChallengeRow,
    CorrespondentRow,
    GameRow,
    PlayerRow,
    RatingRow,
    SeatRow,
)
from corr.text.messages import sentence
from corr.words.errors import Refused
from corr.words.view import Stage


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """A player as the operator sees them."""

    name: str
    is_program: bool  # whether it is a bot of the person who reads its emails
    addresses: tuple[str, ...]
    games: int


def name_of_player(connection: Connection, player_id: int) -> str:
    """Return a player's name."""
    return connection.execute(select(PlayerRow.name).where(PlayerRow.id == player_id)).scalar_one()


def find_player(connection: Connection, name: str) -> int | None:
    """Return the id of the player with this name in any spelling, else None."""
    bare = remove_bot_mark(name)
    called = PlayerRow.name_key == fold_lookalikes(bare)
    if bare != name.strip():
        called &= PlayerRow.program
    return connection.execute(select(PlayerRow.id).where(called)).scalar_one_or_none()


_OTHER_SEAT = aliased(SeatRow)
_NAMES_IN_USE = (
    select(SeatRow.opponent)
    .join(GameRow, GameRow.id == SeatRow.game_id)
    .join(_OTHER_SEAT, (_OTHER_SEAT.game_id == SeatRow.game_id) & (_OTHER_SEAT.id != SeatRow.id))
    .where(SeatRow.opponent.is_not(None), GameRow.state != Stage.OVER)
)

_HOUSE_PREFIX = "house "
_IS_HOUSE = PlayerRow.address_key.startswith(_HOUSE_PREFIX)
GUEST_PREFIX = "guest "
_BY_KEY = select(PlayerRow.id).where(PlayerRow.address_key == bindparam("key"))


def get_house_player(connection: Connection, name: str) -> int:
    """Return the id of the server's own player of this name, created if new."""
    key = _HOUSE_PREFIX + name
    insert_if_new(connection, PlayerRow, name=name, name_key=None, address="", address_key=key)
    return connection.execute(_BY_KEY, {"key": key}).scalar_one()


def find_house_player(connection: Connection, name: str) -> int | None:
    """Return the id of the server's own player of this name, else None."""
    return connection.execute(_BY_KEY, {"key": _HOUSE_PREFIX + name}).scalar_one_or_none()


def is_name_used(connection: Connection, name: str, player_id: int | None = None) -> bool:
    """Whether emails of running games still use this name for another player, since renamed."""
    others = _NAMES_IN_USE.where(_OTHER_SEAT.player_id != (player_id or 0))
    return fold_lookalikes(name) in map(fold_lookalikes, filter(None, connection.execute(others).scalars()))


def enrol(connection: Connection, who: Correspondent, name: str, now: datetime) -> int:
    """Return the id of a mailbox's player, created under this name if new; Refused if it is taken."""
    if who.player_id is not None:
        return who.player_id
    player_id = _get_player(connection, clean_name(name), who.address)
    if player_id is None:
        raise Refused(sentence("names.taken"))
    return _claim_mailbox(connection, who, player_id, now)


def enrol_by_email(connection: Connection, who: Correspondent, name: str, now: datetime) -> int:
    """Return the id of an email's writer, made a player under the nearest free name if they are none."""
    if who.player_id is not None:
        return who.player_id
    wish = nearest_name(name or (who.address or "").partition("@")[0])
    tries = chain([wish], (add_number(wish, number) for number in _yield_numbers()))
    made = (_get_player(connection, each, who.address) for each in tries)
    return _claim_mailbox(connection, who, next(each for each in made if each is not None), now)


def _yield_numbers() -> Iterator[int]:
    """Yield numbers to append to a taken name: small ones, then ever longer random ones."""
    yield from range(2, 10)
    for digits in count(2):
        yield from (secrets.randbelow(10**digits) for _ in range(10))


def _get_player(connection: Connection, name: str, address: str | None) -> int | None:
    """Return the player at an address, created if new; None if the name is taken. Refused without an address."""
    if address is None:
        raise Refused(sentence("addresses.forgotten"))
    key = address.casefold()
    if not is_name_used(connection, name):
        insert_if_new(
            connection, PlayerRow, name=name, name_key=fold_lookalikes(name), address=address, address_key=key
        )
    return connection.execute(select(PlayerRow.id).where(PlayerRow.address_key == key)).scalar_one_or_none()


def _claim_mailbox(connection: Connection, who: Correspondent, player_id: int, now: datetime) -> int:
    """Confirm a mailbox and give it to the player; raise Refused if it is another's."""
    mailboxes.confirm(connection, who, now)
    is_free = CorrespondentRow.player_id.is_(None) | (CorrespondentRow.player_id == player_id)
    owned = update(CorrespondentRow).where(CorrespondentRow.id == who.id, is_free)
    if connection.execute(owned.values(player_id=player_id)).rowcount == 0:
        raise Refused(sentence("addresses.another_players"))
    return player_id


def check_name(connection: Connection, player_id: int, text: str) -> str:
    """Return a player's own or new name as stored; Refused if invalid or taken."""
    own = name_of_player(connection, player_id)
    if remove_bot_mark(text) == remove_bot_mark(own):
        return own
    name = clean_name(remove_bot_mark(text))
    if find_player(connection, name) not in (None, player_id) or is_name_used(connection, name, player_id):
        raise Refused(sentence("names.taken"))
    return add_bot_mark(name) if is_bot(connection, player_id) else name


def rename(connection: Connection, player_id: int, text: str) -> None:
    """Rename a player; subjects of emails about begun games keep the old name. Refused if invalid or taken."""
    name = check_name(connection, player_id, text)
    theirs = select(SeatRow.game_id).where(SeatRow.player_id == player_id)
    opposite = update(SeatRow).where(
        SeatRow.game_id.in_(theirs), SeatRow.player_id != player_id, SeatRow.opponent.is_(None)
    )
    connection.execute(opposite.values(opponent=name_of_player(connection, player_id)))
    renamed = update(PlayerRow).where(PlayerRow.id == player_id)
    try:
        connection.execute(renamed.values(name=name, name_key=fold_lookalikes(remove_bot_mark(name))))
    except IntegrityError as clash:  # somebody else has taken it in the meantime
        raise Refused(sentence("names.taken")) from clash


def is_bot(connection: Connection, player_id: int) -> bool:
    """Whether this player is a bot that belongs to a person, not to the server."""
    return connection.execute(select(PlayerRow.program).where(PlayerRow.id == player_id)).scalar_one()


#: Whether a player is a bot: a person's, or one of the server's own players.
IS_ANY_BOT = PlayerRow.program | _IS_HOUSE


def is_any_bot(connection: Connection, player_id: int) -> bool:
    """Whether a bot plays as this player, somebody's own or the server's."""
    return connection.execute(select(IS_ANY_BOT).where(PlayerRow.id == player_id)).scalar_one()


def is_hidden(connection: Connection, player_id: int) -> bool:
    """Whether this player's page is hidden."""
    return connection.execute(select(PlayerRow.hidden).where(PlayerRow.id == player_id)).scalar_one()


def become_bot(connection: Connection, player_id: int) -> None:
    """Turn a player into a bot for good, which shows beside the name.

    Refused while they play, or are about to play, an opponent who takes them for a person.
    """
    if connection.execute(_HAS_HUMAN_OPPONENTS, {"player": player_id}).scalar_one():
        raise Refused(sentence("tokens.among_people"))
    name = add_bot_mark(name_of_player(connection, player_id))
    connection.execute(update(PlayerRow).where(PlayerRow.id == player_id).values(name=name, program=True))
    connection.execute(update(RatingRow).where(RatingRow.player_id == player_id).values(program=True))


_HUMAN_GAMES_QUERY = (
    select(GameRow.id)
    .join(SeatRow, SeatRow.game_id == GameRow.id)
    .join(_OTHER_SEAT, (_OTHER_SEAT.game_id == GameRow.id) & (_OTHER_SEAT.id != SeatRow.id))
    .where(SeatRow.player_id == bindparam("player"), GameRow.state != Stage.OVER, ~_OTHER_SEAT.house)
)
_MAILBOXES = select(CorrespondentRow.id).where(CorrespondentRow.player_id == bindparam("player"))
_CHALLENGES = select(ChallengeRow.id).where(
    ChallengeRow.by_id.in_(_MAILBOXES) | ChallengeRow.to_id.in_(_MAILBOXES), ChallengeRow.state == "open"
)
_HAS_HUMAN_OPPONENTS = select(_HUMAN_GAMES_QUERY.exists() | _CHALLENGES.exists())


def add(server: Server, name: str, address: str, now: datetime) -> None:
    """Create a player, or add an address that the operator vouches for; Refused if the address is a player's."""
    address = mailboxes.plain_address(address, server.domain)
    with server.store.writing() as connection:
        who = mailboxes.find_or_create(connection, address, now)
        if who.player_id is not None:
            owner = name_of_player(connection, who.player_id)
            raise Refused(sentence("addresses.owned", address=address, name=owner))
        player_id = find_player(connection, name)
        if player_id is None or name_of_player(connection, player_id).casefold() != name.casefold():
            enrol(connection, who, name, now)
        else:
            _claim_mailbox(connection, who, player_id, now)


def list_players(server: Server) -> list[ListedPlayer]:
    """List all players except the server's own, and guests."""
    with server.store.reading() as connection:
        found = rows_of(
            _NamedPlayer,
            connection.execute(
                select(PlayerRow.id, PlayerRow.name, PlayerRow.program)
                .where(~_IS_HOUSE, ~PlayerRow.address_key.startswith(GUEST_PREFIX))
                .order_by(PlayerRow.id)
            ),
        )
        return [
            ListedPlayer(
                each.name,
                each.program,
                tuple(addresses_of(connection, each.id)),
                _games(connection, each.id),
            )
            for each in found
        ]


def _games(connection: Connection, player_id: int) -> int:
    """Count the games that a player has played or plays, without tutorials."""
    theirs = select(func.count()).select_from(SeatRow).join(GameRow, GameRow.id == SeatRow.game_id)
    played = theirs.where(SeatRow.player_id == player_id, GameRow.lesson.is_(None))
    return connection.execute(played).scalar_one()


class _NamedPlayer(NamedTuple):
    id: int
    name: str
    program: bool


def list_reserved_names(server: Server) -> list[str]:
    """List older player names that would be reserved today."""
    with server.store.reading() as connection:
        theirs = select(PlayerRow.name).where(~_IS_HOUSE, ~PlayerRow.address_key.startswith(GUEST_PREFIX))
        names = connection.execute(theirs.order_by(PlayerRow.id)).scalars()
        return [name for name in names if is_reserved(name) and name != erasure.NOBODY]


def require_player(connection: Connection, name: str) -> int:
    """Return the id of the player with this name; raise Refused if there is none."""
    player_id = find_player(connection, name)
    if player_id is None:
        raise Refused(sentence("names.nobody", name=name))
    return player_id


def addresses_of(connection: Connection, player_id: int) -> list[str]:
    """Return all of a player's addresses, the one that gets game emails first."""
    primary = select(PlayerRow.address).where(PlayerRow.id == player_id)
    found = [connection.execute(primary).scalar_one(), *mail_addresses_of(connection, player_id)]
    return list(dict.fromkeys(found))


def mail_addresses_of(connection: Connection, player_id: int) -> list[str]:
    """Return the addresses of a player's mailboxes, the only ones that web pages may read."""
    theirs = select(CorrespondentRow.address).where(CorrespondentRow.player_id == player_id)
    found = connection.execute(theirs.order_by(CorrespondentRow.id)).scalars()
    return [address for address in found if address is not None]


def seats_of(connection: Connection, player_id: int) -> list[int]:
    """Return the ids of a player's seats (places in games), past and present."""
    return list(connection.execute(select(SeatRow.id).where(SeatRow.player_id == player_id)).scalars())


def mailboxes_of(connection: Connection, player_id: int) -> list[int]:
    """Return the ids of a player's mailboxes."""
    owned = select(CorrespondentRow.id).where(CorrespondentRow.player_id == player_id)
    return list(connection.execute(owned).scalars())
