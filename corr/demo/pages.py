"""Serves the demo's page: mailboxes, and buttons for the clock and new games."""

from __future__ import annotations

import base64
import re
import secrets
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from smtplib import SMTP
from urllib.parse import urlencode, urlsplit

from flask import Blueprint, Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from corr.demo.clock import DemoClock
from corr.demo.mailbox import (
    ANN,
    BEN,
    OLGA,
    PEOPLE,
    UMPIRE,
    DemoEmail,
    Mailboxes,
    Person,
    find_person,
    lead_home,
    word_moment,
)
from corr.demo.reply import PROGRAMS, new_email, reply, vacation_notice
from corr.mail.smtp_server import ListenAddress
from corr.service import catalogue, worker_rounds
from corr.service.admin import statistics
from corr.service.games import open_turns
from corr.service.lobby import game_starts, page
from corr.service.lobby.terms import Terms
from corr.service.players import authentication, house_bots, mailboxes
from corr.service.server import Server
from corr.text.messages import sentence
from corr.web.browser_session import render_public
from corr.words.board import Pair
from corr.words.errors import Refused
from corr.worker_wakeup import Work, WorkerWaker

_PATIENCE = 5.0
_GLANCE = 0.02
_LETTER_CSP = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
    "sandbox allow-top-navigation-by-user-activation"
)
_CONTENT = re.compile(r"(?<=src=\")cid:(\w+)(?=\")")
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
    """Build the page of mailboxes and its buttons; it answers only requests from this machine."""
    pages = Blueprint("demo", __name__, url_prefix="/demo")
    token = secrets.token_urlsafe()

    pages.before_request(lambda: _guard(token))

    @pages.get("/")
    def mailbox() -> str:
        return _page(demo, token)

    @pages.get("/mark")
    def mark() -> str:
        return _mark(demo)

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
        return _run_and_wait(demo, lambda: _answer(demo, letter))

    @pages.post("/write")
    def write() -> AnyResponse:
        person = find_person(request.form.get("who", "")) or abort(400, sentence("demo.no_mailbox"))
        return _run_and_wait(demo, lambda: _write(demo, person))

    @pages.post("/clock")
    def advance() -> AnyResponse:
        hours_to_pass = _hours(request.form.get("hours", ""))
        return _run_and_wait(demo, lambda: _advance_hours(demo, hours_to_pass))

    @pages.post("/game")
    def new_game() -> AnyResponse:
        variant = _variant(request.form.get("variant", ""))
        against = request.form.get("against", "")
        return _run_and_wait(demo, lambda: _new_game(demo, variant, against))

    return pages


def new_demo_game(demo: Demo, variant: str) -> None:
    """Start a game: propose it to both players, and accept it for each by email."""
    addresses = Pair(*(f"{person.name} <{person.address}>" for person in (ANN, BEN)))
    code = game_starts.propose(demo.server, addresses, variant, "3d", demo.server.now())
    demo.knock(Work.LETTERS)
    for person in (ANN, BEN):
        proposal = _proposal(demo, person, code)
        raw = reply(proposal, "accept", next(iter(PROGRAMS)), demo.server.now(), person)
        _hand_in(demo, person, str(proposal.message["Reply-To"]), raw)


def _proposal(demo: Demo, person: Person, code: str) -> DemoEmail:
    """Wait until a person has the email that proposes this game, and return it."""
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
    while not statistics.is_idle(demo.server) and time.monotonic() < deadline:
        demo.mailbox.wait_for_email(_GLANCE)


def _page(demo: Demo, token: str) -> str:
    """Render one person's pages with their mailbox beside them."""
    mark = _mark(demo)  # first, so that the page is never older than its mark
    mails = [mail for person in PEOPLE for mail in demo.mailbox.letters(person)]
    shown = find_person(request.args.get("who", "")) or ANN
    turns = _list_turns(demo.server, shown)
    replies = defaultdict[str, list[DemoEmail]](list)
    for mail in mails:
        if mail.sent:
            replies[str(mail.message["In-Reply-To"])].append(mail)
    return render_public(
        "web/demo.html",
        players=PEOPLE,
        player=shown,
        opens=_shown_page(shown, mails, turns),
        threads=_threads(shown, mails),
        turns=turns,
        waiting={person.key: _count_waiting(demo.server, person) for person in PEOPLE},
        mark=mark,
        replies=replies,
        chosen=request.args.get("letter", ""),
        programs=list(PROGRAMS),
        chosen_program=request.args.get("program", next(iter(PROGRAMS))),
        cards=catalogue.cards(),
        house_players=house_bots.HOUSE_BOTS,
        chosen_variant=request.args.get("variant", "wild16"),
        now=word_moment(demo.server.now()),
        message=request.args.get("message", ""),
        csrf=token,
    )


def _mark(demo: Demo) -> str:
    """Return a text that changes whenever the page's emails or numbers of waiting games do."""
    emails = sum(len(demo.mailbox.letters(person)) for person in PEOPLE)
    return "-".join(str(each) for each in (emails, *(_count_waiting(demo.server, one) for one in PEOPLE)))


def _count_waiting(server: Server, person: Person) -> int:
    """Count the games in which a person has to move or to answer a challenge."""
    player_id = _player_id(server, person)
    return open_turns.count_waiting(server, player_id) if player_id else 0


def _list_turns(server: Server, person: Person) -> list[str]:
    """Return the codes of the games in which it's a person's turn."""
    player_id = _player_id(server, person)
    with server.store.asking() as connection:
        found = open_turns.list_open_turns(connection, server, player_id) if player_id else []
    return [each.turn.game for each in found]


def _player_id(server: Server, person: Person) -> int | None:
    with server.store.asking() as connection:
        known = mailboxes.find_correspondent(connection, person.address)
    return known.player_id if known else None


def _received(person: Person, mails: list[DemoEmail]) -> list[DemoEmail]:
    """Return a person's emails, newest first."""
    return [mail for mail in reversed(mails) if mail.owner is person and not mail.sent]


def _threads(person: Person, mails: list[DemoEmail]) -> list[list[DemoEmail]]:
    """Group a person's emails by game or subject as a mail program does, the latest thread first."""
    threads = dict[str, list[DemoEmail]]()
    for mail in _received(person, mails):
        threads.setdefault(mail.game_code or mail.subject, []).append(mail)
    return list(threads.values())


def _shown_page(person: Person, mails: list[DemoEmail], turns: list[str]) -> str:
    """Return the page beside a person's emails: the admin pages, or their newest game, if possible at their turn."""
    if person is OLGA:
        return "admin/"
    chosen = [mail for mail in mails if mail.id == request.args.get("letter")]
    emailed = [mail.game_code for mail in _received(person, mails) if mail.game_code]
    codes = (
        [mail.game_code for mail in chosen] + [code for code in emailed if code in turns] + turns + emailed
    )
    return f"games/{next(filter(None, codes), '')}"


def _embed_pictures(letter: DemoEmail) -> str:
    """Replace references to attached pictures by the pictures."""

    def to_data_url(named: re.Match[str]) -> str:
        return f"data:image/png;base64,{base64.b64encode(letter.picture(named[1]) or b'').decode()}"

    return _CONTENT.sub(to_data_url, letter.html)


def _retarget_links(html: str, reader: Person) -> str:
    """Make an email's links open in the whole window, where its reader is signed in."""
    return lead_home(html, reader).replace("<head>", '<head><base target="_top">', 1)


def _letter(demo: Demo, letter_id: str) -> DemoEmail:
    """Return the email with this id, or answer 404."""
    return demo.mailbox.letter(letter_id) or abort(404, sentence("demo.no_letter"))


def _answer(demo: Demo, letter: DemoEmail) -> None:
    """Send the reply in the form: once, twice, as the other person, or as a vacation notice."""
    text, how = request.form.get("text", "").replace("\r\n", "\n"), request.form.get("how", "once")
    writer = letter.owner.other if how == "other" else letter.owner
    if how == "vacation":
        raw = vacation_notice(letter, text, demo.server.now(), writer)
    else:
        raw = reply(letter, text, _program(), demo.server.now(), writer)
    _hand_in(demo, writer, str(letter.message["Reply-To"]), raw, times=2 if how == "twice" else 1)


def _write(demo: Demo, writer: Person) -> None:
    """Send the text in the form to the umpire, as a new email."""
    raw = new_email(request.form.get("text", "").replace("\r\n", "\n"), demo.server.now(), writer)
    _hand_in(demo, writer, UMPIRE, raw)


def _hand_in(demo: Demo, writer: Person, recipient: str, raw: bytes, times: int = 1) -> None:
    """Send an email to the site by SMTP, and file it among its writer's sent emails."""
    with SMTP(demo.listener.host, demo.listener.port, timeout=30) as connection:
        for _ in range(times):
            connection.sendmail(writer.address, [recipient], raw)
    demo.mailbox.keep(writer, raw, sent=True)


def _program() -> str:
    """Return the mail program that the form names, or answer 400."""
    program = request.form.get("program", "")
    return program if program in PROGRAMS else abort(400, sentence("demo.no_program"))


def _run_and_wait(demo: Demo, deed: Callable[[], None]) -> AnyResponse:
    """Run an action, wait until the workers are idle, and redirect to the page."""
    before, refused = demo.mailbox.count(), ""
    try:
        deed()
    except Refused as refusal:
        refused = str(refusal)
    wait_until_idle(demo)
    wanted = {} if demo.mailbox.count() > before else {"message": refused or sentence("demo.no_news")}
    wanted |= {each: request.form[each] for each in ("who", "program", "variant") if each in request.form}
    return redirect(f"{url_for('demo.mailbox')}?{urlencode(wanted)}", 303)


def _advance_hours(demo: Demo, count: int) -> None:
    """Advance the clock hour by hour, and check the deadlines after each hour."""
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
    """Return the number of hours that a form gives, at most 2400, or answer 400."""
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= 2_400:
        abort(400, sentence("demo.no_hours"))
    return int(text)
