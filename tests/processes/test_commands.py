"""Commands of `corr` load only what they need, and their groups describe them correctly."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from corr.cli import LazyCommand, main

ROOT = Path(__file__).parents[2]
#: Heavy modules, and which of them each command loads before it does anything.
HEAVY = {
    *("PIL", "aiosmtpd", "alembic", "asyncio", "celery", "chess", "cryptography", "flask", "jinja2", "kombu"),
    *("psycopg", "redis", "sqlalchemy", "webauthn"),
}
LOADED = {
    "--help": "",
    "--version": "",
    "player --help": "",
    "umpire --help": "chess",
    "umpire wild16": "chess",
    "letter read tests/letters/chatty.eml": "",
    "db upgrade": "alembic asyncio celery kombu sqlalchemy",
    "deliver": "asyncio celery kombu sqlalchemy",
    "demo --help": "aiosmtpd asyncio celery chess flask jinja2 kombu sqlalchemy",
}


def titles(shelf: click.Group = main) -> Iterator[LazyCommand]:
    for command in shelf.commands.values():
        if isinstance(command, click.Group):
            yield from titles(command)
        else:
            assert isinstance(command, LazyCommand)
            yield command


@pytest.mark.parametrize("title", list(titles()), ids=lambda title: str(title.name))
def test_a_group_describes_a_command_as_the_command_does(title: LazyCommand) -> None:
    command = title.loaded()

    assert command.name == title.name
    assert command.help is not None
    assert title.help == " ".join(command.help.partition("\n\n")[0].split())


@pytest.mark.parametrize(("words", "loaded"), list(LOADED.items()), ids=list(LOADED))
def test_a_command_loads_no_more_than_it_needs(words: str, loaded: str) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "corr.cli", *words.split()]
    settings = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=settings,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

    found = set(re.findall(r"^import time:.*\| +(\w+)", done.stderr, re.MULTILINE))
    assert {"click", "corr"} <= found
    assert found & HEAVY == set(loaded.split())


def test_an_unknown_command_is_refused_before_anything_is_loaded() -> None:
    with pytest.raises(click.UsageError, match="No such command"):
        main.main(["bakup"], standalone_mode=False)


def test_a_shell_completes_commands() -> None:
    from click.shell_completion import ShellComplete

    complete = ShellComplete(main, {}, "corr", "_CORR_COMPLETE")

    assert [each.value for each in complete.get_completions(["player"], "l")] == ["list", "lost-passkeys"]
    assert [each.help for each in complete.get_completions([], "umpi")] == [
        "Umpire a game of a VARIANT for another..."
    ]
    assert [each.value for each in complete.get_completions(["umpire"], "--f")] == ["--fen"]
