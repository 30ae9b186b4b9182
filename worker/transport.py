"""Uses Redis as Celery's broker for messages that may get lost, as the database has the work."""

from __future__ import annotations

from kombu.transport import redis


class QoS(redis.QoS):
    """Forgets the messages in hand when the connection to Redis is lost.

    The work is in the database, where the next sweep finds it. To acknowledge a message, or to give it back, over a
    lost connection would end the worker.
    """

    restore_at_shutdown = False

    def ack(self, delivery_tag: str) -> None:
        if self.channel.connection is not None:
            super().ack(delivery_tag)  # type: ignore[no-untyped-call]  # kombu has no types

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:  # noqa: FBT001, FBT002  # kombu's signature
        if self.channel.connection is not None:
            super().reject(delivery_tag, requeue)  # type: ignore[no-untyped-call]  # kombu has no types


class Channel(redis.Channel):
    QoS = QoS


class Transport(redis.Transport):
    Channel = Channel
