"""Postfix and opendkim by what quickstart writes, both for real: who is refused, what is taken away, what is signed."""

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
from corr.store import schema
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


# ---------------------------------------------------------------- what is taken away


@pytest.fixture(scope="module")
def checks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Quickstart's header_checks, in a file, for Postfix's own reader."""
    if not shutil.which("postmap"):
        skip_missing("postfix")
    file = tmp_path_factory.mktemp("checks") / "header_checks"
    file.write_text(file_text("header_checks"))
    return file


def taken_away(checks: Path, header: str) -> bool:
    """What Postfix itself finds for a header, lines folded or not."""
    command = ["postmap", "-q", header, f"regexp:{checks}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout == "IGNORE\n"


@pytest.mark.parametrize("header", FORGED)
def test_postfix_takes_away_what_would_be_read_as_a_verdict_of_ours(checks: Path, header: str) -> None:
    assert taken_away(checks, header)


@pytest.mark.parametrize("header", HONEST_HEADERS)
def test_postfix_leaves_honest_headers_alone(checks: Path, header: str) -> None:
    assert not taken_away(checks, header)


# ---------------------------------------------------------------- letters in and out


@dataclass
class House:
    """A house behind a Postfix: its settings, and its door."""

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
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The door by LMTP, Postfix before it, and opendkim beside that."""
    if PostfixServer.missing():
        skip_missing(PostfixServer.missing())
    if not PostfixServer.may_be_started():
        skip_missing("Postfix's right to start", "run the tests as root")
    if not shutil.which("opendkim"):
        skip_missing("opendkim")
    folder, door, signer = tmp_path_factory.mktemp("house"), free_port(), free_port()
    with ExitStack() as stack:
        stack.enter_context(_signing(signer))
        # Not among pytest's folders, which are shut to whoever Postfix runs as.
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
            schema.upgrade(store)
        made = House(settings, mail)
        made.open()
        yield made
        made.shut()


@contextmanager
def _signing(port: int) -> Iterator[None]:
    """opendkim as quickstart sets it up, on a port and in a folder of its own."""
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


def doctor(server: House, *words: str) -> dict[str, str]:
    """What the doctor says, by what it has looked at."""
    zone = parse_zone(folder.write_zone(plan()))
    with run_dns_server(zone) as place:
        said = corr("doctor", *words, "--resolver", place, env=server.settings).output
    return dict(re.findall(r"^(?:ok   |WRONG) (\S+) +(.*(?:\n {6}.*)*)$", said, re.MULTILINE))


def test_a_letter_to_the_house_itself_goes_through_postfix_and_back_signed_by_the_key_that_dns_is_told(
    server: House,
) -> None:
    said = doctor(server, "--mail")

    assert re.fullmatch(r"an email to the site itself came back after \d+\.\d s", said["letter"])
    assert said["signed"] == f"{NAME} signs its email, and the key in DNS matches"


def test_an_address_that_there_is_not_is_refused_before_its_letter_is_taken(server: House) -> None:
    with smtplib.SMTP(HOST, server.mail.port, source_address=(OUTSIDE_HOST, 0), timeout=TIMEOUT) as world:
        world.ehlo("mx.a.example")
        world.mail("ann@a.example")
        known, _ = world.rcpt(f"umpire@{NAME}")
        unknown, words = world.rcpt(f"nobody@{NAME}")
        elsewhere, _ = world.rcpt("ben@b.example")

    assert (known, unknown, elsewhere) == (250, 550, 454)
    assert b"There is no such address here" in words


def test_a_door_that_is_shut_is_told_of_with_where_it_should_be(server: House) -> None:
    server.shut()
    said = doctor(server, "--mail", "--wait", "0.3")
    server.open()

    assert re.match(
        r"smtp://\S+ accepted an email to the site itself, but it didn't come back within", said["letter"]
    )
    assert f"It should be passed on to {server.settings['CORR_LMTP_LISTEN']} by LMTP." in said["letter"]
