"""Players elsewhere: their mail server keeps what it gets, and they write over SMTP."""

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
    """Everyone's mailbox; replies and new emails go to the server over SMTP."""

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
        """Wait for an email with these words since the player last wrote; others may come before or after it."""
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
        """Wait until a player has more emails than this."""
        wait_until(lambda: len(self.emails_to(player)) > than, f"{player} is answered")

    def reply(self, player: str, text: str) -> None:
        """Reply to the email that was waited for, or to the newest one."""
        answered = self.take_email_to_answer(player)
        about = f"Subject: Re: {answered['Subject']}\r\nIn-Reply-To: {answered['Message-ID']}\r\n"
        self._send(player, answered["Reply-To"], f"{about}\r\n{text}\r\n")

    def take_email_to_answer(self, player: str) -> EmailMessage:
        """Take the email to answer in another way; `wait_for` then looks only at later ones."""
        answered = self._in_hand.get(player) or self.emails_to(player)[-1]
        self._turn_over(player)
        return answered

    def write(self, player: str, text: str) -> None:
        """Email the site's own address, authenticated by its mail server."""
        self._turn_over(player)
        vouched = f"{AUTHSERV_ID}; dmarc=pass header.from={player.partition('@')[2]}"
        about = f"Authentication-Results: {vouched}\r\nSubject: a game\r\n"
        self._send(player, f"umpire@{DOMAIN}", f"{about}\r\n{text}\r\n")

    def _turn_over(self, player: str) -> None:
        """Mark all emails to a player as read."""
        self._in_hand.pop(player, None)
        self._written_after.update((player, each) for each in self.emails_to(player)[-1:])

    def _send(self, player: str, to: str, rest: str) -> None:
        self._written += 1
        head = f"From: {player}\r\nTo: {to}\r\nMessage-ID: <{self._written}@far.example>\r\n"
        with smtplib.SMTP(HOST, self.door, timeout=TIMEOUT) as door:
            door.sendmail(player, [to], head + rest)


@lru_cache(64)
def flat_text(letter: EmailMessage) -> str:
    """The email's text on one line; cached, because `wait_for` asks again and again."""
    return " ".join(text_of(letter).split())
