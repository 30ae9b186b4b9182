"""A game that is proposed to two addresses."""

from __future__ import annotations

import base64
import os
import re
import secrets
from datetime import datetime
from email.utils import parseaddr

from sqlalchemy import Connection, insert, select

from corr.desk import catalogue
from corr.desk.house import House
from corr.desk.sitting import sit_down
from corr.game.clock import clock_of
from corr.orders import kind_of
from corr.store.once import insert_once
from corr.store.tables import Game, Player, SeatRow
from corr.words import Pair, Refused, Side

# No letters from a to h: a game's code must never look like a square.
_CODE = "23456789jkmnpqrstvwxyz"
_NAME = 24


def challenge(house: House, addresses: Pair[str], variant: str, clock: str, now: datetime) -> str:
    """Propose a game to two addresses, one letter each; the game's code."""
    key = catalogue.card(variant).key
    written = str(clock_of(clock))
    with house.store.writing() as connection:
        players = Pair(*(_player(connection, addresses[side]) for side in Side))
        code = _free_code(connection)
        game_id = connection.execute(
            insert(Game)
            .values(
                code=code,
                variant=key,
                clock=written,
                state="offered",
                ply=0,
                offered_white=0,
                offered_black=0,
            )
            .returning(Game.id)
        ).scalar_one()
        for side in Side:
            _seat(connection, game_id, side, players[side])
        sitting = sit_down(connection, game_id, now)
        for side in Side:
            sitting.write(side, "challenge")
        sitting.close()
    return code


def _player(connection: Connection, text: str) -> int:
    """The player of an address, made if it is new."""
    shown, address = parseaddr(text)
    if not text.isprintable() or not re.fullmatch(r"[!-;=?A-~]+@[A-Za-z0-9.-]+", address):
        raise Refused(f'"{text}" is no address: write one like ann@example.org or "Ann <ann@example.org>"')
    name, key = _name(shown or address.partition("@")[0]), address.casefold()
    insert_once(connection, Player, name=name, address=address, address_key=key)
    return connection.execute(select(Player.id).where(Player.address_key == key)).scalar_one()


def _name(text: str) -> str:
    """A name that may stand in a letter: letters, digits, blanks, ' and -, and no order."""
    kept = "".join(sign if sign.isalnum() or sign in "'-" else " " for sign in text)
    name = " ".join(kept.split())[:_NAME].strip()
    return name if name and kind_of(name) == "prose" else "A player"


def _free_code(connection: Connection) -> str:
    while True:
        code = "".join(secrets.choice(_CODE) for _ in range(5))
        if connection.execute(select(Game.id).where(Game.code == code)).first() is None:
            return code


def _seat(connection: Connection, game_id: int, side: Side, player_id: int) -> None:
    connection.execute(
        insert(SeatRow).values(
            game_id=game_id,
            player_id=player_id,
            side=side,
            code=base64.b32encode(os.urandom(5)).decode().lower(),
            key=os.urandom(32),
            accepted=False,
            slips=0,
            steps=0,
            letters=0,
        )
    )
