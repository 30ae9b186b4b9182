"""Shows the demo's mailboxes as a web page, with boxes to answer emails."""

from __future__ import annotations

import base64
import re
import secrets
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from smtplib import SMTP
from urllib.parse import urlencode, urlsplit

from flask import Blueprint, Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from corr.demo.clock import DemoClock
from corr.demo.demo_players import ANN, BEN, OLGA, PEOPLE, UMPIRE, Person
from corr.demo.mailbox import DemoEmail, Mailboxes
from corr.demo.reply import PROGRAMS, new_email, reply, vacation_notice
from corr.mail.smtp_server import ListenAddress
from corr.messages import sentence
from corr.service import catalogue, worker_rounds
from corr.service.admin import health
from corr.service.lobby import page, proposals
from corr.service.lobby.terms import Terms
from corr.service.players import authentication, house_bots
from corr.service.server import Server
from corr.web.browser_session import render_public
from corr.words.board import Pair
from corr.worker_wakeup import Work, WorkerWaker

_PATIENCE = 5.0
_GLANCE = 0.02
_LETTER_CSP = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
    "sandbox allow-top-navigation-by-user-activation"
)
_LINK = re.compile(r"^https?://\S+$", re.MULTILINE)
_TABLE = re.compile(r"(?<=href=\")(https?://[^/\"]+)(?=/games/)")
_CONTENT = re.compile(r"(?<=src=\")cid:(\w+)(?=\")")
_CODE = re.compile(r"\(([a-z0-9]+)\)$")
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Demo:
    """The parts of the demo that the page uses."""

    server: Server
    mailbox: Mailboxes
    clock: DemoClock
    knock: WorkerWaker
    listener: ListenAddress


def demo_pages(demo: Demo) -> Blueprint:
    """Return a demo's blueprint.

    It shows both sides, so it answers on loopback alone.
    """
    pages = Blueprint("demo", __name__, url_prefix="/demo")
    token = secrets.token_urlsafe()

    pages.before_request(lambda: _guard(token))

    @pages.get("/")
    def mailbox() -> str:
        return _page(demo, token)

    @pages.get("/letters/<letter_id>/html")
    def letter_html(letter_id: str) -> Response:
        letter = _letter(demo, letter_id)
        page = Response(_retarget_links(_embed_pictures(letter), letter.owner), mimetype="text/html")
        page.headers["Content-Security-Policy"] = _LETTER_CSP
        return page

    @pages.get("/letters/<letter_id>/source")
    def letter_source(letter_id: str) -> Response:
        return Response(_letter(demo, letter_id).raw, mimetype="text/plain")

    @pages.get("/letters/<letter_id>/game.pgn")
    def letter_game(letter_id: str) -> Response:
        game = _letter(demo, letter_id).game or abort(404, sentence("demo.no_game"))
        return Response(game, mimetype="text/plain")

    @pages.post("/reply")
    def answer() -> AnyResponse:
        letter = _letter(demo, request.form.get("letter", ""))
        return _back(_run_and_wait(demo, lambda: _answer(demo, letter)))

    @pages.post("/write")
    def write() -> AnyResponse:
        person = _person(request.form.get("writer", ""))
        return _back(_run_and_wait(demo, lambda: _write(demo, person)))

    @pages.post("/clock")
    def advance() -> AnyResponse:
        hours_to_pass = _hours(request.form.get("hours", ""))
        return _back(_run_and_wait(demo, lambda: _advance_hours(demo, hours_to_pass)))

    @pages.post("/game")
    def new_game() -> AnyResponse:
        variant = _variant(request.form.get("variant", ""))
        against = request.form.get("against", "")
        return _back(_run_and_wait(demo, lambda: _new_game(demo, variant, against)))

    return pages


def new_demo_game(demo: Demo, variant: str) -> None:
    """Start a game: propose it to both players, and accept it for each by email."""
    addresses = Pair(*(f"{person.name} <{person.address}>" for person in (ANN, BEN)))
    code = proposals.propose(demo.server, addresses, variant, "3d", demo.server.now())
    demo.knock(Work.LETTERS)
    for person in (ANN, BEN):
        proposal = _proposal(demo, person, code)
        raw = reply(proposal, "accept", next(iter(PROGRAMS)), demo.server.now(), person)
        _hand_in(demo, person, str(proposal.message["Reply-To"]), raw)


def _proposal(demo: Demo, person: Person, code: str) -> DemoEmail:
    """Wait for the email that proposes a game, however slow the machine is."""
    while True:
        found = (mail for mail in demo.mailbox.letters(person) if not mail.sent)
        if proposal := next((mail for mail in found if f"({code})" in mail.message["Subject"]), None):
            return proposal
        demo.mailbox.wait_for_email(_GLANCE)


def _new_game(demo: Demo, variant: str, against: str) -> None:
    """Start a game of Ann against Ben, or against the named bot."""
    if not against:
        new_demo_game(demo, variant)
        return
    now = demo.server.now()
    ann = authentication.find_visitor(
        demo.server, authentication.sign_in_directly(demo.server, ANN.address, now).secret, now
    )
    assert ann
    page.challenge(demo.server, ann, against, Terms(variant, "3d"), now)
    demo.knock(Work.LETTERS)


def wait_until_idle(demo: Demo) -> None:
    """Wait until no email is on its way, but not forever."""
    deadline = time.monotonic() + _PATIENCE
    while not health.is_idle(demo.server) and time.monotonic() < deadline:
        demo.mailbox.wait_for_email(_GLANCE)


# ---------------------------------------------------------------- the page


@dataclass(frozen=True, slots=True)
class PersonColumn:
    """A person's column on the page."""

    key: str
    name: str
    address: str
    opens: str  # the page that the column shows: the newest game, if there is any
    letters: list[ShownEmail]

    @property
    def threads(self) -> list[Thread]:
        """The emails by thread, with the latest email's thread first."""
        threads = dict[str, list[ShownEmail]]()
        for letter in self.letters:
            threads.setdefault(letter.thread, []).append(letter)
        return [Thread(letters[0].subject, letters) for letters in threads.values()]


@dataclass(frozen=True, slots=True)
class Thread:
    """The emails of one game or subject, newest first."""

    subject: str
    letters: list[ShownEmail]


@dataclass(frozen=True, slots=True)
class ShownEmail:
    """An email as the page shows it, with the replies to it."""

    id: str
    subject: str
    thread: str
    date: str
    kind: str
    text: str
    links: list[str]
    html_url: str
    source_url: str
    game_url: str
    own_replies: list[SentReply]


@dataclass(frozen=True, slots=True)
class SentReply:
    """A reply to an email."""

    name: str
    date: str
    text: str


def _page(demo: Demo, token: str) -> str:
    mails = [mail for person in PEOPLE for mail in demo.mailbox.letters(person)]
    players = [_player(person, mails) for person in PEOPLE]
    chosen = request.args.get("letter", "")
    return render_public(
        "web/demo.html",
        players=players,
        chosen=next((each for player in players for each in player.letters if each.id == chosen), None),
        programs=list(PROGRAMS),
        chosen_program=request.args.get("program", next(iter(PROGRAMS))),
        cards=catalogue.cards(),
        house_players=house_bots.HOUSE_BOTS,
        chosen_variant=request.args.get("variant", "wild16"),
        now=_format_moment(demo.server.now()),
        message=request.args.get("message", ""),
        csrf=token,
    )


def _player(person: Person, mails: list[DemoEmail]) -> PersonColumn:
    received = [mail for mail in mails if mail.owner is person and not mail.sent]
    replies_by_id: dict[str, list[DemoEmail]] = defaultdict(list)
    for mail in mails:
        if mail.sent:
            replies_by_id[str(mail.message["In-Reply-To"])].append(mail)
    letters = [_make_shown_email(mail, replies_by_id) for mail in reversed(received)]
    named = (_CODE.search(mail.subject) for mail in reversed(received))
    game = next((found[1] for found in named if found), "")
    opens = "admin/" if person is OLGA else f"games/{game}"
    return PersonColumn(person.key, person.name, person.address, opens, letters)


def _make_shown_email(mail: DemoEmail, replies_by_id: dict[str, list[DemoEmail]]) -> ShownEmail:
    replies = replies_by_id.get(str(mail.message["Message-ID"]), [])
    return ShownEmail(
        id=mail.id,
        subject=mail.subject,
        thread=_thread(mail.subject),
        date=_format_moment(mail.date),
        kind=mail.first_line,
        text=mail.text,
        links=_LINK.findall(mail.text),
        html_url=url_for("demo.letter_html", letter_id=mail.id),
        source_url=url_for("demo.letter_source", letter_id=mail.id),
        game_url=url_for("demo.letter_game", letter_id=mail.id) if mail.game else "",
        own_replies=[SentReply(each.owner.name, _format_moment(each.date), each.text) for each in replies],
    )


def _thread(subject: str) -> str:
    """Return the key by which a mail program groups emails."""
    code = _CODE.search(subject)
    return code[1] if code else subject


def _format_moment(moment: datetime) -> str:
    return f"{moment:%a %-d %b %Y, %H:%M} UTC"


def _embed_pictures(letter: DemoEmail) -> str:
    return _CONTENT.sub(lambda named: _to_data_url(letter.picture(named[1]) or b""), letter.html)


def _retarget_links(html: str, reader: Person) -> str:
    """Open links in the whole window, and games in the room where their reader is signed in."""
    return _TABLE.sub(rf"\1/{reader.key}", html).replace("<head>", '<head><base target="_top">', 1)


def _to_data_url(picture: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(picture).decode()}"


def _letter(demo: Demo, letter_id: str) -> DemoEmail:
    return demo.mailbox.letter(letter_id) or abort(404, sentence("demo.no_letter"))


# ---------------------------------------------------------------- what the buttons do


def _answer(demo: Demo, letter: DemoEmail) -> None:
    text, how = request.form.get("text", "").replace("\r\n", "\n"), request.form.get("how", "once")
    writer = letter.owner.other if how == "other" else letter.owner
    if how == "vacation":
        raw = vacation_notice(letter, text, demo.server.now(), writer)
    else:
        raw = reply(letter, text, _program(), demo.server.now(), writer)
    _hand_in(demo, writer, str(letter.message["Reply-To"]), raw, times=2 if how == "twice" else 1)


def _write(demo: Demo, writer: Person) -> None:
    raw = new_email(request.form.get("text", "").replace("\r\n", "\n"), demo.server.now(), writer)
    _hand_in(demo, writer, UMPIRE, raw)


def _hand_in(demo: Demo, writer: Person, recipient: str, raw: bytes, times: int = 1) -> None:
    """Send an email to the site, and keep it among its writer's sent emails."""
    with SMTP(demo.listener.host, demo.listener.port, timeout=30) as connection:
        for _ in range(times):
            connection.sendmail(writer.address, [recipient], raw)
    demo.mailbox.keep(writer, raw, sent=True)


def _person(key: str) -> Person:
    found = (person for person in PEOPLE if person.key == key)
    return next(found, None) or abort(400, sentence("demo.no_mailbox"))


def _program() -> str:
    program = request.form.get("program", "")
    return program if program in PROGRAMS else abort(400, sentence("demo.no_program"))


def _run_and_wait(demo: Demo, deed: Callable[[], None]) -> str:
    """Run an action, wait for the workers, and return the message to show."""
    before = demo.mailbox.count()
    deed()
    wait_until_idle(demo)
    return "" if demo.mailbox.count() > before else sentence("demo.no_news")


def _advance_hours(demo: Demo, count: int) -> None:
    """Let hours pass one by one, with the sweep that beat would do in each."""
    for _ in range(count):
        demo.clock.advance(timedelta(hours=1))
        worker_rounds.sweep(demo.server, demo.server.now())
    demo.knock(Work.LETTERS)


def _guard(token: str) -> None:
    """Accept only requests from this machine, and only forms that this page made."""
    if urlsplit(f"//{request.host}").hostname not in _LOOPBACK:
        abort(403, sentence("demo.not_here"))
    csrf = request.form.get("csrf", "").encode()
    if request.method == "POST" and not secrets.compare_digest(csrf, token.encode()):
        abort(400, sentence("demo.restarted"))


def _variant(key: str) -> str:
    if key not in {card.key for card in catalogue.cards()}:
        abort(400, sentence("demo.no_variant"))
    return key


def _hours(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= 2_400:
        abort(400, sentence("demo.no_hours"))
    return int(text)


def _back(message: str) -> AnyResponse:
    wanted = {"message": message} if message else {}
    wanted |= {each: request.form[each] for each in ("program", "variant") if each in request.form}
    return redirect(f"{url_for('demo.mailbox')}?{urlencode(wanted)}", 303)
