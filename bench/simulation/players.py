"""The players of all games: each answers what comes, late or never, by letter or on the page of the game."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Any

import chess
from sqlalchemy import bindparam, select
from sqlalchemy.exc import OperationalError

from bench.simulation import habits
from bench.simulation.habits import Habits
from bench.simulation.household import Household
from bench.simulation.postbox import Received
from bench.simulation.witness import Witness
from corr.service.games import page
from corr.service.games.page import PageText
from corr.service.mail import inbox
from corr.service.mail.arrival import Arrival
from corr.service.players import time_preferences
from corr.store.tables import SeatRow

_DOMAIN = "players.example"
_MOST_PLIES = 70
_AGAIN = timedelta(minutes=10)
_STAMP = select(SeatRow.slips, SeatRow.steps, SeatRow.answers).where(SeatRow.id == bindparam("seat"))


@dataclass
class Player:
    """Somebody with a mailbox, who may play several games."""

    address: str
    habits: Habits
    dice: Random
    has_set_hours: bool = False


@dataclass
class Match:
    """A game as it stands by what the umpire has called a move."""

    number: int
    players: dict[str, Player]
    board: chess.Board = field(default_factory=chess.Board)

    @property
    def turn(self) -> str:
        return "white" if self.board.turn else "black"


@dataclass
class Chair:
    """A player's place in a game, and the newest letter about it."""

    id: int
    match: Match
    side: str
    player: Player
    letter: Received | None = None
    is_thinking: bool = False


class Players:
    """Everybody who plays in one house."""

    def __init__(self, seed: int, household: Household, witness: Witness) -> None:
        self._seed, self._household, self._witness = seed, household, witness
        self._world = household.world
        self._players: dict[str, Player] = {}
        self._matches: dict[int, Match] = {}
        self._chairs: dict[tuple[int, str], Chair] = {}
        self._written = 0
        self.is_quiet = False  # from now on nobody writes

    def player(self, number: int) -> Player:
        address = f"p{number}@{_DOMAIN}"
        if address not in self._players:
            dice = Random(f"{self._seed} player {number}")
            self._players[address] = Player(address, habits.drawn(dice), dice)
        return self._players[address]

    def sit_down(self, white: Player, black: Player) -> int:
        """The next game, which is proposed to two; its number."""
        number = len(self._matches) + 1
        self._matches[number] = Match(number, {"white": white, "black": black})
        return number

    def see_moves(self) -> None:
        """Make on each board what the umpire has called a move."""
        for game, _, order in self._witness.moves:
            self._matches[game].board.push(chess.Move.from_uci(order))
        self._witness.moves.clear()

    # ------------------------------------------------------------ letters that come

    def receive(self, received: Received) -> None:
        """A letter is in its reader's mailbox."""
        if not self._witness.has_seen(received.seat, received.number):
            self._witness.look()
        seat = self._witness.seat_of_code[received.seat]
        self._household.diary.note(
            "handed",
            to=received.recipient,
            game=seat.game_id,
            side=seat.side,
            number=received.number,
            answers=_own(received.answers),
            text=received.text[:700],
        )
        chair = self._chair(seat)
        chair.letter = received
        if not chair.is_thinking:
            self._think(chair, received.text)

    def _chair(self, seat: Any) -> Chair:
        key = seat.game_id, seat.side
        if key not in self._chairs:
            match = self._matches[seat.game_id]
            self._chairs[key] = Chair(seat.id, match, seat.side, match.players[seat.side])
        return self._chairs[key]

    def _think(self, chair: Chair, text: str) -> None:
        """What a letter makes its reader do, after a while."""
        player, text = chair.player, " ".join(text.split())
        dice = player.dice
        soon = timedelta(minutes=dice.uniform(1, 200))
        agrees = "asks for a pause" in text and dice.random() < player.habits.agrees
        if 'the one word "accept"' in text or agrees:
            self._later(chair, soon, "accept")
        elif 'reply "claim"' in text and dice.random() < player.habits.claims:
            self._later(chair, player.habits.thinks(dice), "claim")
        elif "You have both agreed to a pause" in text:
            self._later(chair, timedelta(days=dice.uniform(1, 45)), "resume")
        elif chair.match.turn == chair.side:
            self._later(chair, player.habits.thinks(dice))

    def _later(self, chair: Chair, span: timedelta, words: str = "") -> None:
        chair.is_thinking = True
        self._world.after(span, lambda: self._act(chair, words))

    # ------------------------------------------------------------ what is written

    def _act(self, chair: Chair, words: str) -> None:
        chair.is_thinking = False
        ply, habits_ = chair.match.board.ply(), chair.player.habits
        is_silent = ply >= habits_.silent_from and words != "accept"
        if self.is_quiet or is_silent or chair.match.number in self._witness.over:
            return
        lines = [words] if words else self._turn(chair)
        if lines:
            self._write(chair, "\n".join(lines), is_by_page=words != "accept")
        if not words and chair.match.turn == chair.side:
            self._later(chair, habits_.thinks(chair.player.dice) + timedelta(hours=3))

    def _turn(self, chair: Chair) -> list[str]:
        """What a player writes whose turn it is, if it still is."""
        board, player = chair.match.board, chair.player
        dice, given = player.dice, player.habits
        if chair.match.turn != chair.side or board.is_game_over():
            return []
        if not player.has_set_hours:
            player.has_set_hours = True
            self._go_on_leave_by_itself(chair)
            return [*given.words, self._move(board, dice)]
        if board.ply() > _MOST_PLIES:
            return ["resign resign"]
        deeds = (
            (given.resigns, "resign resign"),
            (given.pauses, "pause?"),
            (given.away, habits.vacation(dice, self._household.house.now())),
            (given.wrong_tries, "a1h8"),
        )
        done = next((words for chance, words in deeds if dice.random() < chance), None)
        return [done or self._move(board, dice)]

    @staticmethod
    def _move(board: chess.Board, dice: Random) -> str:
        return dice.choice(sorted(board.legal_moves, key=str)).uci()

    def _go_on_leave_by_itself(self, chair: Chair) -> None:
        if chair.player.habits.goes_on_leave:
            seat = self._witness.seats[chair.id]
            with self._household.house.store.writing() as connection:
                time_preferences.go_on_leave_by_itself(
                    connection, seat.player_id, on=True, now=self._household.house.now()
                )

    def _write(self, chair: Chair, text: str, *, is_by_page: bool) -> None:
        self._written += 1
        name, dice = f"n{self._written}", chair.player.dice
        if is_by_page and dice.random() < chair.player.habits.pages:
            self._write_on_page(chair, text, name)
            return
        raw, faults = self._composed(chair, text, name), self._household.faults
        late = faults.dice("late_mail")
        span = (
            timedelta(hours=late.expovariate(1 / 8)) if faults.strikes("late_mail") else timedelta(seconds=20)
        )
        self._world.after(span, lambda: self._bring(raw, name, text))
        if faults.strikes("doubled_mail"):
            self._world.after(
                span + timedelta(minutes=faults.dice("doubled_mail").uniform(0, 600)),
                lambda: self._bring(raw, name, text),
            )

    def _write_on_page(self, chair: Chair, text: str, name: str) -> None:
        house = self._household.house
        with house.store.reading() as connection:
            stamp = "-".join(map(str, connection.execute(_STAMP, {"seat": chair.id}).one()))
        try:
            with self._household.faults.at_the_door():
                page.write(house, chair.id, PageText(text, stamp), house.now())
        except OperationalError:
            self._household.diary.note("busy", of="page")
            self._world.after(_AGAIN, lambda: self._write_on_page(chair, text, name))
        else:
            self._witness.look(name, text)
            self._household.knocks.knock()

    def _bring(self, raw: bytes, name: str, text: str) -> None:
        """Bring a letter to the house's door, again where that has failed."""
        house, to = self._household.house, str(raw.partition(b"To: ")[2].partition(b"\r\n")[0], "ascii")
        try:
            with self._household.faults.at_the_door():
                inbox.drop(house, Arrival(raw, (to,), house.now()))
        except OperationalError:
            self._household.diary.note("busy", of="door")
            self._world.after(_AGAIN, lambda: self._bring(raw, name, text))
        else:
            self._household.diary.note("came", name=name)
            self._witness.look(name, text)
            self._household.knocks.knock()

    def _composed(self, chair: Chair, text: str, name: str) -> bytes:
        """A reply to the newest letter."""
        assert chair.letter
        lines = [
            f"From: {chair.player.address}",
            f"To: {chair.letter.reply_to}",
            f"Subject: Re: {chair.letter.subject}",
            f"Message-ID: <{name}@{_DOMAIN}>",
            f"In-Reply-To: {chair.letter.message_id}",
            "",
            text,
            "",
        ]
        if chair.player.habits.quotes:
            lines += [
                "On Friday the umpire wrote:",
                *(f"> {line}" for line in chair.letter.text.splitlines()),
                "",
            ]
        return "\r\n".join(lines).encode()


def _own(message_id: str) -> str:
    """What a player calls the letter that is answered, where it is a player's."""
    name, _, domain = message_id.strip("<>").partition("@")
    return name if domain == _DOMAIN else ""
