"""`corr umpire`: runs an umpire on standard input and output, for programs."""

from __future__ import annotations

import sys

import click

from corr.commands import umpire_console


@click.command()
@click.argument("variant")
@click.option("--fen", help="Start from this position.")
@click.option("--reveal", is_flag=True, help="Show the true position in every answer.")
def umpire(variant: str, fen: str | None, reveal: bool) -> None:  # noqa: FBT001  # click hands over a flag
    """Umpire a game of a VARIANT for another program.

    Send one order per line. The umpire answers with one JSON object per line.

    Example: echo e2e4 | corr umpire wild16
    """
    umpire_console.run(variant, fen, reveal, sys.stdin, sys.stdout)
