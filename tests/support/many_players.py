"""Many players for benchmarks: many running games, and the players' replies with moves."""

from __future__ import annotations

import email
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from email.message import EmailMessage
from email.policy import default
from random import Random
from typing import Any

import chess
from sqlalchemy import ColumnElement, Row, select, update

from corr.mail.outward.compose import compose
from corr.mail.outward.transport import Delivery, DeliveryFate, Envelope, Mailer
from corr.service.answer_timing import AT_ONCE
from corr.service.games import lifecycle
from corr.service.games.game_session import open_session
from corr.service.lobby import game_starts
from corr.service.mail import game_emails, game_reader
from corr.service.server import Server, wall_clock
from corr.store.session import Store
from corr.store.tables import EmailWordsRow, GameRow, OutboxRow, SeatRow
from corr.words.board import Pair, Side
from corr.words.view import Stage

DOMAIN = "play.example"
_NAMES = "ann{0}@players.example", "ben{0}@players.example"


@dataclass(frozen=True, slots=True)
class Letter:
    """A player's reply, with the addresses on its envelope."""

    sender: str
    recipient: str
    raw: bytes


class DiscardingMailer:
    """Accepts every email and discards it."""

    def send(self, _envelope: Envelope) -> Delivery:
        return Delivery(DeliveryFate.SENT)

    def close(self) -> None:
        pass


def make_server(url: str, post: Mailer) -> Server:
    """Make a server whose clock stands still, so that its copies do the same."""
    moment = wall_clock()
    return Server(Store(url), post, DOMAIN, timedelta(minutes=2), lambda: moment, pace=AT_ONCE)


class ManyPlayers:
    """The players of one server, who make random legal moves."""

    def __init__(self, make_server: Server) -> None:
        self.server = make_server
        self._games: list[int] = []
        self._boards: dict[int, chess.Board] = {}

    def begin(self, games: int) -> None:
        """Begin games and send their emails; the server should discard them."""
        now = self.server.now()
        for number in range(games):
            addresses = Pair(*(name.format(number) for name in _NAMES))
            game_starts.propose(self.server, addresses, "wild16", "3d", now)
        with self.server.store.writing() as connection:
            offered = select(GameRow.id).where(GameRow.state == Stage.OFFERED).order_by(GameRow.id)
            self._games = list(connection.execute(offered).scalars())
            connection.execute(update(OutboxRow).where(OutboxRow.sent_at.is_(None)).values(sent_at=now))
            for game_id in self._games:
                game_session = open_session(connection, game_id, now)
                for side in Side:
                    game_session.state = game_session.state.accept(side)
                lifecycle.begin(game_session)
                game_session.close()
        run_workers(self.server)

    def replies(self) -> list[Letter]:
        """The next move of every game, as a reply to the newest letter of the side to move."""
        return [self._reply(row, message) for row, message in self._newest(SeatRow.side == GameRow.turn)]

    def opponents_emails(self, texts: Sequence[str]) -> list[Letter]:
        """One email in each game from the side that isn't to move."""
        newest = self._newest(SeatRow.side != GameRow.turn)
        return [
            reply(message, text, f"{row.game}.other")
            for text, (row, message) in zip(texts, newest, strict=True)
        ]

    def _newest(self, whose: ColumnElement[bool]) -> list[tuple[Row[*tuple[Any, ...]], EmailMessage]]:
        """The newest email to a side of every game."""
        with self.server.store.reading() as connection:
            newest = (
                select(OutboxRow.__table__, EmailWordsRow.words, GameRow.id.label("game"), GameRow.ply)
                .join(EmailWordsRow, EmailWordsRow.letter_id == OutboxRow.id)
                .join(SeatRow, SeatRow.id == OutboxRow.seat_id)
                .join(GameRow, SeatRow.game_id == GameRow.id)
                .where(whose, OutboxRow.number == SeatRow.letters, GameRow.id.in_(self._games))
                .order_by(GameRow.id)
            )
            rows = connection.execute(newest).all()
            worded = game_emails.prepare(connection, self.server, rows, rows).worded
        return [(row, _read(compose(worded[row.id]()).message)) for row in rows]

    def _reply(self, row: Row[*tuple[Any, ...]], answered: EmailMessage) -> Letter:
        board = self._boards.setdefault(row.game, chess.Board())
        assert len(board.move_stack) == row.ply, "all moves must come from `replies`"
        move = Random(f"{row.game} {row.ply}").choice(list(board.legal_moves))
        board.push(move)
        return reply(answered, move.uci(), f"{row.game}.{row.ply}")


def _read(raw: bytes) -> EmailMessage:
    return email.message_from_bytes(raw, policy=default)


def reply(answered: EmailMessage, text: str, name: str) -> Letter:
    """A reply as a plain mail program writes it, with the quoted email below."""
    player, address = str(answered["To"]), str(answered["Reply-To"])
    head = {
        "From": player,
        "To": address,
        "Subject": f"Re: {answered['Subject'].removeprefix('Re: ')}",
        "Message-ID": f"<{name}@players.example>",
        "In-Reply-To": answered["Message-ID"],
        "References": answered["Message-ID"],
        "Content-Type": 'text/plain; charset="utf-8"',
    }
    quoted = answered.get_body(("plain",)).get_content().splitlines()
    intro = f"On {answered['Date']}, {answered['From']} wrote:"
    body = [text, "", intro, *(f"> {line}" for line in quoted), ""]
    lines = [*(f"{key}: {value}" for key, value in head.items()), "", *body]
    return Letter(player, address, "\r\n".join(lines).encode())


def run_workers(make_server: Server) -> None:
    """Read all emails that wait, and send all that are due."""
    while game_reader.read_some(make_server, make_server.now()):
        pass
    while game_emails.OUTBOX.send_some(make_server, make_server.now(), 20):
        pass


def split_evenly(letters: Sequence[Letter], shares: int) -> Iterator[Sequence[Letter]]:
    """Split emails into equal shares."""
    return (letters[share::shares] for share in range(shares))
