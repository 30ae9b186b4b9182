"""The archive on both databases: what is asked is found, in both directions, and games come to it in one statement."""

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
from tests.support.random_records import played_at_random
from tests.support.sample_games import GAMES
from tests.support.table import Table

ALL = FilterForm()


def shown(table: Table, typed: FilterForm = ALL, before: str = "", after: str = "") -> ArchivePage:
    return load_page(table.server, typed, before, after)


def games(found: ArchivePage) -> list[int]:
    return [each.place.game_id for each in found.games]


def test_every_kind_is_found_alone_and_all_of_them_together(table: Table) -> None:
    for seed, variant in enumerate(UMPIRES):
        played_at_random(table.server, variant, seed, most=6 + seed * 8)
    with table.server.store.reading() as connection:
        kept = connection.execute(select(ArchiveRow.game_id, ArchiveRow.kind, ArchiveRow.ended_at)).all()
    everybody = {game: kind for game, kind, _ in kept if re.fullmatch(r"\w+ \w\w", kind)}

    assert len(kept) == 3 * len(everybody) > 0
    assert set(games(shown(table))) == set(everybody)
    for game, kind in everybody.items():
        variant, letters = kind.split()
        result = {"w": "white", "b": "black", "d": "drawn"}[letters[0]]
        length = {"s": "short", "m": "middle", "l": "long"}[letters[1]]
        assert games(shown(table, FilterForm(variant=variant, result=result, length=length))) == [game]


@pytest.mark.parametrize("side", ["White", "Black"])
def test_a_players_games_are_found_by_what_they_were_to_that_player(table: Table, side: str) -> None:
    for _ in range(2):
        played_at_random(table.server, "wild16", 1, most=4)
    with table.server.store.writing() as connection:
        player = players.find_house_player(connection, f"{side} 1")
        assert player
        players.rename(connection, player, f"The {side} one")
    found = {
        result: games(shown(table, FilterForm(f"the {side} one", "", result)))
        for result in ("", "won", "lost", "drawn")
    }

    assert len(found[""]) == 2
    assert sorted(found["won"] + found["lost"] + found["drawn"]) == sorted(found[""])
    assert games(shown(table, FilterForm(f"the {side} one", until="2026-11-19"))) == []


def test_pages_lead_from_the_newest_to_the_oldest_and_back(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "ARCHIVE_GAMES_A_PAGE", 2)
    for seed in range(5):
        played_at_random(table.server, "wild16", seed, most=2)
    first = shown(table)
    assert first.older
    second = shown(table, before=first.older.text)
    assert second.older
    last = shown(table, before=second.older.text)
    assert last.newer
    back = shown(table, after=last.newer.text)

    assert len({*games(first), *games(second), *games(last)}) == 5
    assert (games(back), last.older, first.newer) == (games(second), None, None)
    assert second.newer
    assert games(shown(table, after=second.newer.text)) == games(first)


def test_a_file_has_the_games_that_are_asked_for(table: Table) -> None:
    for seed, variant in enumerate(("wild16", "cincinnati")):
        played_at_random(table.server, variant, seed, most=2)
    text = io.StringIO(b"".join(pgn(table.server, FilterForm(variant="cincinnati"))).decode())

    read = chess.pgn.read_game(text)
    assert read
    assert (read.headers["White"], read.headers["Black"]) == ("White 1", "Black 1")
    assert chess.pgn.read_game(text) is None


def test_who_is_not_there_is_refused_whatever_was_typed(table: Table) -> None:
    for name in ("nobody", "Pip", "\N{SNOWMAN}", "x" * 254):
        with pytest.raises(Refused, match="No games are listed under the name"):
            shown(table, FilterForm(name))


def test_the_end_of_a_game_costs_one_statement_more_and_a_move_none(table: Table) -> None:
    said = list[str]()
    event.listen(table.server.store.engine, "before_cursor_execute", lambda *told: said.append(told[2]))
    table.begin()
    *most, last = GAMES["wild16"].letters
    table.play(*most)
    assert not any("INTO archive" in each for each in said)

    table.reply("ben@b.example", last)
    assert sum("INTO archive" in each for each in said) == 1


def test_a_page_asks_the_same_few_questions_however_many_games_it_shows(table: Table) -> None:
    said = list[str]()
    for seed in range(3):
        played_at_random(table.server, "wild16", seed, most=2)
    client = table.app().test_client()
    client.get("/archive")
    event.listen(table.server.store.engine, "before_cursor_execute", lambda *told: said.append(told[2]))
    assert client.get("/archive").get_data().count(b'href="/finished/') == 3

    assert len([each for each in said if each.startswith("SELECT")]) == 3, said


def test_games_that_end_at_one_moment_are_told_apart(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ARCHIVE_GAMES_A_PAGE", 1)
    for seed in range(3):
        played_at_random(table.server, "rbc", seed, most=2)
    with table.server.store.writing() as connection:
        moment = connection.execute(select(GameRow.ended_at).limit(1)).scalar_one()
        connection.exec_driver_sql("DELETE FROM archive WHERE player_id > 0")
        connection.execute(update(ArchiveRow).values(ended_at=moment))
        ids = connection.execute(select(GameRow.id).order_by(GameRow.id.desc())).scalars().all()

    found, place = list[int](), ArchivePlace(moment, 10**9)
    while len(found) < 3:
        (game,) = games(shown(table, before=place.text))
        found.append(game)
        place = ArchivePlace(moment, game)
    assert found == ids
