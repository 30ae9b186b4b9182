"""What `corr quickstart` writes: settings of a house, files for nobody's eyes, scripts that a shell can read."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from corr import limits
from corr.config import Config
from corr.processes import read_procfile
from corr.quickstart import folder
from corr.words.errors import Misconfigured
from tests.support.quickstart import NAME, plan, text

YEAR = 365 * 86_400
SCRIPTS = ("install.sh", "as_corr")


def settings(database: str) -> dict[str, str]:
    """What a shell and systemd read in it."""
    lines = text("corr.env", database=database).splitlines()
    return dict(word.split("=", 1) for line in lines for word in shlex.split(line))


@pytest.mark.parametrize("database", ["postgresql", "sqlite"])
def test_the_settings_are_a_houses(database: str) -> None:
    server = Config.from_env(settings(database))

    assert server.domain == NAME
    assert server.database_url.startswith(database)
    assert bool(server.web_database_url) == (database == "postgresql")
    assert server.lmtp_listen in text("main.cf").partition("lmtp:inet:")[2]
    assert server.web_listen in text("nginx.conf").partition("proxy_pass http://")[2]
    assert server.authserv_id == "mail.example.org"
    assert server.operators == {"you@example.org"}
    assert server.broker_url


def test_the_mail_server_takes_no_letter_that_the_house_would_refuse_for_its_size() -> None:
    line = f"message_size_limit = {limits.LETTER_BYTES}"
    assert line in text("main.cf").splitlines(), (
        "corr/quickstart/files/main.cf repeats LETTER_BYTES of corr/limits.py"
    )


def test_nginx_takes_what_the_pages_take() -> None:
    sizes = [f"{limits.FORM_BYTES // 1_000}k", f"{limits.RECORD_BYTES // 1_000_000}m"]
    said = re.findall(r"client_max_body_size (\w+);", text("nginx.conf"))
    assert said == sizes, (
        "nginx.conf in corr/quickstart/files repeats FORM_BYTES and RECORD_BYTES of corr/limits.py"
    )


@pytest.mark.parametrize("database", ["postgresql", "sqlite"])
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_shell_can_read_each_script(name: str, database: str) -> None:
    subprocess.run(["sh", "-n"], input=text(name, database=database), text=True, check=True)


def test_each_file_is_put_where_the_table_says() -> None:
    put = dict(re.findall(r"^ +put (\S+) (\S+) \d", text("install.sh"), re.MULTILINE))
    by_other_ways = {"main.cf", "dns.txt", "install.sh"}

    assert put == {each.name: each.place for each in folder.PLANNED_FILES if each.name not in by_other_ways}


def test_each_step_that_is_taken_is_one_that_there_is() -> None:
    for database in ("postgresql", "sqlite"):
        script = text("install.sh", database=database)
        (steps,) = re.findall(r"^for step in \$\{\*:-(.*)\}; do$", script, re.MULTILINE)
        there = set(re.findall(r"^(\w+)\(\) \{ # (?!put)", script, re.MULTILINE))
        assert set(steps.split()) == there


def test_every_process_is_started_that_a_house_with_a_mail_server_needs() -> None:
    started = set(re.findall(r"corr@(\w+)\b", text("install.sh"))) - {"service"}

    assert started | {"release", "fetch"} == read_procfile().keys()
    assert "as_corr db upgrade" in text("install.sh")
    assert read_procfile()["release"] == "corr db upgrade"


def test_what_an_operator_runs_names_its_programs_by_their_paths() -> None:
    """Since cron's path has no sbin."""
    programs = re.findall(r"^exec (\S+) .*-- (\S+) ", text("as_corr"), re.MULTILINE)

    assert all(program.startswith("/") for pair in programs for program in pair)
    assert len(programs) == 1


def test_browsers_are_kept_to_tls_and_one_address_to_some_connections() -> None:
    plain, secure = text("nginx.conf").split("server {")[1:]

    assert "return 301 https://" in plain
    kept = re.search(r'add_header Strict-Transport-Security "max-age=(\d+)[^"]*" always;', secure)
    assert kept
    assert int(kept[1]) >= YEAR
    assert "ssl_protocols TLSv1.2 TLSv1.3;" in secure
    assert re.search(r"limit_conn corr \d+;", secure)


def test_a_machine_of_the_domains_own_name_is_no_domain_of_two_kinds_to_postfix() -> None:
    lines = text("main.cf", host=NAME).splitlines()

    assert "mydestination = localhost" in lines
    assert f"virtual_mailbox_domains = {NAME}" in lines


def test_nobody_but_its_owner_reads_what_was_written(tmp_path: Path) -> None:
    where = tmp_path / "a" / "house"

    folder.write_folder(plan(), where)

    assert where.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in where.iterdir()} == {0o600}
    assert {path.name for path in where.iterdir()} == {each.name for each in folder.PLANNED_FILES}


def test_what_is_there_is_left_alone(tmp_path: Path) -> None:
    folder.write_folder(plan(), tmp_path / "house")
    before = {path: path.read_text() for path in (tmp_path / "house").iterdir()}

    with pytest.raises(Misconfigured, match="isn't empty, so I wrote nothing"):
        folder.write_folder(plan(token="another"), tmp_path / "house")

    assert {path: path.read_text() for path in (tmp_path / "house").iterdir()} == before


def test_a_place_where_nothing_can_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(Misconfigured, match=r"Can't write to"):
        folder.write_folder(plan(), tmp_path / "file" / "house")


def test_no_secret_is_shown_by_chance() -> None:
    shown = repr(plan())

    assert "a-token" not in shown
    assert "a1b2c3" not in shown
    assert "PRIVATE" not in shown
