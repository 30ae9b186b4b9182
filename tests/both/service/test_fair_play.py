"""The fair play report: who often aborts, stalls, resigns early or leaves events, and who met themselves."""

from __future__ import annotations

from corr.service.admin import fair_play
from corr.service.admin.fair_play import FairPlayReport, OpponentCounts
from corr.service.games.lifecycle import NewGame
from corr.words.board import Side
from tests.support import events, rated_games
from tests.support.table import Table

WHITE, BLACK = Side


def report(table: Table) -> FairPlayReport:
    return fair_play.load_report(table.server, table.clock())


def run_out_of_time(table: Table) -> None:
    """Everyone hears of their turn and lets the time run out."""
    table.run_workers()
    table.clock.advance(days=4)
    table.sweep()


def test_one_bad_day_is_no_pattern(table: Table) -> None:
    rated_games.begin(table, "Ann", "Ben")
    run_out_of_time(table)
    rated_games.play(table, "Ann", "Ben", BLACK)

    assert report(table).patterns == ()


def test_aborts_stalls_and_early_resignations_are_listed_by_opponent(table: Table) -> None:
    rated_games.begin(table, "Ann", "Ben")
    run_out_of_time(table)
    for opponent in ("Ben", "Eve", "Eve"):
        rated_games.play(table, opponent, "Ann", WHITE)

    (pattern,) = report(table).patterns
    assert (pattern.player, pattern.aborted, pattern.stalled, pattern.resigned) == ("Ann", 1, 0, 3)
    assert pattern.games == (OpponentCounts("Ben", 1, 0, 1), OpponentCounts("Eve", 0, 0, 2))


def test_leaving_an_event_counts_once_and_not_as_early_resignations(table: Table) -> None:
    for variant in ("wild16", "rbc", "welbeck"):
        event = events.begin_section(table, variant=variant)
        for name in ("Ada", "Bob")[: 1 if variant == "rbc" else 2]:
            events.withdraw(table, event, name)
        table.sweep()

    (pattern,) = report(table).patterns
    assert (pattern.player, pattern.left, pattern.games) == ("Ada", 3, ())


def test_leaving_an_event_adds_to_the_other_counts(table: Table) -> None:
    event = events.begin_section(table)
    events.withdraw(table, event, "Ada")
    table.sweep()
    for _ in range(2):
        rated_games.play(table, "Ann", "Ada", WHITE)

    (pattern,) = report(table).patterns
    assert (pattern.player, pattern.left, pattern.games) == ("Ada", 1, (OpponentCounts("Ann", 0, 0, 2),))


def test_leaving_an_event_without_running_games_does_not_count(table: Table) -> None:
    for variant in ("wild16", "rbc", "welbeck"):
        event = events.begin_section(table, variant=variant)
        for each in events.running_games(table, event):
            if "Ada" in each[:2]:
                events.end_game(table, each, "draw")
        events.withdraw(table, event, "Ada")
        table.sweep()

    assert report(table).patterns == ()


def test_old_games_are_not_listed(table: Table) -> None:
    for _ in range(3):
        rated_games.play(table, "Ann", "Ben", WHITE)
    assert [each.player for each in report(table).patterns] == ["Ben"]
    table.clock.advance(days=91)

    assert report(table).patterns == ()


def test_a_player_who_met_themselves_is_listed(table: Table) -> None:
    game: NewGame = rated_games.begin(table, "Ann", "Ben")
    rated_games.add_address(table, "Ann", "ben+chess@b.example")
    rated_games.end(table, game, WHITE)

    (person,) = report(table).persons
    assert (person.code, person.white, person.black) == (game.code, "Ann", "Ben")
