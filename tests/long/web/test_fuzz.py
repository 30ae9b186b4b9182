"""Every route there is, with whatever may come: none breaks, and what is refused changes nothing."""

from __future__ import annotations

import inspect
import logging
import os
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, TypeAlias
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from hypothesis.strategies import DrawFn
from werkzeug.routing import Rule

from corr import limits
from corr.config import Config
from corr.player_settings import SETTINGS
from corr.service.server import build_server
from corr.web import create_app
from corr.web.api import token_auth
from corr.web.rate_limit import ActionCounter
from tests.support.browser import Forms, text_of_page
from tests.support.every_page import (
    ASKING,
    NAMELESS,
    OPERATOR,
    PAGES,
    PLAYER,
    REFUSED,
    STRANGER,
    WHITE,
    Stage,
    set_the_stage,
)
from tests.support.table import DOMAIN, lay

EXAMPLES = 400 if os.environ.get("CORR_TEST_LONG") else 40
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "X")
#: What a mail program may send for its reader, which has no cookie: there its address alone tells that it is ours.
PRESSED_BY_PROGRAMS = ("stopping.stop",)
ASKS_ONLY = ("GET", "HEAD", "OPTIONS", "TRACE")
KINDS = (
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=b",
    "multipart/form-data",
    "application/json",
    "text/plain; charset=nothing",
    "é",
    "",
)
#: What no person would write.
ODD = (
    "",
    " ",
    ".",
    "..",
    "a\0b",
    "0",
    "-1",
    "9" * 5_000,
    "x" * 70_000,
    "²",
    "\u0663",
    "\u202e",
    "\udcff",
    "a" + "\u0301" * 3_000,
    "'; DROP TABLE players; --",
    "<script>alert(1)</script>",
    "{{ 7 * 7 }}",
    "%s%n%00",
    "../../etc/passwd",
    "//evil.example",
    "\r\nX-Evil: 1",
    "e2e4",
)
#: Which fields a module of the pages looks at, by its source.
FIELD = re.compile(r"""(?:form|args)(?:\.get\(|\.getlist\(|\[)"(\w+)""")
#: In which ways a request is not as our own pages send it.
WAYS = ("fields", "fields", "fields", "name", "who", "method", "kind", "head", "mark")
HEADS = (
    *("If-None-Match", "If-Match", "If-Modified-Since", "Range", "Cookie", "Origin", "Referer", "Host"),
    *("Authorization", "Accept", "Accept-Language", "X-Forwarded-For", "X-Forwarded-Host"),
    *("Transfer-Encoding", "Expect", "Forwarded", "X-HTTP-Method-Override", "Odd"),
)
NEW = "nell@nell.example"
#: What is written where a form is empty.
GOOD = {"address": NEW, "whom": NEW, "clock": "3d", "name": "Gus", "zone": "Europe/Paris", "orders": "e2e4"}
PEOPLE = (STRANGER, ASKING, NAMELESS, PLAYER, REFUSED, WHITE, OPERATOR)

#: Limits of what somebody may do or have, which are reached at once if they are 0.
OF_AN_HOUR = sorted(name for name in vars(limits) if name.endswith("_AN_HOUR"))
OF_A_DAY = sorted(name for name in vars(limits) if name.endswith("_A_DAY"))
AT_ONCE = (
    *sorted(name for name in vars(limits) if name.endswith("_AT_ONCE")),
    *("TOKENS", "WEBHOOKS", "ADDRESSES", "PASSKEYS", "DEVICES", "PYRAMID_GAMES", "GUESTS", "GUEST_GAMES"),
)

#: A path, and what a form sends there.
Way: TypeAlias = tuple[str, dict[str, Any]]


#: Every route there is, but streams, which have no end; no house needs to stand for that.
ROUTES = tuple(
    rule
    for rule in create_app(
        build_server(Config("sqlite:///nowhere", DOMAIN)), lambda _work: None
    ).url_map.iter_rules()
    if not rule.endpoint.startswith("news.")
)


class Errors(logging.Handler):
    """What the log has told of as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.told.append(self.format(record))


@dataclass(repr=False)
class Ground:
    """A stage that is set anew before each request, and what notices a change of it."""

    stage: Stage
    errors: Errors
    file: str
    saved: sqlite3.Connection
    watch: sqlite3.Connection
    #: Where people's own pages lead them, and what is sent there.
    ways: dict[str, list[Way]]
    renewed: int = -1

    def renew(self) -> None:
        """Set the stage anew, where anything was changed."""
        self.stage.app.extensions["counts"] = ActionCounter(None)
        self.errors.told.clear()
        if self.version() == self.renewed:
            return
        with closing(sqlite3.connect(self.file)) as database:
            self.saved.backup(database)
        self.renewed = self.version()

    def version(self) -> int:
        """Another number after each change of the database."""
        number: int = self.watch.execute("PRAGMA data_version").fetchone()[0]
        return number

    def ways_to(self, route: Rule, who: str) -> list[Way]:
        """Where a route leads somebody; where nothing leads them there, where it leads anybody."""
        pattern = re.compile(re.sub("<[^>]+>", "[^/]+", route.rule))
        all_ways = [way for ways in self.ways.values() for way in ways]
        for ways in (self.ways[who], all_ways, [(route.rule, {})]):
            found = [way for way in ways if pattern.fullmatch(way[0])]
            sending = [way for way in found if way[1]] if "POST" in (route.methods or ()) else []
            if found:
                return sending or found
        raise AssertionError(route)


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    folder = tmp_path_factory.mktemp("fuzz")
    errors, file = Errors(), str(folder / "corr.sqlite")
    stage = set_the_stage(lay(folder))
    with closing(sqlite3.connect(":memory:")) as saved, closing(sqlite3.connect(file)) as watch:
        watch.backup(saved)
        logging.getLogger().addHandler(errors)
        yield Ground(stage, errors, file, saved, watch, {who: ways_of(stage, who) for who in PEOPLE})
        logging.getLogger().removeHandler(errors)
    stage.table.server.store.close()


def ways_of(stage: Stage, who: str) -> list[Way]:
    """Somebody's pages, and each button on them."""
    pages = [page for page in PAGES if page.who == who]
    ways: list[Way] = [(page.path(stage).partition("?")[0], {}) for page in pages]
    for page in pages:
        answer = stage.client(who).open(page.path(stage), method=page.method)
        for form in Forms(answer.get_data(as_text=True)).found:
            if form.method == "post":
                ways += [(each.action or form.action, form.fields | each.sends) for each in form.buttons]
    return ways


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def in_a_head(text: str) -> str:
    """As a server hands a head's bytes on; it lets neither line ends nor NUL through."""
    return encoded(text).translate(None, b"\r\n\0").decode("latin-1")


def form_of(given: dict[str, Any]) -> bytes:
    fields = [
        (key, each) for key, value in given.items() for each in ([value] if isinstance(value, str) else value)
    ]
    return "&".join(f"{key}={quote(encoded(value))}" for key, value in fields).encode()


odd = some.sampled_from(ODD) | some.text(max_size=40)


@dataclass(frozen=True)
class Request:
    """Who asks for what, and how; where no name is given, a place that is there is named."""

    method: str
    who: str
    name: str | None = None
    fields: dict[str, str] = field(default_factory=dict)
    head: dict[str, str] = field(default_factory=dict)
    kind: str = KINDS[0]
    is_ours: bool = True
    pick: Random = field(default_factory=Random)


@some.composite
def requests(draw: DrawFn, route: Rule, view: Callable[..., object]) -> Request:
    """One as our own pages send it, but for one way or two."""
    source = Path(inspect.getfile(inspect.unwrap(view))).read_text()
    looked_at = {*FIELD.findall(source), *(each.name for each in SETTINGS), "csrf", "odd"}
    fields = some.dictionaries(some.sampled_from(sorted(looked_at)), odd, min_size=1, max_size=2)
    how = {
        "fields": fields,
        "name": odd,
        "who": some.sampled_from(PEOPLE),
        "method": some.sampled_from(METHODS),
        "kind": some.sampled_from(KINDS),
        "head": some.dictionaries(some.sampled_from(HEADS), odd.map(in_a_head), min_size=1, max_size=2),
        "mark": some.just(False),
    }
    ways = draw(some.lists(some.sampled_from(WAYS), min_size=1, max_size=2, unique=True))
    method = draw(some.sampled_from(sorted((route.methods or set()) - {"HEAD", "OPTIONS"})))
    base = Request(method, draw(some.sampled_from((REFUSED, WHITE))), pick=draw(some.randoms()))
    changed = {"is_ours" if way == "mark" else way: draw(how[way]) for way in ways}
    return replace(base, **changed)


def answered(ground: Ground, route: Rule, request: Request) -> tuple[int, bytes]:
    """Send a request to a route; the answer's status and body."""
    client = ground.stage.client(request.who)
    with client.session_transaction() as session:
        mark = session.setdefault("csrf", "ours")
    path, form = request.pick.choice(ground.ways_to(route, request.who))
    if request.name is not None:
        path = re.sub("<[^>]+>", quote(encoded(request.name), ""), route.rule)
    written = {name: text for name, text in form.items() if text and name != "csrf"}
    ours = {"csrf": mark} if request.is_ours else {}
    sent = form_of(GOOD | written | ours | request.fields)
    answer = client.open(
        path,
        query_string=sent.decode(),
        method=request.method,
        data=sent,
        content_type=request.kind,
        headers=request.head,
    )
    with answer:
        return answer.status_code, answer.get_data()


@pytest.mark.parametrize("route", ROUTES, ids=lambda rule: f"{rule.rule} {rule.endpoint}")
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(some.data())
def test_no_route_breaks_and_only_a_form_of_ours_that_is_taken_changes_anything(
    ground: Ground, route: Rule, data: some.DataObject
) -> None:
    request = data.draw(requests(route, ground.stage.app.view_functions[route.endpoint]))
    ground.renew()
    before = ground.version()

    status, body = answered(ground, route, request)

    assert (status < 500, ground.errors.told) == (True, []), (status, body[:300])
    is_ours = request.is_ours or route.endpoint in PRESSED_BY_PROGRAMS
    if request.method in ASKS_ONLY or not is_ours or status >= 400:
        assert ground.version() == before


def is_of_a_form(route: Rule) -> bool:
    """Whether people send forms to a route; programs send something else."""
    return not route.rule.startswith(token_auth.API_PATHS)


@pytest.mark.parametrize("reached", [OF_AN_HOUR, OF_A_DAY, AT_ONCE], ids=["an hour", "a day", "at once"])
def test_every_form_there_is_says_in_a_sentence_that_a_limit_is_reached(
    ground: Ground, reached: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in reached:
        monkeypatch.setattr(limits, name, 0)
    refused = set()
    for who in PEOPLE:
        shown = [way for way in ground.ways[who] if way[1]]
        routes = [route for route in ROUTES if "POST" in (route.methods or ()) and is_of_a_form(route)]
        elsewhere = [ground.ways_to(route, who)[0] for route in routes if who in (WHITE, OPERATOR)]
        for path, form in [*shown, *elsewhere]:
            ground.renew()
            client = ground.stage.client(who)
            with client.session_transaction() as session:
                mark = session.setdefault("csrf", "ours")
            written = {name: text for name, text in form.items() if text}
            answer = client.post(path, data={**GOOD, **written, "csrf": mark}, follow_redirects=True)
            page = text_of_page(answer.get_data(as_text=True))

            assert (answer.status_code < 500, ground.errors.told) == (True, []), (path, form)
            if answer.content_type.startswith("text/html"):
                assert "Skip to content" in page, (path, form)
            if answer.status_code == 429 or 'class="news grave"' in answer.get_data(as_text=True):
                refused.add(path)
            if answer.status_code == 429:
                assert "tried this too often" in page

    assert len(refused) > 5, refused


def test_a_form_of_ours_that_is_taken_is_seen_to_change_something(ground: Ground) -> None:
    seek = next(each for each in ROUTES if each.endpoint == "lobby.seek")
    ground.renew()
    before = ground.version()

    status, _ = answered(ground, seek, Request("POST", REFUSED))

    assert (status, ground.version() != before) == (303, True)


def test_an_error_in_the_log_is_seen(ground: Ground) -> None:
    ground.renew()
    logging.getLogger("corr.web").error("something broke")

    assert ground.errors.told == ["something broke"]
