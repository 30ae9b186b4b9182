"""Many games of pairs of players, all let in at their browsers, and some who only read: a house for measurements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from flask import Flask
from sqlalchemy import func, select

from corr.config import Config
from corr.service import worker_rounds
from corr.service.games import lifecycle, page
from corr.service.games.pairing import Pairing
from corr.service.house import House, house_of
from corr.service.players import authentication, players
from corr.service.players.mailboxes import known_or_new
from corr.store.tables import Game, InboxRow, OrderRow, SeatRow
from corr.web import create_app
from corr.words.board import Pair, Side
from tests.support.procfile import environ, pages_and_worker
from tests.support.servers import HOST, RedisServer, free_port

#: How many read, and how many games each of them has.
READERS, OWN_GAMES = 12, 10
DOMAIN, CSRF = "play.example", "bench"
#: Nobody meets anybody.
MOVES = "a2a3", "a7a6", "b2b3", "b7b6", "c2c3", "c7c6", "d2d3", "d7d6", "e2e3", "e7e6"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who is let in: what their browser sends, where it is, and the code of a game of theirs."""

    secret: str
    cookie: str
    place: str
    code: str


@dataclass(frozen=True, slots=True)
class Move:
    """What somebody sends from the page of a game."""

    who: Visitor
    side: Side
    written: page.PageText

    @property
    def form(self) -> dict[str, str]:
        """The fields of the page's form."""
        return {
            "csrf": CSRF,
            "stamp": self.written.stamp,
            "side": str(self.side),
            "orders": self.written.text,
        }


@dataclass(frozen=True, slots=True)
class Gathering:
    """A house, who plays in it and who reads."""

    settings: dict[str, str]
    house: House
    playing: list[Pair[Visitor]]
    reading: list[Visitor]

    def moves(self, number: int) -> list[Move]:
        """The next move in every game, as its page would send it."""
        side = tuple(Side)[number % 2]
        return [self._move(pair[side], side, MOVES[number]) for pair in self.playing]

    def _move(self, who: Visitor, side: Side, text: str) -> Move:
        seat = page.at_table(self.house, who.secret, who.code, side, self.house.now())
        assert seat
        return Move(who, side, page.PageText(text, seat.standing.stamp))

    def write(self, move: Move) -> None:
        """Leave a move as the page does."""
        now = self.house.now()
        seat = page.at_table(self.house, move.who.secret, move.who.code, move.side, now)
        assert seat
        page.write(self.house, seat.seat_id, move.written, now)

    def judged(self) -> int:
        """How much that was written on pages the umpire has answered so far."""
        with self.house.store.reading() as connection:
            counted = select(func.count()).where(InboxRow.page, InboxRow.read_at.is_not(None))
            return connection.execute(counted).scalar_one()

    def made(self) -> list[tuple[int, int]]:
        """For each game how many moves it has, and how many orders have made one."""
        made = select(func.count()).where(OrderRow.seat_id == SeatRow.id, OrderRow.verdict == "moved")
        seats = select(SeatRow.game_id, made.scalar_subquery().label("made")).subquery()
        games = select(Game.ply, func.sum(seats.c.made)).join(seats, seats.c.game_id == Game.id)
        codes = [pair.white.code for pair in self.playing]
        with self.house.store.reading() as connection:
            rows = connection.execute(games.where(Game.code.in_(codes)).group_by(Game.id, Game.ply))
            return [(ply, int(orders)) for ply, orders in rows]


@contextmanager
def gathered(url: str, games: int, folder: Path) -> Iterator[Gathering]:
    """A house with so many games that have begun; nobody serves it yet."""
    settings = environ(
        CORR_DATABASE_URL=url,
        CORR_MAIL_DOMAIN=DOMAIN,
        CORR_SMTP_URL=f"spool:{folder / 'spool'}",
    )
    house = house_of(Config.from_env(settings))
    names = [f"{side}{number}@players.example" for number in range(games) for side in Side]
    codes = _begin(house, list(pairwise_of(names)))
    lookers = [f"reader{number}@players.example" for number in range(READERS)]
    rivals = [lookers[at:] + lookers[:at] for at in range(1, OWN_GAMES + 1)]
    own = _begin(house, [pair for others in rivals for pair in zip(lookers, others, strict=True)])
    while worker_rounds.send_some(house, house.now()):
        pass
    app = create_app(house, lambda _work: None)
    playing = [
        Pair(_visitor(house, app, white, code), _visitor(house, app, black, code))
        for (white, black), code in zip(pairwise_of(names), codes, strict=True)
    ]
    reading = [_visitor(house, app, name, code) for name, code in zip(lookers, own, strict=False)]
    yield Gathering(settings, house, playing, reading)
    house.store.close()


def pairwise_of(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """White and Black of each game."""
    return zip(names[::2], names[1::2], strict=True)


def _begin(house: House, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Games of pairs of players; their codes."""
    now = house.now()
    with house.store.writing() as connection:
        newest = select(func.coalesce(func.max(Game.id), 0))
        last = connection.execute(newest).scalar_one()
        names = dict.fromkeys(name for pair in pairs for name in pair)
        ids = {
            name: players.enrol_as_written(connection, known_or_new(connection, name, now), "", now)
            for name in names
        }
        for white, black in pairs:
            pairing = Pairing(Pair(ids[white], ids[black]), "wild16", "3d", rated=False)
            lifecycle.start(connection, pairing, now)
        codes = select(Game.code).where(Game.id > last).order_by(Game.id)
        return list(connection.execute(codes).scalars())


_PLACES = (f"203.0.{net}.{host}" for net in range(256) for host in range(1, 255))


def _visitor(house: House, app: Flask, name: str, code: str) -> Visitor:
    """Let somebody in, who is where nobody else is."""
    secret = authentication.let_in_by_house(house, name, house.now()).secret
    client = app.test_client()
    with client.session_transaction() as session:
        session["in"], session["csrf"] = secret, CSRF
        session["day"] = f"{authentication.day_of(house.now()):%Y-%m-%d}"  # they have been here today
    kept = client.get_cookie("corr")
    assert kept
    return Visitor(secret, f"__Host-corr={kept.value}", next(_PLACES), code)


@contextmanager
def served(gathering: Gathering, folder: Path) -> Iterator[int]:
    """Pages and a worker by the Procfile's own lines; where the pages are."""
    redis, port = RedisServer(), free_port()
    settings = gathering.settings | {"CORR_REDIS_URL": redis.url, "CORR_WEB_LISTEN": f"{HOST}:{port}"}
    with pages_and_worker(settings, folder, redis, port):
        yield port
