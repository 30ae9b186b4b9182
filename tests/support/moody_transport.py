"""A mailer that follows a script."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from corr.mail.outward.transport import Delivery, DeliveryFate, Envelope
from corr.service.mail import game_emails
from tests.support.table import Table


@dataclass
class ScriptedMailer:
    """Returns the given fates in turn, and keeps the envelopes."""

    fates: list[DeliveryFate]
    envelopes: list[Envelope] = field(default_factory=list)

    def send(self, envelope: Envelope) -> Delivery:
        self.envelopes.append(envelope)
        return Delivery(self.fates.pop(0) if self.fates else DeliveryFate.SENT, "because")

    def close(self) -> None:
        pass


def send_all_due(table: Table, post: ScriptedMailer) -> None:
    """Send all due game emails through a mailer."""
    server = replace(table.server, mailer=post)
    while game_emails.OUTBOX.send_some(server, table.clock(), 20):
        pass
