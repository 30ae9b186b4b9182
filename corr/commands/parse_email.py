"""`corr letter read`: shows what corr reads in an email file, without a server."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from corr.mail.inward.incoming_email import describe_email


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@click.option(
    "--sent",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The email from corr that this one answers, to recognise quoted text.",
)
def read(file: Path, sent: Path | None) -> None:
    """Print, as JSON, how corr reads the email in FILE.

    Use `-` for standard input.

    Example: corr letter read reply.eml
    """
    raw = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    click.echo(json.dumps(describe_email(raw, sent.read_bytes() if sent else None), ensure_ascii=False))
