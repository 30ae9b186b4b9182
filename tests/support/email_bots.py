"""Bots that play by email: each reads only the `slip.json` of its emails, and replies."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any

from tests.support.table import Table

#: The parsed `slip.json`.
File = dict[str, Any]


def slip_part(letter: EmailMessage) -> EmailMessage | None:
    """The `slip.json` part of an email, if it has one."""
    return next((each for each in letter.walk() if each.get_filename() == "slip.json"), None)


def slip_json(letter: EmailMessage) -> str:
    """The text of an email's `slip.json`."""
    part = slip_part(letter)
    assert part, letter["Subject"]
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode()


def slip_data(letter: EmailMessage) -> File:
    """The parsed `slip.json` of an email."""
    found: File = json.loads(slip_json(letter))
    return found


@dataclass
class EmailBot:
    """A bot behind a mailbox, which tries its planned orders one after another."""

    table: Table
    address: str
    plan: list[str]
    read: list[File] = field(default_factory=list)

    def look(self) -> bool:
        """Read all emails, and reply to the newest if it is the bot's turn; return whether it was."""
        self.read = [slip_data(letter) for letter in self.table.emails_to(self.address) if slip_part(letter)]
        newest = self.read[-1]
        text = self._answer(newest) if newest["my_turn"] else ""
        if text:
            self.table.deliver(self._letter(newest["reply_to"], text))
            self.table.run_workers()
        return bool(text)

    def _answer(self, file: File) -> str:
        if file["state"] == "offered":
            return "accept"
        own = file["slips"][-1]["sight"]["own"]
        while self.plan and not _has(own, self.plan[0]):
            self.plan.pop(0)
        return self.plan.pop(0) if self.plan else ""

    def _letter(self, reply_to: str, text: str) -> bytes:
        self.table.emails_written += 1
        number = f"<program-{self.table.emails_written}@mail.example>"
        heads = {"From": self.address, "To": reply_to, "Subject": "my move", "Message-ID": number}
        return "\r\n".join([*(f"{name}: {value}" for name, value in heads.items()), "", text, ""]).encode()


def _has(own: list[str], order: str) -> bool:
    """Whether the piece to move is still there; set-ups and senses move none."""
    start = order.splitlines()[-1].split("; ")[-1][:2]
    return start in own or not start[1:].isdigit()


def play(*programs: EmailBot) -> None:
    """Let bots read their mailboxes in turn until none replies."""
    while sum(each.look() for each in programs):
        pass
