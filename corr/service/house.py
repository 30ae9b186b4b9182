"""What every use-case needs to know of the house it works in."""

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
    """The present moment."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class House:
    """The database, the post, the mail domain, where the pages are, and what time it is."""

    store: Store
    post: Post
    domain: str
    lease: timedelta
    now: Callable[[], datetime] = wall_clock
    # A letter is stamped before it is committed: a flag waits until none can be on its way into the database.
    grace: timedelta = timedelta(minutes=2)
    # Where nobody has swept for longer, the house stood still, or its clock was set.
    outage: timedelta = limits.OUTAGE
    web_url: str = "http://localhost:8000"
    authserv_id: str | None = (
        None  # by which name our own mail server signs what it has found out about a sender
    )
    answers_an_hour: int = limits.ANSWERS_AN_HOUR
    pace: Pace = LETTERS
    wire: Wire = field(default_factory=Wire)
    #: When a house player answers.
    pause: Pace = PROGRAMS

    @property
    def umpire(self) -> str:
        """The address that everybody knows. A reply to it finds its game by what it answers."""
        return f"umpire@{self.domain}"


def house_of(config: Config, now: Callable[[], datetime] = wall_clock) -> House:
    """The house that the settings describe; nothing is connected before it is used."""
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
    """Whoever takes letters away, signed by the house itself where it has a key for that."""
    post = post_of(config.post_url)
    if config.dkim_key is None or config.dkim_selector is None:
        return post
    from corr.mail.outward.dkim import SigningPost, signer_of

    return SigningPost(post, signer_of(config.dkim_key, config.dkim_selector, config.domain))
