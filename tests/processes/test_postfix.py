"""Real Postfix and opendkim with quickstart's files: refused recipients, removed headers, signatures."""

from __future__ import annotations

import re
import shutil
import smtplib
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from corr.config import Config
from corr.mail.smtp_server import ListenAddress, Listener, LmtpProtocol
from corr.quickstart import folder
from corr.service.mail.entrance import EmailEntrance
from corr.service.server import build_server
from corr.store import migrate
from tests.support.command_line import corr
from tests.support.database_servers import HOST, answers, free_port
from tests.support.dns_server import parse_zone, run_dns_server
from tests.support.postfix import OUTSIDE_HOST, PostfixServer
from tests.support.quickstart import MACHINE, NAME, file_text, file_text_with, key, plan
from tests.support.skips import skip_missing
from tests.support.waiting import TIMEOUT, wait_until

OURS = f"Authentication-Results: {MACHINE}; dmarc=pass header.from=v.example"
SIGNATURE = (
    "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=e.example; i={}; s={}; h=from; bh=a+/=; b={}"
)
HONEST = ("@e.example", "s1-2026._x", "Fda1\n\t5L+/6H==")
FORGED = [
    OURS,
    OURS.replace(": ", ":\n\t"),
    OURS.replace(":", "\t:").swapcase(),
    OURS.replace("mail", "(so (we) say) mail"),
    *(SIGNATURE.format(words, *HONEST[1:]) for words in ("x=3B=20dmarc=3Dpass@e.example", '"; x"@e.example')),
    *(
        SIGNATURE.format("@e.example", words, HONEST[2])
        for words in ("s=header.d=v.example", "s(", "s)x", "a\n =b")
    ),
    *(
        SIGNATURE.format(*HONEST[:2], words)
        for words in ("(,Fda15L6H", ")header.d=v.example", "Fda=header.d=v")
    ),
    "dkim-signature\t:\n s\n =\n s1=header.d=v.example; d=e.example",
]
HONEST_HEADERS = [
    SIGNATURE.format(*HONEST),
    SIGNATURE.format("fay+chess_1@mail.e.example", *HONEST[1:]).replace("; ", ";\n\t"),
    OURS.replace(MACHINE, "mx.elsewhere.example"),
    f"Subject: Authentication-Results: {MACHINE}",
]


# ---------------------------------------------------------------- removed headers


@pytest.fixture(scope="module")
def checks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Quickstart's header_checks in a file for Postfix's own parser."""
    if not shutil.which("postmap"):
        skip_missing("postfix")
    file = tmp_path_factory.mktemp("checks") / "header_checks"
    file.write_text(file_text("header_checks"))
    return file


def is_removed(checks: Path, header: str) -> bool:
    """Whether Postfix removes a header, folded or not."""
    command = ["postmap", "-q", header, f"regexp:{checks}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout == "IGNORE\n"


@pytest.mark.parametrize("header", FORGED)
def test_postfix_removes_forged_authentication_results(checks: Path, header: str) -> None:
    assert is_removed(checks, header)


@pytest.mark.parametrize("header", HONEST_HEADERS)
def test_postfix_leaves_honest_headers_alone(checks: Path, header: str) -> None:
    assert not is_removed(checks, header)


# ---------------------------------------------------------------- emails in and out


@dataclass
class CorrServer:
    """corr behind Postfix: its settings and its listener."""

    settings: dict[str, str]
    mail: PostfixServer
    door: Listener | None = None

    def open(self) -> None:
        host, _, port = self.settings["CORR_LMTP_LISTEN"].rpartition(":")
        ours = build_server(Config.from_env(self.settings))
        self.door = Listener(
            EmailEntrance(ours, lambda _: None), ListenAddress(host, int(port), LmtpProtocol), NAME
        )
        self.door.start()

    def shut(self) -> None:
        assert self.door
        self.door.stop()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CorrServer]:
    """The LMTP listener, with Postfix and opendkim before it."""
    if PostfixServer.missing():
        skip_missing(PostfixServer.missing())
    if not PostfixServer.may_be_started():
        skip_missing("Postfix's right to start", "run the tests as root")
    if not shutil.which("opendkim"):
        skip_missing("opendkim")
    folder, door, signer = tmp_path_factory.mktemp("house"), free_port(), free_port()
    with ExitStack() as stack:
        stack.enter_context(_signing(signer))
        # Not in pytest's folders, which Postfix's user can't open.
        room = Path(stack.enter_context(TemporaryDirectory(prefix="corr-postfix-")))
        mail = PostfixServer(room, NAME, door, free_port(), signer)
        mail.start()
        stack.callback(mail.stop)
        settings = {
            "CORR_DATABASE_URL": f"sqlite:///{folder / 'corr.sqlite'}",
            "CORR_MAIL_DOMAIN": NAME,
            "CORR_SMTP_URL": f"smtp://{HOST}:{mail.port}",
            "CORR_LMTP_LISTEN": f"{HOST}:{door}",
        }
        with closing(build_server(Config.from_env(settings)).store) as store:
            migrate.upgrade(store)
        made = CorrServer(settings, mail)
        made.open()
        yield made
        made.shut()


@contextmanager
def _signing(port: int) -> Iterator[None]:
    """Run opendkim as quickstart sets it up, on a free port and in its own folder."""
    with TemporaryDirectory(prefix="corr-opendkim-") as name:
        folder = Path(name)
        private, conf = folder / "corr.private", folder / "opendkim.conf"
        private.write_text(key().pem)
        private.chmod(0o600)
        shutil.chown(private, "opendkim", "opendkim")
        folder.chmod(0o755)
        usual = "RequireSafeKeys no\n"  # all may write where tests have their folders
        conf.write_text(
            usual
            + file_text_with(
                "opendkim.conf",
                (r"/etc/dkimkeys/corr\.private", str(private)),
                (r"inet:8891@127\.0\.0\.1", f"inet:{port}@{HOST}"),
                (r"^PidFile .*$", ""),
                (r"^Syslog\w* .*$", ""),
            )
        )
        server = subprocess.Popen(["opendkim", "-f", "-x", str(conf)])
        try:
            wait_until(lambda: answers(port) or server.poll() is not None, "opendkim answers")
            yield
        finally:
            server.kill()  # it keeps nothing, and takes its leave within five seconds alone
            server.wait(TIMEOUT)


def doctor(server: CorrServer, *words: str) -> dict[str, str]:
    """The doctor's findings by subject."""
    zone = parse_zone(folder.write_zone(plan()))
    with run_dns_server(zone) as place:
        said = corr("doctor", *words, "--resolver", place, env=server.settings).output
    return dict(re.findall(r"^(?:ok   |WRONG) (\S+) +(.*(?:\n {6}.*)*)$", said, re.MULTILINE))


def test_the_doctors_email_returns_through_postfix_with_a_valid_signature(
    server: CorrServer,
) -> None:
    said = doctor(server, "--mail")

    assert re.fullmatch(r"an email to the site itself came back after \d+\.\d s", said["letter"])
    assert said["signed"] == f"{NAME} signs its email, and the key in DNS matches"


def test_an_unknown_address_is_refused_before_the_data(server: CorrServer) -> None:
    with smtplib.SMTP(HOST, server.mail.port, source_address=(OUTSIDE_HOST, 0), timeout=TIMEOUT) as world:
        world.ehlo("mx.a.example")
        world.mail("ann@a.example")
        known, _ = world.rcpt(f"umpire@{NAME}")
        unknown, words = world.rcpt(f"nobody@{NAME}")
        elsewhere, _ = world.rcpt("ben@b.example")

    assert (known, unknown, elsewhere) == (250, 550, 454)
    assert b"There is no such address here" in words


def test_a_closed_listener_is_reported_with_its_address(server: CorrServer) -> None:
    server.shut()
    said = doctor(server, "--mail", "--wait", "0.3")
    server.open()

    assert re.match(
        r"smtp://\S+ accepted an email to the site itself, but it didn't come back within", said["letter"]
    )
    assert f"It should be passed on to {server.settings['CORR_LMTP_LISTEN']} by LMTP." in said["letter"]
