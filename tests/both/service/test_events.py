"""Events: they fill, begin once, are settled once, and their standings match the games."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from itertools import islice
from random import Random

import pytest
from sqlalchemy import Connection, func, select, text

from corr.game.pairings_and_standings import Game as Scored
from corr.game.pairings_and_standings import Score, build_crosstable
from corr.service.admin import fair_play
from corr.service.admin.maintenance import delete_player
from corr.service.events import admin_log, commands, emails, event_games, events, listing, page
from corr.service.events.admin_log import ActRequest, EventPlan
from corr.service.events.events import Event, EventStage
from corr.service.games import lifecycle
from corr.service.games.game_session import open_session
from corr.service.players import house_bots
from corr.store.tables import EntrantRow, EventGameRow, EventRow, GameRow, RatingRow, SeatRow
from corr.words.board import Side
from corr.words.errors import Refused
from tests.support import events as people
from tests.support import rated_games
from tests.support.browser import Browser
from tests.support.events import (
    ENDS,
    FIVE,
    begin_section,
    end_game,
    enter_pyramid,
    enter_section,
    load_standings,
    make_player,
    running_games,
)
from tests.support.table import Table, text_of
from tests.support.waiting import wait_until

LAST = FIVE[4]


def state(table: Table, event: Event) -> str:
    return load_standings(table, event).event.state


def count(table: Table, kind: type) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(kind)).scalar_one()


def points(table: Table, event: Event) -> dict[str, int]:
    """Points by name, in halves."""
    return {row.entrant.name: row.points for row in load_standings(table, event).table.rows}


# ---------------------------------------------------------------- filling and starting


def test_a_full_section_of_five_starts_its_twenty_games(table: Table) -> None:
    event = begin_section(table)

    found = load_standings(table, event)
    assert state(table, event) == EventStage.RUNNING
    assert sorted(each.number for each in found.entrants) == [1, 2, 3, 4, 5]
    assert len({game.numbers for game in found.games}) == len(running_games(table, event)) == 20
    assert enter_section(table, "Fay").id != event.id


def test_ten_players_who_enter_at_once_make_two_full_sections(table: Table) -> None:
    names = [f"Player {number}" for number in range(10)]
    visitors = [make_player(table, name) for name in names]
    now = table.clock()

    def enter_section(visitor: object) -> Event:
        return page.enter_site_event(
            table.server, visitor, "wild16", events.EventKind.SECTION, now, fills=False
        )

    with ThreadPoolExecutor(5) as pool:
        entered = list(pool.map(enter_section, visitors))
    table.run_workers()

    assert sorted([each.id for each in entered].count(event) for event in {each.id for each in entered}) == [
        5,
        5,
    ]
    assert count(table, EventGameRow) == count(table, GameRow) == 40


def test_two_workers_start_each_game_once(table: Table) -> None:
    for name in FIVE:
        enter_section(table, name)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: event_games.start_some(table.server, table.clock()), range(2)))
    event_games.start_some(table.server, table.clock())

    assert count(table, GameRow) == 20
    assert count(table, SeatRow) == 40


def test_an_interrupted_worker_leaves_the_other_games_to_the_next(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in FIVE:
        enter_section(table, name)
    original_start = lifecycle.start

    def start_seven(*given: object) -> object:
        if count_games(given[0]) == 7:
            raise KeyboardInterrupt
        return original_start(*given)

    with monkeypatch.context() as dying:
        dying.setattr(lifecycle, "start", start_seven)
        with pytest.raises(KeyboardInterrupt):
            event_games.start_some(table.server, table.clock())
    assert count(table, GameRow) == 7

    table.run_workers()
    assert count(table, GameRow) == 20


def count_games(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(GameRow)).scalar_one()


def test_bots_fill_a_section_after_a_week_if_all_players_agree(table: Table) -> None:
    event, *_ = [enter_section(table, name, fills=True) for name in FIVE[:3]]
    table.clock.advance(days=6)
    table.sweep()
    assert state(table, event) == EventStage.OPEN
    table.clock.advance(days=1, minutes=1)
    table.sweep()
    table.run_workers()

    found = load_standings(table, event)
    assert {each.name for each in found.entrants if each.house} == {
        each.shown for each in house_bots.HOUSE_BOTS[:2]
    }
    assert len(found.games) == 20 - 2
    with table.server.store.reading() as connection:
        rated = select(GameRow.rated, SeatRow.house).join(SeatRow, SeatRow.game_id == GameRow.id)
        assert {each for each in map(tuple, connection.execute(rated)) if each[1]} == {(True, True)}


@pytest.mark.parametrize("waiting", [[(FIVE[0], True)], [(FIVE[0], True), (FIVE[1], False), (FIVE[2], True)]])
def test_a_section_keeps_waiting_if_a_player_disagrees_or_is_alone(
    table: Table, waiting: list[tuple[str, bool]]
) -> None:
    event, *_ = [enter_section(table, name, fills=fills) for name, fills in waiting]
    table.clock.advance(days=30)
    table.sweep()

    assert state(table, event) == EventStage.OPEN


def test_a_section_that_everyone_left_waits_for_others(table: Table) -> None:
    event = enter_section(table, FIVE[0], fills=True)
    people.withdraw(table, event, FIVE[0])
    table.clock.advance(days=30)
    table.sweep()

    assert (state(table, event), load_standings(table, event).entrants) == (EventStage.OPEN, [])
    assert enter_section(table, FIVE[1]).id == event.id


# ---------------------------------------------------------------- settling


def test_two_workers_settle_a_game_once(table: Table) -> None:
    event = begin_section(table)
    game = running_games(table, event)[0]
    end_game(table, game, "white")
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda _: event_games.settle_some(table.server, table.clock()), range(2)))

    assert sum(done) == 1
    assert event_games.settle_some(table.server, table.clock()) == 0
    assert points(table, event)[game.white] == 2


def test_two_games_that_end_at_once_are_both_settled(table: Table) -> None:
    event = begin_section(table)
    one, other = running_games(table, event)[:2]
    end_game(table, one, "white")
    end_game(table, other, "draw")
    event_games.settle_some(table.server, table.clock())

    assert sum(points(table, event).values()) == 4


def test_a_void_game_counts_for_nobody(table: Table) -> None:
    event = begin_section(table)
    first, *later = running_games(table, event)
    for each in later:
        end_game(table, each, "draw")
    table.sweep()
    end_game(table, first, "void")
    table.sweep()

    assert state(table, event) == EventStage.OVER
    assert sum(points(table, event).values()) == 2 * 19
    assert points(table, event)[first.white] == 7


def test_a_tie_of_all_players_is_one_shared_place(table: Table) -> None:
    event = begin_section(table)
    people.end_all_games(table, event, "draw")
    table.sweep()

    assert {str(row.place) for row in load_standings(table, event).table.rows} == {"1-5"}
    assert all(str(row.place) == "1-5" for row in load_standings(table, event).table.rows)


def test_a_loss_on_time_is_marked(table: Table) -> None:
    event = begin_section(table)
    end_game(table, running_games(table, event)[0], "black by time")
    table.sweep()

    assert [each.by_default for each in load_standings(table, event).games if each.score] == [True]


# ---------------------------------------------------------------- leaving


def leave_by_email(table: Table, event: Event) -> None:
    table.write_to_site(people.address(LAST), f"withdraw {event.code}")


def leave_on_the_page(table: Table, event: Event) -> None:
    browser = Browser(table.app_with_workers())
    browser.sign_in_directly(table, people.address(LAST))
    browser.open(f"/events/{event.code}")
    browser.press("Leave it now")


def be_removed_by_operator(table: Table, event: Event) -> None:
    entrant_id = next(each.id for each in load_standings(table, event).entrants if each.name == LAST)
    admin_log.remove_player(table.server, operator_act(table, 1), event.code, str(entrant_id), table.clock())


def test_leaving_a_section_keeps_finished_games_and_loses_running_ones(table: Table) -> None:
    names = iter(f"Player {number}" for number in range(12))
    sections = [begin_section(table, *islice(names, 4), LAST) for _ in range(3)]
    for event in sections:
        for each in [each for each in running_games(table, event) if LAST in each[:2]][:3]:
            end_game(table, each, "white" if each.white == LAST else "black")
    table.sweep()
    before = own_rating(table)
    assert (before.won, before.drawn, before.lost) == (9, 0, 0)
    for leave, event in zip(
        (leave_by_email, leave_on_the_page, be_removed_by_operator), sections, strict=True
    ):
        leave(table, event)
        table.run_workers()
        table.sweep()

    after = own_rating(table)
    assert (after.won, after.drawn, after.lost) == (9, 0, 15)
    assert after.rating < before.rating - 400
    assert rated_games.stored_ratings(table) == rated_games.recompute_ratings(table)
    for event in sections:
        assert points(table, event)[LAST] == 3 * 2
        assert sum(points(table, event).values()) == 8 * 2
        assert sum(each.by_default for each in load_standings(table, event).games) == 5
        assert not [each for each in running_games(table, event) if LAST in each[:2]]
    (pattern,) = fair_play.load_report(table.server, table.clock()).patterns
    assert (pattern.player, pattern.left, pattern.games) == (LAST, 3, ())


def own_rating(table: Table) -> RatingRow:
    """The Wild 16 rating of the last player."""
    query = select(RatingRow.__table__).where(RatingRow.player_id == rated_games.get_player(table, LAST))
    with table.server.store.reading() as connection:
        return connection.execute(query).one()


@pytest.mark.parametrize("moves", [(), ("e2e4",), ("e2e4", "e7e5")])
def test_leaving_loses_even_games_that_have_hardly_begun(table: Table, moves: tuple[str, ...]) -> None:
    event = begin_section(table)
    game = people.find_game(table, event, LAST, FIVE[0])
    players = game.white, game.black
    for ply, move in enumerate(moves):
        mover = people.address(players[ply % 2])
        letter = next(each for each in table.emails_to(mover)[::-1] if game.code in str(each["Subject"]))
        table.reply(mover, move, to=letter)
    people.withdraw(table, event, LAST)

    with table.server.store.reading() as connection:
        ended = select(GameRow.state, GameRow.winner, GameRow.reason, GameRow.ply).where(
            GameRow.id == game.id
        )
        assert tuple(connection.execute(ended).one()) == ("over", "black", "resignation", len(moves))
    for player in players:
        assert any(
            "White has left the event. Black wins." in text_of(each)
            for each in table.emails_to(people.address(player))
        )


def test_a_section_with_one_player_left_is_over(table: Table) -> None:
    event = begin_section(table)
    for name in FIVE[:4]:
        people.withdraw(table, event, name)
        table.sweep()

    assert state(table, event) == EventStage.OVER
    assert running_games(table, event) == []
    with pytest.raises(Refused, match="is over"):
        people.withdraw(table, event, LAST)


def test_a_player_who_leaves_before_the_start_gets_no_games(table: Table) -> None:
    entered = [enter_section(table, name) for name in FIVE]
    page.withdraw(table.server, make_player(table, LAST), entered[-1].code, table.clock())
    table.run_workers()

    assert count(table, GameRow) == 12
    assert points(table, entered[-1]) == dict.fromkeys(FIVE[:4], 2 * 2) | {LAST: 0}


def test_a_deleted_player_leaves_the_event(table: Table) -> None:
    event = begin_section(table)
    delete_player(table.server, LAST, table.clock())
    table.sweep()

    assert [each.name for each in load_standings(table, event).entrants if not each.plays] == ["Somebody"]
    assert len(running_games(table, event)) == 12


@pytest.mark.databases("postgresql")
def test_deleting_a_player_does_not_deadlock_with_their_games_ending(table: Table) -> None:
    event = begin_section(table)
    own = [game for game in running_games(table, event) if LAST in (game.white, game.black)]
    for game in own[:4]:
        end_game(table, game, "draw")
    table.sweep()
    with ThreadPoolExecutor(1) as pool:
        with table.server.store.writing() as connection:
            session = open_session(connection, own[-1].id, table.clock())
            deletion = pool.submit(delete_player, table.server, LAST, table.clock())
            wait_until(lambda: is_any_transaction_waiting(table), "the deletion waits for the game")
            lifecycle.leave(session, Side.WHITE)
            session.close()
        deletion.result()
    table.sweep()

    assert [game for game in running_games(table, event) if "Somebody" in (game.white, game.black)] == []


def is_any_transaction_waiting(table: Table) -> bool:
    with table.server.store.asking() as connection:
        return connection.execute(text("SELECT count(*) FROM pg_locks WHERE NOT granted")).scalar_one() > 0


@pytest.mark.parametrize("seed", range(3))
def test_the_standings_match_the_games(table: Table, seed: int) -> None:
    """Games end in any way and order, players leave, and sweeps come at any time."""
    rng, event, stayers = Random(seed), begin_section(table), [*FIVE]
    rng.shuffle(stayers)
    for game in rng.sample(running_games(table, event), 20):
        end = rng.choice([*ENDS, "", "leaves"])
        if end in ENDS:
            end_game(table, game, end)
        elif end and len(stayers) > 2:
            event_games.settle_some(table.server, table.clock())  # as leaving does first
            if load_standings(table, event).event.ended_at is None:
                people.withdraw(table, event, stayers.pop())
        table.clock.advance(minutes=1)
        if rng.random() < 1 / 3:
            event_games.settle_some(table.server, table.clock())
    event_games.settle_some(table.server, table.clock())

    found = load_standings(table, event)
    known = [row.entrant for row in found.table.rows]
    assert found.table.rows == build_crosstable(known, recomputed(table, event)).rows
    assert (found.event.state == EventStage.OVER) == (running_games(table, event) == [])


def recomputed(table: Table, event: Event) -> list[Scored]:
    """The scores of an event's games, from their own rows."""
    query = (
        select(
            EventGameRow.white,
            EventGameRow.black,
            GameRow.ended_at,
            GameRow.winner,
            GameRow.reason,
            GameRow.code,
        )
        .join(GameRow, GameRow.id == EventGameRow.game_id)
        .where(EventGameRow.event_id == event.id)
        .order_by(EventGameRow.id)
    )
    left = {
        each.number: each.withdrawn_at for each in load_standings(table, event).entrants if not each.plays
    }
    with table.server.store.reading() as connection:
        return [_scored(*each, left) for each in connection.execute(query)]


def _scored(
    white: int,
    black: int,
    ended_at: datetime | None,
    winner: str | None,
    reason: str,
    code: str,
    left: dict[int | None, datetime | None],
) -> Scored:
    """A game that ended after its loser had left counts as lost by default."""
    if ended_at is None:
        return Scored(white, black, code=code)
    score = Score.VOID if reason == "void" else Score(winner or "draw")
    left_at = left.get({"white": black, "black": white}.get(winner or ""))
    by_default = score is not Score.VOID and (reason == "time" or bool(left_at and ended_at >= left_at))
    return Scored(white, black, score, by_default, code)


# ---------------------------------------------------------------- pyramids


def test_winners_go_up_and_losers_go_down(table: Table) -> None:
    for name in FIVE[:3]:
        event = enter_pyramid(table, name)
    people.challenge(table, event, "Ada", "Bob")
    table.run_workers()
    (game,) = running_games(table, event)
    end_game(table, game, "white")
    table.sweep()

    levels = {each.name: each.level for each in load_standings(table, event).entrants}
    assert levels == {"Ada": 1, "Bob": 1, "Cid": 1} | {game.white: 2}
    assert [
        len(climbers) for _, climbers in reversed(page.load_page(table.server, None, event.code).levels)
    ] == [
        2,
        1,
    ]


def test_nobody_plays_more_than_two_pyramid_games_or_themselves(table: Table) -> None:
    for name in FIVE:
        event = enter_pyramid(table, name)
    people.challenge(table, event, "Ada", "Bob")
    people.challenge(table, event, "Cid", "Ada")

    for challenger, whom, why in (
        ("Ada", "Dot", "two games"),
        ("Dot", "Ada", "Ada is already playing two"),
        ("Dot", "Dot", "yourself"),
    ):
        with pytest.raises(Refused, match=why):
            people.challenge(table, event, challenger, whom)


def test_leaving_a_pyramid_resigns_its_games_and_one_returns_at_the_base(table: Table) -> None:
    for name in FIVE[:2]:
        event = enter_pyramid(table, name)
    people.challenge(table, event, "Ada", "Bob")
    table.run_workers()
    people.withdraw(table, event, "Ada")
    table.sweep()

    assert {each.name: each.level for each in load_standings(table, event).entrants if each.plays} == {
        "Bob": 2
    }
    enter_pyramid(table, "Ada")
    assert {each.name: each.level for each in load_standings(table, event).entrants} == {"Ada": 1, "Bob": 2}


# ---------------------------------------------------------------- emails


def test_standings_are_emailed_once_a_day_and_at_the_end(table: Table) -> None:
    event = begin_section(table)
    games = running_games(table, event)
    end_game(table, games[0], "white")
    table.sweep()
    end_game(table, games[1], "white")
    table.sweep()
    assert crosstables(table, "Ada") == 0
    table.clock.advance(days=1, minutes=1)
    table.sweep()
    table.sweep()
    assert crosstables(table, "Ada") == 1
    people.end_all_games(table, event)
    table.sweep()
    assert crosstables(table, "Ada") == 2


def test_two_workers_email_the_standings_once(table: Table) -> None:
    event = begin_section(table)
    end_game(table, running_games(table, event)[0], "white")
    event_games.settle_some(table.server, table.clock())
    table.clock.advance(days=1, minutes=1)
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda _: emails.write_some(table.server, table.clock()), range(2)))

    assert sum(done) == 5


def test_players_without_emails_about_games_get_none_about_events(table: Table) -> None:
    event = begin_section(table)
    table.write_to_site(people.address("Ada"), "help")
    table.reply(people.address("Ada"), "mail off")
    people.end_all_games(table, event)
    table.sweep()

    assert crosstables(table, "Ada") == 0
    assert crosstables(table, "Bob") == 1


def crosstables(table: Table, name: str) -> int:
    return sum("standings" in str(each["Subject"]) for each in table.emails_to(people.address(name)))


# ---------------------------------------------------------------- operators


def operator_act(table: Table, number: int, reason: str = "It was wrong.") -> ActRequest:
    return ActRequest(make_player(table, "Olga").who, str(number), reason)


def test_an_operator_corrects_a_result_and_everyone_can_read_why(table: Table) -> None:
    event = begin_section(table)
    game = running_games(table, event)[0]
    end_game(table, game, "white")
    table.sweep()
    entrant_id = next(each.id for each in load_standings(table, event).games if each.code == game.code)
    admin_log.set_score(
        table.server, operator_act(table, 1), event.code, str(entrant_id), "black", table.clock()
    )

    assert points(table, event)[game.black] == 2
    (act,) = page.load_page(table.server, None, event.code).acts
    assert (f"a win for {game.black}" in act.said, act.reason) == (True, "It was wrong.")
    with pytest.raises(Refused):
        admin_log.set_score(
            table.server, operator_act(table, 1), event.code, str(entrant_id), "void", table.clock()
        )


def test_an_operator_stops_an_event_and_its_games_go_on(table: Table) -> None:
    event = begin_section(table)
    admin_log.stop_event(table.server, operator_act(table, 1), event.code, table.clock())
    table.run_workers()
    before_sweep = count(table, GameRow)
    table.sweep()

    assert (state(table, event), before_sweep) == (EventStage.STOPPED, 20)
    assert "was stopped" in str(table.last_email(people.address("Ada"))["Subject"])
    with pytest.raises(Refused):
        page.withdraw(table.server, make_player(table, "Ada"), event.code, table.clock())


def test_an_operator_can_stop_an_empty_event(table: Table) -> None:
    plan = EventPlan("Autumn cup", "rbc", "5d", 3, rated=False, programs=False)
    code = admin_log.make_section(table.server, operator_act(table, 1), plan, table.clock())
    admin_log.stop_event(table.server, operator_act(table, 2), code, table.clock())

    seen = page.load_page(table.server, None, code)
    assert (seen.event.state, len(seen.acts)) == (EventStage.STOPPED, 2)
    with pytest.raises(Refused, match="You can no longer enter this event"):
        page.enter(table.server, make_player(table, "Ada"), code, table.clock(), fills=False)


def test_an_operator_removes_a_player(table: Table) -> None:
    event = begin_section(table)
    be_removed_by_operator(table, event)
    table.run_workers()
    table.sweep()

    assert len(running_games(table, event)) == 12
    assert f"removed {LAST}" in page.load_page(table.server, None, event.code).acts[0].said


def test_an_operator_creates_an_event_that_players_enter_by_its_code(table: Table) -> None:
    plan = EventPlan("Autumn cup", "rbc", "5d", 3, rated=False, programs=False)
    code = admin_log.make_section(table.server, operator_act(table, 1), plan, table.clock())
    for name in FIVE[:3]:
        page.enter(table.server, make_player(table, name), code, table.clock(), fills=False)
    table.run_workers()

    with table.server.store.reading() as connection:
        assert connection.execute(select(EventRow.name, EventRow.state)).all() == [("Autumn cup", "running")]
    assert count(table, GameRow) == 6


# ---------------------------------------------------------------- limits


def test_a_player_enters_three_sections_at_most(table: Table) -> None:
    for variant in ("wild16", "rbc", "cincinnati"):
        enter_section(table, "Ada", variant)

    with pytest.raises(Refused, match="3 sections"):
        enter_section(table, "Ada", "crazykrieg")


def test_two_players_with_one_mailbox_cannot_share_a_section(table: Table) -> None:
    table.write_to_site("ann@a.example", "enter wild16", name="Ann")
    table.reply("ann@a.example", "confirm")
    table.write_to_site("ann+other@a.example", "enter wild16", name="Another")
    table.reply("ann+other@a.example", "confirm")

    assert "shares your mailbox" in table.last_text("ann+other@a.example")
    assert count(table, EntrantRow) == 1


def test_events_are_listed_on_pages(table: Table) -> None:
    event = begin_section(table)
    people.end_all_games(table, event)
    table.sweep()
    other = enter_section(table, "Ada")

    seen = listing.load_lists(table.server, make_player(table, "Ada").who.player_id, 1)
    assert [each.event.id for each in seen.ended] == [event.id]
    assert [each.event.id for each in seen.own] == [each.event.id for each in seen.filling] == [other.id]
    with table.server.store.reading() as connection:
        assert len(commands.list_events(connection, None)[1]) == 1


@pytest.mark.parametrize("page", ["0", "00", "-1", "x", ""])
def test_an_invalid_page_number_shows_the_first_page(table: Table, page: str) -> None:
    assert Browser(table.app_with_workers()).client.get(f"/events/?page={page}").status_code == 200
