"""`corr umpire`: the rules alone, for programs."""

from __future__ import annotations

import sys

import click

from corr import console


@click.command()
@click.argument("variant")
@click.option("--fen", help="Start from this position.")
@click.option("--reveal", is_flag=True, help="Show the true position in every answer.")
def umpire(variant: str, fen: str | None, reveal: bool) -> None:  # noqa: FBT001  # click hands over a flag
    """The umpire of a VARIANT for programs: one order a line in, one JSON object a line out."""
    console.run(variant, fen, reveal, sys.stdin, sys.stdout)
