"""Players with habits: each answers by email or on the game's page, sometimes late or never."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

import chess
from sqlalchemy import bindparam, select
from sqlalchemy.exc import OperationalError

from bench.mail import PLAYERS, Received, compose_reply
from bench.simulation.server import Server
from bench.simulation.witness import Witness
from corr.service.games.page_orders import PageText, queue_text
from corr.service.mail import inbox
from corr.service.mail.arrivals import Arrival
from corr.service.players import vacations
from corr.store.tables import SeatRow
from corr.worker_wakeup import Work

_MOST_PLIES = 70
_AGAIN = timedelta(minutes=10)
_STAMP = select(SeatRow.slips, SeatRow.steps, SeatRow.answers).where(SeatRow.id == bindparam("seat"))
_ZONES = (
    *("UTC", "Europe/Paris", "America/New_York", "America/Sao_Paulo", "Asia/Kolkata", "Asia/Tokyo"),
    *("Australia/Lord_Howe", "Pacific/Auckland", "Pacific/Kiritimati", "Africa/Cairo"),
)
_LADDERS = ("usual", "usual", "off", "3d 1d 6h", "1d 2h", "12h", "30m", "2d 20h 3h 1h", "30d 10d 5d")
_QUIET = ("off", "off", "22-7", "20-8", "23-6", "0-9", "13-15")
_THINKS = ((0.05, 3.0), (0.5, 12.0), (2.0, 30.0), (10.0, 60.0))
_WRONG_TRIES = 0.1


class Player:
    """A player with a mailbox and random habits, who may play several games."""

    def __init__(self, address: str, dice: Random) -> None:
        self.address, self.dice, self.has_set_hours = address, dice, False
        self.words = [f"zone {dice.choice(_ZONES)}", f"remind {dice.choice(_LADDERS)}"]
        self.words.append(f"quiet {dice.choice(_QUIET)}")
        self.words += ["weekends off"] * (dice.random() < 0.3)
        mailing = dice.choices(("", "mail off", "mail daily"), (70, 15, 15))[0]
        self.words += [mailing] * bool(mailing)
        self.hours = dice.choice(_THINKS)  # how long a move is thought over
        self.silent_from = dice.randint(0, 60) if dice.random() < 0.3 else 10_000  # from which ply on
        # How often a move is made on the page. A daily email shows many games, so it isn't answered.
        self.pages = 1.0 if mailing == "mail daily" else dice.choice((0.0, 0.0, 0.5, 1.0))
        self.resigns = 1 / dice.randint(20, 80)
        self.pauses = dice.choice((0.0, 0.03))
        self.agrees, self.claims = dice.random(), dice.random()
        self.quotes, self.goes_on_leave = dice.random() < 0.5, dice.random() < 0.15
        self.away = dice.choice((0.0, 0.05))  # how often a vacation is booked, or ended

    def think(self) -> timedelta:
        return timedelta(hours=self.dice.uniform(*self.hours))

    def book_vacation(self, now: datetime) -> str:
        """Book a vacation that begins now or much later, or cancel it."""
        if self.dice.random() < 0.25:
            return "vacation off"
        first = now.date() + timedelta(days=self.dice.choice((0, 1, 2, 5, 20)))
        return f"vacation {first} {first + timedelta(days=self.dice.randint(0, 12))}"


@dataclass
class Match:
    """A game by the moves that the umpire has accepted."""

    number: int
    players: dict[str, Player]
    board: chess.Board = field(default_factory=chess.Board)

    @property
    def turn(self) -> str:
        return "white" if self.board.turn else "black"


@dataclass
class Chair:
    """A player's place in a game, and the newest email about it."""

    id: int
    match: Match
    side: str
    player: Player
    newest: Received | None = None
    is_thinking: bool = False


class Players:
    """All players of one server."""

    def __init__(self, seed: int, server: Server, witness: Witness) -> None:
        self._seed, self._server, self._witness = seed, server, witness
        self._world = server.world
        self._players: dict[str, Player] = {}
        self._matches: dict[int, Match] = {}
        self._chairs: dict[tuple[int, str], Chair] = {}
        self._written = 0
        self.is_quiet = False  # from now on nobody writes

    def player(self, number: int) -> Player:
        address = f"p{number}@{PLAYERS}"
        if address not in self._players:
            self._players[address] = Player(address, Random(f"{self._seed} player {number}"))
        return self._players[address]

    def sit_down(self, white: Player, black: Player) -> int:
        """Propose the next game to two players; return its number."""
        number = len(self._matches) + 1
        self._matches[number] = Match(number, {"white": white, "black": black})
        return number

    def see_moves(self) -> None:
        """Make the accepted moves on each board."""
        for game, _, order in self._witness.moves:
            self._matches[game].board.push(chess.Move.from_uci(order))
        self._witness.moves.clear()

    def receive(self, received: Received) -> None:
        """An email has arrived in a player's mailbox."""
        code, number = received.name
        if not self._witness.has_seen(code, number):
            self._witness.look()
        if code not in self._witness.seat_of_code:
            self._read_daily_email(received)
            return
        seat = self._witness.seat_of_code[code]
        name, _, domain = received["In-Reply-To"].strip("<>").partition("@")
        self._server.diary.note(
            "handed",
            to=received.recipient,
            game=seat.game_id,
            side=seat.side,
            number=number,
            answers=name if domain == PLAYERS else "",
            text=received.text[:700],
        )
        chair = self._chair(seat)
        chair.newest = received
        if not chair.is_thinking:
            self._think(chair, received.text)

    def _read_daily_email(self, received: Received) -> None:
        """A daily email: its reader thinks about each game in which it is their turn."""
        self._server.diary.note("daily", to=received.recipient)
        for chair in self._chairs.values():
            if chair.player.address == received.recipient and not chair.is_thinking:
                self._think(chair, "")

    def _chair(self, seat: Any) -> Chair:
        key = seat.game_id, seat.side
        if key not in self._chairs:
            match = self._matches[seat.game_id]
            self._chairs[key] = Chair(seat.id, match, seat.side, match.players[seat.side])
        return self._chairs[key]

    def _think(self, chair: Chair, text: str) -> None:
        """What an email makes its reader do, after a while."""
        player, text = chair.player, " ".join(text.split())
        dice = player.dice
        soon = timedelta(minutes=dice.uniform(1, 200))
        agrees = "asks for a pause" in text and dice.random() < player.agrees
        if 'the one word "accept"' in text or agrees:
            self._later(chair, soon, "accept")
        elif 'reply "claim"' in text and dice.random() < player.claims:
            self._later(chair, player.think(), "claim")
        elif "You have both agreed to a pause" in text:
            self._later(chair, timedelta(days=dice.uniform(1, 45)), "resume")
        elif chair.match.turn == chair.side:
            self._later(chair, player.think())

    def _later(self, chair: Chair, span: timedelta, words: str = "") -> None:
        chair.is_thinking = True
        self._world.after(span, lambda: self._act(chair, words))

    def _act(self, chair: Chair, words: str) -> None:
        chair.is_thinking = False
        is_silent = chair.match.board.ply() >= chair.player.silent_from and words != "accept"
        if self.is_quiet or is_silent or chair.match.number in self._witness.over:
            return
        lines = [words] if words else self._turn(chair)
        if lines:
            self._write(chair, "\n".join(lines), is_by_page=words != "accept")
        if not words and chair.match.turn == chair.side:
            self._later(chair, chair.player.think() + timedelta(hours=3))

    def _turn(self, chair: Chair) -> list[str]:
        """What a player writes whose turn it is, if it still is."""
        board, player, now = chair.match.board, chair.player, self._server.server.now()
        if chair.match.turn != chair.side or board.is_game_over():
            return []
        move = player.dice.choice(sorted(board.legal_moves, key=str)).uci()
        if not player.has_set_hours:
            player.has_set_hours = True
            if player.goes_on_leave:
                seat = self._witness.seats[chair.id]
                with self._server.server.store.writing() as connection:
                    vacations.set_automatic_vacation(connection, seat.player_id, on=True, now=now)
            return [*player.words, move]
        if board.ply() > _MOST_PLIES:
            return ["resign resign"]
        deeds = (
            (player.resigns, "resign resign"),
            (player.pauses, "pause?"),
            (player.away, player.book_vacation(now)),
            (_WRONG_TRIES, "a1h8"),
        )
        return [next((words for chance, words in deeds if player.dice.random() < chance), move)]

    def _write(self, chair: Chair, text: str, *, is_by_page: bool) -> None:
        self._written += 1
        name, faults = f"n{self._written}", self._server.faults
        if is_by_page and chair.player.dice.random() < chair.player.pages:
            self._write_on_page(chair, text, name)
            return
        assert chair.newest
        raw = compose_reply(chair.newest, text, name, quotes=chair.player.quotes)
        arrival = raw, chair.newest["Reply-To"]
        late, span = faults.dice["late_mail"], timedelta(seconds=20)
        if faults.strikes("late_mail"):
            span = timedelta(hours=late.expovariate(1 / 8))
        self._world.after(span, lambda: self._bring(*arrival, name, text))
        if faults.strikes("doubled_mail"):
            span += timedelta(minutes=faults.dice["doubled_mail"].uniform(0, 600))
            self._world.after(span, lambda: self._bring(*arrival, name, text))

    def _write_on_page(self, chair: Chair, text: str, name: str) -> None:
        server = self._server.server
        with server.store.reading() as connection:
            stamp = "-".join(map(str, connection.execute(_STAMP, {"seat": chair.id}).one()))
        write = lambda: queue_text(server, chair.id, PageText(text, stamp), server.now())  # noqa: E731
        if self._is_taken(write, "page", lambda: self._write_on_page(chair, text, name)):
            self._see(name, text)

    def _bring(self, raw: bytes, to: str, name: str, text: str) -> None:
        """Bring an email to the server, again if that has failed."""
        server = self._server.server
        drop = lambda: inbox.store_email(server, Arrival(raw, (to,), server.now()))  # noqa: E731
        if self._is_taken(drop, "door", lambda: self._bring(raw, to, name, text)):
            self._server.diary.note("came", name=name)
            self._see(name, text)

    def _is_taken(self, bring: Callable[[], object], where: str, again: Callable[[], None]) -> bool:
        """Return False if the database was too busy, and retry later."""
        try:
            with self._server.faults.at_the_door():
                bring()
        except OperationalError:
            self._server.diary.note("busy", of=where)
            self._world.after(_AGAIN, again)
            return False
        return True

    def _see(self, name: str, text: str) -> None:
        self._witness.look(name, text)
        self._server.knocks(Work.LETTERS)
