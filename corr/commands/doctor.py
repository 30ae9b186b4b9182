"""`corr doctor`: the findings, each on a line, and what to do about those that are wrong."""

from __future__ import annotations

import os
import sys

import click

from corr.commands.house import AtTheDatabase
from corr.doctor import examine


@click.command(cls=AtTheDatabase)
def doctor() -> None:
    """Look at everything that this house needs, and say what is wrong and what to do."""
    findings = examine(os.environ)
    for finding in findings:
        mark = click.style("ok   ", fg="green") if finding.is_well else click.style("WRONG", fg="red")
        click.echo(f"{mark} {finding.what:<8} {finding.says}")
        if finding.advice:
            click.echo(f"{'':14} {finding.advice}")
    sys.exit(not all(finding.is_well for finding in findings))
