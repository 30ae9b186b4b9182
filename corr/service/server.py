"""Holds what every use case needs: the database, the mail transport, the settings and the clock."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from sqlalchemy.exc import OperationalError

from corr import limits
from corr.config import Config
from corr.mail.outward.transport import Mailer, make_mailer
from corr.notifications.client import WebhookClient
from corr.service.answer_timing import BOTS, EMAILS, AnswerPace
from corr.store.session import Store


def wall_clock() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Server:
    """The server's database, mail transport, domain, web address and clock."""

    store: Store
    mailer: Mailer
    domain: str
    lease: timedelta
    now: Callable[[], datetime] = wall_clock
    # An email is stamped before it is committed, so a flag waits until none can still be on its way to the database.
    grace: timedelta = timedelta(minutes=2)
    # If no sweep ran for longer than this, the server was down, or its clock was set.
    outage: timedelta = limits.OUTAGE_GAP
    web_url: str = "http://localhost:8000"
    authserv_id: str | None = None  # the name under which our mail server reports its checks of a sender
    answers_an_hour: int = limits.ANSWERS_AN_HOUR
    pace: AnswerPace = EMAILS
    webhook_client: WebhookClient = field(default_factory=WebhookClient)
    #: How long a bot takes to answer.
    bot_pace: AnswerPace = BOTS

    @property
    def umpire(self) -> str:
        """The site's public address; replies to it find their game by the email they answer."""
        return f"umpire@{self.domain}"


def build_server(config: Config, now: Callable[[], datetime] = wall_clock) -> Server:
    """Build the server from the settings; it connects to database and mail server when needed."""
    return Server(
        store=Store(config.database_url),
        mailer=_make_transport(config),
        domain=config.domain,
        lease=config.lease,
        now=now,
        web_url=config.web_url,
        authserv_id=config.authserv_id,
        answers_an_hour=config.answers_an_hour,
    )


def _make_transport(config: Config) -> Mailer:
    """Return the mail transport, with DKIM signing if a key is configured."""
    post = make_mailer(config.post_url)
    if config.dkim_key is None or config.dkim_selector is None:
        return post
    from corr.mail.outward.dkim import SigningPost, load_signer

    return SigningPost(post, load_signer(config.dkim_key, config.dkim_selector, config.domain))


@contextmanager
def log_failure(log: logging.Logger, failure: str, **which: int) -> Iterator[None]:
    """Log an exception in this block and go on with other work; only database failures propagate."""
    try:
        yield
    except OperationalError:
        raise
    except Exception:
        log.exception(failure, extra=which)
