"""`corr hours`: whether flags may fall, when the house stood still, and what a sweep would do."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import click

from corr.commands.house import AtTheDatabase, the_house
from corr.desk.house import House
from corr.desk.operator import rehearsal
from corr.desk.table import outages

_SHOWN = 10
_DEEDS = {
    "told": "both are told of a letter that is late, or no longer is",
    "played": "orders that waited for their hour are tried",
    "resumed": "the pause is over",
    "flagged": "the time of a side is over",
    "reminded": "a reminder goes out",
}


class Moment(click.ParamType[datetime]):
    """A moment as ISO 8601 writes it; in UTC where it names no zone."""

    name = "time"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:  # click's own signature
        try:
            moment = datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f'"{value}" is no moment: write it as "2026-12-24 18:00".', param, ctx)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@click.command(cls=AtTheDatabase)
@click.option(
    "--at", type=Moment(), help="Tell what a sweep at this moment would do; in UTC unless it names a zone."
)
@click.option("--dry-run", is_flag=True, help="With --at: only tell it. Nothing is done before its time.")
@click.option(
    "--trust", is_flag=True, help="The clock is right: flags may fall at once, not after a steady hour."
)
def hours(at: datetime | None, *, dry_run: bool, trust: bool) -> None:
    """Tell whether flags may fall and when the house stood still; what a sweep AT a moment would do."""
    if (at is not None) != dry_run:
        raise click.UsageError("--at and --dry-run go together.")
    house = the_house()
    if trust:
        outages.trust(house)
    for line in _rehearsed(house, at) if at else _told(house, house.now()):
        click.echo(line)


def _told(house: House, now: datetime) -> Iterator[str]:
    with house.store.reading() as connection:
        kept = outages.listed(connection, _SHOWN)
    if kept and kept[0].flags_from > now:
        yield f"No flag falls before {_worded(kept[0].flags_from)}: say `corr hours --trust` if the clock is right."
    else:
        yield "Flags fall when the time is over."
    for each in kept:
        yield f"The house stood still from {_worded(each.began_at)} to {_worded(each.ended_at)}."


def _rehearsed(house: House, at: datetime) -> Iterator[str]:
    done = rehearsal.rehearse(house, at)
    for each in done:
        end = f", and the game ends: {each.reason}" if each.reason else ""
        yield f"{each.code}  {_DEEDS[each.deed]}{end}"
    if not done:
        yield f"Nothing is due at {_worded(at)}."


def _worded(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%a %d %b %Y, %H:%M} UTC"
