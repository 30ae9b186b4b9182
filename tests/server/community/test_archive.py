"""The archive: which games are listed, under which names, and how they are found."""

from __future__ import annotations

import io
import re

import chess.pgn
import pytest
from sqlalchemy import func, select, update
from werkzeug.test import TestResponse

from corr import limits
from corr.rules.variants import UMPIRES
from corr.service.admin.maintenance import delete_player
from corr.service.games import moderation
from corr.service.games.moderation import DecreeKind, DecreeRequest
from corr.service.players import players, publishing
from corr.store.tables import ArchiveRow, GameRow, PlayerRow
from tests.support.browser import Browser, text_of_page
from tests.support.random_records import play_random_game
from tests.support.sample_games import GAMES
from tests.support.table import ANN, BEN, EVE, Table

#: Twenty-one moves of each side without a capture or a check.
PEACEFUL = (
    *(f"{file}{start}{file}{end}" for file in "abcdefgh" for start, end in ((2, 3), (7, 6))),
    *("b1d2", "b8d7", "g1e2", "g8e7", "a1a2", "a8a7", "h1h2", "h8h7", "a2a1", "a7a8", "h2h1", "h7h8"),
    *("d2b1", "d7b8", "e2g1", "e7g8", "d1d2", "d8d7", "e1d1", "e8d8", "d1e1", "d8e8", "d2d1", "d7d8"),
    *("a1a2", "a8a7"),
)
NAMES = {ANN: "Annabel Quince", BEN: "Benedict Thornapple"}


def play(table: Table, variant: str = "wild16", *emails: str) -> None:
    """Play a game of Annabel Quince, White, against Benedict Thornapple; by default a sample game."""
    table.begin_by_email(variant)
    new_names = {player_id(table, address): name for address, name in NAMES.items()}
    with table.server.store.writing() as connection:
        for player, name in new_names.items():
            players.rename(connection, player, name)
    table.play(*(emails or GAMES[variant].letters))


def player_id(table: Table, address: str) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(PlayerRow.id).where(PlayerRow.address == address)).scalar_one()


def pen_name(table: Table, address: str) -> str:
    with table.server.store.reading() as connection:
        return publishing.make_pen_name(publishing.load_secret(connection), player_id(table, address))


def set_publishing(table: Table, **settings: str) -> None:
    """Set how ann or ben wants to be named, e.g. ann="yes"."""
    with table.server.store.writing() as connection:
        for address in (ANN, BEN):
            if (said := settings.get(address[:3])) is not None:
                connection.execute(
                    update(PlayerRow).where(PlayerRow.address == address).values(publishes=said)
                )


def ask(table: Table, **query: str) -> TestResponse:
    return table.app().test_client().get("/archive", query_string=query)


def source(table: Table, **query: str) -> str:
    answer = ask(table, **query)
    assert answer.status_code == 200, text_of_page(answer.get_data(as_text=True))
    return answer.get_data(as_text=True)


def rows(page: str) -> list[str]:
    """The text of the list's rows."""
    return [text_of_page(each) for each in re.findall(r"<tr>.*?</tr>", page)[1:]]


def page_keys(page: str) -> list[str]:
    """The page keys of the listed games."""
    return re.findall(r'href="/finished/([^"]+)"', page)


def found(table: Table, **query: str) -> list[str]:
    return page_keys(source(table, **query))


def file(table: Table, **query: str) -> str:
    answer = table.app().test_client().get("/archive/games.pgn", query_string=query)
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def names_in(text: str) -> list[tuple[str, str]]:
    """The players' names in a file's games."""
    read = io.StringIO(text)
    games = iter(lambda: chess.pgn.read_game(read), None)
    return [(game.headers["White"], game.headers["Black"]) for game in games if game]


# ---------------------------------------------------------------- which games


@pytest.mark.parametrize("variant", UMPIRES)
def test_a_game_is_listed_once_it_is_over(table: Table, variant: str) -> None:
    assert "No finished games yet." in source(table)
    table.begin_by_email(variant)
    *most, last = GAMES[variant].letters
    table.play(*most)
    assert found(table) == []

    table.play(*([last] if len(most) % 2 == 0 else []))
    if len(most) % 2:
        table.reply(BEN, last)

    (row,) = rows(source(table))
    winner = "White" if variant == "rbc" else "Black"
    assert re.search(rf"ann ben .+ {winner} won \d moves 20 Nov 2026", row)
    (page_key,) = found(table)
    assert table.app().test_client().get(f"/finished/{page_key}").status_code == 200


def test_declined_cancelled_tutorial_and_running_games_are_not_listed(table: Table) -> None:
    table.challenge()
    table.reply(BEN, "decline")
    table.reply(ANN, "tutorial")
    table.reply(ANN, "resign resign")
    table.begin_by_email()
    table.play("e2e4", "e7e5")
    with table.server.store.reading() as connection:
        game = connection.execute(
            select(GameRow.id).where(GameRow.lesson.is_(None), GameRow.reason.is_(None))
        ).scalar_one()
    assert found(table) == []

    wish = DecreeRequest(DecreeKind.ADJUDICATE, "void", "It was begun twice.")
    moderation.decree(table.server, "olga@house.example", game, "1", wish, table.clock())
    table.run_workers()

    assert found(table) == []
    with table.server.store.reading() as connection:
        assert connection.execute(select(GameRow.reason).where(GameRow.id == game)).scalar_one() == "void"
        assert connection.execute(select(func.count()).select_from(ArchiveRow)).scalar_one() == 0


def test_an_adjudicated_game_is_listed(table: Table) -> None:
    table.begin()
    table.play("e2e4", "e7e5")
    with table.server.store.reading() as connection:
        game = connection.execute(select(GameRow.id)).scalar_one()
    wish = DecreeRequest(DecreeKind.ADJUDICATE, "white", "Ben has asked for it.")
    moderation.decree(table.server, "olga@house.example", game, "1", wish, table.clock())
    table.run_workers()

    (row,) = rows(source(table))
    assert "White won 1 move " in row


@pytest.mark.parametrize("ann", ["", "no", "yes", "name"])
@pytest.mark.parametrize("ben", ["", "no", "yes", "name"])
def test_players_choose_their_name_in_the_archive_or_not_to_be_listed(
    table: Table, ann: str, ben: str
) -> None:
    play(table)
    set_publishing(table, ann=ann, ben=ben)
    page, written = source(table), file(table)

    if "no" in (ann, ben):
        assert (page_keys(page), written) == ([], "")
        return
    expected = [
        pen_name(table, each) if said == "yes" else NAMES[each] for each, said in ((ANN, ann), (BEN, ben))
    ]
    assert rows(page)[0].startswith(" ".join(expected))
    assert names_in(written) == [tuple(expected)]
    for name, said in zip(NAMES.values(), (ann, ben), strict=True):
        assert (f"/players/{name.replace(' ', '%20')}" in page) == (said != "yes")
        assert (name in page + written) == (said != "yes")


def test_a_changed_choice_holds_for_earlier_games_too(table: Table) -> None:
    play(table)
    for said, is_listed in (("no", False), ("name", True), ("no", False), ("", True)):
        set_publishing(table, ben=said)
        assert bool(found(table)) == is_listed


def test_unlisted_games_leave_no_gaps_and_end_no_search(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "ARCHIVE_GAMES_A_PAGE", 2)
    for seed in range(9):
        play_random_game(table.server, "wild16", seed, most=2)
        table.clock.advance(minutes=1)
    with table.server.store.writing() as connection:
        unlisted = select(PlayerRow.id).where(
            PlayerRow.name.in_([f"White {seed}" for seed in (1, 2, 3, 4, 6)])
        )
        connection.execute(update(PlayerRow).where(PlayerRow.id.in_(unlisted)).values(publishes="no"))
        connection.execute(update(ArchiveRow).values(ended_at=table.clock()))

    assert [row[:7] for row in rows(source(table))] == ["White 8", "White 7"]
    seen, page = list[str](), source(table)
    while older := re.search(r'href="/archive\?before=([^"]+)"', page):
        seen += rows(page)
        page = source(table, before=older[1])
    assert [row[6] for row in [*seen, *rows(page)]] == ["8", "7", "5", "0"]

    monkeypatch.setattr(limits, "ARCHIVE_GAMES_SEARCHED", 2)
    shown, page = list[str](), source(table)
    while older := re.search(r'href="/archive\?before=([^"]+)"', page):
        shown += rows(page)
        page = source(table, before=older[1])
    assert [row[6] for row in [*shown, *rows(page)]] == ["8", "7", "5", "0"]


def test_games_of_a_deleted_player_stay_without_the_name(table: Table) -> None:
    play(table)
    set_publishing(table, ben="yes")
    delete_player(table.server, NAMES[BEN], table.clock())

    page = source(table)
    assert rows(page)[0].startswith("Annabel Quince Somebody")
    assert "/players/Somebody" not in page


def test_unlisted_games_of_a_deleted_player_stay_unlisted(table: Table) -> None:
    play(table)
    set_publishing(table, ben="no")
    delete_player(table.server, NAMES[BEN], table.clock())

    assert found(table) == []


def test_a_player_with_a_hidden_page_is_listed_without_a_link(table: Table) -> None:
    play(table)
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).where(PlayerRow.address == BEN).values(hidden=True))

    page = source(table)
    assert NAMES[BEN] in page
    assert "/players/Annabel%20Quince" in page
    assert "/players/Benedict" not in page


# ---------------------------------------------------------------- searching


def test_games_are_found_by_player_variant_result_length_and_date(table: Table) -> None:
    play(table)  # Ann lost to Ben, short
    wild = set(found(table))
    table.clock.advance(days=2)
    play(table, "rbc")  # and beat him
    rbc = set(found(table)) - wild
    table.clock.advance(days=2)
    play(table, "classic", "e2e4\ndraw?", "accept")
    drawn = set(found(table)) - wild - rbc
    table.clock.advance(days=2)
    play(table, "cincinnati", *PEACEFUL, "resign resign")
    middle = set(found(table)) - wild - rbc - drawn

    for query, expected in (
        ({}, wild | rbc | drawn | middle),
        ({"variant": "rbc"}, rbc),
        ({"variant": "assassin"}, set()),
        ({"result": "white"}, rbc),
        ({"result": "black"}, wild | middle),
        ({"result": "drawn"}, drawn),
        ({"length": "short"}, wild | rbc | drawn),
        ({"length": "middle"}, middle),
        ({"length": "long"}, set()),
        ({"player": "Annabel Quince"}, wild | rbc | drawn | middle),
        ({"player": " annabel  quince "}, wild | rbc | drawn | middle),
        ({"player": NAMES[ANN], "result": "won"}, rbc),
        ({"player": NAMES[ANN], "result": "lost"}, wild | middle),
        ({"player": NAMES[BEN], "result": "won"}, wild | middle),
        ({"player": NAMES[BEN], "result": "lost"}, rbc),
        ({"player": NAMES[BEN], "result": "black"}, wild | middle),
        ({"player": NAMES[BEN], "result": "drawn", "variant": "classic"}, drawn),
        ({"from": "2026-11-22"}, rbc | drawn | middle),
        ({"to": "2026-11-22"}, wild | rbc),
        ({"from": "2026-11-22", "to": "2026-11-22"}, rbc),
        ({"from": "2026-11-27"}, set()),
        ({"to": "2026-11-19"}, set()),
    ):
        page = source(table, **query)
        assert set(page_keys(page)) == expected, query
        assert len(page_keys(page)) == len(expected)
        assert len(names_in(file(table, **query))) == len(expected), query
        assert ("No games found." in page) == (not expected)


def test_a_server_bot_is_found_by_its_name_with_or_without_bot(table: Table) -> None:
    with table.server.store.writing() as connection:
        players.get_house_player(connection, "Pip (bot)")
    table.begin()
    table.play(*GAMES["wild16"].letters)
    bens_rows = update(ArchiveRow).where(ArchiveRow.player_id == player_id(table, BEN))
    with table.server.store.writing() as connection:
        pip = players.find_house_player(connection, "Pip (bot)")
        connection.execute(bens_rows.values(player_id=pip))

    for name in ("Pip", "pip (bot)"):
        assert len(found(table, player=name)) == 1
    assert ask(table, player="Marlow").status_code == 400


def test_pages_lead_to_the_oldest_game_and_back(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ARCHIVE_GAMES_A_PAGE", 2)
    for seed in range(5):
        play_random_game(table.server, "wild16", seed, most=2)
    browser = Browser(table.app())
    first, second, third = (
        page_keys_at(browser, "/archive"),
        *(page_keys_at(browser, link(browser, "Older")) for _ in range(2)),
    )
    back, first_again = (page_keys_at(browser, link(browser, "Newer")) for _ in range(2))
    assert "Newer" not in browser.answer.get_data(as_text=True)

    assert (back, first_again) == (second, first)
    assert [len(each) for each in (first, second, third)] == [2, 2, 1]
    assert len({*first, *second, *third}) == 5


def page_keys_at(browser: Browser, path: str) -> list[str]:
    browser.open(path)
    return page_keys(browser.answer.get_data(as_text=True))


def link(browser: Browser, text: str) -> str:
    found = re.search(rf'href="(/archive\?[^"]+)" rel="\w+">{text}<', browser.answer.get_data(as_text=True))
    assert found
    return found[1].replace("&amp;", "&")


def test_the_search_stays_in_the_form_and_the_links(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ARCHIVE_GAMES_A_PAGE", 1)
    for _ in range(2):
        play(table)
    ben = Browser(table.app())
    ben.open("/archive")
    ben.press("Show", player="benedict thornapple", result="won", **{"from": "2026-11-01"})
    page = ben.answer.get_data(as_text=True)

    assert 'value="benedict thornapple"' in page
    assert '<option value="won" selected>' in page
    assert 'value="2026-11-01"' in page
    older = link(ben, "Older")
    assert "player=benedict+thornapple&result=won&from=2026-11-01&before=" in older.replace("%20", "+")
    assert len(page_keys_at(ben, older)) == 1
    assert "/archive/games.pgn?player=benedict" in page


def test_a_file_has_a_maximum_number_of_games(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(5):
        play_random_game(table.server, "wild16", seed, most=2)
    whole = file(table)
    assert len(names_in(whole)) == 5

    monkeypatch.setattr(limits, "ARCHIVE_GAMES_A_PAGE", 2)
    assert file(table) == whole
    monkeypatch.setattr(limits, "ARCHIVE_FILE_GAMES", 3)
    assert names_in(file(table)) == names_in(whole)[:3]
    assert "The newest 3 as PGN" in text_of_page(source(table))


# ---------------------------------------------------------------- hidden names


def test_a_player_under_a_pen_name_is_not_found_by_their_own(table: Table) -> None:
    play(table)
    nobody = text_of_page(ask(table, player="Benedict Thornapples").get_data(as_text=True))
    for said in ("yes", "no"):
        set_publishing(table, ben=said)
        answer = ask(table, player=NAMES[BEN])

        assert answer.status_code == 400
        page = text_of_page(answer.get_data(as_text=True))
        assert page.replace(NAMES[BEN], "…") == nobody.replace("Benedict Thornapples", "…")
        assert (
            table.app().test_client().get("/archive/games.pgn?player=Benedict+Thornapple").status_code == 400
        )
    assert ask(table, player=pen_name(table, BEN)).status_code == 400


def test_a_finished_games_page_and_file_show_strangers_only_the_archives_names(
    table: Table,
) -> None:
    play(table)
    set_publishing(table, ann="yes", ben="name")
    (page_key,) = found(table)
    ann, ben, eve = (Browser(table.app_with_workers()) for _ in range(3))
    ann.sign_in(table, ANN)
    ben.sign_in(table, BEN)
    eve.sign_in(table, EVE, "Eve")
    stranger = Browser(table.app_with_workers())

    for client in (stranger.client, eve.client):
        for path in ("", "?from=white&at=1", "?from=black", "/game.pgn", "/analysis"):
            page = client.get(f"/finished/{page_key}{path}").get_data(as_text=True)
            assert "Quince" not in page, path
            assert "Annabel" not in page, path
        page = client.get(f"/finished/{page_key}").get_data(as_text=True)
        assert f'og:title" content="{NAMES[BEN]} beat {pen_name(table, ANN)}"' in page
        assert names_in(client.get(f"/finished/{page_key}/game.pgn").get_data(as_text=True)) == [
            (pen_name(table, ANN), NAMES[BEN])
        ]
        assert client.get(f"/finished/{page_key}").headers["X-Robots-Tag"] == "noindex"
    for client in (ann.client, ben.client):
        page = client.get(f"/finished/{page_key}").get_data(as_text=True)
        assert NAMES[ANN] in page
        assert names_in(client.get(f"/finished/{page_key}/game.pgn").get_data(as_text=True)) == [
            (NAMES[ANN], NAMES[BEN])
        ]


def test_an_old_link_does_not_reveal_a_player_who_is_no_longer_listed(table: Table) -> None:
    play(table)
    set_publishing(table, ann="yes")
    (page_key,) = found(table)
    set_publishing(table, ann="no")

    assert "Quince" not in table.app().test_client().get(f"/finished/{page_key}").get_data(as_text=True)


def test_the_archive_is_not_indexed(table: Table) -> None:
    for path in ("/archive", "/archive/games.pgn"):
        assert table.app().test_client().get(path).headers["X-Robots-Tag"] == "noindex"


# ---------------------------------------------------------------- bad searches and the rate limit


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        (
            {"player": "nobody at all"},
            'No games are listed under the name "nobody at all".',
        ),
        ({"player": "Annabel\0Thornapple"}, "No games are listed under the name"),
        ({"player": "x" * 10_000}, "No games are listed under the name"),
        ({"player": "(bot)"}, "No games are listed under the name"),
        ({"player": "Somebody"}, "No games are listed under the name"),
        ({"player": "-"}, "No games are listed under the name"),
        ({"variant": "chess"}, "That isn't one of the choices. Please use the form"),
        ({"result": "won"}, "To search for games won or lost"),
        ({"result": "lost"}, "To search for games won or lost"),
        ({"result": "1-0"}, "That isn't one of the choices. Please use the form"),
        ({"length": "endless"}, "That isn't one of the choices. Please use the form"),
        ({"from": "yesterday"}, '"yesterday" isn\'t a date'),
        ({"from": "2026-02-30"}, '"2026-02-30" isn\'t a date'),
        ({"to": "0000-00-00"}, "isn't a date"),
        ({"to": "9999-12-31"}, "isn't a date"),
        ({"to": "٢٠٢٦-10-10"}, "isn't a date"),
        ({"from": "20261101"}, "isn't a date"),
        ({"from": "2026-11-01\0"}, ""),
        ({"to": "2999-12-31"}, ""),
        ({"before": "nonsense"}, "There's no such page in the archive"),
        ({"after": "1-"}, "There's no such page in the archive"),
        ({"after": "٣-1"}, "There's no such page in the archive"),
        ({"before": "9" * 40 + "-1"}, "There's no such page in the archive"),
        ({"before": "9" * 16 + "-" + "9" * 18}, ""),
        ({"after": "9" * 16 + "-" + "9" * 18}, ""),
        ({"before": "0-0"}, ""),
    ],
    ids=str,
)
def test_a_bad_search_is_answered_with_a_sentence(table: Table, query: dict[str, str], sentence: str) -> None:
    play(table)
    answer = ask(table, **query)

    assert answer.status_code == (400 if sentence else 200)
    assert sentence in text_of_page(answer.get_data(as_text=True))
    client = table.app().test_client()
    if "before" not in query and "after" not in query:
        assert client.get("/archive/games.pgn", query_string=query).status_code == answer.status_code


def test_the_archive_is_rate_limited(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ARCHIVE_PAGES_AN_HOUR", 2)
    monkeypatch.setattr(limits, "ARCHIVE_FILES_AN_HOUR", 1)
    client = table.app().test_client()

    assert [client.get("/archive").status_code for _ in range(3)] == [200, 200, 429]
    assert [client.get("/archive/games.pgn").status_code for _ in range(2)] == [200, 429]
