"""A name that a player keeps from a game is linked to it on no page that everybody may read, from the first move on."""

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
#: Addresses that no page links to, or only a form leads to.
ALSO = (
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


def choose(table: Table, name: str, said: str) -> None:
    player_id = rated_games.player(table, name)
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).where(PlayerRow.id == player_id).values(publishes=said))


def made_up(table: Table, name: str) -> str:
    player_id = rated_games.player(table, name)
    with table.server.store.reading() as connection:
        return publishing.make_pen_name(publishing.load_secret(connection), player_id)


def public_pages(table: Table) -> Iterator[tuple[str, str]]:
    """All that somebody who has not signed in can come to by links, and by forms that ask for either name."""
    client = Browser(table.at_work()).client
    waiting = [each.format(name=name) for each in ALSO for name in (HIDDEN, OTHER)]
    seen = set[str]()
    while waiting:
        at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        page = client.get(at, follow_redirects=True).get_data().decode(errors="replace")
        waiting += [unescape(each) for each in re.findall(r'(?:href|content)="(/[^"#]*)', page)]
        yield at, page


def told_together(table: Table) -> list[str]:
    """Which pages name the hidden player beside the other one."""
    return [at for at, page in public_pages(table) if HIDDEN in page and OTHER in page]


def telling(table: Table, name: str) -> list[str]:
    """Which pages name somebody beside the other player."""
    return [at for at, page in public_pages(table) if name in page and OTHER in page]


@pytest.mark.parametrize("later", ["", "name", "no", "yes"])
@pytest.mark.parametrize("said", ["yes", "no"])
def test_a_name_that_was_kept_back_when_a_game_began_is_never_told_beside_it(
    table: Table, said: str, later: str
) -> None:
    choose(table, HIDDEN, said)
    game = rated_games.begin(table, OTHER, HIDDEN)
    assert told_together(table) == []

    choose(table, HIDDEN, later)
    assert told_together(table) == []
    rated_games.end(table, game, Side.WHITE)
    table.work()
    assert told_together(table) == []
    assert bool(telling(table, made_up(table, HIDDEN))) is ("no" not in (said, later))


@pytest.mark.parametrize("said", ["yes", "no"])
def test_a_name_that_is_kept_back_later_is_told_beside_no_game_any_more(table: Table, said: str) -> None:
    game = rated_games.begin(table, OTHER, HIDDEN)
    assert {f"/players/{OTHER}", f"/players/{HIDDEN}"} <= {*told_together(table)}

    choose(table, HIDDEN, said)
    assert told_together(table) == []
    rated_games.end(table, game, Side.WHITE)
    table.work()
    assert told_together(table) == []


@pytest.mark.parametrize("said", ["yes", "no"])
def test_no_event_tells_a_name_that_is_kept_back_but_to_those_who_play_there(table: Table, said: str) -> None:
    five = OTHER, *events.FIVE[:3], HIDDEN
    for name in five:
        events.person(table, name)
    choose(table, HIDDEN, said)
    for name in five[:4]:
        event = events.enter(table, name)
    pyramid = [events.climb(table, name) for name in five][-1]
    assert told_together(table) == []
    events.enter(table, HIDDEN)
    table.work()
    choose(table, HIDDEN, "name")
    events.over(table, events.between(table, event, OTHER, HIDDEN), "white")
    table.sweep()

    assert told_together(table) == [f"/events/{pyramid.code}"]
    assert f"/events/{event.code}" in telling(table, made_up(table, HIDDEN))
    player = Browser(table.at_work())
    player.let_in(table, events.address(OTHER))
    assert HIDDEN in player.open(f"/events/{event.code}")
