"""Proposes a game to two addresses on the operator's behalf."""

from __future__ import annotations

from datetime import datetime
from email.utils import parseaddr

from sqlalchemy import Connection

from corr.game import clock as clocks
from corr.messages import sentence
from corr.service import catalogue
from corr.service.games.game_session import sit_down
from corr.service.games.pairing import Pairing, pair
from corr.service.house import House
from corr.service.players import mailboxes, players
from corr.words.board import Pair, Side
from corr.words.errors import Refused


def propose(house: House, addresses: Pair[str], variant: str, clock: str, now: datetime) -> str:
    """Propose a game to two addresses with one email each, and return its code."""
    key = catalogue.card(variant).key
    written = str(clocks.offered(clock))
    with house.store.writing() as connection:
        seated = Pair(*(_player(connection, house, addresses[side], now) for side in Side))
        game = pair(connection, Pairing(seated, key, written, rated=False), accepted=False)
        sitting = sit_down(connection, game.id, now)
        for side in Side:
            sitting.write(side, "challenge")
        sitting.close()
        return game.code


def _player(connection: Connection, house: House, text: str, now: datetime) -> int:
    """Return the address's player, made if new."""
    shown, address = parseaddr(text)
    if not text.isprintable():
        address = ""
    try:
        who = mailboxes.known_or_new(connection, mailboxes.plain_address(address, house.domain), now)
    except Refused as refusal:
        raise Refused(sentence("addresses.no_address_with_name", text=text)) from refusal
    return players.enrol_as_written(connection, who, shown, now)
