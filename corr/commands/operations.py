"""`corr hours` and `corr letter resend`: show outages and due deadlines, and resend failed emails."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import click

from corr.commands.open_server import DatabaseCommand, open_server, wake_workers
from corr.service import worker_rounds
from corr.service.admin import maintenance
from corr.service.games import outages
from corr.service.server import Server
from corr.worker_wakeup import Work

_OUTAGES_SHOWN = 10
_DEEDS = {
    "told": "emails both players that an email is late, or no longer late",
    "played": "runs orders that were scheduled for a time",
    "resumed": "ends the pause",
    "flagged": "flags the side to move",
    "reminded": "sends a reminder",
}


class MomentParam(click.ParamType[datetime]):
    """An ISO 8601 time, in UTC unless it names a zone."""

    name = "time"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:  # click's own signature
        """Parse the option's text; fail with advice if it is not a time."""
        try:
            moment = datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f'"{value}" isn\'t a time. Write it like "2026-12-24 18:00".', param, ctx)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@click.command(cls=DatabaseCommand)
@click.option(
    "--at",
    type=MomentParam(),
    help="Show what the deadline check at this time would do. UTC unless you give a zone.",
)
@click.option("--dry-run", is_flag=True, help="Required with --at: only show it, change nothing.")
@click.option(
    "--trust",
    is_flag=True,
    help="Trust the clock: let time-outs count at once, instead of an hour after an outage.",
)
def hours(at: datetime | None, *, dry_run: bool, trust: bool) -> None:
    """Show whether time-outs count, and when the server was down.

    With --at and --dry-run, show what the deadline check at that time would do.

    Example: corr hours --at "2026-12-24 18:00" --dry-run
    """
    if (at is not None) != dry_run:
        raise click.UsageError("Please use --at and --dry-run together.")
    server = open_server()
    if trust:
        outages.trust_clock(server)
    for line in _preview_sweep(server, at) if at else _describe_outages(server, server.now()):
        click.echo(line)


def _describe_outages(server: Server, now: datetime) -> Iterator[str]:
    """Yield lines that say whether time-outs count, and when the server was down."""
    with server.store.reading() as connection:
        kept = outages.list_outages(connection, _OUTAGES_SHOWN)
    if kept and kept[0].flags_from > now:
        yield (
            f"No player can lose on time before {_format_moment(kept[0].flags_from)}. If the clock is "
            "right, run: corr hours --trust"
        )
    else:
        yield "Time-outs count as usual."
    for each in kept:
        yield f"The server was down from {_format_moment(each.began_at)} to {_format_moment(each.ended_at)}."


def _preview_sweep(server: Server, at: datetime) -> Iterator[str]:
    done = maintenance.preview_sweep(server, at)
    for each in done:
        end = f", and the game ends: {each.reason}" if each.reason else ""
        yield f"{each.code}  {_DEEDS[each.deed]}{end}"
    if not done:
        yield f"Nothing is due at {_format_moment(at)}."


def _format_moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%a %d %b %Y, %H:%M} UTC"


@click.command(cls=DatabaseCommand)
def resend() -> None:
    """Send all undelivered emails again.

    Example: corr letter resend
    """
    server = open_server()
    count = worker_rounds.revive(server, server.now())
    wake_workers(Work.LETTERS)
    click.echo(f"Emails queued to be sent again: {count}.")
