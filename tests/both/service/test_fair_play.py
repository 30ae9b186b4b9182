"""Operators are shown who aborts, stalls, resigns early and leaves events again and again, and who met themselves."""

from __future__ import annotations

from corr.service.admin import fair_play
from corr.service.admin.fair_play import FairPlayReport, OpponentCounts
from corr.service.games.lifecycle import NewGame
from corr.words.board import Side
from tests.support import events, rated_games
from tests.support.table import Table

WHITE, BLACK = Side


def seen(table: Table) -> FairPlayReport:
    return fair_play.load_report(table.server, table.clock())


def run_out(table: Table) -> None:
    """Everybody is told of their turn, and lets the time run out."""
    table.work()
    table.clock.pass_by(days=4)
    table.sweep()


def test_one_bad_day_is_no_pattern(table: Table) -> None:
    rated_games.begin(table, "Ann", "Ben")
    run_out(table)
    rated_games.play(table, "Ann", "Ben", BLACK)

    assert seen(table).patterns == ()


def test_who_aborts_stalls_and_resigns_early_is_shown_with_whom(table: Table) -> None:
    rated_games.begin(table, "Ann", "Ben")
    run_out(table)
    for opponent in ("Ben", "Eve", "Eve"):
        rated_games.play(table, opponent, "Ann", WHITE)

    (pattern,) = seen(table).patterns
    assert (pattern.player, pattern.aborted, pattern.stalled, pattern.resigned) == ("Ann", 1, 0, 3)
    assert pattern.games == (OpponentCounts("Ben", 1, 0, 1), OpponentCounts("Eve", 0, 0, 2))


def test_an_event_that_was_left_counts_once_for_who_left_it_and_is_no_early_resignation(table: Table) -> None:
    for variant in ("wild16", "rbc", "welbeck"):
        event = events.section(table, variant=variant)
        for name in ("Ada", "Bob")[: 1 if variant == "rbc" else 2]:
            events.withdraw(table, event, name)
        table.sweep()

    (pattern,) = seen(table).patterns
    assert (pattern.player, pattern.left, pattern.games) == ("Ada", 3, ())


def test_leaving_an_event_adds_to_what_else_is_a_pattern(table: Table) -> None:
    event = events.section(table)
    events.withdraw(table, event, "Ada")
    table.sweep()
    for _ in range(2):
        rated_games.play(table, "Ann", "Ada", WHITE)

    (pattern,) = seen(table).patterns
    assert (pattern.player, pattern.left, pattern.games) == ("Ada", 1, (OpponentCounts("Ann", 0, 0, 2),))


def test_who_leaves_an_event_with_nothing_going_on_has_left_nothing(table: Table) -> None:
    for variant in ("wild16", "rbc", "welbeck"):
        event = events.section(table, variant=variant)
        for each in events.met(table, event):
            if "Ada" in each[:2]:
                events.over(table, each, "draw")
        events.withdraw(table, event, "Ada")
        table.sweep()

    assert seen(table).patterns == ()


def test_what_was_long_ago_is_shown_no_more(table: Table) -> None:
    for _ in range(3):
        rated_games.play(table, "Ann", "Ben", WHITE)
    assert [each.player for each in seen(table).patterns] == ["Ben"]
    table.clock.pass_by(days=91)

    assert seen(table).patterns == ()


def test_whoever_met_themselves_is_shown(table: Table) -> None:
    game: NewGame = rated_games.begin(table, "Ann", "Ben")
    rated_games.also_reads(table, "Ann", "ben+chess@b.example")
    rated_games.end(table, game, WHITE)

    (person,) = seen(table).persons
    assert (person.code, person.white, person.black) == (game.code, "Ann", "Ben")
