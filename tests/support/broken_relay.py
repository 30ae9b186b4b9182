"""A mail relay that is down or refuses emails."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from corr.mail.outward.transport import Delivery, DeliveryFate, Envelope, Mailer
from tests.support.table import Table


@dataclass
class BrokenRelay:
    """A relay that is down, or refuses emails to some recipients."""

    post: Mailer
    is_down: bool = False
    refused: set[str] = field(default_factory=set)
    unreached: set[str] = field(default_factory=set)

    def send(self, envelope: Envelope) -> Delivery:
        if envelope.recipient in self.refused:
            return Delivery(DeliveryFate.NEVER, "550 nobody here")
        if self.is_down or envelope.recipient in self.unreached:
            return Delivery(DeliveryFate.LATER, "not now")
        return self.post.send(envelope)

    def close(self) -> None:
        self.post.close()


def use_broken_relay(table: Table) -> BrokenRelay:
    """Send the table's emails through a relay that a test can break."""
    relay = BrokenRelay(table.server.mailer)
    table.server = replace(table.server, mailer=relay)
    return relay
