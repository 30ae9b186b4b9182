"""Copies the whole database while the server works."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import URL

from corr.store.session import Store
from corr.words.errors import Refused


def copy(store: Store, file: Path) -> None:
    """Back up the database into a new file for its owner alone; Refused if it exists."""
    part = file.with_name(f"{file.name}.part")
    try:
        if file.exists():
            raise Refused(f"{file} already exists. Choose a new file.")
        part.unlink(missing_ok=True)
        part.touch(0o600)
        if store.engine.dialect.name == "sqlite":
            _copy_sqlite(store.engine.url, part)
        else:
            _dump(store.engine.url, part)
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.rename(file)
    except OSError as error:
        raise Refused(f"Can't write to {file}: {error}") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _copy_sqlite(url: URL, part: Path) -> None:
    assert url.database is not None
    with (
        closing(sqlite3.connect(f"file:{url.database}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(part)) as target,
    ):
        source.backup(target)


def _dump(url: URL, part: Path) -> None:
    """Copy a PostgreSQL database with pg_dump; Refused if that is missing or fails."""
    program = shutil.which("pg_dump")
    if program is None:
        raise Refused("pg_dump isn't installed. On Debian run: apt install postgresql-client")
    named = url.set(drivername="postgresql", password=None).render_as_string()
    secret = {"PGPASSWORD": str(url.password)} if url.password else {}
    done = subprocess.run(  # noqa: S603  # the program is PostgreSQL's own, the address is the operator's
        [program, "--format=custom", f"--file={part}", named],
        env=os.environ | secret,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Refused(f"pg_dump couldn't copy the database: {done.stderr.strip()}")
