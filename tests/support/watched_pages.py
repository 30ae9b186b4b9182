"""Twins with a player's open pages: streams of news that look when a test says so, and a table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from corr.service.games.news import load_news
from corr.web.games.news import NewsStreams
from tests.support.browser import Browser
from tests.support.table import ANN, Table
from tests.support.twin_servers import Twin, make_twins

ALIVE, NEWS = b": \n\n", b"data: news\n\n"


class WatchedTwins:
    """Twins in which a player has two open streams: of one game and of all games."""

    def __init__(self, table: Table, folder: Path, player: str) -> None:
        browser = Browser(table.app())
        browser.sign_in(table, player)
        self.code = str(table.last_email(ANN)["Subject"])[-6:-1]
        self.twins = make_twins(table, folder, browser)
        self.both = (self.twins.one, self.twins.other)
        self._streams = [NewsStreams(partial(load_news, each.table.server), None, 0.0) for each in self.both]
        heads, told = zip(*map(self._open, self.both, self._streams), strict=True)
        assert heads[0] == heads[1]
        self._told = [events for each in told for events in each]
        assert [next(each) for each in self._told] == [ALIVE] * 4

    def _open(self, twin: Twin, streams: NewsStreams) -> tuple[list[object], list[Iterator[bytes]]]:
        """The status and headers of a twin's streams, and their bodies."""
        twin.app.extensions["news"] = streams
        answers = [twin.ask(path) for path in (f"/games/{self.code}/news", "/games/news")]
        heads = [(each.status, each.headers.to_wsgi_list()) for each in answers]
        return heads, [iter(each.iter_encoded()) for each in answers]

    def beat(self) -> bytes:
        """Let all streams look; they and the game's pages must be the same in both twins. Return the bytes."""
        for streams in self._streams:
            streams.look()
        (brought,) = {next(each) for each in self._told}
        one, other = self.twins.answers_to_cached(f"/games/{self.code}")
        assert one == other
        return brought

    def write(self, twin: Twin, player: str, text: str) -> None:
        """Reply to the newest email about the game, with the same Message-ID in both; nothing is sent yet."""
        letters = [each for each in twin.table.emails_to(player) if self.code in str(each["Subject"])]
        name = f"{len(letters)}-{text.encode().hex()}@mail.example"
        twin.table.deliver(twin.table.reply_email(player, text, to=letters[-1], message_id=name))
        twin.table.read_emails()
