"""Proposes a game to two addresses on the operator's behalf."""

from __future__ import annotations

from datetime import datetime
from email.utils import parseaddr

from sqlalchemy import Connection

from corr.game import clock as clocks
from corr.service import catalogue
from corr.service.games.game_session import open_session
from corr.service.games.pairing import Pairing, create_game
from corr.service.players import mailboxes, players
from corr.service.server import Server
from corr.text.messages import sentence
from corr.words.board import Pair, Side
from corr.words.errors import Refused


def propose(server: Server, addresses: Pair[str], variant: str, clock: str, now: datetime) -> str:
    """Propose a game to two addresses with one email each, and return its code."""
    key = catalogue.card(variant).key
    written = str(clocks.parse_new_clock(clock))
    with server.store.writing() as connection:
        seated = Pair(*(_player(connection, server, addresses[side], now) for side in Side))
        game = create_game(connection, Pairing(seated, key, written, rated=False), accepted=False)
        session = open_session(connection, game.id, now)
        for side in Side:
            session.write(side, "challenge")
        session.close()
        return game.code


def _player(connection: Connection, server: Server, text: str, now: datetime) -> int:
    shown, address = parseaddr(text)
    if not text.isprintable():
        address = ""
    try:
        who = mailboxes.find_or_create(connection, mailboxes.plain_address(address, server.domain), now)
    except Refused as refusal:
        raise Refused(sentence("addresses.no_address_with_name", text=text)) from refusal
    return players.enrol_by_email(connection, who, shown, now)
