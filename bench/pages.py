"""How fast the pages are, compared with bare Flask pages with one SQLite query and one Jinja template.

    python -m bench.pages [--rounds 300]

A player has two hundred games, one of them forty moves long. The bare pages know no session, no side and no log; they
ask for the rows that they print, and print as many lines, fields and buttons of as many bytes.
"""

from __future__ import annotations

import sqlite3
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from flask import Flask, request
from flask.testing import FlaskClient
from jinja2 import Environment, select_autoescape
from sqlalchemy import event, update

from bench.driver import ask
from bench.signed_in_server import begin, write_on_page
from corr.service import worker_rounds
from corr.service.players import authentication
from corr.service.server import Server
from corr.store import migrate
from corr.store.tables import GameRow
from corr.web import create_app
from tests.support.many_players import DiscardingMailer, make_server

GAMES = 200
#: Pawn steps, then knights and rooks that wander; nothing is captured.
MOVES = (
    *(f"{file}{start}{file}{end}" for file in "abcdefgh" for start, end in ((2, 3), (7, 6))),
    *("b1c3", "b8c6", "g1f3", "g8f6", "a1a2", "a8a7", "h1h2", "h8h7", "c3b1", "c6b8", "f3g1", "f6g8"),
    *("a2a1", "a7a8", "h2h1", "h7h8", "d1d2", "d8d7", "d2d1", "d7d8"),
)
Get = Callable[[], bytes]
Question = tuple[str, Sequence[object]]


def begin_games(place: Server) -> tuple[str, str]:
    """Begin two hundred games of one player; return the code of the last, a long one, and a session cookie."""
    migrate.upgrade(place.store)
    pairs = [("ann@players.example", f"ben{number}@players.example") for number in range(GAMES)]
    code = begin(place, pairs)[-1]
    with place.store.writing() as connection:
        connection.execute(update(GameRow).values(waits_from=None))  # as where all emails have gone out
    secrets = [authentication.sign_in_directly(place, each, place.now()).secret for each in pairs[-1]]
    for number, move in enumerate(MOVES):
        write_on_page(place, secrets[number % 2], code, "", move)
        worker_rounds.read_some(place, place.now())
    return code, secrets[0]


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
#: A small board of sixteen pieces, made beforehand.
_PIECES = "".join(f'<i class="wP {file}{rank}"></i>' for rank in (1, 2) for file in "abcdefgh")
_MINIATURE = f'<span class="little" aria-hidden="true">{_PIECES}</span>'


def bare_pages(folder: Path, question: Question, mark: str) -> FlaskClient:
    """The same HTML without corr, and a 304 after corr's own query if the ETag is the same."""
    database = sqlite3.connect(folder / "bare.sqlite", check_same_thread=False)
    real = sqlite3.connect(folder / "corr.sqlite", check_same_thread=False)
    database.execute("create table rows (kind, a, b, c, d, e, f, g, h)")
    game = ("games", "k3x9n", "Wild 16", "ben1", "White", 12, 2, 3, _MINIATURE)
    turn = ("table", 12, "White", "White's move. 0 pawn tries.", "e2e4", "Illegal move.", 0, 0, 0)
    database.executemany(
        "insert into rows values (?, ?, ?, ?, ?, ?, ?, ?, ?)", [game] * GAMES + [turn] * _LOG
    )
    made = Environment(autoescape=select_autoescape(default=True), auto_reload=False)
    games, shown = made.from_string(_ROWS), made.from_string(_TABLE)
    app = Flask("bare")
    words = {"names": _NAMES, "signs": _SIGNS, "words": _WORDS, "men": {sign: sign for sign in _WORDS}}

    def rows(kind: str) -> list[tuple[object, ...]]:
        return database.execute("select a, b, c, d, e, f, g, h from rows where kind = ?", (kind,)).fetchall()

    def same() -> tuple[str, int]:
        real.execute(*question).fetchall()
        return ("", 304) if request.if_none_match.contains(mark) else ("changed", 200)

    app.add_url_rule("/games", "games", lambda: games.render(rows=rows("games")))
    app.add_url_rule("/table", "table", lambda: shown.render(rows=rows("table"), **words))
    app.add_url_rule("/same", "same", same)
    return app.test_client()


def question_of(place: Server, get: Callable[[], object]) -> Question:
    """The only query that the database gets meanwhile."""
    heard: list[Question] = []
    event.listen(place.store.engine, "before_cursor_execute", lambda *told: heard.append(told[2:4]))
    get()
    (question,) = heard
    return question


def race(name: str, ours: Get, bare: Get, rounds: int) -> None:
    """Print the medians of many rounds, in turn."""
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for times, get in zip(taken, (ours, bare), strict=True):
            begun = time.process_time()
            get()
            times.append((time.process_time() - begun) * 1000)
    (mine, size), (theirs, other) = zip(
        map(statistics.median, taken), (len(ours()), len(bare())), strict=True
    )
    print(
        f"{name:6} {mine:5.2f} ms of {size:6} bytes, bare {theirs:5.2f} ms of {other:6}: {theirs / mine:.2f}x"
    )


def get(client: FlaskClient, path: str, **headers: str) -> bytes:
    page: bytes = client.get(path, headers=headers).data
    return page


def main() -> None:
    rounds = ask(__doc__, rounds=300).rounds
    with TemporaryDirectory() as folder:
        place = make_server(f"sqlite:///{Path(folder) / 'corr.sqlite'}", DiscardingMailer())
        code, secret = begin_games(place)
        client = create_app(place, lambda _work: None).test_client()
        with client.session_transaction() as kept:
            kept["in"] = secret
        head = {"If-None-Match": client.get(f"/games/{code}").headers["ETag"]}
        same = partial(get, client, f"/games/{code}", **head)
        bare = bare_pages(Path(folder), question_of(place, same), head["If-None-Match"].strip('"'))
        race("games", partial(get, client, "/games/"), partial(get, bare, "/games"), rounds)
        race("table", partial(get, client, f"/games/{code}"), partial(get, bare, "/table"), rounds)
        race("304", same, partial(get, bare, "/same", **head), rounds)
        place.store.close()


if __name__ == "__main__":
    main()
