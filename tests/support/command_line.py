"""Runs the `corr` command."""

from __future__ import annotations

from click.testing import CliRunner, Result

from corr.cli import main
from corr.config import KEYS


def corr(*words: str, env: dict[str, str] | None = None, stdin: bytes | str | None = None) -> Result:
    """Run a command with these settings and no others."""
    nothing: dict[str, str | None] = dict.fromkeys(KEYS)
    return CliRunner().invoke(main, words, env=nothing | (env or {}), input=stdin)
