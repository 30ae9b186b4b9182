"""How quick the pages are, beside bare pages that show as much: Flask, one question to SQLite, one Jinja template.

    python -m bench.pages [ROUNDS]

A player has two hundred games, one of them forty moves long. The bare pages know no session, no side and no log; they
ask for the rows that they print, and print as many lines, fields and buttons of as many bytes.
"""

from __future__ import annotations

import sqlite3
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from flask import Flask, request
from flask.testing import FlaskClient
from jinja2 import Environment, select_autoescape
from sqlalchemy import event, select, update

from corr.service import worker_rounds
from corr.service.games import lifecycle, page
from corr.service.games.pairing import Pairing
from corr.service.house import House
from corr.service.players import authentication, players
from corr.service.players.mailboxes import known_or_new
from corr.store import schema
from corr.store.tables import Game
from corr.web import create_app
from corr.words.board import Pair
from tests.support.crowd import Hollow, house

GAMES, ROUNDS = 200, 300
#: Pawns a step each, then knights and rooks that go about; nobody meets anybody.
MOVES = (
    *(f"{file}{start}{file}{end}" for file in "abcdefgh" for start, end in ((2, 3), (7, 6))),
    *("b1c3", "b8c6", "g1f3", "g8f6", "a1a2", "a8a7", "h1h2", "h8h7", "c3b1", "c6b8", "f3g1", "f6g8"),
    *("a2a1", "a7a8", "h2h1", "h7h8", "d1d2", "d8d7", "d2d1", "d7d8"),
)
ANN = "ann@players.example"
Ask: TypeAlias = Callable[[], object]


# ---------------------------------------------------------------- the house


@dataclass(frozen=True, slots=True)
class Laid:
    """A house with a player's games: the newest one's code, and what lets the player in."""

    house: House
    code: str
    secret: str


def lay(url: str) -> Laid:
    """Two hundred games of one player, the last of them a long one."""
    place = house(url, Hollow())
    schema.upgrade(place.store)
    now, others = place.now(), [f"ben{number}@players.example" for number in range(GAMES)]
    with place.store.writing() as connection:
        ids = [
            players.enrol_as_written(connection, known_or_new(connection, address, now), "", now)
            for address in (ANN, *others)
        ]
        for other in ids[1:]:
            lifecycle.start(connection, Pairing(Pair(ids[0], other), "wild16", "3d", rated=False), now)
        connection.execute(update(Game).values(waits_from=None))  # as where all letters have gone out
        code = connection.execute(select(Game.code).order_by(Game.id.desc()).limit(1)).scalar_one()
    secrets = Pair(*(authentication.let_in_by_house(place, each, now).secret for each in (ANN, others[-1])))
    for number, move in enumerate(MOVES):
        _play(place, (secrets.white, secrets.black)[number % 2], code, move)
    return Laid(place, code, secrets.white)


def _play(place: House, secret: str, code: str, move: str) -> None:
    seat = page.at_table(place, secret, code, "", place.now())
    assert seat
    written = page.PageText(move, seat.standing.stamp)
    page.write(place, seat.seat_id, written, place.now())
    worker_rounds.read_some(place, place.now())


def our_pages(laid: Laid) -> tuple[FlaskClient, dict[str, str]]:
    """A browser that was let in."""
    client = create_app(laid.house, lambda _work: None).test_client()
    with client.session_transaction() as kept:
        kept["in"] = laid.secret
    return client, {"games": "/games/", "table": f"/games/{laid.code}"}


# ---------------------------------------------------------------- the floor

_ROWS = """<!DOCTYPE html><html lang="en"><head><title>{{ rows | length }} games</title></head><body><h1>Games</h1><ul>
{% for row in rows %}
<li class="card">{{ row[7] | safe }}<div><h3><a href="/games/{{ row[0] }}">{{ row[1] }} with {{ row[2] }}</a></h3>
<p class="last">White's move. 0 pawn tries.</p><p class="left"><b>{{ row[5] }} days, {{ row[6] }} hours left</b>
<span>You are {{ row[3] }}, move {{ row[4] }}</span></p></div></li>
{% endfor %}
</ul></body></html>"""
_TABLE = """<!DOCTYPE html><html lang="en"><head><title>Table</title>
<link rel="stylesheet" href="/static/corr.css"></head><body>
<header><a href="/">corr</a><nav><a href="/games/">Your games</a><a href="/lobby/">Lobby</a></nav></header>
<h1>Wild 16 with {{ rows[0][2] }}</h1>
<form method="post" action="/"><input type="hidden" name="csrf" value="mark"></form><table role="grid">
{% for rank in range(8) %}
<tr role="row"><th scope="row">{{ 8 - rank }}</th>
{%- for file in range(8) %}{% set name, sign = names[rank * 8 + file], signs[rank * 8 + file] %}
<td role="gridcell" class="unseen {{ "dark" if (rank + file) % 2 else "light" }}"><button
 form="take" name="from" value="{{ name }}" data-square="{{ name }}"
 aria-label="{{ name }}, {{ words[sign] }}">{{ men[sign] }}</button></td>
{%- endfor %}</tr>
{% endfor %}
</table><form method="post" action="/"><textarea name="orders"></textarea><button>Send</button></form><ol>
{% for row in rows %}
<li>
<h3>Move {{ row[0] }}, {{ row[1] }}'s turn</h3>
<p>{{ row[2] }}</p>
{% if row[3] %}
<ul class="wrote"><li><code>{{ row[3] }}</code>: {{ row[4] }}</li></ul>
{% endif %}
</li>
{% endfor %}
</ol></body></html>"""
_RANK = "rnbqkbnr"
_SIGNS = _RANK + "p" * 8 + "." * 32 + "P" * 8 + _RANK.upper()
_NAMES = [file + rank for rank in "87654321" for file in "abcdefgh"]
_WORDS = {sign: f"what {sign} is called" for sign in set(_SIGNS)}
_LOG = 10
#: A small board of sixteen men, made beforehand.
_MEN = "".join(f'<i class="wP {file}{rank}"></i>' for rank in (1, 2) for file in "abcdefgh")
_MINIATURE = f'<span class="little" aria-hidden="true">{_MEN}</span>'


def bare_pages(file: Path) -> FlaskClient:
    """The same lines without a house behind them."""
    database = sqlite3.connect(file, check_same_thread=False)
    database.execute("create table rows (kind, a, b, c, d, e, f, g, h)")
    game = ("games", "k3x9n", "Wild 16", "ben1", "White", 12, 2, 3, _MINIATURE)
    turn = ("table", 12, "White", "White's move. 0 pawn tries.", "e2e4", "Illegal move.", 0, 0, 0)
    marks = ", ".join("?" * 9)
    database.executemany(f"insert into rows values ({marks})", [game] * GAMES + [turn] * _LOG)  # marks alone
    made = Environment(autoescape=select_autoescape(default=True), auto_reload=False)
    games, shown = made.from_string(_ROWS), made.from_string(_TABLE)
    app = Flask("bare")
    words = {"names": _NAMES, "signs": _SIGNS, "words": _WORDS, "men": {sign: sign for sign in _WORDS}}

    def rows(kind: str) -> list[tuple[object, ...]]:
        return database.execute("select a, b, c, d, e, f, g, h from rows where kind = ?", (kind,)).fetchall()

    app.add_url_rule("/games", "games", lambda: games.render(rows=rows("games")))
    app.add_url_rule("/table", "table", lambda: shown.render(rows=rows("table"), **words))
    return app.test_client()


def bare_mark(file: Path, question: tuple[str, Sequence[object]], mark: str) -> FlaskClient:
    """The same question to the same database, by the driver, and 304 where the mark is the one it was."""
    database = sqlite3.connect(file, check_same_thread=False)
    app = Flask("bare")

    def same() -> tuple[str, int]:
        database.execute(*question).fetchall()
        return ("", 304) if request.if_none_match.contains(mark) else ("changed", 200)

    app.add_url_rule("/same", "same", same)
    return app.test_client()


def asked(laid: Laid, ask: Ask) -> tuple[str, Sequence[object]]:
    """The one question that the database is asked meanwhile."""
    heard: list[tuple[str, Sequence[object]]] = []
    event.listen(laid.house.store.engine, "before_cursor_execute", lambda *told: heard.append(told[2:4]))
    ask()
    (question,) = heard
    return question


# ---------------------------------------------------------------- the race


def milliseconds(asks: Mapping[str, Ask], rounds: int) -> dict[str, float]:
    """The median of many, asked in turn."""
    taken: dict[str, list[float]] = {name: [] for name in asks}
    for _ in range(rounds):
        for name, ask in asks.items():
            begun = time.process_time()
            ask()
            taken[name].append((time.process_time() - begun) * 1000)
    return {name: statistics.median(each) for name, each in taken.items()}


def _asked(client: FlaskClient, place: str) -> bytes:
    page: bytes = client.get(place).data
    return page


def main() -> None:
    asked_for = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with TemporaryDirectory() as folder:
        laid = lay(f"sqlite:///{Path(folder) / 'corr.sqlite'}")
        client, places = our_pages(laid)
        bare = bare_pages(Path(folder) / "bare.sqlite")
        for name, place in places.items():
            asks = {"ours": partial(_asked, client, place), "bare": partial(_asked, bare, f"/{name}")}
            size = {side: len(ask()) for side, ask in asks.items()}
            took = milliseconds(asks, asked_for)
            print(
                f"{name:6} {took['ours']:5.2f} ms of {size['ours']:6} bytes, bare {took['bare']:5.2f} ms "
                f"of {size['bare']:6}: {took['bare'] / took['ours']:.2f}x"
            )
        etag = client.get(places["table"]).headers["ETag"]
        head = {"If-None-Match": etag}
        ours = partial(client.get, places["table"], headers=head)
        mark = bare_mark(Path(folder) / "corr.sqlite", asked(laid, ours), etag.strip('"'))
        took = milliseconds({"ours": ours, "bare": partial(mark.get, "/same", headers=head)}, asked_for)
        print(
            f"304    {took['ours']:5.2f} ms, bare {took['bare']:5.2f} ms: {took['bare'] / took['ours']:.2f}x"
        )
        laid.house.store.close()


if __name__ == "__main__":
    main()
