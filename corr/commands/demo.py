"""`corr demo`: runs a whole server in one process, to try it."""

from __future__ import annotations

from pathlib import Path

import click

from corr.commands.open_server import DatabaseCommand
from corr.demo import run


@click.command(cls=DatabaseCommand)
@click.option(
    "--dir",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the demo's data. Default: a temporary one.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8000,
    show_default=True,
    help="Port of the pages; 0 picks any free port.",
)
@click.option("--empty", is_flag=True, help="Start without any finished games, leaderboard or event.")
def demo(folder: Path | None, port: int, *, empty: bool) -> None:
    """Run a whole site on this computer, with mailboxes to try it.

    Example: corr demo
    """
    run.run(folder, port, empty=empty)
