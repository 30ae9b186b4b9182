"""Reads the operator's settings from the CORR_… environment variables, and checks them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta

from corr import limits
from corr.words.errors import Misconfigured

_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of one server."""

    database_url: str = field(repr=False)  # it may contain a password
    domain: str
    post_url: str = field(default="smtp://127.0.0.1:25", repr=False)  # it may contain a password
    dkim_key: str | None = None
    dkim_selector: str | None = None
    redis_url: str | None = None
    smtp_listen: str = "127.0.0.1:8025"
    lmtp_listen: str | None = None
    smtp_cert: str | None = None
    smtp_key: str | None = None
    imap_url: str | None = field(default=None, repr=False)  # it contains a password
    hook_key: str | None = field(default=None, repr=False)
    web_listen: str = "127.0.0.1:8000"
    web_database_url: str | None = field(default=None, repr=False)
    web_url: str = ""
    authserv_id: str | None = None
    operator_token: str | None = field(default=None, repr=False)
    operators: frozenset[str] = frozenset()
    log_level: str = "INFO"
    lease: timedelta = timedelta(minutes=2)
    answers_an_hour: int = limits.ANSWERS_AN_HOUR  # to the emails of one seat
    web_workers: int = 1  # processes that serve pages

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Config:
        """Read and check the CORR_… variables; Misconfigured says which one is missing or wrong."""
        config = cls(
            database_url=_require(environ, "CORR_DATABASE_URL", "sqlite:////var/lib/corr/corr.sqlite"),
            domain=_require(environ, "CORR_MAIL_DOMAIN", "play.example.org").lower(),
            operators=_addresses(environ.get("CORR_OPERATORS", "")),
            answers_an_hour=_number(environ, "CORR_ANSWERS_AN_HOUR", limits.ANSWERS_AN_HOUR),
            web_workers=_number(environ, "CORR_WEB_WORKERS", min(os.cpu_count() or 1, _MOST_WEB_WORKERS)),
        )
        given = {field: environ[key] for field, key in _OPTIONAL.items() if environ.get(key)}
        return _check(replace(config, **given))  # type: ignore[arg-type]  # mypy checks ** against every field; these are strings

    @property
    def broker_url(self) -> str:
        """The Redis URL of the Celery broker; Misconfigured if it isn't set."""
        if self.redis_url is None:
            raise Misconfigured(_MISSING.format(key="CORR_REDIS_URL", example="redis://127.0.0.1:6379/0"))
        return self.redis_url

    @property
    def web_config(self) -> Config:
        """The settings for web processes: their own database role, if set, no signing key."""
        role = self.web_database_url or self.database_url
        return replace(self, database_url=role, dkim_key=None, dkim_selector=None)

    @property
    def mailboxes(self) -> str:
        """The URL of the IMAP mailboxes to fetch email from; Misconfigured if not set."""
        if self.imap_url is None:
            example = "imaps://corr%40example.org:its-password@imap.example.org/INBOX"
            raise Misconfigured(_MISSING.format(key="CORR_IMAP_URL", example=example))
        return self.imap_url


_OPTIONAL = {
    "post_url": "CORR_SMTP_URL",
    "dkim_key": "CORR_DKIM_KEY",
    "dkim_selector": "CORR_DKIM_SELECTOR",
    "redis_url": "CORR_REDIS_URL",
    "smtp_listen": "CORR_SMTP_LISTEN",
    "lmtp_listen": "CORR_LMTP_LISTEN",
    "smtp_cert": "CORR_SMTP_CERT",
    "smtp_key": "CORR_SMTP_KEY",
    "imap_url": "CORR_IMAP_URL",
    "hook_key": "CORR_HOOK_KEY",
    "web_listen": "CORR_WEB_LISTEN",
    "web_database_url": "CORR_WEB_DATABASE_URL",
    "web_url": "CORR_WEB_URL",
    "authserv_id": "CORR_AUTHSERV_ID",
    "operator_token": "CORR_OPERATOR_TOKEN",
    "log_level": "CORR_LOG_LEVEL",
}
#: All keys that the server reads.
KEYS = (
    "CORR_DATABASE_URL",
    "CORR_MAIL_DOMAIN",
    *_OPTIONAL.values(),
    "CORR_OPERATORS",
    "CORR_ANSWERS_AN_HOUR",
    "CORR_WEB_WORKERS",
)
#: The most web processes unless the operator sets a number, as each takes memory.
_MOST_WEB_WORKERS = 4
#: The fewest characters of a key, so that a stranger who has its hash cannot guess it.
_SHORTEST_KEY = 32
_MISSING = "{key} isn't set. Set it in the environment, for example {key}={example}"


def _require(environ: Mapping[str, str], key: str, example: str) -> str:
    """Return a variable's value; Misconfigured, showing the example, if it isn't set."""
    if not environ.get(key):
        raise Misconfigured(_MISSING.format(key=key, example=example))
    return environ[key]


def _number(environ: Mapping[str, str], key: str, unless_set: int) -> int:
    """Return a variable's value as a number from 1 up, or `unless_set`."""
    text = environ.get(key) or str(unless_set)
    if not re.fullmatch("[1-9][0-9]{0,5}", text):
        raise Misconfigured(f"{key} is {text!r}. Set it to a whole number, 1 or more.")
    return int(text)


def _addresses(text: str) -> frozenset[str]:
    """Split CORR_OPERATORS at blanks and commas; Misconfigured if a part isn't an email address."""
    found = text.replace(",", " ").split()
    for address in found:
        if not re.fullmatch(r"[^@\s]+@[^@\s]+", address):
            raise Misconfigured(
                f"CORR_OPERATORS has {address!r}, which isn't an email address. "
                "Separate addresses with spaces."
            )
    return frozenset(address.casefold() for address in found)


def _check(config: Config) -> Config:
    """Return the settings with web URL and log level normalized; Misconfigured if one is wrong."""
    if not re.fullmatch(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", config.domain):
        raise Misconfigured(
            f"CORR_MAIL_DOMAIN is {config.domain!r}, which isn't a domain. Write a name such "
            "as play.example.org."
        )
    if config.log_level.upper() not in _LEVELS:
        raise Misconfigured(
            f"CORR_LOG_LEVEL is {config.log_level!r}, which isn't a level. Write one of {', '.join(_LEVELS)}."
        )
    if config.redis_url and not config.redis_url.startswith(("redis://", "rediss://", "unix://")):
        raise Misconfigured(
            f"CORR_REDIS_URL is {config.redis_url!r}, which isn't a Redis address. Write redis://HOST:PORT/0"
        )
    if config.smtp_key and not config.smtp_cert:
        raise Misconfigured(
            "CORR_SMTP_KEY is set, but CORR_SMTP_CERT isn't. Set both to the names of their files."
        )
    if bool(config.dkim_key) != bool(config.dkim_selector):
        raise Misconfigured("Only one of CORR_DKIM_KEY and CORR_DKIM_SELECTOR is set. Set both.")
    if config.hook_key and len(config.hook_key) < _SHORTEST_KEY:
        raise Misconfigured(f"CORR_HOOK_KEY is too short. Write at least {_SHORTEST_KEY} random characters.")
    web_url = config.web_url.rstrip("/") or f"https://{config.domain}"
    if not web_url.startswith(("http://", "https://")):
        raise Misconfigured(
            f"CORR_WEB_URL is {config.web_url!r}, which isn't a web address. Write "
            "https://HOST, the address that players open."
        )
    return replace(config, log_level=config.log_level.upper(), web_url=web_url)
