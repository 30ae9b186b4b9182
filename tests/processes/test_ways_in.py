"""A whole game by each way in, through real mail programs."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from email.message import EmailMessage
from itertools import count
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

import pytest

from tests.support.database_servers import HOST, RedisServer, answers, free_port
from tests.support.docs import code_block
from tests.support.dovecot import DovecotServer
from tests.support.mutt import Mutt
from tests.support.postfix import PostfixServer
from tests.support.procfile import Process, environ, read_procfile, run_once, stop_all
from tests.support.remote_players import RemotePlayers
from tests.support.skips import skip_missing
from tests.support.table import ANN, BEN, DOMAIN
from tests.support.waiting import TIMEOUT, wait_until

MOVES = ("f2f3", "e7e5", "g2g4", "d8h4")
KEY = "a key of thirty-two letters, or more"
_numbers = count(1)

pytestmark = pytest.mark.xdist_group("ways in")


@dataclass
class CorrServer:
    """A server that gets email in every way, and sends it by Postfix if that can be started."""

    far: RemotePlayers
    settings: dict[str, str]
    folder: Path
    dovecot: DovecotServer
    postfix: PostfixServer

    def reply(self, player: str, text: str) -> tuple[EmailMessage, bytes]:
        """The newest letter to a player, and an answer to it."""
        letter = self.far.take_email_to_answer(player)
        lines = (
            f"From: {player}",
            f"To: {letter['Reply-To']}",
            f"Subject: Re: {letter['Subject']}",
            f"In-Reply-To: {letter['Message-ID']}",
            f"Message-ID: <way-{next(_numbers)}@far.example>",
            "",
            text,
            "",
        )
        return letter, "\r\n".join(lines).encode()


def send_by_imap(server: CorrServer, player: str, text: str) -> None:
    server.dovecot.add_emails("INBOX", server.reply(player, text)[1])


def send_by_provider(server: CorrServer, player: str, text: str) -> None:
    """As the docs for operators do it."""
    place = f"http://{server.settings['CORR_WEB_LISTEN']}/in/raw"
    script = code_block("docs/install.md", "Corr-Seal: ").replace("https://play.example.org/in/raw", place)
    told = subprocess.check_output(
        ["sh", "-c", script], input=server.reply(player, text)[1], env=server.settings, timeout=TIMEOUT
    )
    assert told == b"Email accepted.\n"


def send_by_swaks(server: CorrServer, player: str, text: str) -> None:
    """With STARTTLS and a checked certificate."""
    swaks(
        server,
        player,
        text,
        int(server.settings["CORR_SMTP_LISTEN"].rpartition(":")[2]),
        "--tls",
        "--tls-verify",
    )


def send_by_postfix(server: CorrServer, player: str, text: str) -> None:
    """Postfix delivers to corr by LMTP, and relays its emails."""
    swaks(server, player, text, server.postfix.port)


def swaks(server: CorrServer, player: str, text: str, port: int, *how: str) -> None:
    letter, raw = server.reply(player, text)
    server = ("--server", "localhost", "--port", str(port), "--tls-ca-path", str(server.dovecot.certificate))
    command = ["swaks", *server, *how, "--from", player, "--to", str(letter["Reply-To"]), "--data", "-"]
    done = subprocess.run(
        command, input=raw.replace(b"\r\n", b"\n"), capture_output=True, timeout=TIMEOUT, check=False
    )
    assert done.returncode == 0, done.stdout.decode()


def send_by_mutt(server: CorrServer, player: str, text: str) -> None:
    port = int(server.settings["CORR_SMTP_LISTEN"].rpartition(":")[2])
    folder = server.folder / "mutt"
    folder.mkdir(exist_ok=True)
    Mutt(folder, port, server.dovecot.certificate).answer(
        server.far.take_email_to_answer(player), player, text
    )


Way = Callable[[CorrServer, str, str], None]
WAYS: dict[Way, str] = {
    send_by_imap: "",
    send_by_provider: "curl",
    send_by_swaks: "swaks",
    send_by_mutt: "mutt",
    send_by_postfix: "swaks",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CorrServer]:
    for server in (RedisServer, DovecotServer, PostfixServer):
        if server.missing():
            skip_missing(server.missing())
    with ExitStack() as stack:
        yield at_work(stack, tmp_path_factory.mktemp("ways"))


def at_work(stack: ExitStack, folder: Path) -> CorrServer:
    far, redis, lmtp = RemotePlayers(free_port()), RedisServer(), free_port()
    # Not in pytest's folders, which are closed to other users.
    rooms = [Path(stack.enter_context(TemporaryDirectory(prefix="corr-ways-"))) for _ in range(2)]
    dovecot, postfix = DovecotServer(rooms[0]), PostfixServer(rooms[1], DOMAIN, lmtp, far.port)
    far.open()
    stack.callback(far.close)
    for server in (redis, dovecot, *([postfix] if postfix.may_be_started() else [])):
        server.start()  # type: ignore[attr-defined]
        stack.callback(server.kill if server is dovecot else server.stop)  # type: ignore[attr-defined]
    certificate = str(dovecot.certificate)
    settings = environ(
        CORR_DATABASE_URL=f"sqlite:///{folder / 'corr.sqlite'}",
        CORR_MAIL_DOMAIN=DOMAIN,
        CORR_REDIS_URL=redis.url,
        CORR_SMTP_URL=f"smtp://{HOST}:{postfix.port if postfix.may_be_started() else far.port}",
        CORR_SMTP_LISTEN=f"{HOST}:{far.door}",
        CORR_LMTP_LISTEN=f"{HOST}:{lmtp}",
        CORR_SMTP_CERT=certificate,
        CORR_IMAP_URL=dovecot.url("INBOX"),
        CORR_HOOK_KEY=KEY,
        CORR_WEB_LISTEN=f"{HOST}:{free_port()}",
        CORR_WEB_WORKERS="1",
        SSL_CERT_FILE=certificate,
    )
    run_once(read_procfile()["release"], settings)
    names = ("web", "worker", "beat", "mail", "fetch")
    parts = [Process(name, read_procfile()[name], settings, folder / f"{name}.log") for name in names]
    for part in parts:
        part.start()
    stack.callback(stop_all, parts)
    wait_until(lambda: all(part.has_started() for part in parts), "all have started")
    wait_until(lambda: answers(lmtp), "the door by LMTP is open")
    return CorrServer(far, settings, folder, dovecot, postfix)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_whole_game_is_played(server: CorrServer, way: Way) -> None:
    if WAYS[way] and not which(WAYS[way]):
        skip_missing(WAYS[way])
    if way is send_by_postfix and not server.postfix.may_be_started():
        pytest.skip("Postfix is started by root alone")
    server.far.emails.clear()
    run_once(f"corr challenge {ANN} {BEN} wild16", server.settings)
    for player in (ANN, BEN):
        server.far.wait_for(player, "reply to this email")
        way(server, player, "accept")
        server.far.wait_for(player, "Thank you." if player == ANN else "The game has started.")
    for number, move in enumerate(MOVES):
        player, other = ((ANN, BEN), (BEN, ANN))[number % 2]
        server.far.wait_for(player, "Your turn")
        way(server, player, move)
        server.far.wait_for(other, "The game is over" if move == MOVES[-1] else "Your turn")

    for player in (ANN, BEN):
        assert "Here is the whole board." in server.far.wait_for(player, "The game is over")
    assert server.dovecot.flags("INBOX") == []
