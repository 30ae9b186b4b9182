"""A demo's tables when it is started again: created, upgraded or kept."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from corr.demo.run import make_tables
from corr.store import migrate, version
from corr.store.session import Store

STARTED_AGAIN = """
import sys
from pathlib import Path
from corr.demo.run import make_tables
from corr.store.session import Store
make_tables(Store(f"sqlite:///{sys.argv[1]}"), Path(sys.argv[1]))
print("alembic" in sys.modules)
"""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "corr.sqlite"


@pytest.fixture
def store(database: Path) -> Iterator[Store]:
    with closing(Store(f"sqlite:///{database}")) as opened:
        yield opened


def test_a_new_demo_has_the_newest_tables_and_a_private_file(store: Store, database: Path) -> None:
    make_tables(store, database)

    assert version.current(store) == version.newest()
    assert database.stat().st_mode & 0o077 == 0


def test_an_older_demos_tables_are_upgraded(store: Store, database: Path) -> None:
    migrate.upgrade(store, "0050")

    make_tables(store, database)

    assert version.current(store) == version.newest()


def test_alembic_is_not_loaded_if_the_tables_are_the_newest(store: Store, database: Path) -> None:
    make_tables(store, database)

    done = subprocess.run(
        [sys.executable, "-c", STARTED_AGAIN, database], capture_output=True, text=True, check=True
    )

    assert done.stdout == "False\n"
