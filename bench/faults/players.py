"""Players who answer each email with the next move of a prepared game, as people and mail programs do."""

from __future__ import annotations

import queue
import re
import subprocess
import threading
from dataclasses import dataclass, field
from random import Random

import chess

from bench.faults.post import Deck, Letter, MailCarriers
from bench.faults.server import Server
from bench.mail import PLAYERS, Received, compose_reply
from tests.support.waiting import wait_until

_HABITS = {
    "plainly": 10,
    "twice at once": 3,
    "again under a new Message-ID": 3,
    "cut in the middle": 2,
    "after a wrong try": 4,
    "after show": 2,
}
_LATER = 2.0
_SHORTEST, _LONGEST = 12, 30
_LEFT_EVERY = 3


@dataclass(frozen=True, slots=True)
class Prepared:
    """A game's moves, an impossible order for each of its turns, and how it comes to its end."""

    moves: tuple[str, ...]
    impossible: tuple[str, ...]
    end: str  # "by itself", "resigned", or "left" to run out of time


def prepare(seed: int, number: int) -> Prepared:
    """Prepare a game by seed and number; in every third, a player falls silent."""
    dice, board = Random(f"{seed} {number}"), chess.Board()
    moves: list[str] = []
    impossible: list[str] = []
    for _ in range(dice.randint(_SHORTEST, _LONGEST)):
        impossible.append(_impossible(board, dice))
        move = dice.choice(list(board.legal_moves))
        moves.append(move.uci())
        board.push(move)
        if board.is_game_over() or board.is_repetition(3):
            return Prepared(tuple(moves), tuple(impossible), "by itself")
    end = "left" if number % _LEFT_EVERY == _LEFT_EVERY - 1 else "resigned"
    return Prepared(tuple(moves), tuple(impossible), end)


def _impossible(board: chess.Board, dice: Random) -> str:
    """An order for a piece of the side to move that the rules do not allow."""
    own = list(chess.scan_forward(board.occupied_co[board.turn]))
    legal = {(move.from_square, move.to_square) for move in board.legal_moves}
    while True:
        origin, target = dice.choice(own), dice.randrange(64)
        if origin != target and (origin, target) not in legal:
            return chess.square_name(origin) + chess.square_name(target)


@dataclass
class Match:
    """A game as its players see it from their emails."""

    prepared: Prepared
    begun: set[int] = field(default_factory=set)
    told_of_end: set[str] = field(default_factory=set)

    def is_finished(self) -> bool:
        """True once both know the end, or its last turn was abandoned."""
        is_left = self.prepared.end == "left" and len(self.prepared.moves) in self.begun
        return is_left or len(self.told_of_end) == 2


class Players:
    """All players, in a thread that opens their emails in the order they come; another proposes games."""

    def __init__(self, server: Server, postmen: MailCarriers, seed: int, thinking: float) -> None:
        self.matches: dict[str, Match] = {}
        self.written: list[Letter] = []
        self.thinking = thinking
        self._server, self._postmen, self._seed = server, postmen, seed
        self._dice = Random(f"{seed} players")
        self._habits = Deck(self._dice, _HABITS)
        self._opened: set[str] = set()
        self._then: dict[str, str] = {}
        self._ended, self._has_enough = threading.Event(), threading.Event()
        self._reader = threading.Thread(target=self._open_all, daemon=True)
        self._proposer: threading.Thread | None = None

    def start(self, games: int) -> None:
        """Keep this many games running; return once enough were begun."""
        self._reader.start()
        self._proposer = threading.Thread(target=self._propose, args=(games,), daemon=True)
        self._proposer.start()
        wait_until(lambda: len(self.matches) >= games, f"{games} games begin")

    def propose_no_more(self) -> None:
        assert self._proposer
        self._has_enough.set()
        self._proposer.join()

    def stop(self) -> None:
        self._ended.set()
        self._reader.join()

    def unfinished(self) -> list[str]:
        return [code for code, match in list(self.matches.items()) if not match.is_finished()]

    def _propose(self, games: int) -> None:
        proposed: set[str] = set()
        number = 0
        while not self._has_enough.wait(0.2):
            if len(self.unfinished()) + len(proposed - set(self.matches)) < games:
                number += 1
                try:
                    proposed.add(self._server.challenge(number))
                except subprocess.SubprocessError:
                    continue

    def _open_all(self) -> None:
        while not self._ended.is_set():
            try:
                self._open(self._server.post.get(timeout=0.2))
            except queue.Empty:
                continue

    def _open(self, received: Received) -> None:
        """Answer an email, unless it came before."""
        if received["Message-ID"] in self._opened:
            return
        self._opened.add(received["Message-ID"])
        code = next(re.finditer(r"\((\w+)\)$", received["Subject"]))[1]
        if code not in self.matches:
            self.matches[code] = Match(prepare(self._seed, len(self.matches)))
        self._answer(self.matches[code], received)

    def _answer(self, match: Match, received: Received) -> None:
        text = " ".join(received.text.split())
        promised = self._then.pop(received["In-Reply-To"], "")
        if promised:
            self._write(received, promised, self._habits.draw())
        elif 'reply to this email with the one word "accept"' in text:
            self._write(received, "accept", self._habits.draw())
        elif "Here is the whole board" in text:
            match.told_of_end.add(next(re.finditer(r"[Yy]ou are (White|Black)", text))[1])
        elif "Your turn: reply by" in text:
            side, number = next(re.finditer(r"[Yy]ou are (White|Black)\. Move (\d+)\.", text)).groups()
            self._take_turn(match, received, 2 * int(number) - (2 if side == "White" else 1))

    def _take_turn(self, match: Match, received: Received, ply: int) -> None:
        """Make the move of a turn, once; after the last one resign or fall silent."""
        if ply in match.begun:
            return
        match.begun.add(ply)
        prepared, habit = match.prepared, self._habits.draw()
        if ply >= len(prepared.moves):
            if prepared.end == "resigned":
                self._write(received, "resign resign", habit)
        elif habit in ("after a wrong try", "after show"):
            first = "show" if habit == "after show" else prepared.impossible[ply]
            self._then[self._write(received, first, "plainly")] = prepared.moves[ply]
        else:
            self._write(received, prepared.moves[ply], habit)

    def _write(self, answered: Received, order: str, habit: str) -> str:
        """Write a reply and hand it to the carriers; return its Message-ID."""
        letter = self._compose(answered, order)
        think = self._dice.uniform(0, self.thinking)
        self._postmen.take(letter, think, cut=habit == "cut in the middle")
        if habit == "twice at once":
            self._postmen.take(letter, think)
        if habit == "again under a new Message-ID":
            self._postmen.take(self._compose(answered, order), think + self._dice.uniform(0, _LATER))
        return letter.message_id

    def _compose(self, answered: Received, order: str) -> Letter:
        name = f"{len(self.written)}.{self._dice.getrandbits(64):x}"
        raw = compose_reply(answered, order, name)
        letter = Letter(f"<{name}@{PLAYERS}>", answered.recipient, answered["Reply-To"], raw)
        self.written.append(letter)
        return letter
