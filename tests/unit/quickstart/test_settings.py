"""Settings for `corr quickstart`: host names, and programs that a service can run."""

from __future__ import annotations

from pathlib import Path

import pytest

from corr.quickstart.settings import parse_host_name, why_not_runnable
from corr.words.errors import Misconfigured


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("play.example.org", "play.example.org"),
        (" Play.Example.ORG. ", "play.example.org"),
        ("xn--krgspiel-v2a.example", "xn--krgspiel-v2a.example"),
        ("a.co", "a.co"),
    ],
)
def test_a_host_name_is_normalized(text: str, name: str) -> None:
    assert parse_host_name(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "localhost",
        "play",
        "-play.example.org",
        "play_chess.example.org",
        "play..example.org",
        "192.0.2.1",
        "play.example.org; rm -rf /",
        "play.example.org\nvirtual_transport = discard",
        "$(id).example.org",
        "you@example.org",
        "a" * 64 + ".example",
        "a." * 130 + "example",
    ],
)
def test_an_invalid_host_name_is_refused(text: str) -> None:
    with pytest.raises(Misconfigured, match=r"isn't a host name\. Write one like"):
        parse_host_name(text)


def test_a_service_can_run_a_program_in_bin(tmp_path: Path) -> None:
    assert why_not_runnable(Path("/bin/sh")) == ""


def test_programs_in_a_home_folder_are_reported() -> None:
    why = why_not_runnable(Path("/root/.local/bin/corr"))

    assert why == "/root/.local/bin/corr is in a home folder, which a service can't read."


def test_programs_in_a_private_folder_are_reported(tmp_path: Path) -> None:
    shut = tmp_path / "shut"
    shut.mkdir(mode=0o700)
    (shut / "corr").touch()

    assert f"Only its owner can open {shut}" in why_not_runnable(shut / "corr")


def test_programs_in_a_folder_with_a_space_are_reported() -> None:
    why = why_not_runnable(Path("/opt/my corr/bin/corr"))

    assert why == "The path /opt/my corr/bin/corr has characters that a service manager may misread."
