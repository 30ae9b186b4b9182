"""The players: answer each letter with the next move of a prepared game, as people and mail programs do."""

from __future__ import annotations

import email
import queue
import re
import threading
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default
from random import Random

from bench.faults.deck import Deck
from bench.faults.games import Prepared, prepare
from bench.faults.postmen import Letter, Postmen
from bench.faults.sink import Received

_DOMAIN = "players.example"
_HABITS = {
    "plainly": 10,
    "twice at once": 3,
    "again under a new Message-ID": 3,
    "cut in the middle": 2,
    "after a wrong try": 4,
    "after show": 2,
}
_LATER = 2.0


@dataclass
class Match:
    """A game as its players see it from their letters."""

    prepared: Prepared
    begun: set[int] = field(default_factory=set)
    told_of_end: set[str] = field(default_factory=set)

    def is_finished(self) -> bool:
        """True once both know how it ended, or its last turn has come and is left."""
        is_left = self.prepared.end == "left" and len(self.prepared.moves) in self.begun
        return is_left or len(self.told_of_end) == 2


class Players:
    """All players of all games, in one thread that opens their letters in the order they come."""

    def __init__(self, post: queue.Queue[Received], postmen: Postmen, seed: int, thinking: float) -> None:
        self.matches: dict[str, Match] = {}
        self.written: list[Letter] = []
        self._post, self._postmen, self._seed, self._thinking = post, postmen, seed, thinking
        self._dice = Random(f"{seed} players")
        self._habits = Deck(self._dice, _HABITS)
        self._opened: set[str] = set()
        self._then: dict[str, str] = {}
        self._thread = threading.Thread(target=self._open_all, daemon=True)
        self._at_work = True

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._at_work = False
        self._thread.join()

    def hurry(self) -> None:
        """From now on nobody thinks."""
        self._thinking = 0.0

    def unfinished(self) -> list[str]:
        return [code for code, match in list(self.matches.items()) if not match.is_finished()]

    def _open_all(self) -> None:
        while self._at_work:
            try:
                self._open(self._post.get(timeout=0.2))
            except queue.Empty:
                continue

    def _open(self, received: Received) -> None:
        """Answer a letter, unless it came before."""
        letter = email.message_from_bytes(received.raw, policy=default)
        assert isinstance(letter, EmailMessage)
        if letter["Message-ID"] in self._opened:
            return
        self._opened.add(letter["Message-ID"])
        code = next(re.finditer(r"\((\w+)\)$", letter["Subject"]))[1]
        if code not in self.matches:
            self.matches[code] = Match(prepare(self._seed, len(self.matches)))
        self._answer(received.recipient, self.matches[code], letter)

    def _answer(self, player: str, match: Match, letter: EmailMessage) -> None:
        text = " ".join(_text(letter).split())
        promised = self._then.pop(str(letter["In-Reply-To"]), "")
        if promised:
            self._write(player, letter, promised, self._habits.draw())
        elif 'reply to this email with the one word "accept"' in text:
            self._write(player, letter, "accept", self._habits.draw())
        elif "Here is the whole board" in text:
            match.told_of_end.add(next(re.finditer(r"you are (White|Black)", text))[1])
        elif "Your turn: reply by" in text:
            side, number = next(re.finditer(r"you are (White|Black)\. Move (\d+)\.", text)).groups()
            self._take_turn(player, match, letter, 2 * int(number) - (2 if side == "White" else 1))

    def _take_turn(self, player: str, match: Match, letter: EmailMessage, ply: int) -> None:
        """Make the move of a turn, once; after the last one give up or fall silent."""
        if ply in match.begun:
            return
        match.begun.add(ply)
        prepared = match.prepared
        if ply < len(prepared.moves):
            self._move(player, letter, prepared.moves[ply], prepared.impossible[ply])
        elif prepared.end == "resigned":
            self._write(player, letter, "resign resign", self._habits.draw())

    def _move(self, player: str, letter: EmailMessage, move: str, impossible: str) -> None:
        habit = self._habits.draw()
        if habit == "after a wrong try":
            self._then[self._write(player, letter, impossible, "plainly")] = move
        elif habit == "after show":
            self._then[self._write(player, letter, "show", "plainly")] = move
        else:
            self._write(player, letter, move, habit)

    def _write(self, player: str, answered: EmailMessage, order: str, habit: str) -> str:
        """Write a reply and give it to the postmen; its Message-ID as it stands in the letter."""
        letter = self._compose(player, answered, order)
        think = self._dice.uniform(0, self._thinking)
        self._postmen.take(letter, think, cut=habit == "cut in the middle")
        if habit == "twice at once":
            self._postmen.take(letter, think)
        if habit == "again under a new Message-ID":
            again = self._compose(player, answered, order)
            self._postmen.take(again, think + self._dice.uniform(0, _LATER))
        return letter.message_id

    def _compose(self, player: str, answered: EmailMessage, order: str) -> Letter:
        message_id = f"<{len(self.written)}.{self._dice.getrandbits(64):x}@{_DOMAIN}>"
        lines = [
            f"From: {player}",
            f"To: {answered['Reply-To']}",
            f"Subject: Re: {answered['Subject'].removeprefix('Re: ')}",
            f"Message-ID: {message_id}",
            f"In-Reply-To: {answered['Message-ID']}",
            f"References: {answered['Message-ID']}",
            "MIME-Version: 1.0",
            'Content-Type: text/plain; charset="utf-8"',
            "",
            order,
            "",
            f"On {answered['Date']}, {answered['From']} wrote:",
            *(f"> {line}" for line in _text(answered).splitlines()),
            "",
        ]
        letter = Letter(message_id, player, str(answered["Reply-To"]), "\r\n".join(lines).encode())
        self.written.append(letter)
        return letter


def _text(letter: EmailMessage) -> str:
    body = letter.get_body(("plain",))
    assert body is not None
    return str(body.get_content())
