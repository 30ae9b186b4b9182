"""Players who enter events and play in them."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import select

from corr.service.events import crosstables, events, page
from corr.service.events.crosstables import Standings
from corr.service.events.events import EVENT_COLUMNS, Event, EventKind
from corr.service.games import lifecycle
from corr.service.games.game_session import GameSession, open_session
from corr.service.players import mailboxes, players
from corr.service.players.authentication import Visitor
from corr.store.rows import rows_of
from corr.store.tables import EventRow, PlayerRow
from corr.words.board import Side
from tests.support.table import Table

FIVE = ("Ada", "Bob", "Cid", "Dot", "Ero")
#: How a game may end; `void` is without a result.
ENDS = ("white", "black", "white by time", "black by time", "draw", "void")


def address(name: str) -> str:
    return f"{name.lower().replace(' ', '.')}@{name.lower().replace(' ', '-')}.example"


def make_player(table: Table, name: str) -> Visitor:
    """A signed-in player of this name, created if need be."""
    with table.server.store.reading() as connection:
        is_there = players.find_player(connection, name) is not None
    if not is_there:
        players.add(table.server, name, address(name), table.clock())
    with table.server.store.reading() as connection:
        player_id = players.require_player(connection, name)
        who = mailboxes.load_main_mailbox(connection, player_id)
    return Visitor(who, name, table.clock())


def enter_section(table: Table, name: str, variant: str = "wild16", *, fills: bool = False) -> Event:
    """Enter the open section of a variant."""
    return page.enter_site_event(
        table.server, make_player(table, name), variant, EventKind.SECTION, table.clock(), fills=fills
    )


def enter_pyramid(table: Table, name: str, variant: str = "wild16") -> Event:
    """Enter the pyramid of a variant."""
    return page.enter_site_event(
        table.server, make_player(table, name), variant, EventKind.PYRAMID, table.clock(), fills=False
    )


def challenge(table: Table, event: Event, name: str, whom: str) -> str:
    """Challenge another player in a pyramid."""
    other = next(each for each in load_standings(table, event).entrants if each.name == whom)
    return page.challenge(table.server, make_player(table, name), event.code, str(other.number))


def begin_section(table: Table, *player_names: str, variant: str = "wild16") -> Event:
    """Begin a section with all its games."""
    entered = [enter_section(table, name, variant) for name in player_names or FIVE]
    table.run_workers()
    return entered[-1]


def finish_section(table: Table, variant: str) -> Event:
    """Play a variant's section to its end, with White winning, drawing and losing in turn."""
    event = next(each for each in begun_events(table) if each.variant == variant)
    for number, each in enumerate(running_games(table, event)):
        end_game(table, each, ("white", "draw", "black")[number % 3])
    table.sweep()
    return event


def begun_events(table: Table) -> list[Event]:
    """All events that have begun, oldest first."""
    asked = select(*EVENT_COLUMNS).where(EventRow.begun_at.is_not(None)).order_by(EventRow.id)
    with table.server.store.reading() as connection:
        return rows_of(Event, connection.execute(asked))


def load_standings(table: Table, event: Event) -> Standings:
    """The standings of an event."""
    with table.server.store.reading() as connection:
        return crosstables.load_standings(connection, events.load_event(connection, event.id))


def withdraw(table: Table, event: Event, name: str) -> str:
    """Withdraw from an event; a worker ends the player's games there."""
    said = page.withdraw(table.server, make_player(table, name), event.code, table.clock())
    table.run_workers()
    return said


class EventGame(NamedTuple):
    """A game of an event."""

    white: str
    black: str
    id: int
    code: str


def running_games(table: Table, event: Event) -> list[EventGame]:
    """The running games of an event, in the order of pairing."""
    found = load_standings(table, event)
    player_names = {number: each.name for number, each in found.numbered.items()}
    return [
        EventGame(player_names[each.white], player_names[each.black], each.game_id, each.code or "")
        for each in found.games
        if each.game_id and each.goes_on
    ]


def find_game(table: Table, event: Event, white: str, black: str) -> EventGame:
    """The running game of two players."""
    return next(each for each in running_games(table, event) if (each.white, each.black) == (white, black))


def end_game(table: Table, game: EventGame, end: str) -> None:
    """End a game in one of the ways of `ENDS`."""
    with table.server.store.writing() as connection:
        session = open_session(connection, game.id, table.clock())
        if session.state.outcome is None:
            _end(session, end)
            session.close()


def _end(session: GameSession, end: str) -> None:
    if end == "void":
        lifecycle.abandon(session, Side.WHITE)
    elif end == "draw":
        lifecycle.tell_both(session, lifecycle.end(session, session.umpire.agree()))
    else:
        loser = Side(end.split(maxsplit=1)[0]).other
        rule = session.umpire.flag if end.endswith("time") else session.umpire.resign
        lifecycle.tell_both(session, lifecycle.end(session, rule(loser)))


def end_all_games(table: Table, event: Event, end: str = "white") -> None:
    """End all games of an event in the same way."""
    for each in running_games(table, event):
        end_game(table, each, end)


def settle(table: Table) -> None:
    """Run the sweep, which settles events."""
    table.sweep()


def list_events(table: Table) -> list[tuple[str, str, str]]:
    """The kind, variant and state of every event."""
    asked = select(EventRow.kind, EventRow.variant, EventRow.state).order_by(EventRow.id)
    with table.server.store.reading() as connection:
        return [tuple(each) for each in connection.execute(asked)]


def player_names(table: Table) -> list[str]:
    with table.server.store.reading() as connection:
        return list(connection.execute(select(PlayerRow.name).order_by(PlayerRow.id)).scalars())
