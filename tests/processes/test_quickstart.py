"""`corr quickstart` on the command line: what it writes and prints, and whether systemd accepts its unit."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result

from corr.doctor.dns_lookup import DnsResolver
from corr.quickstart import folder
from tests.support.command_line import corr
from tests.support.dns_server import parse_zone, run_dns_server
from tests.support.quickstart import ADDRESS, MACHINE, NAME, file_text, key
from tests.support.skips import skip_missing


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def quickstart(*words: str) -> Result:
    return corr("quickstart", NAME, "--host", MACHINE, "--address", ADDRESS, *words)


def test_it_prints_where_each_file_goes_the_steps_and_the_dns_records(here: Path) -> None:
    said = quickstart("--operator", "you@example.org")

    assert said.exit_code == 0, said.output
    for each in folder.PLANNED_FILES:
        assert re.search(
            rf"^    {re.escape(each.name)} +{re.escape(each.place)} +{each.purpose}$",
            said.output,
            re.MULTILINE,
        )
        assert (here / NAME / each.name).exists()
    assert f"\n    sh {here / NAME}/install.sh\n" in said.output
    zone = (here / NAME / "dns.txt").read_text()
    assert zone in said.output
    assert said.output.endswith("as_corr doctor --dns --mail\n")
    with run_dns_server(parse_zone(zone)) as place:
        assert DnsResolver(place).mail_hosts(NAME) == [MACHINE]
        assert DnsResolver(place).addresses(NAME) == [ADDRESS]


def test_no_two_servers_share_a_secret(here: Path) -> None:
    kept = []
    for each in ("one", "another"):
        assert quickstart("--into", each).exit_code == 0
        settings = (here / each / "corr.env").read_text()
        kept += re.findall(r"TOKEN=(.+)|corr_web:(.+)@", settings)
        kept.append((here / each / "dkim.private").read_text())

    assert len(set(kept)) == 6


def test_a_folder_with_files_is_kept_and_its_key_may_be_reused(here: Path) -> None:
    quickstart()

    again = quickstart()
    anew = quickstart("--into", "anew", "--dkim-key", f"{NAME}/dkim.private")

    assert again.exit_code == 1
    assert "isn't empty, so I wrote nothing. Choose another folder with --into." in again.output
    assert anew.exit_code == 0
    for name in ("dkim.private", "dns.txt"):
        assert (here / "anew" / name).read_text() == (here / NAME / name).read_text()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--host", "mail"), '"mail" isn\'t a host name. Write one like play.example.org.'),
        (("--operator", "you"), '"you" isn\'t an email address.'),
        (("--operator", 'you@example.org"; reboot'), "isn't an email address."),
        (("--address", "mail.example.org"), '"mail.example.org" isn\'t an IP address.'),
        (("--selector", "a.b"), "It can have only lower-case letters, digits and hyphens."),
        (("--certificate", "/etc/ssl/a.pem", "b.key"), '"b.key" isn\'t a full path.'),
        (("--certificate", "/etc/ssl/a; reboot", "/b"), '"/etc/ssl/a; reboot" isn\'t a full path.'),
    ],
)
def test_invalid_options_are_explained_and_nothing_is_written(
    here: Path, words: tuple[str, ...], sentence: str
) -> None:
    said = quickstart(*words)

    assert said.exit_code != 0
    assert sentence in said.output
    assert list(here.iterdir()) == []


def test_programs_that_no_service_can_run_are_reported(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = here / "shut" / "bin"
    programs.mkdir(parents=True)
    (programs / "corr").touch()
    (here / "shut").chmod(0o700)
    monkeypatch.setattr("sys.executable", str(programs / "python"))

    said = quickstart()

    assert "Before that: " in said.output
    assert "Install corr somewhere else" in said.output


def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze"):
        skip_missing("systemd")
    for name in ("corr@.service", "corr@web.service"):
        (tmp_path / name).write_text(file_text("corr@.service"))

    done = subprocess.run(
        ["systemd-analyze", "verify", str(tmp_path / "corr@web.service")],
        env=os.environ | {"SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_the_key_is_never_printed(here: Path) -> None:
    assert key().pem.splitlines()[1] not in repr(key())
