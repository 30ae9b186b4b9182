"""A server with many games and signed-in players for benchmarks; some players only read."""

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
from corr.service.games.lifecycle import Pairing
from corr.service.games.page_orders import PageText, queue_text
from corr.service.players import authentication, players
from corr.service.players.mailboxes import find_or_create
from corr.service.server import Server, build_server
from corr.store.tables import GameRow, InboxRow, OrderRow, SeatRow
from corr.web import create_app
from corr.words.board import Pair, Side
from tests.support.database_servers import HOST, RedisServer, free_port
from tests.support.procfile import environ, pages_and_worker

#: How many readers there are, and how many games each has.
READERS, OWN_GAMES = 12, 10
DOMAIN, CSRF = "play.example", "bench"
#: Moves without captures.
MOVES = "a2a3", "a7a6", "b2b3", "b7b6", "c2c3", "c7c6", "d2d3", "d7d6", "e2e3", "e7e6"
_PLACES = (f"203.0.{net}.{host}" for net in range(256) for host in range(1, 255))


@dataclass(frozen=True, slots=True)
class Visitor:
    """A signed-in player: the cookie, network address and a game's code."""

    secret: str
    cookie: str
    place: str
    code: str


@dataclass(frozen=True, slots=True)
class Move:
    """A move sent from a game's page."""

    who: Visitor
    side: Side
    stamp: str
    text: str

    @property
    def form(self) -> dict[str, str]:
        """The fields of the page's form."""
        return {"csrf": CSRF, "stamp": self.stamp, "side": str(self.side), "orders": self.text}


@dataclass(frozen=True, slots=True)
class SignedInServer:
    """A server, its players and its readers."""

    settings: dict[str, str]
    server: Server
    playing: list[Pair[Visitor]]
    reading: list[Visitor]

    def moves(self, number: int) -> list[Move]:
        """The next move of every game, as its page would send it."""
        side, made = tuple(Side)[number % 2], []
        for who in (pair[side] for pair in self.playing):
            seat = page.find_game_player(self.server, who.secret, who.code, side, self.server.now())
            assert seat
            made.append(Move(who, side, seat.status.stamp, MOVES[number]))
        return made

    def judged(self) -> int:
        """How many orders from pages the umpire has answered so far."""
        with self.server.store.reading() as connection:
            counted = select(func.count()).where(InboxRow.page, InboxRow.read_at.is_not(None))
            return connection.execute(counted).scalar_one()

    def made(self) -> list[tuple[int, int]]:
        """For each game its number of moves, and of orders that were moves."""
        made = select(func.count()).where(OrderRow.seat_id == SeatRow.id, OrderRow.verdict == "moved")
        seats = select(SeatRow.game_id, made.scalar_subquery().label("made")).subquery()
        games = select(GameRow.ply, func.sum(seats.c.made)).join(seats, seats.c.game_id == GameRow.id)
        codes = [pair.white.code for pair in self.playing]
        with self.server.store.reading() as connection:
            rows = connection.execute(games.where(GameRow.code.in_(codes)).group_by(GameRow.id, GameRow.ply))
            return [(ply, int(orders)) for ply, orders in rows]


@contextmanager
def make_signed_in_server(url: str, games: int, folder: Path) -> Iterator[SignedInServer]:
    """Make a server with this many running games; it isn't served yet."""
    spool = f"spool:{folder / 'spool'}"
    settings = environ(CORR_DATABASE_URL=url, CORR_MAIL_DOMAIN=DOMAIN, CORR_SMTP_URL=spool)
    server = build_server(Config.from_env(settings))
    pairs = [(f"white{number}@players.example", f"black{number}@players.example") for number in range(games)]
    codes = begin(server, pairs)
    lookers = [f"reader{number}@players.example" for number in range(READERS)]
    rivals = [lookers[at:] + lookers[:at] for at in range(1, OWN_GAMES + 1)]
    own = begin(server, [pair for others in rivals for pair in zip(lookers, others, strict=True)])
    while worker_rounds.send_some(server, server.now()):
        pass
    app = create_app(server, lambda _work: None)
    playing = [
        Pair(*(_visitor(server, app, name, code) for name in pair))
        for pair, code in zip(pairs, codes, strict=True)
    ]
    reading = [_visitor(server, app, name, code) for name, code in zip(lookers, own, strict=False)]
    yield SignedInServer(settings, server, playing, reading)
    server.store.close()


def begin(server: Server, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Begin games of pairs of players; return the codes."""
    now = server.now()
    with server.store.writing() as connection:
        last = connection.execute(select(func.coalesce(func.max(GameRow.id), 0))).scalar_one()
        ids = {
            name: players.enrol_by_email(connection, find_or_create(connection, name, now), "", now)
            for name in dict.fromkeys(name for pair in pairs for name in pair)
        }
        for white, black in pairs:
            pairing = Pairing(Pair(ids[white], ids[black]), "wild16", "3d", rated=False)
            lifecycle.start(connection, pairing, now)
        codes = select(GameRow.code).where(GameRow.id > last).order_by(GameRow.id)
        return list(connection.execute(codes).scalars())


def write_on_page(server: Server, secret: str, code: str, side: Side | str, text: str) -> None:
    """Queue a move as its page does now."""
    seat = page.find_game_player(server, secret, code, side, server.now())
    assert seat
    queue_text(server, seat.seat_id, PageText(text, seat.status.stamp), server.now())


def _visitor(server: Server, app: Flask, name: str, code: str) -> Visitor:
    """Sign someone in, from their own network address."""
    secret = authentication.sign_in_directly(server, name, server.now()).secret
    client = app.test_client()
    with client.session_transaction() as session:
        session["in"], session["csrf"] = secret, CSRF
        session["day"] = f"{authentication.start_of_day(server.now()):%Y-%m-%d}"  # they have been here today
    kept = client.get_cookie("corr")
    assert kept
    return Visitor(secret, f"__Host-corr={kept.value}", next(_PLACES), code)


@contextmanager
def run_website_and_worker(gathering: SignedInServer, folder: Path) -> Iterator[int]:
    """Run the website and a worker by the Procfile's lines; yield the port."""
    redis, port = RedisServer(), free_port()
    settings = gathering.settings | {"CORR_REDIS_URL": redis.url, "CORR_WEB_LISTEN": f"{HOST}:{port}"}
    with pages_and_worker(settings, folder, redis, port):
        yield port
