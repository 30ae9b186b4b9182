"""The commands in the docs work: making, backing up and restoring a database, and the operator's tools."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from corr.config import KEYS, Config
from corr.store import backups, migrate
from corr.store.session import Store
from tests.support.database_servers import HOST, PostgresServer
from tests.support.docs import BLOCKS, PAGES, ROOT, code_block
from tests.support.quickstart import file_text
from tests.support.table import ANN, BEN, DOMAIN, Table

CORR = f"{shlex.quote(sys.executable)} -m corr.cli"
INSTALL, OPERATE = "docs/install.md", "docs/operate.md"
# The user of a command becomes PostgreSQL's role; services that would be started are recorded.
SHELL_FUNCTIONS = f"""
started=$PWD/started
id() {{ echo 0; }}
runuser() {{ user=$2; shift 3; PGUSER=$user "$@"; }}
as_corr() {{ {CORR} "$@"; }}
systemctl() {{ echo "$@" >> "$started"; }}
install() {{ [ "$1" != -o ] || shift 4; command install "$@"; }}
"""
DAY = 86_400


# ---------------------------------------------------------------- install, back up, restore


@pytest.fixture
def ground(postgres: PostgresServer) -> Iterator[dict[str, str]]:
    """The environment for a server with the docs' names, before anything exists."""
    kept = {key: value for key, value in os.environ.items() if key not in KEYS}
    yield kept | {
        "CORR_DATABASE_URL": f"postgresql://corr@{HOST}:{postgres.port}/corr",
        "CORR_WEB_DATABASE_URL": f"postgresql://corr_web@{HOST}:{postgres.port}/corr",
        "CORR_MAIL_DOMAIN": DOMAIN,
        "PGHOST": HOST,
        "PGPORT": str(postgres.port),
    }
    postgres.run("DROP DATABASE IF EXISTS corr WITH (FORCE)", "DROP ROLE IF EXISTS corr_web, corr")


@pytest.fixture
def server(ground: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """The same with the roles and database that install.sh makes."""
    install("database", ground, tmp_path)
    return ground


def install(step: str, environ: dict[str, str], folder: Path) -> str:
    """Run a step of quickstart's install.sh with quickstart's settings; return its output."""
    (folder / "corr.env").write_text(file_text("corr.env"))
    script = file_text("install.sh").replace("/usr/local/sbin/", "").replace("/etc/", f"{folder}/")
    return follow(f"set -- {step}\n{script}", environ, folder, check=True)


def follow(
    script: str, environ: dict[str, str], folder: Path, answer: str = "", *, check: bool = False
) -> str:
    """Run commands without a terminal, so that passwords are read from standard input; return the output."""
    done = subprocess.run(
        ["sh", "-c", SHELL_FUNCTIONS + script],
        check=check,
        cwd=folder,
        env=environ,
        input=answer,
        capture_output=True,
        text=True,
        start_new_session=True,
    )
    return done.stdout + done.stderr


def test_making_the_database_and_roles_again_changes_nothing(
    server: dict[str, str], postgres: PostgresServer, tmp_path: Path
) -> None:
    said = install("database", server, tmp_path)

    assert said == "database:\n  the database corr and its roles exist\n"
    roles = "SELECT rolname, rolsuper, rolpassword IS NOT NULL FROM pg_authid"
    asked = f"{roles} WHERE rolname IN ('corr', 'corr_web') ORDER BY 1"
    with closing(Store(postgres.url("corr"))) as store, store.reading() as connection:
        assert list(connection.exec_driver_sql(asked)) == [("corr", False, False), ("corr_web", False, True)]


def test_the_first_start_makes_tables_and_grants_and_starts_everything(
    server: dict[str, str], tmp_path: Path
) -> None:
    said = install("processes", server, tmp_path)

    assert "The tables are up to date." in said
    assert "The role corr_web can now do what the pages need, and can't read hidden positions." in said
    units = "corr@web corr@worker corr@thinker corr@caller corr@beat corr@mail"
    assert (tmp_path / "started").read_text().splitlines() == [
        "daemon-reload",
        f"enable --quiet {units}",
        f"restart {units}",
    ]


def copy_of_old_tables(server: dict[str, str], folder: Path) -> Path:
    """Back up a database with the first tables and one player, then upgrade it and add another player."""
    with closing(Store(server["CORR_DATABASE_URL"])) as store:
        migrate.upgrade(store, "0050")
        _enter(store, "Ann")
        backups.copy(store, folder / "copy")
        migrate.upgrade(store)
        with store.writing() as connection:
            connection.exec_driver_sql("CREATE TABLE of_a_later_upgrade (id integer REFERENCES players)")
        _enter(store, "Ben")
    return folder / "copy"


def _enter(store: Store, name: str) -> None:
    with store.writing() as connection:
        connection.exec_driver_sql(
            f"INSERT INTO players (name, address, address_key) VALUES ('{name}', '{name}', '{name}')"
        )


def restore(server: dict[str, str], folder: Path, copy: Path, answer: str, holds: str = "pg_restore") -> str:
    """Run the docs' commands that restore a copy; return their output."""
    script, count = re.subn(
        r"^cd /\n(.*)^copy=\S+$",
        rf"\1copy={copy}",
        code_block(OPERATE, holds).replace("/var/lib/corr/", f"{folder}/"),
        flags=re.MULTILINE | re.DOTALL,
    )
    assert count == 1
    return follow(script, server, folder, answer)


def players(server: dict[str, str]) -> list[str]:
    with closing(Store(server["CORR_DATABASE_URL"])) as store, store.reading() as connection:
        return list(connection.exec_driver_sql("SELECT name FROM players").scalars())


def test_a_copy_with_older_tables_is_restored_by_the_docs_commands(
    server: dict[str, str], tmp_path: Path
) -> None:
    copy = copy_of_old_tables(server, tmp_path)

    said = restore(server, tmp_path, copy, "y\n")

    assert "The tables are up to date." in said
    assert "The role corr_web can now do what the pages need, and can't read hidden positions." in said
    assert "Resumed 0 games." in said
    assert players(server) == ["Ann"]
    assert (tmp_path / "started").read_text().splitlines() == [
        "stop corr@*",
        "start corr@web corr@worker corr@thinker corr@caller corr@beat corr@mail",
    ]


@pytest.mark.parametrize(("is_there", "left"), [(True, ["Ann"]), (False, ["Ann", "Ben"])])
def test_on_sqlite_a_copy_is_restored_and_a_missing_copy_loses_nothing(
    tmp_path: Path,
    is_there: bool,  # noqa: FBT001  # a case of the test
    left: list[str],
) -> None:
    kept = {key: value for key, value in os.environ.items() if key not in KEYS}
    house = kept | {
        "CORR_DATABASE_URL": f"sqlite:///{tmp_path / 'corr.sqlite'}",
        "CORR_MAIL_DOMAIN": DOMAIN,
    }
    copy = copy_of_old_tables(house, tmp_path)
    if not is_there:
        copy.unlink()

    said = restore(house, tmp_path, copy, "y\n", "corr.sqlite*")

    assert ("Resumed 0 games." in said) == is_there
    assert players(house) == left
    started = ["start corr@web corr@worker corr@thinker corr@caller corr@beat corr@mail"] if is_there else []
    assert (tmp_path / "started").read_text().splitlines() == ["stop corr@*", *started]


def test_nothing_is_started_when_the_operator_does_not_confirm(
    server: dict[str, str], tmp_path: Path
) -> None:
    copy = copy_of_old_tables(server, tmp_path)

    said = restore(server, tmp_path, copy, "n\n")

    assert said.endswith("Aborted!\n")
    assert (tmp_path / "started").read_text() == "stop corr@*\n"


def test_a_truncated_copy_loses_nothing(server: dict[str, str], tmp_path: Path) -> None:
    copy = copy_of_old_tables(server, tmp_path)
    copy.write_bytes(copy.read_bytes()[:-100])

    restore(server, tmp_path, copy, "y\n")

    assert players(server) == ["Ann", "Ben"]
    assert (tmp_path / "started").read_text() == "stop corr@*\n"


def test_the_nightly_backup_copies_and_removes_the_oldest(table: Table, tmp_path: Path) -> None:
    """With cron's shell and path; an unescaped `%` would end the line."""
    (line,) = re.findall(r"^0 4 \* \* \* root (.*)$", PAGES[OPERATE], re.MULTILINE)
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
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)} | settings,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout + done.stderr == ""
    left = sorted(file.name for file in folder.iterdir())
    assert len(left) == 2
    assert re.fullmatch(r"\d{4}-\d\d-\d\d-\d{4}", left[1])
    assert left[0] == "20 days"


# ---------------------------------------------------------------- commands


def consoles() -> list[tuple[str, list[str]]]:
    """Each command of a console block, with its output."""
    runs = [run for each in BLOCKS if each.language == "console" for run in each.text.split("$ ")[1:]]
    return [(run.splitlines()[0], run.splitlines()[1:]) for run in runs]


@pytest.mark.parametrize(("command", "printed"), consoles())
def test_a_command_prints_what_the_docs_show(command: str, printed: list[str]) -> None:
    result = subprocess.run(
        re.sub(r"\bcorr\b", CORR, command), shell=True, capture_output=True, text=True, check=True
    )

    lines = result.stdout.splitlines()
    assert len(lines) == len(printed)
    for line, shown in zip(lines, printed, strict=True):
        assert line.startswith(shown.partition("…")[0])


@pytest.mark.databases("sqlite")
def test_each_operator_command_works(table: Table, tmp_path: Path) -> None:
    """Run the docs' commands one after another, on a server with their games and players."""
    over = table.challenge(f"Ann <{ANN}>", f"Olga <{BEN}>")
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    table.reply(ANN, "resign resign")
    running = table.challenge("cleo@c.example", "dan@d.example")
    (tmp_path / "reply.eml").write_bytes(table.reply_email(ANN, "e2e4"))
    (tmp_path / "letters.mbox").write_bytes(
        b"".join(b"From umpire\n%b\n" % bytes(each) for each in table.emails_to(ANN))
    )
    (tmp_path / "our-letter.eml").write_bytes(bytes(table.last_email(ANN)))
    settings = {
        "CORR_DATABASE_URL": (tmp_path / "database").read_text(),
        "CORR_MAIL_DOMAIN": DOMAIN,
        "CORR_SMTP_URL": f"spool:{tmp_path / 'spool'}",
    }
    lines = "as_corr doctor #\n" + code_block(OPERATE, "as_corr player forget")
    lines = re.sub(r"k3x9q(?=.* > )", over, lines).replace("k3x9q", running)
    said = dict[str, str]()

    for line in lines.splitlines():
        command = re.sub(r"\b(?:as_)?corr\b(?= )", CORR, line.partition("#")[0])
        done = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)} | settings,
            input="y\n",
            capture_output=True,
            text=True,
            check=False,
        )
        words = " ".join(line.split()[1:3])
        said[words] = done.stdout
        assert done.returncode == 0 or words == "doctor #", done.stdout + done.stderr

    assert "CORR_REDIS_URL" in said["doctor #"]
    assert json.loads(said["letter read"])
    assert "Ann" in said["player list"]
    assert "0-1" in (tmp_path / "game.pgn").read_text()
    assert "ann@work.example.org" in said["player export"]


def test_the_website_knows_only_its_own_role(tmp_path: Path) -> None:
    (tmp_path / "corr.env").write_text(file_text("corr.env"))
    (line,) = re.findall(r"^(sed .* /etc/corr\.env) > /etc/corr-web\.env$", PAGES[INSTALL], re.MULTILINE)

    done = subprocess.run(
        line.replace("/etc/", f"{tmp_path}/"), shell=True, capture_output=True, text=True, check=True
    )

    server = Config.from_env(dict(line.split("=", 1) for line in done.stdout.splitlines()))
    assert "corr_web" in server.database_url
    assert server.web_database_url is None
