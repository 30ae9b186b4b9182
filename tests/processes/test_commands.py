"""A command loads what it needs and no more; what its shelf tells of it is what it tells of itself."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from corr.cli import LazyCommand, main

HOUSE = Path(__file__).parents[2]
#: What weighs something, and what each command loads of it before it does anything.
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
def test_a_shelf_tells_of_a_command_what_the_command_tells_of_itself(title: LazyCommand) -> None:
    command = title.loaded()

    assert command.name == title.name
    assert command.help is not None
    assert title.help == " ".join(command.help.partition("\n\n")[0].split())


@pytest.mark.parametrize(("words", "loaded"), list(LOADED.items()), ids=list(LOADED))
def test_a_command_loads_no_more_than_it_needs(words: str, loaded: str) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "corr.cli", *words.split()]
    settings = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(HOUSE)}
    done = subprocess.run(
        command,
        cwd=HOUSE,
        env=settings,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

    found = set(re.findall(r"^import time:.*\| +(\w+)", done.stderr, re.MULTILINE))
    assert {"click", "corr"} <= found
    assert found & HEAVY == set(loaded.split())


def test_a_command_that_there_is_not_is_refused_before_anything_is_loaded() -> None:
    with pytest.raises(click.UsageError, match="No such command"):
        main.main(["bakup"], standalone_mode=False)


def test_a_shell_completes_commands_by_their_titles() -> None:
    from click.shell_completion import ShellComplete

    complete = ShellComplete(main, {}, "corr", "_CORR_COMPLETE")

    assert [each.value for each in complete.get_completions(["player"], "l")] == ["list", "lost-passkeys"]
    assert [each.help for each in complete.get_completions([], "umpi")] == [
        "Umpire a game of a VARIANT for another..."
    ]
    assert [each.value for each in complete.get_completions(["umpire"], "--f")] == ["--fen"]
