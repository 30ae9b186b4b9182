"""Holds what every use case needs: the database, the mail transport, the settings and the clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from corr import limits
from corr.answer_timing import LETTERS, PROGRAMS, Pace
from corr.calls.client import Wire
from corr.config import Config
from corr.mail.outward.transport import Post, post_of
from corr.store.session import Store


def wall_clock() -> datetime:
    """Return the present moment."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class House:
    """The server's database, mail transport, domain, web address and clock."""

    store: Store
    post: Post
    domain: str
    lease: timedelta
    now: Callable[[], datetime] = wall_clock
    # An email is stamped before it is committed, so a flag waits until none can still be on its way to the database.
    grace: timedelta = timedelta(minutes=2)
    # If no sweep ran for longer than this, the server was down, or its clock was set.
    outage: timedelta = limits.OUTAGE
    web_url: str = "http://localhost:8000"
    authserv_id: str | None = None  # the name under which our mail server reports its checks of a sender
    answers_an_hour: int = limits.ANSWERS_AN_HOUR
    pace: Pace = LETTERS
    wire: Wire = field(default_factory=Wire)
    #: How long a bot takes to answer.
    pause: Pace = PROGRAMS

    @property
    def umpire(self) -> str:
        """Return the public address; replies find their game by the email they answer."""
        return f"umpire@{self.domain}"


def house_of(config: Config, now: Callable[[], datetime] = wall_clock) -> House:
    """Build the `House` from the settings; it connects only when used."""
    return House(
        store=Store(config.database_url),
        post=_post_of(config),
        domain=config.domain,
        lease=config.lease,
        now=now,
        web_url=config.web_url,
        authserv_id=config.authserv_id,
        answers_an_hour=config.answers_an_hour,
    )


def _post_of(config: Config) -> Post:
    """Return the mail transport, with DKIM signing if a key is configured."""
    post = post_of(config.post_url)
    if config.dkim_key is None or config.dkim_selector is None:
        return post
    from corr.mail.outward.dkim import SigningPost, signer_of

    return SigningPost(post, signer_of(config.dkim_key, config.dkim_selector, config.domain))
