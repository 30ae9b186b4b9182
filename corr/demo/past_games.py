"""Plays the finished games of a new demo and enters its event, as regular players would."""

from __future__ import annotations

import threading

from corr.demo.mailbox import REGULARS
from corr.demo.pages import Demo
from corr.service.events import entries
from corr.service.games import lifecycle, page, page_orders
from corr.service.games.lifecycle import Pairing
from corr.service.games.page_orders import PageText
from corr.service.players import mail_preferences, mailboxes, players
from corr.service.players.mailboxes import Correspondent
from corr.words.board import Pair, Side
from corr.worker_wakeup import Work

#: A whole short game of each variant: what each side writes in turn, White first.
PAST_GAMES = {
    "wild16": ("f2f3", "e7e5", "g2g4", "d8h4"),
    "cincinnati": ("f2f3", "e7e5", "g2g4", "d8h4"),
    "classic": ("any?\nf2f3", "e7e5", "any? yes: f3g4 / no: g2g4", "d8h4"),
    "crazykrieg": (
        *("g2g4", "d7d5", "f2f3", "c8g4"),
        *("any? yes: f3g4 / no: a2a3", "e7e5", "B@a3", "d8h4"),
    ),
    "welbeck": ("deploy home", "deploy home", "f2f3", "e7e6", "g2g3", "b8c6", "g3g4", "d8h4"),
    "assassin": ("deploy home", "deploy home", "b1c3", "b8c6", "f2f3", "e7e5", "g2g4", "d8h4"),
    "rbc": ("sense e7; e2e4", "sense e2\nf7f6", "sense f7; d1h5", "sense none; pass", "sense e8; h5e8"),
}
_DRAWN_GAME = ("e2e4", "e7e5", "g1f3", "draw?", "accept")
_GLANCE = 0.02


def play_past_games(demo: Demo, stop: threading.Event) -> None:
    """Play all games one after another by the usual workers, until the demo ends."""
    seated = [_enrol(demo, each.name, each.address) for each in REGULARS]
    ids = [each.player_id or 0 for each in seated]
    # A leaderboard lists players with many games. Of each two regulars, the first beats the other once, as Black.
    pairs = [pair for apart in range(1, len(ids)) for pair in zip(ids, ids[apart:], strict=False)]
    rounds = (_DRAWN_GAME, _DRAWN_GAME, PAST_GAMES["wild16"])
    games = [("wild16", turns, Pair(other, one)) for turns in rounds for one, other in pairs]
    games += [(variant, turns, Pair(ids[1], ids[0])) for variant, turns in PAST_GAMES.items()]
    for variant, turns, sides in games:
        _play(demo, stop, Pairing(sides, variant, "3d", rated=True), turns)
        if stop.is_set():
            return
    with demo.server.store.writing() as connection:
        for each in seated[:2]:
            entries.enter_site_section(connection, each, "wild16", demo.server.now(), fills=False)


def _enrol(demo: Demo, name: str, address: str) -> Correspondent:
    """Return a regular player, who wants no emails about turns."""
    now = demo.server.now()
    players.add(demo.server, name, address, now)
    with demo.server.store.writing() as connection:
        found = mailboxes.find_correspondent(connection, address)
        assert found
        assert found.player_id
        mail_preferences.choose_mailing(connection, found.player_id, mail_preferences.OFF, now)
    return found


def _play(demo: Demo, stop: threading.Event, pairing: Pairing, turns: tuple[str, ...]) -> None:
    """Play one game, each turn as if it were written on its page."""
    with demo.server.store.writing() as connection:
        game = lifecycle.start(connection, pairing, demo.server.now())
    for number, text in enumerate(turns):
        side, now = tuple(Side)[number % 2], demo.server.now()
        (own,) = page.list_game_players(demo.server, pairing.players[side], game.code, now)
        written = page_orders.queue_text(demo.server, own.seat_id, PageText(text, own.status.stamp), now)
        demo.knock(Work.LETTERS)
        while not page_orders.find_answered(demo.server, [written]):
            if stop.wait(_GLANCE):
                return
