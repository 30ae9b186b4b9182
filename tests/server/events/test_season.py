"""A whole season: sections fill, are played and end without an operator."""

from __future__ import annotations

from random import Random

import pytest
from sqlalchemy import func, select

from corr.proof.proof import prove
from corr.rules.variants import UMPIRES
from corr.service.events.events import EventStage
from corr.service.games import game_records, lifecycle
from corr.service.games.game_session import open_session
from corr.store.tables import EventActRow, GameRow
from corr.words.board import Side
from tests.support import events as people
from tests.support.events import ENDS, begun_events, end_game, enter_section, load_standings, running_games
from tests.support.table import ANN, BEN, Table

NAMES = ("Ada", "Bob", "Cid", "Dot", "Ero", "Fay", "Gil")
DAYS = 120


def test_a_season_runs_its_sections_to_the_end(table: Table) -> None:
    rng = Random(7)
    for variant, names in (("wild16", NAMES[:5]), ("rbc", NAMES[2:7]), ("welbeck", NAMES[:3])):
        for name in names:
            enter_section(table, name, variant, fills=True)
    table.clock.advance(days=7, minutes=1)
    for _ in range(DAYS):
        table.sweep()
        table.run_workers()
        events = begun_events(table)
        if all(each.state == EventStage.OVER for each in events):
            break
        play_a_day(table, rng)
        table.clock.advance(days=1)

    assert [each.state for each in begun_events(table)] == [EventStage.OVER] * 3
    for event in begun_events(table):
        found = load_standings(table, event)
        assert found.table.is_over
        assert not any(each.goes_on for each in found.games)
        final_standings = [
            each for each in table.emails_to(people.address("Cid")) if ": standings" in str(each["Subject"])
        ]
        assert final_standings
    with table.server.store.reading() as connection:
        assert connection.execute(select(func.count()).select_from(EventActRow)).scalar_one() == 0


def play_a_day(table: Table, rng: Random) -> None:
    """End some games, in any way; now and then a player leaves."""
    for event in begun_events(table):
        going = running_games(table, event)
        for each in rng.sample(going, min(4, len(going))):
            end_game(table, each, rng.choice(ENDS))
    if rng.random() < 1 / 4:
        running = [each for each in begun_events(table) if each.state == EventStage.RUNNING]
        staying = [
            each for each in load_standings(table, running[0]).entrants if each.plays and not each.house
        ]
        if len(staying) > 3:
            people.withdraw(table, running[0], staying[0].name)


@pytest.mark.parametrize("variant", UMPIRES)
def test_leaving_an_event_loses_the_game_and_the_record_proves_it(table: Table, variant: str) -> None:
    table.begin_by_email(variant)
    with table.server.store.writing() as connection:
        game = connection.execute(select(GameRow.id)).scalar_one()
        session = open_session(connection, game, table.clock())
        lifecycle.leave(session, Side.WHITE)
        session.close()
    table.run_workers()

    for player in (ANN, BEN):
        assert "White has left the event. Black wins." in table.last_text(player)
    with table.server.store.reading() as connection:
        lines = [each.encode() for each in game_records.write_lines(connection, game, None)]
    assert prove(lines).holds, prove(lines).sentence
