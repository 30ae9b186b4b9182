"""`corr doctor`: prints each finding, and how to fix what is wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import click

from corr import limits
from corr.commands.open_server import DatabaseCommand
from corr.config import Config
from corr.doctor import ExtraCheck, dns_lookup, dns_records, round_trip, run_checks
from corr.doctor.finding import Finding
from corr.service.server import Server


@click.command(cls=DatabaseCommand)
@click.option("--dns", is_flag=True, help="Also check the domain's DNS records, and that port 25 answers.")
@click.option(
    "--mail", is_flag=True, help="Also send an email to the site itself, and wait for it to come back."
)
@click.option(
    "--resolver", metavar="ADDRESS:PORT", help="Ask this DNS resolver instead of the machine's own."
)
@click.option(
    "--selector", help="DKIM selector of the key in DNS. Default: CORR_DKIM_SELECTOR, or else corr."
)
@click.option(
    "--wait",
    type=click.FloatRange(min=0),
    default=limits.ROUND_TRIP_WAIT.total_seconds(),
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for the email to come back.",
)
def doctor(*, dns: bool, mail: bool, resolver: str | None, selector: str | None, wait: float) -> None:
    """Check everything this site needs, and say how to fix what is wrong.

    Example: corr doctor --dns --mail
    """

    def by_dns(_server: Server, config: Config) -> Iterator[Finding]:
        named = selector or config.dkim_selector or "corr"
        yield from dns_records.findings(dns_lookup.DnsResolver(resolver), config, named)

    def by_mail(server: Server, config: Config) -> Iterator[Finding]:
        yield from round_trip.findings(server, config, dns_lookup.DnsResolver(resolver), wait)

    asked: list[ExtraCheck] = [look for look, is_asked in ((by_dns, dns), (by_mail, mail)) if is_asked]
    findings = run_checks(os.environ, *asked)
    for finding in findings:
        mark = click.style("ok   ", fg="green") if finding.is_well else click.style("WRONG", fg="red")
        click.echo(f"{mark} {finding.what:<8} {finding.says}")
        if finding.advice:
            click.echo(f"{'':14} {finding.advice}")
    sys.exit(not all(finding.is_well for finding in findings))
