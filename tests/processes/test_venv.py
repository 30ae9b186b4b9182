"""The scripts install what they need, once. A fake pip records its calls."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with a pip that installs nothing."""
    for name in ("pyproject.toml", "constraints.txt", "scripts/venv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    pip = tmp_path / ".venv" / "bin" / "pip"
    pip.parent.mkdir(parents=True)
    pip.write_text('#!/bin/sh\nfor asked; do :; done\necho "$asked" >>asked\nexit "${BROKEN:-0}"\n')
    pip.chmod(0o755)
    return tmp_path


def begin(checkout: Path, extras: str, broken: str = "0") -> subprocess.CompletedProcess[str]:
    """Begin like a script that needs these extras."""
    return subprocess.run(
        ["sh", "-eu", "-c", f'extras="{extras}"; . scripts/venv; echo "$PATH"'],
        cwd=checkout,
        env={"PATH": "/usr/bin:/bin", "BROKEN": broken},
        capture_output=True,
        text=True,
        check=False,
    )


def asked(checkout: Path) -> list[str]:
    return (checkout / "asked").read_text().splitlines()


def test_a_script_installs_what_it_needs_once(checkout: Path) -> None:
    demo, test = begin(checkout, ""), begin(checkout, "test")
    again = [begin(checkout, extras) for extras in ("", "test")]

    assert asked(checkout) == [".", ".[test]"]
    assert "Installing what is needed, from the network: corr." in demo.stderr
    assert "Installing what is needed, from the network: test." in test.stderr
    assert [each.stderr for each in again] == ["", ""]
    assert all(each.stdout.startswith(f"{checkout}/.venv/bin:") for each in (demo, test, *again))


def test_ci_installs_everything_in_one_go(checkout: Path) -> None:
    begin(checkout, "test browser peers audit")
    begin(checkout, "audit")

    assert asked(checkout) == [".[test,browser,peers,audit]"]


def test_new_pins_cause_a_new_installation(checkout: Path) -> None:
    begin(checkout, "test")
    with (checkout / "constraints.txt").open("a") as pins:
        pins.write("other==1\n")
    begin(checkout, "")
    begin(checkout, "test")

    assert asked(checkout) == [".[test]", ".", ".[test]"]


def test_linter_settings_cause_no_installation(checkout: Path) -> None:
    begin(checkout, "")
    with (checkout / "pyproject.toml").open("a") as settings:
        settings.write("[tool.other]\n")
    begin(checkout, "")

    assert asked(checkout) == ["."]


def test_a_failed_installation_is_reported_and_retried(checkout: Path) -> None:
    failed = begin(checkout, "", broken="1")
    begin(checkout, "")

    assert failed.returncode == 1
    assert "The packages could not be installed; that needs the network." in failed.stderr
    assert asked(checkout) == [".", "."]


def test_compiled_python_files_are_kept_even_if_the_machine_disables_them(checkout: Path) -> None:
    begin(checkout, "")
    (checkout / "corr.py").touch()
    asks = 'extras=; . scripts/venv; "$PYTHON" -c "import corr, sys; print(sys.dont_write_bytecode)"'
    done = subprocess.run(
        ["sh", "-eu", "-c", asks],
        cwd=checkout,
        env={"PATH": "/usr/bin:/bin", "PYTHON": sys.executable, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == "False\n"
    assert list(checkout.glob("__pycache__/corr.*.pyc")) != []
