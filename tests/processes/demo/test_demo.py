"""The demo as a newcomer runs it: one process, real SMTP, a page with two mailboxes."""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

import pytest

from corr.demo.mailbox import PEOPLE, REGULARS
from corr.rules.variants import UMPIRES
from tests.support.database_servers import free_port
from tests.support.sample_games import GAMES
from tests.support.table import ANN, BEN
from tests.support.waiting import TIMEOUT, wait_until

KILLS = 20 if os.environ.get("CORR_TEST_LONG") else 4
ODD_FORMS = (
    ("/demo/clock", {"hours": "²"}),
    ("/demo/clock", {"hours": "-1"}),
    ("/demo/game", {"variant": "chess960"}),
    ("/demo/reply", {"letter": "ann-0", "text": "e2e4", "program": "Gmail"}),
    ("/demo/game", {"variant": "wild16", "csrf": "é"}),
)
#: Pawn moves of both sides in turn; none can capture yet.
QUIET = [f"{file}{start}{file}{end}" for step in ((2, 3, 7, 6), (3, 4, 6, 5)) for file in "abcdefgh"
         for start, end in (step[:2], step[2:])]  # fmt: skip
FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")


@dataclass
class Demo:
    """A running `corr demo`, and a person on its page."""

    folder: Path
    port: int
    has_past: bool = False
    process: subprocess.Popen[str] | None = None
    listener: int = 0
    said: str = ""
    browser: OpenerDirector = field(default_factory=lambda: build_opener(HTTPCookieProcessor(CookieJar())))

    def start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "corr.cli",
            "demo",
            "--dir",
            str(self.folder),
            "--port",
            str(self.port),
            *(() if self.has_past else ("--empty",)),
        ]
        environ = {key: value for key, value in os.environ.items() if not key.startswith("CORR_")}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environ
        )
        assert self.process.stdout is not None
        begun = self.process.stdout.readline()
        if f"http://127.0.0.1:{self.port}/demo/" not in begun:
            with self.process.stdout:
                raise AssertionError(
                    f"{begun}{self.process.stdout.read()}, status {self.process.wait(TIMEOUT)}"
                )
        self.listener = int(self.process.stdout.readline().rstrip().rstrip(".").rpartition(":")[2])

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        assert self.process is not None
        self.process.send_signal(how)
        code = self.process.wait(TIMEOUT)
        assert self.process.stdout is not None
        self.said = self.process.stdout.read()
        self.process.stdout.close()
        return code

    def pages(self) -> str:
        """What the demo shows of everybody, one after another."""
        return " ".join(self.page(f"/demo/?who={person.key}") for person in PEOPLE)

    def page(self, path: str) -> str:
        with self.browser.open(f"http://127.0.0.1:{self.port}{path}", timeout=TIMEOUT) as answer:
            return " ".join(unescape(answer.read().decode()).split())

    def press(self, path: str, on: str = "/demo/", **form: str) -> str:
        """Press a button of a page."""
        csrf = re.search(r'name="csrf" value="([^"]+)"', self.page(on))[1]
        data = urlencode({"csrf": csrf, **form}).encode()
        with self.browser.open(f"http://127.0.0.1:{self.port}{path}", data, timeout=TIMEOUT) as answer:
            return " ".join(unescape(answer.read().decode()).split())

    def newest(self, player: str) -> str:
        return re.findall(rf'name="letter" value="({player}-\d+)"', self.page(f"/demo/?who={player}"))[0]

    def reply(self, player: str, text: str, how: str = "once", program: str = "Gmail") -> str:
        letter = self.newest(player)
        return self.press("/demo/reply", who=player, letter=letter, text=text, how=how, program=program)

    def texts(self, player: str) -> list[str]:
        """A player's letters as files, the oldest first."""
        return [path.read_text() for path in sorted((self.folder / "mail" / player).glob("*.in"))]

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def count(self, question: str) -> int:
        database = sqlite3.connect(self.folder / "corr.sqlite")
        try:
            return database.execute(question).fetchone()[0]
        finally:
            database.close()

    def wait_until(self, question: str, wanted: int) -> None:
        """Ask the database until it answers so."""
        wait_until(lambda: self.count(question) == wanted or not self.is_running(), f"{question} is {wanted}")
        assert self.is_running(), "the demo ended by itself"

    def wait_for_more(self, question: str, before: int) -> None:
        """Ask the database again and again until it counts more than before."""
        wait_until(lambda: self.count(question) != before, f"{question} is {before} no more")


@contextmanager
def running(folder: Path) -> Iterator[Demo]:
    made = Demo(folder, free_port())
    made.start()
    yield made
    if made.process is not None and made.process.poll() is None:
        made.stop(signal.SIGKILL)


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    with running(tmp_path / "demo") as made:
        yield made


@pytest.fixture(scope="module")
def demo_of_many_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """One demo for games of all variants, one after another."""
    with running(tmp_path_factory.mktemp("many-games") / "demo") as made:
        yield made


def test_a_game_is_won_by_checkmate_through_the_mailbox_page(demo: Demo) -> None:
    programs = ("Outlook, HTML only", "iPhone", "Thunderbird, answer below", "No quotation")
    for number, move in enumerate(FOOLS_MATE):
        demo.reply(("ann", "ben")[number % 2], move, program=programs[number])

    page = demo.pages()

    assert page.count("Checkmate. Black wins.") == 2
    assert page.count("Here is the whole board.") == 2
    assert demo.count("select count(*) from orders where verdict = 'moved'") == 4
    assert page.count("/game.pgn") == 2
    shown = demo.page(f"/demo/letters/{demo.newest('ann')}/html")
    assert (shown.count('src="data:image/png;base64,iVBOR'), shown.count("cid:")) == (2, 0)
    assert "2... Qh4# {Short-diagonal check." in demo.page(f"/demo/letters/{demo.newest('ann')}/game.pgn")
    assert "The rules of Wild 16" in demo.page("/rules/wild16")


def test_a_bot_leaves_time_to_read_the_answer_to_ones_own_move(demo: Demo) -> None:
    page = demo.press("/play", on="/play")
    table = re.search(r'action="(/games/\w+)"', page)[1]
    stamp = re.search(r'name="stamp" value="([^"]+)"', page)[1]
    demo.press(table, on=table, orders="e2e4", stamp=stamp, side="white")
    demo.wait_until("select count(*) from orders where verdict = 'moved'", 2)

    assert demo.count("select max(at) - min(at) from orders where verdict = 'moved'") > 1_000_000


def test_the_tutor_plays_in_the_demo_too(demo: Demo) -> None:
    demo.reply("ann", "tutorial")
    for number, text in enumerate(("e2e4", "a1a8, a1a5", "d2d4"), 1):
        demo.press("/demo/reply", letter=lesson_email(demo, number), text=text, how="once", program="Gmail")

    demo.wait_until("select count(*) from orders where verdict = 'moved'", 4)


def lesson_email(demo: Demo, number: int) -> str:
    """Wait for the email to Ann that begins a lesson."""
    found: list[str] = []

    def has_come() -> bool:
        letters = dict.fromkeys(re.findall(r"\b(ann-\d+)\b", demo.pages()))
        begins = f"Part {number} of 3"
        found.extend(each for each in letters if begins in demo.page(f"/demo/letters/{each}/html"))
        return bool(found)

    wait_until(has_come, f"lesson {number} begins")
    return found[0]


@pytest.mark.parametrize("variant", UMPIRES)
def test_a_whole_game_of_each_variant_is_played_through_the_mailbox_page(
    demo_of_many_games: Demo, variant: str
) -> None:
    demo, end = demo_of_many_games, GAMES[variant].end
    begun = demo.press("/demo/game", variant=variant)
    assert end not in begun
    assert f'<option value="{variant}" selected>' in begun
    for writer, text in GAMES[variant].by_turns():
        page = demo.reply({ANN: "ann", BEN: "ben"}[writer], text)
        assert "I did nothing" not in page
        assert "I did nothing" not in page
        demo.wait_until("select count(*) from outbox where sent_at is null", 0)

    assert demo.pages().count(end) == 2
    assert demo.count(f"select count(*) from games where variant = '{variant}' and state = 'over'") == 1


def test_a_stranger_gets_a_game_by_the_lobby(demo: Demo) -> None:
    demo.press("/sign-in", on="/sign-in", address="cleo@strangers.example")
    demo.wait_until("select count(*) from site_outbox where sent_at is not null", 1)
    link = re.search(r"http://127\.0\.0\.1:\d+(/letters/\w+)", demo.texts("cleo")[-1])[1]
    demo.press(link, on=link, deed="sign in")
    demo.press("/name", on="/lobby/", name="Cleo")
    demo.press("/lobby/challenge", on="/lobby/", whom="ben@players.example", variant="rbc", clock="2d")
    demo.wait_until("select count(*) from site_outbox where sent_at is not null", 2)
    demo.reply("ben", "accept")
    demo.wait_until("select count(*) from games where state = 'running' and variant = 'rbc'", 1)

    assert "Reconnaissance Blind Chess · " in demo.page("/games/")


def test_a_stranger_gets_a_game_by_email(demo: Demo) -> None:
    assert "confirm" in demo.press("/demo/write", who="cleo", text="challenge ben@players.example wild16")
    demo.reply("cleo", "confirm")
    assert "Cleo would like to play a game with you" in demo.pages()
    demo.reply("ben", "accept")

    assert "Wild 16 with Cleo" in demo.pages()


def test_the_other_buttons_do_what_they_say(demo: Demo) -> None:
    assert "from an address that isn't yours" in demo.reply("ann", "e2e4", how="other")
    assert "No email was sent." in demo.reply("ann", "e2e4", how="vacation")
    assert "Your move has been made." in demo.reply("ann", "e2e4", how="twice")
    assert demo.count("select count(*) from orders") == 1

    assert "This is a reminder" in demo.press("/demo/clock", who="ben", hours="60")
    assert "Black has not moved in time." in demo.press("/demo/clock", hours="20")
    assert "The game has started." in demo.press("/demo/game", who="ben", variant="wild16")


def test_a_new_demo_has_finished_games_a_leaderboard_and_an_event(tmp_path: Path) -> None:
    demo = Demo(tmp_path / "demo", free_port(), has_past=True)
    demo.start()
    try:
        demo.wait_until("select count(*) from entrants", 2)
        over = "select count(*) from games where state = 'over' and rated"
        assert demo.count(f"{over} and variant <> 'wild16'") == len(UMPIRES) - 1
        demo.wait_until("select count(*) from outbox where sent_at is null and dead_at is null", 0)
        assert demo.count("select count(*) from outbox where dead_at is not null") == 0
        assert "Dora" in demo.page("/players/?name=Do")
        listed = re.findall(r'href="/players/(\w+)"', demo.page("/players/board/wild16"))
        assert listed == [each.name for each in REGULARS]
        assert "Emil" in demo.page("/archive")
        assert "3 of 5 places are free" in demo.page("/events/")
        assert "Dora" not in demo.pages()
    finally:
        demo.stop()


def test_an_email_is_shown_as_html_and_as_source(demo: Demo) -> None:
    letter = demo.newest("ann")

    assert 'src="data:image/png;base64,iVBOR' in demo.page(f"/demo/letters/{letter}/html")
    assert "Reply-To: " in demo.page(f"/demo/letters/{letter}/source")


def test_the_page_serves_only_this_machine_and_its_own_forms(demo: Demo) -> None:
    with pytest.raises(HTTPError, match="400"):
        demo.browser.open(f"http://127.0.0.1:{demo.port}/demo/game", b"variant=wild16", timeout=TIMEOUT)
    for path, form in ODD_FORMS:
        with pytest.raises(HTTPError, match="40"):
            demo.press(path, **form)
    with socket.create_connection(("127.0.0.1", demo.port), 20) as raw:
        raw.sendall(b"GET /demo/ HTTP/1.1\r\nHost: evil.example:80\r\nConnection: close\r\n\r\n")
        assert b"403" in raw.recv(100)


def test_ctrl_c_ends_it_cleanly(demo: Demo) -> None:
    assert demo.stop(signal.SIGINT) == 0
    assert demo.said.strip() == "Goodbye."


def test_kills_at_random_moments_lose_and_double_nothing(demo: Demo) -> None:
    dice = random.Random(20)
    letters = 2  # both have accepted
    for number in range(KILLS):
        for player in ("ann", "ben"):
            demo.reply(player, f"show\n\nletter {number}")
            letters += 1
        ply = demo.count("select ply from games")
        step = dice.choice((None, *STEPS))
        before = demo.count(step) if step else 0
        sender = send_in_the_background(demo, ("ann", "ben")[ply % 2], QUIET[ply])
        if step:
            demo.wait_for_more(step, before)
        demo.stop(signal.SIGKILL)
        sender.communicate(timeout=TIMEOUT)
        letters += sender.returncode == 0
        demo.start()
    demo.wait_until("select count(*) from inbox where read_at is null", 0)
    demo.wait_until("select count(*) from outbox where sent_at is null", 0)

    moved = demo.count("select count(*) from orders where verdict = 'moved'")
    assert moved == demo.count("select count(distinct ply) from orders where verdict = 'moved'")
    assert moved == demo.count("select ply from games") >= KILLS // 4
    assert demo.count("select count(*) from inbox") >= letters
    assert demo.count("select count(*) from outbox where kind = 'answer'") == demo.count(
        "select count(*) from inbox"
    )
    assert demo.count("select count(distinct inbox_id) from outbox where kind = 'answer'") == demo.count(
        "select count(*) from inbox"
    )
    handed_over = {}
    for player in ("ann", "ben"):
        for text in demo.texts(player):
            message_id = re.search(r"^Message-ID: (.+)$", text, re.MULTILINE)[1]
            assert handed_over.setdefault(message_id, text) == text
    assert len(handed_over) == demo.count("select count(*) from outbox")


def send_in_the_background(demo: Demo, player: str, move: str) -> subprocess.Popen[bytes]:
    """Email the listener directly, which may be killed meanwhile; exits with 0 if it accepted."""
    text = demo.texts(player)[-1]
    address = re.search(r"^Reply-To: (.+)$", text, re.MULTILINE)[1].strip()
    program = f"""
import smtplib, uuid
head = f"From: {player}@players.example\\r\\nMessage-ID: <{{uuid.uuid4()}}@x.example>\\r\\n"
door = smtplib.SMTP("127.0.0.1", {demo.listener}, timeout={TIMEOUT})
print("at the door", flush=True)
door.sendmail("{player}@players.example", ["{address}"], head + "\\r\\n{move}\\r\\n")
"""
    sender = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert sender.stdout is not None
    assert sender.stdout.readline() == b"at the door\n"
    return sender


#: The steps of an email: at each, one of these counts grows. Kills hit different steps.
STEPS = (
    "select count(*) from inbox",
    "select count(*) from inbox where read_at is not null",
    "select count(*) from outbox",
    "select count(*) from outbox where sent_at is not null",
)
