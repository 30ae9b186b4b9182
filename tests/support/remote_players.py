"""Players far away: a mail server of theirs that keeps what comes, and letters of theirs over SMTP."""

from __future__ import annotations

import smtplib
from email.message import EmailMessage
from functools import lru_cache

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.support.database_servers import HOST, free_port
from tests.support.table import AUTHSERV_ID, DOMAIN, parse_message, text_of
from tests.support.waiting import TIMEOUT, wait_until


class RemotePlayers:
    """Everybody's mailbox, and a pen."""

    def __init__(self, door: int) -> None:
        self.emails: list[EmailMessage] = []
        self._written_after: dict[str, EmailMessage] = {}
        self._in_hand: dict[str, EmailMessage] = {}
        self.port = free_port()
        self.door, self._written = door, 0
        self._server = Controller(self, hostname=HOST, port=self.port)

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        letter = parse_message(envelope.content)
        letter["X-Envelope-To"] = envelope.rcpt_tos[0]
        self.emails.append(letter)
        return "250 kept"

    def open(self) -> None:
        self._server.start()

    def close(self) -> None:
        self._server.stop()

    def emails_to(self, player: str) -> list[EmailMessage]:
        return [letter for letter in self.emails if letter["X-Envelope-To"] == player]

    def wait_for(self, player: str, words: str) -> str:
        """The letter to a player that says so, once it has come since they last wrote: two may come in either order."""
        wait_until(lambda: self._found(player, words) is not None, f"{player}: {words}")
        found = self._found(player, words)
        assert found is not None
        self._in_hand[player] = found
        return flat_text(found)

    def _found(self, player: str, words: str) -> EmailMessage | None:
        letters = self.emails_to(player)
        before = self._written_after.get(player)
        since = next((number + 1 for number, each in enumerate(letters) if each is before), 0)
        return next((each for each in reversed(letters[since:]) if words in flat_text(each)), None)

    def wait_for_more(self, player: str, than: int) -> None:
        """Until a player has more letters than so many."""
        wait_until(lambda: len(self.emails_to(player)) > than, f"{player} is answered")

    def reply(self, player: str, text: str) -> None:
        """Answer the letter that was waited for, or the newest one."""
        answered = self.take_email_to_answer(player)
        about = f"Subject: Re: {answered['Subject']}\r\nIn-Reply-To: {answered['Message-ID']}\r\n"
        self._send(player, answered["Reply-To"], f"{about}\r\n{text}\r\n")

    def take_email_to_answer(self, player: str) -> EmailMessage:
        """That letter, for who answers it in a way of their own; from now on what comes after it is waited for."""
        answered = self._in_hand.get(player) or self.emails_to(player)[-1]
        self._turn_over(player)
        return answered

    def write(self, player: str, text: str) -> None:
        """Write to the umpire out of the blue; the house's own mail server vouches for it."""
        self._turn_over(player)
        vouched = f"{AUTHSERV_ID}; dmarc=pass header.from={player.partition('@')[2]}"
        about = f"Authentication-Results: {vouched}\r\nSubject: a game\r\n"
        self._send(player, f"umpire@{DOMAIN}", f"{about}\r\n{text}\r\n")

    def _turn_over(self, player: str) -> None:
        """What has come to a player by now is read."""
        self._in_hand.pop(player, None)
        self._written_after.update((player, each) for each in self.emails_to(player)[-1:])

    def _send(self, player: str, to: str, rest: str) -> None:
        self._written += 1
        head = f"From: {player}\r\nTo: {to}\r\nMessage-ID: <{self._written}@far.example>\r\n"
        with smtplib.SMTP(HOST, self.door, timeout=TIMEOUT) as door:
            door.sendmail(player, [to], head + rest)


@lru_cache(64)
def flat_text(letter: EmailMessage) -> str:
    """A letter's text on one line, taken apart once: who waits for its words asks again and again."""
    return " ".join(text_of(letter).split())
