"""What the README shows is what happens."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from table import ANN, BEN, Table, text_of

README = (Path(__file__).parent.parent / "README.md").read_text()


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
