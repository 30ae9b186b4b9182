"""`corr demo`: the whole house in one process."""

from __future__ import annotations

from pathlib import Path

import click

from corr.commands.house import AtTheDatabase
from corr.demo import run


@click.command(cls=AtTheDatabase)
@click.option("--dir", "folder", type=click.Path(file_okay=False, path_type=Path), help="Keep the demo here.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8000,
    show_default=True,
    help="Where the page is; 0 for any free port.",
)
def demo(folder: Path | None, port: int) -> None:
    """Run everything in one process, with a page of mailboxes."""
    run.run(folder, port)
