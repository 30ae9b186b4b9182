"""People who enter events and play in them, for tests that ask how these stand."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import select

from corr.service.events import events, page, standings
from corr.service.events.events import EVENT, Event, Kind
from corr.service.events.standings import Standing
from corr.service.games import lifecycle, umpire_access
from corr.service.games.game_session import Sitting, sit_down
from corr.service.players import mailboxes, players
from corr.service.players.authentication import Visitor
from corr.store.rows import rows_of
from corr.store.tables import EventGame, EventRow, Game, Player
from corr.words.board import Side
from corr.words.view import Stage
from tests.support.table import Table

FIVE = ("Ada", "Bob", "Cid", "Dot", "Ero")
#: How a game may end: won by White or Black, by time, drawn, or without a result.
ENDS = ("white", "black", "white by time", "black by time", "draw", "void")


def address(name: str) -> str:
    return f"{name.lower().replace(' ', '.')}@{name.lower().replace(' ', '-')}.example"


def person(table: Table, name: str) -> Visitor:
    """A player of a name, as the pages know one who was let in."""
    with table.house.store.reading() as connection:
        is_there = players.named(connection, name) is not None
    if not is_there:
        players.add(table.house, name, address(name), table.clock())
    with table.house.store.reading() as connection:
        player_id = players.existing(connection, name)
        who = mailboxes.of_player(connection, player_id)
    return Visitor(who, name, table.clock())


def enter(table: Table, name: str, variant: str = "wild16", *, fills: bool = False) -> Event:
    """Somebody enters the section of a variant that fills at present."""
    return page.enter_usual(
        table.house, person(table, name), variant, Kind.SECTION, table.clock(), fills=fills
    )


def climb(table: Table, name: str, variant: str = "wild16") -> Event:
    """Somebody enters the pyramid of a variant."""
    return page.enter_usual(
        table.house, person(table, name), variant, Kind.PYRAMID, table.clock(), fills=False
    )


def challenge(table: Table, event: Event, name: str, whom: str) -> str:
    """Somebody challenges another in a pyramid."""
    other = next(each for each in standing(table, event).entrants if each.name == whom)
    return page.challenge(table.house, person(table, name), event.code, str(other.number))


def section(table: Table, *names: str, variant: str = "wild16") -> Event:
    """A section that has begun, with all its games."""
    entered = [enter(table, name, variant) for name in names or FIVE]
    table.work()
    return entered[-1]


def played_section(table: Table, variant: str) -> Event:
    """The section of a variant that has begun, played to its end, White winning and drawing by turns."""
    event = next(each for each in of_players(table) if each.variant == variant)
    for number, each in enumerate(met(table, event)):
        over(table, each, ("white", "draw", "black")[number % 3])
    table.sweep()
    return event


def of_players(table: Table) -> list[Event]:
    """All events that have begun, the oldest first."""
    asked = select(*EVENT).where(EventRow.begun_at.is_not(None)).order_by(EventRow.id)
    with table.house.store.reading() as connection:
        return rows_of(Event, connection.execute(asked))


def standing(table: Table, event: Event) -> Standing:
    """How an event stands."""
    with table.house.store.reading() as connection:
        return standings.of_event(connection, events.by_id(connection, event.id))


def withdraw(table: Table, event: Event, name: str) -> str:
    """Somebody leaves an event, and a worker ends their games there."""
    said = page.withdraw(table.house, person(table, name), event.code, table.clock())
    table.work()
    return said


class Met(NamedTuple):
    """A game of an event: who plays which side, and its row."""

    white: str
    black: str
    id: int
    code: str


def met(table: Table, event: Event) -> list[Met]:
    """The games of an event that go on, in the order in which they were paired."""
    found = standing(table, event)
    names = {number: each.name for number, each in found.numbered.items()}
    return [
        Met(names[each.white], names[each.black], each.game_id, each.code or "")
        for each in found.games
        if each.game_id and each.goes_on
    ]


def between(table: Table, event: Event, white: str, black: str) -> Met:
    """The game that goes on between two."""
    return next(each for each in met(table, event) if (each.white, each.black) == (white, black))


def over(table: Table, game: Met, end: str) -> None:
    """A game ends in one of the ways in which games end."""
    with table.house.store.writing() as connection:
        sitting = sit_down(connection, game.id, table.clock())
        if sitting.state.outcome is None:
            _end(sitting, end)
            sitting.close()


def _end(sitting: Sitting, end: str) -> None:
    table = sitting.connection, sitting.game_id, sitting.variant
    if end == "void":
        lifecycle.abandon(sitting, Side.WHITE)
    elif end == "draw":
        lifecycle._end(sitting, umpire_access.agree(*table))
    else:
        loser = Side(end.split(maxsplit=1)[0]).other
        rule = umpire_access.flag if end.endswith("time") else umpire_access.resign
        lifecycle._end(sitting, rule(*table, loser))


def play_all(table: Table, event: Event, end: str = "white") -> None:
    """All games of an event end alike."""
    for each in met(table, event):
        over(table, each, end)


def settle(table: Table) -> None:
    """What the sweep does about events; nobody's time is looked at."""
    table.sweep()


def kinds(table: Table) -> list[tuple[str, str, str]]:
    """Which events there are: of which kind and variant, and how far each is."""
    asked = select(EventRow.kind, EventRow.variant, EventRow.state).order_by(EventRow.id)
    with table.house.store.reading() as connection:
        return [tuple(each) for each in connection.execute(asked)]


def seats_taken(table: Table) -> list[int]:
    """How many games of events go on, for each player who plays any."""
    going = select(EventGame.game_id).join(Game).where(Game.state != Stage.OVER)
    with table.house.store.reading() as connection:
        return list(connection.execute(going).scalars())


def names(table: Table) -> list[str]:
    with table.house.store.reading() as connection:
        return list(connection.execute(select(Player.name).order_by(Player.id)).scalars())
