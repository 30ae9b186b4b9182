"""Fuzzing all routes: none breaks, and a refused request changes nothing."""

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
from flask.testing import FlaskClient
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
    CHALLENGED,
    NAMELESS,
    OPERATOR,
    PAGES,
    PLAYER,
    SIGNING_IN,
    STRANGER,
    WHITE,
    SampleSite,
    build_sample_site,
)
from tests.support.table import DOMAIN, make_table

EXAMPLES = 400 if os.environ.get("CORR_TEST_LONG") else 40
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "X")
#: Mail programs post here for their readers without a cookie, so there is no CSRF check.
WITHOUT_CSRF = ("stopping.stop",)
SAFE_METHODS = ("GET", "HEAD", "OPTIONS", "TRACE")
CONTENT_TYPES = (
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=b",
    "multipart/form-data",
    "application/json",
    "text/plain; charset=nothing",
    "é",
    "",
)
UNUSUAL = (
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
#: Finds the fields that a module of pages reads, in its source.
FIELD = re.compile(r"""(?:form|args)(?:\.get\(|\.getlist\(|\[)"(\w+)""")
#: How a request differs from those of our own pages.
DIFFERENCES = ("fields", "fields", "fields", "name", "who", "method", "kind", "head", "has_csrf")
HEADERS = (
    *("If-None-Match", "If-Match", "If-Modified-Since", "Range", "Cookie", "Origin", "Referer", "Host"),
    *("Authorization", "Accept", "Accept-Language", "X-Forwarded-For", "X-Forwarded-Host"),
    *("Transfer-Encoding", "Expect", "Forwarded", "X-HTTP-Method-Override", "Odd"),
)
NEW_ADDRESS = "nell@nell.example"
#: Values for empty fields.
GOOD = {
    "address": NEW_ADDRESS,
    "whom": NEW_ADDRESS,
    "clock": "3d",
    "name": "Gus",
    "zone": "Europe/Paris",
    "orders": "e2e4",
}
PEOPLE = (STRANGER, SIGNING_IN, NAMELESS, PLAYER, CHALLENGED, WHITE, OPERATOR)

#: Limits, which are reached at once if set to 0.
HOURLY_LIMITS = sorted(name for name in vars(limits) if name.endswith("_AN_HOUR"))
DAILY_LIMITS = sorted(name for name in vars(limits) if name.endswith("_A_DAY"))
COUNT_LIMITS = (
    *sorted(name for name in vars(limits) if name.endswith("_AT_ONCE")),
    *("TOKENS", "WEBHOOKS", "ADDRESSES", "PASSKEYS", "DEVICES", "PYRAMID_GAMES", "GUESTS", "GUEST_GAMES"),
)

#: A path, and the form data sent there.
FormTarget: TypeAlias = tuple[str, dict[str, Any]]


#: Every route except streams, which have no end.
ROUTES = tuple(
    rule
    for rule in create_app(
        build_server(Config("sqlite:///nowhere", DOMAIN)), lambda _work: None
    ).url_map.iter_rules()
    if not rule.endpoint.startswith("news.")
)


class Errors(logging.Handler):
    """Collects the errors in the log."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(self.format(record))


@dataclass(repr=False)
class ResettableStage:
    """A stage that is reset before each request, and what notices changes to it."""

    stage: SampleSite
    errors: Errors
    file: str
    saved: sqlite3.Connection
    watch: sqlite3.Connection
    #: Where each person's pages lead.
    targets: dict[str, list[FormTarget]]
    version_at_reset: int = -1

    def reset(self) -> None:
        """Restore the database if anything was changed."""
        self.stage.app.extensions["counts"] = ActionCounter(None)
        self.errors.messages.clear()
        if self.version() == self.version_at_reset:
            return
        with closing(sqlite3.connect(self.file)) as database:
            self.saved.backup(database)
        self.version_at_reset = self.version()

    def version(self) -> int:
        """A number that changes with the database."""
        number: int = self.watch.execute("PRAGMA data_version").fetchone()[0]
        return number

    def targets_of(self, route: Rule, who: str) -> list[FormTarget]:
        """A route's targets on this person's pages; or else on anyone's pages."""
        pattern = re.compile(re.sub("<[^>]+>", "[^/]+", route.rule))
        all_targets = [way for targets in self.targets.values() for way in targets]
        for targets in (self.targets[who], all_targets, [(route.rule, {})]):
            found = [way for way in targets if pattern.fullmatch(way[0])]
            sending = [way for way in found if way[1]] if "POST" in (route.methods or ()) else []
            if found:
                return sending or found
        raise AssertionError(route)


@pytest.fixture(scope="module")
def resettable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ResettableStage]:
    folder = tmp_path_factory.mktemp("fuzz")
    errors, file = Errors(), str(folder / "corr.sqlite")
    stage = build_sample_site(make_table(folder))
    with closing(sqlite3.connect(":memory:")) as saved, closing(sqlite3.connect(file)) as watch:
        watch.backup(saved)
        logging.getLogger().addHandler(errors)
        yield ResettableStage(
            stage, errors, file, saved, watch, {who: list_targets(stage, who) for who in PEOPLE}
        )
        logging.getLogger().removeHandler(errors)
    stage.table.server.store.close()


def list_targets(stage: SampleSite, who: str) -> list[FormTarget]:
    """A person's pages, and each button on them."""
    pages = [page for page in PAGES if page.who == who]
    targets: list[FormTarget] = [(page.path(stage).partition("?")[0], {}) for page in pages]
    for page in pages:
        answer = stage.client(who).open(page.path(stage), method=page.method)
        for form in Forms(answer.get_data(as_text=True)).found:
            if form.method == "post":
                targets += [(each.action or form.action, form.fields | each.sends) for each in form.buttons]
    return targets


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def header_value(text: str) -> str:
    """A header as the web server passes it on, which never has line ends or NUL."""
    return encoded(text).translate(None, b"\r\n\0").decode("latin-1")


def form_of(given: dict[str, Any]) -> bytes:
    fields = [
        (key, each) for key, value in given.items() for each in ([value] if isinstance(value, str) else value)
    ]
    return "&".join(f"{key}={quote(encoded(value))}" for key, value in fields).encode()


unusual_text = some.sampled_from(UNUSUAL) | some.text(max_size=40)


@dataclass(frozen=True)
class Request:
    """Who requests what, and how; without a name, something that exists."""

    method: str
    who: str
    name: str | None = None
    fields: dict[str, str] = field(default_factory=dict)
    head: dict[str, str] = field(default_factory=dict)
    kind: str = CONTENT_TYPES[0]
    has_csrf: bool = True
    pick: Random = field(default_factory=Random)


@some.composite
def requests(draw: DrawFn, route: Rule, view: Callable[..., object]) -> Request:
    """A request of our own pages with one or two differences."""
    source = Path(inspect.getfile(inspect.unwrap(view))).read_text()
    looked_at = {*FIELD.findall(source), *(each.name for each in SETTINGS), "csrf", "odd"}
    fields = some.dictionaries(some.sampled_from(sorted(looked_at)), unusual_text, min_size=1, max_size=2)
    how = {
        "fields": fields,
        "name": unusual_text,
        "who": some.sampled_from(PEOPLE),
        "method": some.sampled_from(METHODS),
        "kind": some.sampled_from(CONTENT_TYPES),
        "head": some.dictionaries(
            some.sampled_from(HEADERS), unusual_text.map(header_value), min_size=1, max_size=2
        ),
        "has_csrf": some.just(False),
    }
    differences = draw(some.lists(some.sampled_from(DIFFERENCES), min_size=1, max_size=2, unique=True))
    method = draw(some.sampled_from(sorted((route.methods or set()) - {"HEAD", "OPTIONS"})))
    base = Request(method, draw(some.sampled_from((CHALLENGED, WHITE))), pick=draw(some.randoms()))
    return replace(base, **{each: draw(how[each]) for each in differences})


def csrf_of(client: FlaskClient) -> str:
    with client.session_transaction() as session:
        mark: str = session.setdefault("csrf", "ours")
    return mark


def send_request(resettable: ResettableStage, route: Rule, request: Request) -> tuple[int, bytes]:
    """Send a request to a route; return the answer's status and body."""
    client = resettable.stage.client(request.who)
    mark = csrf_of(client)
    path, form = request.pick.choice(resettable.targets_of(route, request.who))
    if request.name is not None:
        path = re.sub("<[^>]+>", quote(encoded(request.name), ""), route.rule)
    written = {name: text for name, text in form.items() if text and name != "csrf"}
    ours = {"csrf": mark} if request.has_csrf else {}
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
def test_no_route_breaks_and_only_accepted_forms_change_anything(
    resettable: ResettableStage, route: Rule, data: some.DataObject
) -> None:
    request = data.draw(requests(route, resettable.stage.app.view_functions[route.endpoint]))
    resettable.reset()
    before = resettable.version()

    status, body = send_request(resettable, route, request)

    assert (status < 500, resettable.errors.messages) == (True, []), (status, body[:300])
    has_csrf = request.has_csrf or route.endpoint in WITHOUT_CSRF
    if request.method in SAFE_METHODS or not has_csrf or status >= 400:
        assert resettable.version() == before


def takes_forms(route: Rule) -> bool:
    """Whether browsers send forms to a route; the API takes something else."""
    return not route.rule.startswith(token_auth.API_PATHS)


@pytest.mark.parametrize(
    "reached_limits", [HOURLY_LIMITS, DAILY_LIMITS, COUNT_LIMITS], ids=["an hour", "a day", "at once"]
)
def test_every_form_explains_a_reached_limit(
    resettable: ResettableStage, reached_limits: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in reached_limits:
        monkeypatch.setattr(limits, name, 0)
    refused = set()
    for who in PEOPLE:
        shown = [way for way in resettable.targets[who] if way[1]]
        routes = [route for route in ROUTES if "POST" in (route.methods or ()) and takes_forms(route)]
        elsewhere = [resettable.targets_of(route, who)[0] for route in routes if who in (WHITE, OPERATOR)]
        for path, form in [*shown, *elsewhere]:
            resettable.reset()
            client = resettable.stage.client(who)
            mark = csrf_of(client)
            written = {name: text for name, text in form.items() if text}
            answer = client.post(path, data={**GOOD, **written, "csrf": mark}, follow_redirects=True)
            page = text_of_page(answer.get_data(as_text=True))

            assert (answer.status_code < 500, resettable.errors.messages) == (True, []), (path, form)
            if answer.content_type.startswith("text/html"):
                assert "Skip to content" in page, (path, form)
            if answer.status_code == 429 or 'class="news grave"' in answer.get_data(as_text=True):
                refused.add(path)
            if answer.status_code == 429:
                assert "tried this too often" in page

    assert len(refused) > 5, refused


def test_an_accepted_form_is_noticed_as_a_change(resettable: ResettableStage) -> None:
    seek = next(each for each in ROUTES if each.endpoint == "lobby.seek")
    resettable.reset()
    before = resettable.version()

    status, _ = send_request(resettable, seek, Request("POST", CHALLENGED))

    assert (status, resettable.version() != before) == (303, True)


def test_an_error_in_the_log_is_noticed(resettable: ResettableStage) -> None:
    resettable.reset()
    logging.getLogger("corr.web").error("something broke")

    assert resettable.errors.messages == ["something broke"]
