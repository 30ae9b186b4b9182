"""Ratings: each rated game changes them once, some don't count, and an operator can annul a game."""

from __future__ import annotations

import pytest

from corr.service.games.moderation import DecreeKind
from corr.service.ratings import rating_updates
from corr.words.board import Side
from tests.server.service.test_moderation import decree, results
from tests.support import rated_games
from tests.support.table import ANN, BEN, Table, unwrap

WHITE, BLACK = Side


def rating_of(table: Table, name: str, variant: str = "wild16") -> int | None:
    """A player's rating, rounded, or None."""
    found = rated_games.stored_ratings(table).get((rated_games.get_player(table, name), variant))
    return round(found[0].rating) if found else None


def test_the_last_email_has_the_players_new_rating(table: Table) -> None:
    for name in ("ann", "ben"):
        rated_games.get_player(table, name)
    table.write_to_site(ANN, "challenge ben wild16 white rated")
    table.run_workers()
    table.reply(BEN, "accept")
    table.run_workers()
    table.reply(ANN, "e2e4")
    table.reply(BEN, "resign resign")

    assert "Your rating in Wild 16 is now 1741? (it was 1500?)." in unwrap(table.last_text(ANN))
    assert "Your rating in Wild 16 is now 1259? (it was 1500?)." in unwrap(table.last_text(BEN))
    assert "1741" not in table.last_text(BEN)


def test_the_last_email_shows_the_old_rating_as_the_pages_do(table: Table) -> None:
    for _ in range(3):
        for guest in ("Bea", "Cid", "Dan", "Eve", "Fay"):
            for _ in range(3):
                rated_games.play(table, "ann", guest, None)
        table.clock.advance(days=31)
    table.clock.advance(days=3650)
    rated_games.play(table, "ann", "ben", WHITE)
    table.run_workers()

    assert "(it was 1500?)" in unwrap(table.last_text(ANN))


def test_a_casual_game_changes_no_rating(table: Table) -> None:
    table.begin_with_moves()
    table.reply(BEN, "resign resign")

    assert "rating" not in table.last_text(ANN)
    assert rated_games.stored_ratings(table) == {}


def test_a_game_without_a_result_does_not_count(table: Table) -> None:
    rated_games.begin(table, "ann", "ben")
    table.run_workers()
    table.clock.advance(days=4)
    table.sweep()
    table.run_workers()

    assert "has no result" in table.last_text(ANN)
    assert rated_games.stored_ratings(table) == {}


def test_each_variant_has_a_rating_of_its_own(table: Table) -> None:
    rated_games.play(table, "ann", "ben", WHITE)
    rated_games.play(table, "ann", "ben", BLACK, "rbc")

    assert (rating_of(table, "ann"), rating_of(table, "ann", "rbc")) == (1741, 1259)


def test_only_three_games_in_thirty_days_between_two_players_count(table: Table) -> None:
    for _ in range(3):
        rated_games.play(table, "ann", "ben", WHITE)
    three = rated_games.stored_ratings(table)
    rated_games.play(table, "ben", "ann", WHITE)
    rated_games.play(table, "ben", "ann", WHITE, "rbc")
    assert rated_games.stored_ratings(table) == three
    table.clock.advance(days=30)
    rated_games.play(table, "ben", "ann", WHITE)

    assert rated_games.stored_ratings(table) != three
    assert rated_games.stored_ratings(table) == rated_games.recompute_ratings(table)


def test_the_last_email_says_why_a_game_does_not_count(table: Table) -> None:
    table.begin()
    for _ in range(3):
        rated_games.play(table, "ann", "ben", WHITE)
    table.run_workers()
    rated_games.play(table, "ann", "ben", WHITE)
    table.run_workers()

    assert "only three games between the same two players count in thirty days" in unwrap(
        table.last_text(ANN)
    )


def test_a_game_between_two_addresses_of_one_mailbox_does_not_count(table: Table) -> None:
    game = rated_games.begin(table, "ann", "ben")
    rated_games.add_address(table, "ann", "ben+chess@b.example")
    rated_games.end(table, game, WHITE)

    assert rated_games.stored_ratings(table) == {}


@pytest.mark.parametrize("annulled", range(6))
def test_an_annulled_game_leaves_no_trace_in_the_ratings(table: Table, annulled: int) -> None:
    games = [
        rated_games.play(table, white, black, winner)
        for white, black, winner in (
            ("ann", "ben", WHITE),
            ("ben", "eve", None),
            ("ann", "ben", BLACK),
            ("eve", "fay", WHITE),
            ("ben", "ann", WHITE),
            ("ann", "ben", WHITE),
        )
    ]
    decree(table, DecreeKind.ANNUL, game_id=games[annulled].id)

    assert results(table) == ["done"]
    assert rated_games.stored_ratings(table) == rated_games.recompute_ratings(table)


def test_annulling_a_game_lets_an_uncounted_one_count(table: Table) -> None:
    first, *_ = [rated_games.play(table, "ann", "ben", WHITE) for _ in range(3)]
    rated_games.play(table, "ann", "ben", WHITE, "rbc")
    assert rating_of(table, "ann", "rbc") is None
    decree(table, DecreeKind.ANNUL, game_id=first.id)

    assert rating_of(table, "ann", "rbc") == 1741


def test_without_a_counted_game_there_is_no_rating(table: Table) -> None:
    game = rated_games.play(table, "ann", "ben", WHITE)
    decree(table, DecreeKind.ANNUL, game_id=game.id)

    assert rated_games.stored_ratings(table) == {}


def test_both_players_are_told_why_a_game_was_annulled(table: Table) -> None:
    game = rated_games.play(table, "ann", "ben", WHITE)
    decree(table, DecreeKind.ANNUL, game_id=game.id, reason="It was played by one person.")

    for player in (ANN, BEN):
        email = unwrap(table.last_text(player))
        assert "An admin has taken this game out of the ratings" in email
        assert "It was played by one person." in email


def test_a_game_is_annulled_only_once_and_only_if_rated(table: Table) -> None:
    game = rated_games.play(table, "ann", "ben", WHITE)
    for _ in range(2):
        decree(table, DecreeKind.ANNUL, game_id=game.id)
    running = rated_games.begin(table, "ann", "ben")
    decree(table, DecreeKind.ANNUL, game_id=running.id)

    assert results(table) == ["done", "not_counted", "not_counted"]


def test_a_settled_rating_against_five_players_is_listed_until_it_is_too_old(table: Table) -> None:
    for _ in range(2):
        for guest in ("Bea", "Cid", "Dan", "Eve", "Fay"):
            for _ in range(3):
                rated_games.play(table, "ann", guest, None)
        table.clock.advance(days=30)
    assert rated_games.listed_players(table) == {rated_games.get_player(table, "ann")}
    table.clock.advance(days=91)
    rating_updates.unlist_some(table.server, table.clock())

    assert rated_games.listed_players(table) == set()
