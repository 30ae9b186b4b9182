"""A real nginx with quickstart's configuration before gunicorn: TLS, client addresses and limits."""

from __future__ import annotations

import http.client
import shutil
import ssl
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from corr.config import Config
from corr.service.server import build_server
from corr.store import migrate
from tests.support import procfile
from tests.support.browser import Forms
from tests.support.database_servers import HOST, RedisServer, answers, free_port
from tests.support.procfile import Process
from tests.support.quickstart import NAME, file_text_with
from tests.support.skips import skip_missing
from tests.support.waiting import TIMEOUT, wait_until

TOKEN = "a-token-of-ours"
#: Debian's nginx.conf around it, with our own folders.
NGINX_CONF = """
daemon off;
pid nginx.pid;
events {{}}
http {{
    gzip on;
    access_log access.log;
    client_body_temp_path {body};
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    {recipe}
}}
"""
#: All of 127.0.0.0/8 is this machine; nginx takes each of these for another client.
ONE, OTHER, THIRD, FOURTH = "127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"


@dataclass(frozen=True)
class Answer:
    """A response, with repeated headers."""

    status: int
    headers: tuple[tuple[str, str], ...]
    text: str

    def all(self, name: str) -> list[str]:
        return [value for each, value in self.headers if each.lower() == name]


@dataclass(frozen=True)
class Site:
    """nginx on two ports, and gunicorn on a third."""

    plain: int
    secure: int
    pages: int
    folder: Path

    def connect(self, place: str) -> http.client.HTTPSConnection:
        """A connection over TLS, from an address of its own."""
        untold = ssl.create_default_context()
        untold.check_hostname, untold.verify_mode = False, ssl.CERT_NONE
        return http.client.HTTPSConnection(
            HOST, self.secure, context=untold, source_address=(place, 0), timeout=TIMEOUT
        )

    def ask(
        self, path: str, place: str = ONE, form: Mapping[str, str] | None = None, **headers: str
    ) -> Answer:
        with closing(self.connect(place)) as connection:
            return said(connection, path, form, **headers)

    def sign_in(self, place: str, **headers: str) -> Answer:
        """Ask for a letter by the page's own form, as a browser sends it."""
        page = self.ask("/sign-in", place, **headers)
        cookie = page.all("set-cookie")[0].partition(";")[0]
        form = next(each for each in Forms(page.text).found if "address" in each.fields)
        fields = form.fields | {"address": "eve@e.example"}
        return self.ask(form.action, place, fields, Cookie=cookie, Origin=f"https://{NAME}", **headers)


def said(
    connection: http.client.HTTPConnection, path: str, form: Mapping[str, str] | None = None, **headers: str
) -> Answer:
    body = "&".join(f"{name}={value}" for name, value in form.items()) if form else None
    kind = {"Content-Type": "application/x-www-form-urlencoded"} if form else {}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("POST" if form else "GET", path, body, {"Host": NAME, **kind, **named})
    answer = connection.getresponse()
    return Answer(answer.status, tuple(answer.getheaders()), answer.read().decode())


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    for program in ("nginx", "openssl", "redis-server"):
        if not shutil.which(program):
            skip_missing(program)
    folder = tmp_path_factory.mktemp("nginx")
    made = Site(free_port(), free_port(), free_port(), folder)
    with ExitStack() as stack:
        _serve(stack, folder, made.pages)
        _run_nginx(stack, folder, made)
        yield made


def _serve(stack: ExitStack, folder: Path, port: int) -> None:
    """Run gunicorn as the Procfile does."""
    redis = RedisServer()
    redis.start()
    stack.callback(redis.stop)
    settings = procfile.environ(
        CORR_DATABASE_URL=f"sqlite:///{folder / 'corr.sqlite'}",
        CORR_MAIL_DOMAIN=NAME,
        CORR_OPERATOR_TOKEN=TOKEN,
        CORR_REDIS_URL=redis.url,
        CORR_WEB_LISTEN=f"{HOST}:{port}",
    )
    with closing(build_server(Config.from_env(settings)).store) as store:
        migrate.upgrade(store)
    web = Process("web", procfile.read_procfile()["web"], settings, folder / "web.log")
    web.start()
    stack.callback(web.stop)
    wait_until(lambda: answers(port), "the pages are shown")


def _run_nginx(stack: ExitStack, folder: Path, made: Site) -> None:
    """Run nginx on free ports with a self-signed certificate."""
    pem, key = folder / "site.pem", folder / "site.key"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", f"/CN={NAME}", "-keyout", str(key), "-out", str(pem)),
        ],
        check=True,
        capture_output=True,
    )
    # Not in pytest's folders, which nginx's user can't open.
    html = Path(stack.enter_context(TemporaryDirectory(prefix="corr-nginx-")))
    html.chmod(0o755)
    asked = html / ".well-known" / "acme-challenge" / "a-word"
    asked.parent.mkdir(parents=True)
    asked.write_text("as certbot has left it")
    page = html / "docs" / "play" / "index.html"
    page.parent.mkdir(parents=True)
    page.write_text("How to play")
    recipe = file_text_with(
        "nginx.conf",
        (r"listen 80;", f"listen {HOST}:{made.plain};"),
        (r"listen 443 ssl;", f"listen {HOST}:{made.secure} ssl;"),
        (r"listen \[::\]:\S+( ssl)?;", ""),
        (r"/etc/ssl/private/\S+\.key", str(key)),
        (r"/etc/ssl/\S+\.pem", str(pem)),
        (r"/var/www/html", str(html)),
        (r"/var/www/corr-docs", str(html / "docs")),
        (r"/var/log/nginx/error\.log", "error.log"),
        (r"127\.0\.0\.1:8000", f"{HOST}:{made.pages}"),
    )
    conf = folder / "nginx.conf"
    conf.write_text(NGINX_CONF.format(recipe=recipe, body=html / "body"))
    command = ["nginx", "-p", str(folder), "-e", "error.log", "-c", str(conf)]
    subprocess.run([*command, "-t", "-q"], check=True)
    server = subprocess.Popen(command)
    stack.callback(server.wait, 60)
    stack.callback(server.terminate)
    wait_until(lambda: answers(made.secure), "nginx answers")


def test_http_redirects_to_https(site: Site) -> None:
    with closing(http.client.HTTPConnection(HOST, site.plain, timeout=TIMEOUT)) as connection:
        answer = said(connection, "/rules/wild16?a=b")

    assert answer.status == HTTPStatus.MOVED_PERMANENTLY
    assert answer.all("location") == [f"https://{NAME}/rules/wild16?a=b"]
    assert answer.all("server") == ["nginx"]


def test_certificate_challenges_are_answered_without_tls(site: Site) -> None:
    with closing(http.client.HTTPConnection(HOST, site.plain, timeout=TIMEOUT)) as connection:
        answer = said(connection, "/.well-known/acme-challenge/a-word")

    assert answer.text == "as certbot has left it"


@pytest.mark.parametrize("path", ["/", "/no-such-page", f"/{'a' * 5_000}"])
def test_every_answer_has_hsts_once_and_names_no_program(site: Site, path: str) -> None:
    answer = site.ask(path)

    assert answer.all("strict-transport-security") == ["max-age=31536000"]
    assert answer.all("server") == ["nginx"]


def test_the_docs_are_served_and_cannot_be_framed(site: Site) -> None:
    page = site.ask("/docs/play/")

    assert (page.status, page.text) == (HTTPStatus.OK, "How to play")
    assert page.all("content-security-policy") == ["frame-ancestors 'none'"]
    assert page.all("x-content-type-options") == ["nosniff"]
    assert page.all("strict-transport-security") == ["max-age=31536000"]
    assert site.ask("/docs").all("location") == [f"https://{NAME}/docs/"]


def test_the_docs_location_serves_only_docs(site: Site) -> None:
    assert site.ask("/docs/../.well-known/acme-challenge/a-word").status == HTTPStatus.NOT_FOUND
    assert site.ask("/docs../.well-known/acme-challenge/a-word").status == HTTPStatus.NOT_FOUND


def test_no_page_is_compressed(site: Site) -> None:
    answer = site.ask("/rules/wild16", Accept_Encoding="gzip")

    assert answer.all("content-encoding") == []
    assert answer.all("content-length") == [str(len(answer.text.encode()))]


def test_the_sign_in_form_works_and_its_cookie_is_secure(site: Site) -> None:
    page = site.ask("/sign-in", OTHER)
    (cookie,) = page.all("set-cookie")

    assert cookie.startswith("__Host-")
    assert "Secure" in cookie
    assert site.sign_in(OTHER).status == HTTPStatus.SEE_OTHER


@pytest.mark.parametrize("path", ["/metrics", "/healthz"])
@pytest.mark.parametrize(
    "forged", [{}, {"X_Forwarded_For": HOST}, {"X_Real_IP": HOST, "Forwarded": f"for={HOST}"}]
)
def test_nobody_behind_nginx_counts_as_local(site: Site, path: str, forged: dict[str, str]) -> None:
    """Not even from this machine."""
    answer = site.ask(path, HOST, **forged)

    assert "database" not in answer.text
    assert "database" in site.ask(path, HOST, Authorization=f"Bearer {TOKEN}").text
    with closing(http.client.HTTPConnection(HOST, site.pages, timeout=TIMEOUT)) as connection:
        assert "database" in said(connection, path).text


def test_only_the_address_that_asks_too_often_is_limited(
    site: Site,
) -> None:
    forged = ({"X_Forwarded_For": f"192.0.2.{number}, 198.51.100.{number}"} for number in range(30))
    statuses = [site.sign_in(THIRD, **each).status for each in forged]

    assert statuses == [HTTPStatus.SEE_OTHER] * 20 + [HTTPStatus.TOO_MANY_REQUESTS] * 10
    assert site.sign_in(FOURTH).status == HTTPStatus.SEE_OTHER


def test_an_oversized_form_is_stopped_by_nginx(site: Site) -> None:
    answer = site.ask("/sign-in", form={"address": "a" * 200_000})

    assert answer.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    assert answer.all("strict-transport-security")


def test_a_record_with_its_emails_can_be_uploaded(site: Site) -> None:
    answer = site.ask("/verify", form={"record": "a" * 400_000})

    assert answer.status == HTTPStatus.BAD_REQUEST
    assert "signed in or out since you opened this page" in answer.text


def test_no_log_holds_a_pages_path(site: Site) -> None:
    """Not of requests, oversized forms or redirects to TLS."""
    with closing(http.client.HTTPConnection(HOST, site.plain, timeout=TIMEOUT)) as connection:
        said(connection, "/letters/a-secret")
    site.ask("/letters/a-secret")
    site.ask("/letters/a-secret", form={"order": "a" * 200_000})
    logs = "".join(each.read_text() for each in site.folder.glob("*.log"))

    assert (site.folder / "error.log").exists()
    assert "a-secret" not in logs


def test_only_the_address_with_too_many_connections_is_refused(site: Site) -> None:
    with ExitStack() as stack:
        for _ in range(32):
            held = stack.enter_context(closing(site.connect(ONE)))
            held.putrequest("POST", "/sign-in")
            held.putheader("Content-Length", "10")
            held.endheaders()

        wait_until(
            lambda: site.ask("/", ONE).status == HTTPStatus.TOO_MANY_REQUESTS,
            "one connection is too many",
        )
        assert site.ask("/", OTHER).status == HTTPStatus.OK
