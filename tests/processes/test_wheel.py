"""The wheel alone is a whole corr: it runs the Procfile's processes, with all templates and pages."""

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
    """A folder with the wheel's files, as pip, pipx and uv install them."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder / "installed")
    return folder / "installed"


def corr(installed: Path, folder: Path, *words: str, **settings: str) -> Process:
    """Run a command of the wheel in a folder without our files."""
    command = f"cd {folder} && exec {sys.executable} -m corr.cli {' '.join(words)}"
    environ = procfile.environ(PYTHONPATH=str(installed), **settings)
    return Process(words[-1], f"sh -c '{command}'", environ, folder / f"{words[-1]}.log")


def test_the_wheel_holds_every_file(installed: Path) -> None:
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


def test_a_process_needs_nothing_outside_the_wheel(installed: Path, tmp_path: Path) -> None:
    settings = {
        "CORR_DATABASE_URL": f"sqlite:///{tmp_path / 'corr.sqlite'}",
        "CORR_MAIL_DOMAIN": "play.example.org",
    }
    part = corr(installed, tmp_path, "process", "release", **settings)
    part.start()
    wait_until(lambda: not part.is_running(), "the tables are made")

    assert part.log.read_text() == "The tables are up to date.\n"
    assert part.status() == 0


def test_the_wheel_holds_templates_and_pages(installed: Path, tmp_path: Path) -> None:
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


def test_an_unknown_process_is_refused_with_a_list_of_all(installed: Path, tmp_path: Path) -> None:
    part = corr(installed, tmp_path, "process", "wed")
    part.start()
    wait_until(lambda: not part.is_running(), "it is refused")

    assert part.status() == 2
    assert "'wed' is not one of 'release', 'web', 'worker'" in part.log.read_text()
