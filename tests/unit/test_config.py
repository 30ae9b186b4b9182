"""`Config`: the settings of a server."""

from __future__ import annotations

from dataclasses import replace

from corr.config import Config

SECRETS = ("database_url", "web_database_url", "post_url", "imap_url", "hook_key", "operator_token")


def test_the_repr_of_a_config_shows_no_secrets() -> None:
    config = replace(
        Config("sqlite:///secret", "play.example"), **{name: f"secret of {name}" for name in SECRETS}
    )

    assert "secret" not in repr(config)
    assert "play.example" in repr(config)
