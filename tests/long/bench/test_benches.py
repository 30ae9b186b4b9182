"""Every bench can be run as docs/evidence.md says: `python -m bench.NAME`."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from sqlalchemy import func, select

from corr.service.games import due_actions
from corr.store.tables import GameRow
from tests.support import large_database
from tests.support.table import Table

FOLDER = Path(__file__).parents[3] / "bench"
PEERS = ("kriegspiel", "reconchess", "resvg_py")
MISSING = [peer for peer in PEERS if find_spec(peer) is None]


@pytest.mark.skipif(
    bool(MISSING) and os.environ.get("CORR_TEST_ALL") != "1",
    reason=f"not installed: {', '.join(MISSING)}; pip install --editable '.[peers]'",
)
def test_every_bench_can_be_imported():
    names = [path.stem for path in FOLDER.glob("*.py")]
    command = [sys.executable, "-c", "".join(f"import bench.{name}\n" for name in names)]
    done = subprocess.run(command, cwd=FOLDER.parent, capture_output=True, text=True, check=False)

    assert len(names) > 15
    assert done.returncode == 0, done.stderr


def test_the_page_bench_runs():
    command = [sys.executable, "-m", "bench.pages", "--rounds", "3"]
    done = subprocess.run(command, cwd=FOLDER.parent, capture_output=True, text=True, check=False)

    assert [line.split()[0] for line in done.stdout.splitlines()] == ["games", "table", "304"], done.stderr


def test_a_large_database_can_be_built(table: Table) -> None:
    url = f"sqlite:///{table.spool.parent / 'corr.sqlite'}"

    large_database.fill(url, 100, int(table.clock().timestamp() * 1e6))

    due_actions.sweep(table.server, table.clock())
    with table.server.store.reading() as connection:
        assert connection.execute(select(func.count()).select_from(GameRow)).scalar_one() == 100
