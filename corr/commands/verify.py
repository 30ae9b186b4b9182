"""`corr verify`: checks a finished game's record, without a server."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from corr.proof.proof import prove
from corr.proof.verify import read_file_lines

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("file", type=_FILE)
@click.argument("mbox", nargs=-1, type=_FILE)
def verify(file: Path, mbox: tuple[Path, ...]) -> None:
    """Check the record of a game in FILE.

    This checks its seals and its moves, and compares the seals in your emails, saved as MBOX files. It prints
    one sentence: what it proves, or the first thing that is wrong.

    Example: corr verify record.jsonl.gz letters.mbox
    """
    proof = prove(read_file_lines(file), map(read_file_lines, mbox))
    click.echo(proof.sentence)
    sys.exit(0 if proof.holds else 1)
