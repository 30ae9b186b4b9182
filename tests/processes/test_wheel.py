"""What an installed corr is made of: the wheel alone runs a process of the Procfile, with its templates and pages."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support import procfile
from tests.support.procfile import Process
from tests.support.waiting import wait_until

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel holds, as pip, pipx and uv lay it out."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder / "installed")
    return folder / "installed"


def corr(installed: Path, folder: Path, *words: str, **settings: str) -> Process:
    """A command by the wheel's own programs, in a folder that holds nothing of ours."""
    command = f"cd {folder} && exec {sys.executable} -m corr.cli {' '.join(words)}"
    environ = procfile.environ(PYTHONPATH=str(installed), **settings)
    return Process(words[-1], f"sh -c '{command}'", environ, folder / f"{words[-1]}.log")


def test_every_file_of_the_house_is_in_it(installed: Path) -> None:
    ours = [
        path.relative_to(ROOT)
        for room in ("corr", "worker")
        for path in (ROOT / room).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    templates = [
        Path("corr") / path.relative_to(ROOT) for path in (ROOT / "templates").rglob("*") if path.is_file()
    ]

    assert [str(path) for path in (*ours, *templates) if not (installed / path).is_file()] == []


def test_a_process_of_it_needs_nothing_that_lies_beside_it(installed: Path, tmp_path: Path) -> None:
    settings = {
        "CORR_DATABASE_URL": f"sqlite:///{tmp_path / 'corr.sqlite'}",
        "CORR_MAIL_DOMAIN": "play.example.org",
    }
    part = corr(installed, tmp_path, "process", "release", **settings)
    part.start()
    wait_until(lambda: not part.is_running(), "the tables are made")

    assert part.log.read_text() == "The tables are up to date.\n"
    assert part.status() == 0


def test_what_is_said_to_people_is_found_in_it(installed: Path, tmp_path: Path) -> None:
    found = (
        "import corr.text.messages, corr.processes;"
        "print(corr.text.messages.template_folder(), *corr.processes.read_procfile())"
    )
    done = subprocess.run(
        [sys.executable, "-c", found],
        cwd=tmp_path,
        env=procfile.environ(PYTHONPATH=str(installed)),
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split() == [f"{installed}/corr/templates/en", *procfile.read_procfile()]


def test_a_process_that_there_is_not_is_refused_with_those_that_there_are(
    installed: Path, tmp_path: Path
) -> None:
    part = corr(installed, tmp_path, "process", "wed")
    part.start()
    wait_until(lambda: not part.is_running(), "it is refused")

    assert part.status() == 2
    assert "'wed' is not one of 'release', 'web', 'worker'" in part.log.read_text()
