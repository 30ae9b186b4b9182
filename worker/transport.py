"""Uses Redis as Celery's broker, for messages that may get lost."""

from __future__ import annotations

from kombu.transport import redis


class QoS(redis.QoS):
    """Drops the messages being worked on when the connection was lost.

    Such a knock is worth nothing: the database has the work, and the sweep finds it. To give it back, or to
    acknowledge it, over a connection that is gone ends the whole worker.
    """

    restore_at_shutdown = False

    def ack(self, delivery_tag: str) -> None:
        if self.channel.connection is not None:
            super().ack(delivery_tag)  # type: ignore[no-untyped-call]  # kombu has no types

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:  # noqa: FBT001, FBT002  # kombu's signature
        if self.channel.connection is not None:
            super().reject(delivery_tag, requeue)  # type: ignore[no-untyped-call]  # likewise


class Channel(redis.Channel):
    QoS = QoS


class Transport(redis.Transport):
    Channel = Channel
