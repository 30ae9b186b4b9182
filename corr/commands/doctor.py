"""`corr doctor`: the findings, each on a line, and what to do about those that are wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import click

from corr import limits
from corr.commands.house import AtTheDatabase
from corr.config import Config
from corr.desk.house import House
from corr.doctor import Further, asking, examine, records, round_trip
from corr.doctor.finding import Finding


@click.command(cls=AtTheDatabase)
@click.option(
    "--dns", is_flag=True, help="Also what DNS says of the house, and whether port 25 answers there."
)
@click.option(
    "--mail", is_flag=True, help="Also send a letter to the house itself, and wait for it to come back."
)
@click.option(
    "--resolver", metavar="ADDRESS:PORT", help="Whom to ask for DNS, in place of the machine's own."
)
@click.option(
    "--selector",
    help="Under which name DNS has the key of DKIM: CORR_DKIM_SELECTOR unless given, or else corr.",
)
@click.option(
    "--wait",
    type=click.FloatRange(min=0),
    default=limits.ECHO.total_seconds(),
    show_default=True,
    metavar="SECONDS",
    help="For how long the letter is waited for.",
)
def doctor(*, dns: bool, mail: bool, resolver: str | None, selector: str | None, wait: float) -> None:
    """Look at everything that this house needs, and say what is wrong and what to do."""

    def by_dns(_house: House, config: Config) -> Iterator[Finding]:
        named = selector or config.dkim_selector or "corr"
        yield from records.findings(asking.Names(resolver), config, named)

    def by_mail(house: House, config: Config) -> Iterator[Finding]:
        yield from round_trip.findings(house, config, asking.Names(resolver), wait)

    asked: list[Further] = [look for look, is_asked in ((by_dns, dns), (by_mail, mail)) if is_asked]
    findings = examine(os.environ, *asked)
    for finding in findings:
        mark = click.style("ok   ", fg="green") if finding.is_well else click.style("WRONG", fg="red")
        click.echo(f"{mark} {finding.what:<8} {finding.says}")
        if finding.advice:
            click.echo(f"{'':14} {finding.advice}")
    sys.exit(not all(finding.is_well for finding in findings))
