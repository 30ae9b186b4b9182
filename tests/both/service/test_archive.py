"""The archive on both databases: filters, paging both ways, and the number of statements."""

from __future__ import annotations

import io
import re

import chess.pgn
import pytest
from sqlalchemy import event, select, update

from corr import limits
from corr.rules.variants import UMPIRES
from corr.service.community.archive import ArchivePage, load_page, pgn
from corr.service.community.archive_filters import ArchivePlace, FilterForm
from corr.service.players import players
from corr.store.tables import ArchiveRow, GameRow
from corr.words.errors import Refused
from tests.support.random_records import play_random_game
from tests.support.sample_games import GAMES
from tests.support.table import Table

ALL = FilterForm()


def load(table: Table, typed: FilterForm = ALL, before: str = "", after: str = "") -> ArchivePage:
    return load_page(table.server, typed, before, after)


def games(found: ArchivePage) -> list[int]:
    return [each.place.game_id for each in found.games]


def test_games_of_every_kind_are_found_alone_and_together(table: Table) -> None:
    for seed, variant in enumerate(UMPIRES):
        play_random_game(table.server, variant, seed, most=6 + seed * 8)
    with table.server.store.reading() as connection:
        rows = connection.execute(select(ArchiveRow.game_id, ArchiveRow.kind, ArchiveRow.ended_at)).all()
    public_kinds = {game: kind for game, kind, _ in rows if re.fullmatch(r"\w+ \w\w", kind)}

    assert len(rows) == 3 * len(public_kinds) > 0
    assert set(games(load(table))) == set(public_kinds)
    for game, kind in public_kinds.items():
        variant, letters = kind.split()
        result = {"w": "white", "b": "black", "d": "drawn"}[letters[0]]
        length = {"s": "short", "m": "middle", "l": "long"}[letters[1]]
        assert games(load(table, FilterForm(variant=variant, result=result, length=length))) == [game]


@pytest.mark.parametrize("side", ["White", "Black"])
def test_a_players_games_are_found_by_their_result_for_that_player(table: Table, side: str) -> None:
    for _ in range(2):
        play_random_game(table.server, "wild16", 1, most=4)
    with table.server.store.writing() as connection:
        player = players.find_house_player(connection, f"{side} 1")
        assert player
        players.rename(connection, player, f"The {side} one")
    found = {
        result: games(load(table, FilterForm(f"the {side} one", "", result)))
        for result in ("", "won", "lost", "drawn")
    }

    assert len(found[""]) == 2
    assert sorted(found["won"] + found["lost"] + found["drawn"]) == sorted(found[""])
    assert games(load(table, FilterForm(f"the {side} one", until="2026-11-19"))) == []


def test_pages_lead_from_newest_to_oldest_and_back(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ARCHIVE_GAMES_A_PAGE", 2)
    for seed in range(5):
        play_random_game(table.server, "wild16", seed, most=2)
    first = load(table)
    assert first.older
    second = load(table, before=first.older.text)
    assert second.older
    last = load(table, before=second.older.text)
    assert last.newer
    back = load(table, after=last.newer.text)

    assert len({*games(first), *games(second), *games(last)}) == 5
    assert (games(back), last.older, first.newer) == (games(second), None, None)
    assert second.newer
    assert games(load(table, after=second.newer.text)) == games(first)


def test_the_pgn_has_the_filtered_games(table: Table) -> None:
    for seed, variant in enumerate(("wild16", "cincinnati")):
        play_random_game(table.server, variant, seed, most=2)
    text = io.StringIO(b"".join(pgn(table.server, FilterForm(variant="cincinnati"))).decode())

    read = chess.pgn.read_game(text)
    assert read
    assert (read.headers["White"], read.headers["Black"]) == ("White 1", "Black 1")
    assert chess.pgn.read_game(text) is None


def test_an_unknown_player_is_refused_whatever_was_typed(table: Table) -> None:
    for name in ("nobody", "Pip", "\N{SNOWMAN}", "x" * 254):
        with pytest.raises(Refused, match="No games are listed under the name"):
            load(table, FilterForm(name))


def test_only_the_end_of_a_game_writes_to_the_archive_and_once(table: Table) -> None:
    statements = list[str]()
    event.listen(table.server.store.engine, "before_cursor_execute", lambda *args: statements.append(args[2]))
    table.begin()
    *most, last = GAMES["wild16"].letters
    table.play(*most)
    assert not any("INTO archive" in each for each in statements)

    table.reply("ben@b.example", last)
    assert sum("INTO archive" in each for each in statements) == 1


def test_a_page_takes_three_queries_however_many_games_it_shows(table: Table) -> None:
    statements = list[str]()
    for seed in range(3):
        play_random_game(table.server, "wild16", seed, most=2)
    client = table.app().test_client()
    client.get("/archive")
    event.listen(table.server.store.engine, "before_cursor_execute", lambda *args: statements.append(args[2]))
    assert client.get("/archive").get_data().count(b'href="/finished/') == 3

    assert len([each for each in statements if each.startswith("SELECT")]) == 3, statements


def test_games_that_end_at_the_same_moment_are_paged_correctly(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "ARCHIVE_GAMES_A_PAGE", 1)
    for seed in range(3):
        play_random_game(table.server, "rbc", seed, most=2)
    with table.server.store.writing() as connection:
        moment = connection.execute(select(GameRow.ended_at).limit(1)).scalar_one()
        connection.exec_driver_sql("DELETE FROM archive WHERE player_id > 0")
        connection.execute(update(ArchiveRow).values(ended_at=moment))
        ids = connection.execute(select(GameRow.id).order_by(GameRow.id.desc())).scalars().all()

    found, place = list[int](), ArchivePlace(moment, 10**9)
    while len(found) < 3:
        (game,) = games(load(table, before=place.text))
        found.append(game)
        place = ArchivePlace(moment, game)
    assert found == ids
