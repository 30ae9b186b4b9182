"""A name that a player hides is never shown with their games on a public page, from the first move on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import pytest
from sqlalchemy import update

from corr.service.players import publishing
from corr.store.tables import PlayerRow
from corr.words.board import Side
from tests.support import events, rated_games
from tests.support.browser import Browser
from tests.support.table import Table

HIDDEN, OTHER = "Zephyra", "Quillon"
#: Addresses that no page links to, or only a form.
UNLINKED = (
    "/",
    "/archive",
    "/archive/games.pgn",
    "/archive?player={name}",
    "/archive/games.pgn?player={name}",
    "/events/",
    "/open",
    "/players/",
    "/players/?name={name}",
    "/players/{name}",
    "/players/{name}/wild16",
)


def set_publishing(table: Table, name: str, said: str) -> None:
    player_id = rated_games.get_player(table, name)
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).where(PlayerRow.id == player_id).values(publishes=said))


def pen_name(table: Table, name: str) -> str:
    player_id = rated_games.get_player(table, name)
    with table.server.store.reading() as connection:
        return publishing.make_pen_name(publishing.load_secret(connection), player_id)


def public_pages(table: Table) -> Iterator[tuple[str, str]]:
    """All pages a stranger can reach by links, and by forms with either name."""
    client = Browser(table.app_with_workers()).client
    waiting = [each.format(name=name) for each in UNLINKED for name in (HIDDEN, OTHER)]
    seen = set[str]()
    while waiting:
        at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        page = client.get(at, follow_redirects=True).get_data().decode(errors="replace")
        waiting += [unescape(each) for each in re.findall(r'(?:href|content)="(/[^"#]*)', page)]
        yield at, page


def pages_with_both(table: Table) -> list[str]:
    """The pages that name both the hidden player and the other one."""
    return [at for at, page in public_pages(table) if HIDDEN in page and OTHER in page]


def pages_with(table: Table, name: str) -> list[str]:
    """The pages that name both this player and the other one."""
    return [at for at, page in public_pages(table) if name in page and OTHER in page]


@pytest.mark.parametrize("later", ["", "name", "no", "yes"])
@pytest.mark.parametrize("said", ["yes", "no"])
def test_a_name_hidden_when_a_game_began_is_never_shown_with_it(table: Table, said: str, later: str) -> None:
    set_publishing(table, HIDDEN, said)
    game = rated_games.begin(table, OTHER, HIDDEN)
    assert pages_with_both(table) == []

    set_publishing(table, HIDDEN, later)
    assert pages_with_both(table) == []
    rated_games.end(table, game, Side.WHITE)
    table.run_workers()
    assert pages_with_both(table) == []
    assert bool(pages_with(table, pen_name(table, HIDDEN))) is ("no" not in (said, later))


@pytest.mark.parametrize("said", ["yes", "no"])
def test_a_name_hidden_later_is_no_longer_shown_with_any_game(table: Table, said: str) -> None:
    game = rated_games.begin(table, OTHER, HIDDEN)
    assert {f"/players/{OTHER}", f"/players/{HIDDEN}"} <= {*pages_with_both(table)}

    set_publishing(table, HIDDEN, said)
    assert pages_with_both(table) == []
    rated_games.end(table, game, Side.WHITE)
    table.run_workers()
    assert pages_with_both(table) == []


@pytest.mark.parametrize("said", ["yes", "no"])
def test_an_event_shows_a_hidden_name_only_to_its_players(table: Table, said: str) -> None:
    five = OTHER, *events.FIVE[:3], HIDDEN
    for name in five:
        events.make_player(table, name)
    set_publishing(table, HIDDEN, said)
    for name in five[:4]:
        event = events.enter_section(table, name)
    pyramid = [events.enter_pyramid(table, name) for name in five][-1]
    assert pages_with_both(table) == []
    events.enter_section(table, HIDDEN)
    table.run_workers()
    set_publishing(table, HIDDEN, "name")
    events.end_game(table, events.find_game(table, event, OTHER, HIDDEN), "white")
    table.sweep()

    assert pages_with_both(table) == [f"/events/{pyramid.code}"]
    assert f"/events/{event.code}" in pages_with(table, pen_name(table, HIDDEN))
    player = Browser(table.app_with_workers())
    player.sign_in_directly(table, events.address(OTHER))
    assert HIDDEN in player.open(f"/events/{event.code}")
