"""What the README shows is what happens."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from table import ANN, BEN, DOMAIN, Table, text_of

from bench.servers import HOST, PostgresServer
from corr.config import KEYS
from corr.store import copies, schema
from corr.store.session import Store

README = (Path(__file__).parent.parent / "README.md").read_text()
CORR = f"{shlex.quote(sys.executable)} -m corr.cli"
# Whoever a command is run as becomes PostgreSQL's role; what would be started is written down.
STAND_INS = f"""
runuser() {{ user=$2; shift 3; PGUSER=$user "$@"; }}
as_corr() {{ {CORR} "$@"; }}
systemctl() {{ echo "$@" >> started; }}
"""
DAY = 86_400


def consoles() -> list[tuple[str, list[str]]]:
    """Each command of the README's console blocks, with what it prints."""
    blocks = re.findall(r"^```console\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    runs = [run for block in blocks for run in block.split("$ ")[1:]]
    return [(run.splitlines()[0], run.splitlines()[1:]) for run in runs]


@pytest.mark.parametrize(("command", "printed"), consoles())
def test_a_command_prints_what_the_readme_shows(command: str, printed: list[str]) -> None:
    command = re.sub(r"\bcorr\b", f"{sys.executable} -m corr.cli", command)

    result = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)

    lines = result.stdout.splitlines()
    assert len(lines) == len(printed)
    for line, shown in zip(lines, printed, strict=True):
        assert line.startswith(shown.partition("…")[0])


def test_the_letter_is_one_that_the_house_writes(table: Table) -> None:
    table.challenge(f"Ann <{ANN}>", f"Ben <{BEN}>")
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    table.play("e2e4", "d7d5", "e4d5", "d8d5")

    shown = re.search(r"^```\n(Wild 16.*?)^```", README, re.MULTILINE | re.DOTALL)

    assert shown is not None
    assert text_of(table.newest(ANN)) == textwrap.dedent(shown[1])


@pytest.mark.parametrize("script", ["demo", "test", "check", "process"])
def test_the_scripts_that_the_readme_names_can_be_run(script: str) -> None:
    path = Path(__file__).parent.parent / "scripts" / script

    assert path.stat().st_mode & 0o111
    subprocess.run(["sh", "-n", str(path)], check=True)


# ---------------------------------------------------------------- backup, and back again


@pytest.fixture
def house(postgres: PostgresServer) -> Iterator[dict[str, str]]:
    """The environment of a house of the README's own names, with the newest tables."""
    for role in ("corr", "corr_web"):
        postgres.run(f"DROP ROLE IF EXISTS {role}", f"CREATE ROLE {role} LOGIN")
    postgres.run("CREATE DATABASE corr OWNER corr TEMPLATE template0")
    kept = {key: value for key, value in os.environ.items() if key not in KEYS}
    yield kept | {
        "CORR_DATABASE_URL": f"postgresql://corr@{HOST}:{postgres.port}/corr",
        "CORR_WEB_DATABASE_URL": f"postgresql://corr_web@{HOST}:{postgres.port}/corr",
        "CORR_MAIL_DOMAIN": DOMAIN,
        "PGHOST": HOST,
        "PGPORT": str(postgres.port),
    }
    postgres.run("DROP DATABASE corr WITH (FORCE)", "DROP ROLE corr_web", "DROP ROLE corr")


def copy_of_old_tables(house: dict[str, str], folder: Path) -> Path:
    """A house of the first tables with one player, copied, then brought to the newest ones and given another."""
    with closing(Store(house["CORR_DATABASE_URL"])) as store:
        schema.upgrade(store, "0001")
        _enter(store, "Ann")
        copies.copy(store, folder / "copy")
        schema.upgrade(store)
        with store.writing() as connection:
            connection.exec_driver_sql("CREATE TABLE of_a_later_upgrade (id integer REFERENCES players)")
        _enter(store, "Ben")
    return folder / "copy"


def _enter(store: Store, name: str) -> None:
    with store.writing() as connection:
        connection.exec_driver_sql(
            f"INSERT INTO players (name, address, address_key) VALUES ('{name}', '{name}', '{name}')"
        )


def restore(house: dict[str, str], folder: Path, copy: Path, answer: str) -> str:
    """What the README's commands print that bring a copy back."""
    block = next(
        block
        for block in re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
        if "as_corr restored" in block
    )
    script, count = re.subn(
        r"^cd /\n(.*)^copy=\S+$", rf"\1copy={copy}", block, flags=re.MULTILINE | re.DOTALL
    )
    assert count == 1
    done = subprocess.run(
        ["sh", "-c", STAND_INS + script],
        check=False,
        cwd=folder,
        env=house,
        input=answer,
        capture_output=True,
        text=True,
    )
    return done.stdout + done.stderr


def players(house: dict[str, str]) -> list[str]:
    with closing(Store(house["CORR_DATABASE_URL"])) as store, store.reading() as connection:
        return list(connection.exec_driver_sql("SELECT name FROM players").scalars())


def test_a_copy_that_is_older_than_the_programs_is_restored_by_the_readmes_commands(
    house: dict[str, str], tmp_path: Path
) -> None:
    copy = copy_of_old_tables(house, tmp_path)

    said = restore(house, tmp_path, copy, "y\n")

    assert "The tables are of the newest version." in said
    assert "corr_web may do what the pages need, and read no truth." in said
    assert "0 games resumed." in said
    assert players(house) == ["Ann"]
    assert (tmp_path / "started").read_text().splitlines() == [
        "stop corr@*",
        "start corr@web corr@worker corr@beat corr@mail",
    ]


def test_nothing_is_started_when_the_operator_does_not_confirm(house: dict[str, str], tmp_path: Path) -> None:
    copy = copy_of_old_tables(house, tmp_path)

    said = restore(house, tmp_path, copy, "n\n")

    assert said.endswith("Aborted!\n")
    assert (tmp_path / "started").read_text() == "stop corr@*\n"


def test_a_copy_that_is_cut_off_costs_nothing(house: dict[str, str], tmp_path: Path) -> None:
    copy = copy_of_old_tables(house, tmp_path)
    copy.write_bytes(copy.read_bytes()[:-100])

    restore(house, tmp_path, copy, "y\n")

    assert players(house) == ["Ann", "Ben"]
    assert (tmp_path / "started").read_text() == "stop corr@*\n"


def test_the_nightly_backup_makes_a_copy_and_takes_the_oldest_away(table: Table, tmp_path: Path) -> None:
    """By cron's shell, on cron's path; a bare `%` would end the line."""
    (line,) = re.findall(r"^0 4 \* \* \* root (.*)$", README, re.MULTILINE)
    command = re.sub(r"(?<!\\)%.*", "", line).replace("\\%", "%")
    folder = tmp_path / "backups"
    folder.mkdir()
    for days in (40, 20):
        (folder / f"{days} days").touch()
        os.utime(folder / f"{days} days", times=(time.time() - days * DAY,) * 2)
    settings = {"CORR_DATABASE_URL": (tmp_path / "database").read_text(), "CORR_MAIL_DOMAIN": DOMAIN}

    done = subprocess.run(
        command.replace("/usr/local/sbin/as_corr", CORR).replace("/var/backups/corr", str(folder)),
        shell=True,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(Path(__file__).parent.parent)} | settings,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout + done.stderr == ""
    left = sorted(file.name for file in folder.iterdir())
    assert len(left) == 2
    assert re.fullmatch(r"\d{4}-\d\d-\d\d-\d{4}", left[1])
    assert left[0] == "20 days"


def test_as_corr_names_its_programs_by_their_paths() -> None:
    """Since cron's path has no sbin."""
    (script,) = re.findall(r"^#!/bin/sh\nset -a; umask(?:.*\n)exec (\S+) .*-- (\S+) ", README, re.MULTILINE)

    assert all(program.startswith("/") for program in script)


def test_the_recipe_for_the_pages_keeps_browsers_to_tls_and_one_address_to_some_connections() -> None:
    recipe = next(block for block in README.split("```") if "listen 443 ssl;" in block)
    plain, secure = recipe.split("server {")[1:]

    assert "return 301 https://" in plain
    kept = re.search(r'add_header Strict-Transport-Security "max-age=(\d+)[^"]*" always;', secure)
    assert kept
    assert int(kept[1]) >= 365 * DAY
    assert "ssl_protocols TLSv1.2 TLSv1.3;" in secure
    assert re.search(r"limit_conn corr \d+;", secure)
