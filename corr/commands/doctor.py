"""`corr doctor`: checks settings, servers, DNS and email, and says how to fix what is wrong."""

from __future__ import annotations

import os
import sys

import click

from corr import limits
from corr.commands.open_server import DatabaseCommand
from corr.doctor import ExtraCheck, dns_records, run_checks
from corr.doctor.dns_lookup import DnsResolver
from corr.doctor.mail import check_round_trip


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
    asked: list[ExtraCheck] = []
    if dns:
        asked.append(
            lambda _server, config: dns_records.findings(
                DnsResolver(resolver), config, selector or config.dkim_selector or "corr"
            )
        )
    if mail:
        asked.append(lambda server, config: check_round_trip(server, config, DnsResolver(resolver), wait))
    findings = run_checks(os.environ, *asked)
    for finding in findings:
        mark = click.style("ok   ", fg="green") if finding.is_well else click.style("WRONG", fg="red")
        click.echo(f"{mark} {finding.what:<8} {finding.says}")
        if finding.advice:
            click.echo(f"{'':14} {finding.advice}")
    sys.exit(not all(finding.is_well for finding in findings))
