"""What `corr quickstart` writes: a server's settings, private files, and valid shell scripts."""

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
from tests.support.quickstart import NAME, file_text, plan

YEAR = 365 * 86_400
SCRIPTS = ("install.sh", "as_corr")


def settings(database: str) -> dict[str, str]:
    """Return the settings as a shell or systemd reads them."""
    lines = file_text("corr.env", database=database).splitlines()
    return dict(word.split("=", 1) for line in lines for word in shlex.split(line))


@pytest.mark.parametrize("database", ["postgresql", "sqlite"])
def test_the_settings_are_complete(database: str) -> None:
    server = Config.from_env(settings(database))

    assert server.domain == NAME
    assert server.database_url.startswith(database)
    assert bool(server.web_database_url) == (database == "postgresql")
    assert server.lmtp_listen in file_text("main.cf").partition("lmtp:inet:")[2]
    assert server.web_listen in file_text("nginx.conf").partition("proxy_pass http://")[2]
    assert server.authserv_id == "mail.example.org"
    assert server.operators == {"you@example.org"}
    assert server.broker_url


def test_the_mail_server_has_our_size_limit() -> None:
    line = f"message_size_limit = {limits.LETTER_BYTES}"
    assert line in file_text("main.cf").splitlines(), (
        "corr/quickstart/files/main.cf repeats LETTER_BYTES of corr/limits.py"
    )


def test_nginx_has_our_size_limits() -> None:
    sizes = [f"{limits.FORM_BYTES // 1_000}k", f"{limits.RECORD_BYTES // 1_000_000}m"]
    found = re.findall(r"client_max_body_size (\w+);", file_text("nginx.conf"))
    assert found == sizes, (
        "nginx.conf in corr/quickstart/files repeats FORM_BYTES and RECORD_BYTES of corr/limits.py"
    )


@pytest.mark.parametrize("database", ["postgresql", "sqlite"])
@pytest.mark.parametrize("name", SCRIPTS)
def test_each_script_is_valid_shell(name: str, database: str) -> None:
    subprocess.run(["sh", "-n"], input=file_text(name, database=database), text=True, check=True)


def test_install_sh_puts_each_file_in_its_place() -> None:
    put = dict(re.findall(r"^ +put (\S+) (\S+) \d", file_text("install.sh"), re.MULTILINE))
    by_other_ways = {"main.cf", "dns.txt", "install.sh"}

    assert put == {each.name: each.place for each in folder.PLANNED_FILES if each.name not in by_other_ways}


def test_install_sh_runs_all_of_its_steps() -> None:
    for database in ("postgresql", "sqlite"):
        script = file_text("install.sh", database=database)
        (steps,) = re.findall(r"^for step in \$\{\*:-(.*)\}; do$", script, re.MULTILINE)
        there = set(re.findall(r"^(\w+)\(\) \{ # (?!put)", script, re.MULTILINE))
        assert set(steps.split()) == there


def test_every_process_of_a_server_is_started() -> None:
    started = set(re.findall(r"corr@(\w+)\b", file_text("install.sh"))) - {"service"}

    assert started | {"release", "fetch"} == read_procfile().keys()
    assert "as_corr db upgrade" in file_text("install.sh")
    assert read_procfile()["release"] == "corr db upgrade"


def test_as_corr_runs_programs_by_their_full_paths() -> None:
    """Cron's path has no sbin."""
    programs = re.findall(r"^exec (\S+) .*-- (\S+) ", file_text("as_corr"), re.MULTILINE)

    assert all(program.startswith("/") for pair in programs for program in pair)
    assert len(programs) == 1


def test_nginx_requires_tls_and_limits_connections() -> None:
    plain, secure = file_text("nginx.conf").split("server {")[1:]

    assert "return 301 https://" in plain
    hsts = re.search(r'add_header Strict-Transport-Security "max-age=(\d+)[^"]*" always;', secure)
    assert hsts
    assert int(hsts[1]) >= YEAR
    assert "ssl_protocols TLSv1.2 TLSv1.3;" in secure
    assert re.search(r"limit_conn corr \d+;", secure)


def test_postfix_never_lists_a_domain_as_both_local_and_virtual() -> None:
    lines = file_text("main.cf", host=NAME).splitlines()

    assert "mydestination = localhost" in lines
    assert f"virtual_mailbox_domains = {NAME}" in lines


def test_only_the_owner_can_read_the_files(tmp_path: Path) -> None:
    where = tmp_path / "a" / "house"

    folder.write_folder(plan(), where)

    assert where.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in where.iterdir()} == {0o600}
    assert {path.name for path in where.iterdir()} == {each.name for each in folder.PLANNED_FILES}


def test_existing_files_are_left_alone(tmp_path: Path) -> None:
    folder.write_folder(plan(), tmp_path / "house")
    before = {path: path.read_text() for path in (tmp_path / "house").iterdir()}

    with pytest.raises(Misconfigured, match="isn't empty, so I wrote nothing"):
        folder.write_folder(plan(token="another"), tmp_path / "house")

    assert {path: path.read_text() for path in (tmp_path / "house").iterdir()} == before


def test_an_unwritable_place_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(Misconfigured, match=r"Can't write to"):
        folder.write_folder(plan(), tmp_path / "file" / "house")


def test_the_repr_of_a_plan_shows_no_secrets() -> None:
    shown = repr(plan())

    assert "a-token" not in shown
    assert "a1b2c3" not in shown
    assert "PRIVATE" not in shown
