"""What the operator decides, read once from the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from corr.words import Misconfigured


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of one house."""

    database_url: str
    domain: str
    post_url: str = "smtp://127.0.0.1:25"
    redis_url: str | None = None
    smtp_listen: str = "127.0.0.1:8025"
    lmtp_listen: str | None = None
    lease: timedelta = timedelta(minutes=2)

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Config:
        """The settings in the environment; a missing key is named."""
        config = cls(
            database_url=_needed(environ, "CORR_DATABASE_URL", "sqlite:////var/lib/corr/corr.sqlite"),
            domain=_needed(environ, "CORR_MAIL_DOMAIN", "play.example.org").lower(),
        )
        given = {field: environ[key] for field, key in _OPTIONAL.items() if environ.get(key)}
        return replace(config, **given)  # type: ignore[arg-type]  # mypy checks ** against every field; these are strings

    @property
    def broker_url(self) -> str:
        """Where knocks go; processes that need to be woken cannot do without it."""
        if self.redis_url is None:
            raise Misconfigured(_MISSING.format(key="CORR_REDIS_URL", example="redis://127.0.0.1:6379/0"))
        return self.redis_url


_OPTIONAL = {
    "post_url": "CORR_SMTP_URL",
    "redis_url": "CORR_REDIS_URL",
    "smtp_listen": "CORR_SMTP_LISTEN",
    "lmtp_listen": "CORR_LMTP_LISTEN",
}
_MISSING = "{key} is not set. Set it in the environment, for example {key}={example}"


def _needed(environ: Mapping[str, str], key: str, example: str) -> str:
    if not environ.get(key):
        raise Misconfigured(_MISSING.format(key=key, example=example))
    return environ[key]
