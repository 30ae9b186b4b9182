"""The unchanged `reconchess` package plays whole games on a server, and its history is right."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlalchemy import select
from werkzeug.serving import make_server

from corr.service.players import players
from corr.store.tables import GameRow
from corr.web import create_app
from corr.words.board import Side
from tests.support.api_bots import ApiBot, make_token
from tests.support.bot_game import let_bots_think
from tests.support.table import EVE, Table
from tests.support.waiting import join, wait_until

pytestmark = pytest.mark.skipif(
    find_spec("reconchess") is None and os.environ.get("CORR_TEST_ALL") != "1",
    reason="the reconchess package is not installed: pip install reconchess",
)


MARCHER = Path(__file__).parents[1] / "support" / "king_march_bot.py"


class LiveServer(NamedTuple):
    """A server that listens on this machine, and the credentials of Eve's bot."""

    url: str
    name: str
    token: str


@pytest.fixture
def live_server(table: Table) -> Iterator[LiveServer]:
    """A server whose workers and bots act at each knock."""
    players.add(table.server, "Eve", EVE, table.clock())
    working = threading.Lock()

    def work(_work: object) -> None:
        with working:
            table.run_workers()
            let_bots_think(table)

    server = make_server("127.0.0.1", 0, create_app(table.server, work), threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield LiveServer(f"http://127.0.0.1:{server.port}/reconchess", "Eve", make_token(table, EVE, plays=True))
    server.shutdown()
    join(thread)
    server.server_close()


@pytest.mark.parametrize("side", Side)
def test_a_whole_game_is_played_and_its_history_is_right(live_server: LiveServer, side: Side) -> None:
    from reconchess import play_remote_game
    from reconchess.scripts.rc_connect import RBCServer, check_package_version

    from tests.support.king_march_bot import Marcher

    color, auth = side is Side.WHITE, (live_server.name, live_server.token)
    server, player = RBCServer(live_server.url, auth), Marcher()
    check_package_version(server)
    assert "Pip" in server.get_active_users()
    number = server.send_invitation("Pip", color)
    assert server.get_invitations() == [number]
    winner, reason, history = play_remote_game(
        live_server.url, server.accept_invitation(number), auth, player
    )

    assert player.start[0] is color
    assert player.start[2] == "Pip (bot)"
    assert (history.get_winner_color(), history.get_win_reason()) == (winner, reason)
    assert [history.sense_result(each) for each in history.turns(color)] == player.told["senses"]
    moved = [(history.taken_move(each), history.capture_square(each)) for each in history.turns(color)]
    assert moved == [(taken, square) for _, taken, square in player.told["moves"]]
    assert server.get_invitations() == []
    assert_replays_in_the_package(history)


def assert_replays_in_the_package(history: Any) -> None:
    """The package's own umpire gets the same results on the same boards."""
    from reconchess import LocalGame

    local = LocalGame(seconds_per_player=None)
    local.start()
    for turn in history.turns():
        assert local.turn is turn.color
        assert sorted(local.sense(history.sense(turn))) == sorted(history.sense_result(turn))
        if history.has_move(turn):
            assert fen(local.board) == history.truth_fen_before_move(turn)
            asked, taken, square = local.move(history.requested_move(turn))
            assert (taken, square) == (history.taken_move(turn), history.capture_square(turn)), asked
            assert fen(local.board) == history.truth_fen_after_move(turn)
            local.end_turn()
    assert local.is_over()
    assert (local.get_winner_color(), local.get_win_reason()) == (
        history.get_winner_color(),
        history.get_win_reason(),
    )


def fen(board: Any) -> str:
    written: str = board.fen(en_passant="fen")
    return written


def test_rc_connect_plays_a_game_begun_elsewhere(table: Table, live_server: LiveServer) -> None:
    ApiBot(table, live_server.token).post(
        "/api/challenges", {"variant": "rbc", "whom": "Pip", "color": "white"}
    )
    command = [sys.executable, "-m", "reconchess.scripts.rc_connect", str(MARCHER)]
    arguments = [
        "--server-url",
        live_server.url,
        "--username",
        live_server.name,
        "--password",
        live_server.token,
    ]
    process = subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, text=True)

    def reason() -> str | None:
        with table.server.store.reading() as connection:
            return connection.execute(select(GameRow.reason)).scalar_one_or_none()

    try:
        wait_until(lambda: reason() is not None, "the end of the game")
    finally:
        process.send_signal(signal.SIGTERM)
        output = process.communicate()[0]
    assert reason() in ("king-captured", "fifty")
    assert "Fatal error" not in output
