"""The gallery: every kind of email of every variant as text, so that a diff shows changed words.

`scripts/gallery` rewrites it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from random import Random
from unittest.mock import patch

from corr.rules.variants import UMPIRES
from corr.service.admin import restore, statistics
from corr.service.events import entries
from corr.service.games import moderation, seats
from corr.service.games.moderation import DecreeKind
from corr.service.mail import game_emails
from corr.service.players import house_bots
from corr.words.board import Side
from tests.support import events as people
from tests.support.api_bots import make_token
from tests.support.authenticator import add_passkey, remove_passkey
from tests.support.broken_relay import BrokenRelay, use_broken_relay
from tests.support.browser import Browser
from tests.support.masked_seals import mask_seals
from tests.support.table import ANN, AUTHSERV_ID, BEN, EVE, FAY, Table, text_of
from tests.support.tutorial import (
    MINUTES,
    Pupil,
    fix_random_draws,
    is_over,
    last_tutorial_email,
    let_tutor_think,
    play_as_tutor,
)
from tests.support.unsubscribe_headers import unsubscribe_page, unsubscribe_with_one_click

GALLERY = Path(__file__).parents[1] / "gallery"
FURTHER = "eve@further.example"
NAMES = {ANN: "Ann", BEN: "Ben", EVE: "Eve", FAY: "Fay", FURTHER: "Eve elsewhere"}
CALLED_FORGED = f"Authentication-Results: {AUTHSERV_ID}; dmarc=fail header.from=a.example"
#: What differs each time: links, sign-in codes, game codes, hashes, keys and signatures.
SECRETS = re.compile(
    r'(?<=/letters/)\w+|(?<=digits[ \n]")\d+|(?<=code is ")\w{5}'
    r'|(?<=")[2-9j-np-z]{5}(?="[.,]|:show)|(?<=^\| )[2-9j-np-z]{5}(?=: )|^[2-9j-np-z]{5}(?=: [A-Z])'
    r"|(?<=Section[ \n])[2-9j-np-z]{5}(?= of)|(?<=withdraw[ \n])[2-9j-np-z]{5}|(?<=/events/)[2-9j-np-z]{5}"
    r"|(?<=\()[2-9j-np-z]{5}(?=\))"
    r"|^[\w+/]{43}=$|(?<=\dZ\+)\S+|(?<=\dZ )[\w+/]{91}=",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Scene:
    """What a player writes; the title names the emails that follow."""

    title: str
    writer: str
    text: str


OPENING = (
    Scene("accepting", ANN, "accept"),
    Scene("the game begins", BEN, "accept"),
)
ENQUIRIES = (
    Scene("help", ANN, "help"),
    Scene("rules", ANN, "rules"),
    Scene("show", ANN, "show"),
)
ENDING = (
    Scene("a draw offered with a move", ANN, "b1c3\ndraw?"),
    Scene("the draw declined", BEN, "decline"),
    Scene("resign alone", BEN, "resign"),
    Scene("resigning", BEN, "resign resign"),
    Scene("an email after the end", ANN, "show"),
)
#: What is played between `OPENING` and `ENDING`, White first.
PLAYED = {
    "wild16": (
        Scene("a refusal", ANN, "e2e5"),
        Scene("a quiet move", ANN, "e2e4"),
        Scene("an unclear line", BEN, "Rd3"),
        Scene("the other moves", BEN, "d7d5"),
        Scene("px", ANN, "px"),
        Scene("a move with a friendly word", BEN, "f7f6\nNice one!"),
        Scene("a check", ANN, "d1h5"),
        Scene("refused in check", BEN, "a7a6"),
        Scene("out of check", BEN, "g7g6"),
        Scene("a capture", ANN, "h5g6"),
        Scene("a capture of a piece", BEN, "h7g6"),
    ),
    "classic": (
        Scene("impossible", ANN, "e2e5"),
        Scene("asking without a capture", ANN, "any?"),
        Scene("a quiet move", ANN, "e2e4"),
        Scene("the other moves", BEN, "d7d5"),
        Scene("asking with a move for each answer", ANN, "any? yes: e4f5 / no: g1f3"),
        Scene("a second question", ANN, "any?\ng1f3"),
        Scene("a capture", ANN, "e4d5"),
        Scene("asking with a move that is held back", BEN, "any? yes: d8d5 / no: c7d6"),
        Scene("asking and moving", BEN, "any?\nd8d5"),
        Scene("a move after all", BEN, "d8d5"),
        Scene("an order of another variant", ANN, "px"),
        Scene("a check", ANN, "f1b5"),
        Scene("illegal in check", BEN, "a7a6"),
        Scene("out of check", BEN, "c7c6"),
        Scene("another capture", ANN, "b5c6"),
        Scene("a capture of a piece", BEN, "b7c6"),
    ),
    "crazykrieg": (
        Scene("a drop from an empty reserve", ANN, "N@f5"),
        Scene("a quiet move", ANN, "e2e4"),
        Scene("the other moves", BEN, "d7d5"),
        Scene("asking with a move for each answer", ANN, "any? yes: e4d5 / no: g1f3"),
        Scene("a drop from a reserve still empty", BEN, "P@e6"),
        Scene("a capture of the other side", BEN, "d8d5"),
        Scene("a drop on a hidden piece", ANN, "P@d5"),
        Scene("a pawn on the last rank", ANN, "P@e8"),
        Scene("a drop", ANN, "P@c6"),
        Scene("asking and being bound", BEN, "any?"),
        Scene("a drop while a capture is due", BEN, "P@e4"),
        Scene("a capture by a pawn", BEN, "b7c6"),
        Scene("asking and dropping nothing", ANN, "any?\nN@e4"),
        Scene("a quiet move after the question", ANN, "d2d3"),
        Scene("a drop that checks", BEN, "P@d2"),
        Scene("a drop from an empty reserve in check", ANN, "P@a3"),
        Scene("out of check by a capture", ANN, "c1d2"),
        Scene("an order of another variant", BEN, "px"),
        Scene("a drop without a letter", BEN, "@e4"),
        Scene("a second drop", BEN, "P@e2"),
        Scene("a move after the drop", ANN, "h2h3"),
        Scene("a capture that promotes", BEN, "e2d1q"),
        Scene("a drop that does not help in check", ANN, "P@e2"),
        Scene("the queen that was a pawn is taken", ANN, "e1d1"),
        Scene("a move before the end", BEN, "h7h6"),
    ),
    "cincinnati": (
        Scene("nonsense", ANN, "e2e5"),
        Scene("a quiet move", ANN, "e2e4"),
        Scene("an order of another variant", BEN, "any?"),
        Scene("the other moves", BEN, "d7d5"),
        Scene("illegal", ANN, "e4f5"),
        Scene("a capture", ANN, "e4d5"),
        Scene("a move after a capture", BEN, "f7f6"),
        Scene("a check", ANN, "d1h5"),
        Scene("refused in check", BEN, "a7a6"),
        Scene("out of check", BEN, "g7g6"),
        Scene("a second capture", ANN, "h5g6"),
        Scene("a capture of a piece", BEN, "h7g6"),
    ),
    "assassin": (
        Scene("a move before the deployment", ANN, "e2e4"),
        Scene("a set-up that is not whole", ANN, "deploy Ke1 Qd1"),
        Scene("a sealed set-up", ANN, "deploy Ke1 Qd1 Ra1 Rh1 Ba3 Bf1 Nb1 Ng1 a2 b2 c2 d2 e2 f2 g2 h2"),
        Scene("a clash", BEN, "deploy Kf8 Qe8 Ra8 Rh8 Bc8 Bd8 Nb8 Ng8 a7 b7 c7 d7 e6 f7 g7 h7"),
        Scene("set-ups in order of preference", BEN, "deploy corner\ndeploy home"),
        Scene("both have deployed", ANN, "deploy home"),
        Scene("a spy", ANN, "g1f3"),
        Scene("asking without a capture", BEN, "any?"),
        Scene("the other moves", BEN, "a6a5"),
        Scene("a spy farther on", ANN, "f3e5"),
        Scene("a spy is not taken", BEN, "d8e7"),
        Scene("a move of a pawn", BEN, "a5a4"),
        Scene("a spy takes nothing", ANN, "e5f7"),
        Scene("impossible", ANN, "e2e5"),
        Scene("a quiet move", ANN, "e5g4"),
        Scene("a spy near one's pieces", BEN, "h6g5"),
        Scene("another move of a pawn", BEN, "b6b5"),
        Scene("asking and moving", ANN, "any?\nd2d4"),
    ),
    "welbeck": (
        Scene("set-ups in order of preference", ANN, "deploy corner\ndeploy spread"),
        Scene("a set-up sent again", ANN, "deploy home"),
        Scene("both have deployed", BEN, "deploy spread"),
        Scene("a double step", ANN, "e2e4"),
        Scene("a quiet move", ANN, "e2e3"),
        Scene("the other moves", BEN, "c5c4"),
        Scene("asking without a capture", ANN, "any?\nf1c4"),
        Scene("a capture", BEN, "any? yes: d6d5 / no: a7c5"),
        Scene("a move after the question", BEN, "d6d5"),
        Scene("a knight", ANN, "b1c3"),
        Scene("another knight", BEN, "b6c4"),
        Scene("a capture by a knight", ANN, "c3d5"),
        Scene("the other captures", BEN, "e6d5"),
    ),
    "rbc": (
        Scene("a move before the sense", ANN, "e2e4"),
        Scene("a sense", ANN, "sense e7"),
        Scene("blocked by own pieces", ANN, "e2e5"),
        Scene("a quiet move", ANN, "e2e4"),
        Scene("an order of another variant", BEN, "any?"),
        Scene("a list", BEN, "sense e4\nd7d5, e7e5"),
        Scene("a whole turn in one letter", BEN, "sense e4\nd7d5"),
        Scene("a move that depends on the sense", ANN, "sense d5; if d5=p: e4d5; else g1f3"),
        Scene("a sense that finds nothing", BEN, "sense d4; if d4=p: e7e5"),
        Scene("a second sense", BEN, "sense d5"),
        Scene("a move that does not succeed", BEN, "e7d6"),
        Scene("sensing nothing and passing", ANN, "sense none\npass"),
        Scene("a move that ends before", BEN, "sense d7; d8d2"),
        Scene("another capture", ANN, "sense d3; d1g4"),
        Scene("the other captures", BEN, "sense g4; c8g4"),
    ),
}
#: Endings of variants that don't end with a resignation, or need other moves.
ENDING_OF = {
    "welbeck": (
        Scene("a draw offered with a move", ANN, "d2d3\ndraw?"),
        Scene("the draw accepted", BEN, "accept"),
        Scene("an email after the end", ANN, "show"),
    ),
    "assassin": (
        Scene("the other moves again", BEN, "a4a3"),
        *ENDING,
    ),
    "rbc": (
        Scene("a draw offered with a move", ANN, "sense g4; b1c3\ndraw?"),
        Scene("the draw declined", BEN, "decline"),
        Scene("a pass", BEN, "sense e1; pass"),
        Scene("nearing the king", ANN, "sense e8; f1b5"),
        Scene("another pass", BEN, "sense none; pass"),
        Scene("the king is captured", ANN, "sense e8; b5e8"),
        Scene("an email after the end", BEN, "show"),
    ),
}


@dataclass
class Room:
    """A room of the gallery: the text of each email by its file name."""

    table: Table
    texts: dict[str, str] = field(default_factory=dict)
    is_wanted: Callable[[EmailMessage], bool] = lambda _letter: True

    def collect(self, title: str) -> None:
        """Add the emails that came since the last call."""
        for letter in list(filter(self.is_wanted, self.table.all_emails()))[len(self.texts) :]:
            reader = NAMES[letter["X-Envelope-To"]]
            name = f"{len(self.texts) + 1:02} {title} to {reader}.txt".replace(" ", "-")
            self.texts[name] = SECRETS.sub("…", mask_seals(text_of(letter)))

    def reply(self, title: str, writer: str, text: str) -> None:
        """Reply to the newest email, and add the answers."""
        self.table.reply(writer, text)
        self.collect(title)

    def deliver(self, title: str, raw: bytes) -> None:
        """Deliver an email, and add the answers."""
        self.table.deliver(raw)
        self.table.run_workers()
        self.collect(title)

    def write(self, title: str, writer: str, text: str, *, vouched: bool = True) -> None:
        """Write to the site, and add the answers."""
        self.table.write_to_site(writer, text, name=NAMES[writer], vouched=vouched)
        self.collect(title)


def room_of(table: Table, variant: str) -> dict[str, str]:
    """The letters of a game, and the game that came with the last ones."""
    room = Room(table)
    code = table.challenge(variant=variant)
    room.collect("a challenge")
    for scene in (*OPENING, *ENQUIRIES, *PLAYED[variant]):
        room.reply(scene.title, scene.writer, scene.text)
    table.clock.advance(days=2, hours=12)
    table.sweep()
    room.collect("a reminder")
    restore.resume_after_restore(table.server, table.clock())
    table.send_emails()
    room.collect("after a restore")
    for scene in ENDING_OF.get(variant, ENDING):
        room.reply(scene.title, scene.writer, scene.text)
    beside = [part for letter in table.all_emails() for part in letter.iter_attachments()]
    games = [part for part in beside if part.get_filename() == "game.pgn"]
    return room.texts | {"game.pgn": games[-1].get_content().decode().replace(code, "k3x9q")}


def room_of_the_site(table: Table) -> dict[str, str]:
    """Emails that aren't about one game, and a rematch."""
    room = Room(table)
    room.write("a challenge to be confirmed", EVE, f"challenge {FAY} wild16 3d white rated")
    room.reply("confirmed and on its way", EVE, "confirm")
    room.reply("declined", FAY, "decline")
    room.reply("help", EVE, "help")
    for title, text in SITE:
        room.write(title, EVE, text)
    room.write("an unauthenticated email", EVE, "seek rbc", vouched=False)
    room.write("an unauthenticated withdrawal", EVE, "withdraw", vouched=False)
    table.clock.advance(days=15)
    table.sweep()
    room.collect("an expired offer")
    Browser(table.app()).sign_in_by_email(table, EVE)
    room.collect("signing in")
    room.write("a second challenge", EVE, f"challenge {FAY} cincinnati white")
    room.reply("accepted", FAY, "accept")
    room.reply("never again", FAY, "never again")
    table.reply(FAY, "resign resign", to=first_of_a_game(table, FAY))
    room.collect("the end of a game")
    table.reply(FAY, "again", to=first_of_a_game(table, FAY))
    room.collect("asking for a rematch")
    room.reply("asking twice", FAY, "again")
    room.reply("a rematch", EVE, "again")
    _change_addresses(room)
    room.write("the list of games", EVE, "games")
    room.reply("an unknown game code", EVE, "zzzz9: show")
    room.reply("personal data", EVE, "data")
    make_token(table, EVE, "at home")
    table.run_workers()
    room.collect("a token that can read")
    told = [letter for letter in table.emails_to(EVE) if letter["List-Unsubscribe"]]
    unsubscribe_with_one_click(table.app(), unsubscribe_page(told[-1]))
    table.run_workers()
    room.collect("unsubscribing")
    room.write("subscribing to checkpoints", EVE, "mail checkpoints")
    table.clock.advance(days=1)
    table.sweep()
    room.collect("a checkpoint")
    return room.texts


def _change_addresses(room: Room) -> None:
    """Emails about changed addresses."""
    browser = Browser(room.table.app())
    browser.sign_in_by_email(room.table, EVE)
    room.collect("signing in again")
    browser.open("/settings/")
    browser.press("Add address", address=FURTHER)
    room.table.run_workers()
    found = re.search(r'the six digits "(\d{6})"', room.table.last_text(FURTHER))
    assert found
    room.collect("adding an address")
    for title, button, fields in (
        ("the address is added", "Add the address", {"number": found[1]}),
        ("emails go there", "Send game emails here", {}),
        ("emails go here again", "Send game emails here", {}),
        ("the address is removed", "Remove", {}),
    ):
        browser.press(button, **fields)
        room.table.run_workers()
        room.collect(title)


def room_of_events(table: Table) -> dict[str, str]:
    """Emails about a section of three and a pyramid, without those of their games."""
    room = Room(table, is_wanted=_is_of_events)
    for address in (ANN, BEN, EVE):
        table.write_to_site(address, "enter wild16 programs", name=NAMES[address])
        room.reply("entering a section", address, "confirm")
    room.write("open events", EVE, "events")
    table.clock.advance(days=8)
    with patch.object(entries, "_RANDOM", Random(1)):
        table.sweep()
    table.run_workers()
    room.collect("the section begins")
    (event,) = people.begun_events(table)
    for number, each in enumerate(people.running_games(table, event)[:6]):
        people.end_game(table, each, ("white", "draw", "black by time")[number % 3])
    table.sweep()
    table.clock.advance(days=1, hours=1)
    table.sweep()
    room.collect("standings")
    room.write("leaving the section", EVE, f"withdraw {event.code}")
    people.end_all_games(table, event, "draw")
    table.sweep()
    room.collect("the section is over")
    for address in (ANN, BEN):
        room.write("entering a pyramid", address, "enter rbc pyramid")
    room.write("challenging oneself there", ANN, "challenge Ann rbc pyramid")
    room.write("challenging there", ANN, "challenge Ben rbc pyramid")
    room.write("open events later", EVE, "events")
    return room.texts


def _is_of_events(letter: EmailMessage) -> bool:
    return not str(letter["Subject"]).endswith(")")


#: What Eve writes to the site's own address.
SITE = (
    ("the rules of all", "rules"),
    ("the rules of one", "rules wild16"),
    ("no games", "games"),
    ("no open games", "seeks"),
    ("offering a game", "seek crazykrieg 5d"),
    ("open games", "seeks"),
    ("offering a second game", "seek wild16"),
    ("withdrawing one of two", "withdraw"),
    ("an unknown player", "challenge Zoe wild16"),
    ("no such variant", "seek chess960"),
    ("no such clock", "seek wild16 300d"),
    ("an order outside a game", "e2e4"),
    ("an unclear line", "accept the draw"),
    ("no order", "Hello there!"),
    ("nothing to confirm", "confirm"),
)


def first_of_a_game(table: Table, player: str) -> EmailMessage:
    """The first email of a game to a player."""
    return next(
        each for each in table.emails_to(player) if each["Subject"].startswith("[corr] Cincinnati with")
    )


#: What a pupil writes in the first two lessons.
LESSONS = (
    ("a move that cannot be made", "e2e5"),
    ("a draw in a lesson", "draw?"),
    ("a first move", "e2e4"),
    ("a single try", "a1a8"),
    ("another move", "g2g3"),
    ("a list of tries", "a1a8, a1a7, a1a6, a1a5"),
)
SHORTLY = (("a first move", "e2e4"), ("a list of tries", "a1a8, a1a5"))
IN_VAIN = (
    ("a refusal", "a1a8"),
    ("a draw", "draw?"),
    ("for the next turn", "if capture: e2e4"),
    ("games", "games"),
    ("the tutorial twice", "tutorial"),
    ("show", "show"),
)
WEAKLY = (("a weak move", "f2f3", "d8h4"), ("in check", "g2g3", "h4g3"))


def room_of_the_tutorial(table: Table) -> dict[str, str]:
    """Emails of the tutorial."""
    room = Room(table)
    room.write("to be confirmed", EVE, "tutorial")
    room.reply("confirmed", EVE, "confirm")
    for title, text in LESSONS:
        _as_a_pupil(room, title, text)
    _against_the_tutor(room)
    _as_a_pupil(room, "a rematch", "again")
    _as_a_pupil(room, "the tutorial again", "tutorial")
    for title, text in SHORTLY:
        _as_a_pupil(room, f"{title} anew", text)
    _lost_to_the_tutor(room)
    _as_a_pupil(room, "the tutorial a third time", "tutorial")
    _as_a_pupil(room, "resigning the tutorial", "resign resign")
    room.write("the tutorial a fourth time", EVE, "tutorial")
    table.clock.advance(days=25)
    table.sweep()
    room.collect("a reminder")
    table.clock.advance(days=6)
    table.sweep()
    room.collect("an end by time")
    return room.texts


def _as_a_pupil(room: Room, title: str, text: str) -> None:
    room.deliver(title, room.table.reply_email(EVE, text, to=last_tutorial_email(room.table, EVE)))


def _against_the_tutor(room: Room) -> None:
    """A whole game in which the tutor thinks."""
    fix_random_draws(room.table)
    pupil = Pupil(room.table)
    while not is_over(room.table):
        statistics.record_run(room.table.server, house_bots.THINKING_SIGN, room.table.clock())
        _as_a_pupil(room, "a move", pupil.orders())
        let_tutor_think(room.table)
        room.collect("the tutor answers")


def _lost_to_the_tutor(room: Room) -> None:
    """A game that is lost soon; before that, orders that change nothing."""
    room.table.clock.advance(minutes=MINUTES)
    _as_a_pupil(room, "nobody thinks", "h2h3")
    play_as_tutor(room.table, "e7e5")
    room.collect("the tutor answers")
    for title, text in IN_VAIN:
        _as_a_pupil(room, title, text)
    let_tutor_think(room.table)
    room.collect("the tutor answers")
    for title, text, answer in WEAKLY:
        _as_a_pupil(room, title, text)
        play_as_tutor(room.table, answer)
        room.collect("the tutor answers")


def room_of_delays(table: Table) -> dict[str, str]:
    """Emails about delayed emails: after a move, and while both deploy."""
    room, relay = Room(table), use_broken_relay(table)
    table.begin()
    room.collect("a game")
    late(room, relay, lambda: table.reply(ANN, "e2e4"))
    room.reply("a move meanwhile", BEN, "e7e5")
    table.challenge(variant="assassin")
    table.reply(ANN, "accept")
    room.collect("a rematch")
    late(room, relay, lambda: table.reply(BEN, "accept"))
    return room.texts


def late(room: Room, relay: BrokenRelay, deed: Callable[[], object]) -> None:
    """Do something while emails to Ben are refused, then deliver them."""
    relay.refused = {BEN}
    deed()
    room.collect("the email to the other side")
    room.table.sweep()
    room.table.run_workers()
    room.collect("delayed")
    relay.refused = set()
    room.table.clock.advance(hours=30)
    game_emails.OUTBOX.revive(room.table.server, room.table.clock())
    room.table.run_workers()
    room.collect("delivered")
    room.table.sweep()
    room.table.run_workers()
    room.collect("after the delivery")


def room_of_the_operator(table: Table) -> dict[str, str]:
    """Emails about operators' decisions, paused games, passkeys, tokens and daily digests."""
    room = Room(table)
    table.begin()
    table.play("e2e4", "d7d5")
    room.collect("a game")
    decree(table, 1, DecreeKind.PAUSE, "", "Ben's mail server is away, and nobody knows for how long.")
    room.collect("a pause")
    room.reply("a move in a paused game", ANN, "e4d5")
    room.reply("a refusal in a paused game", BEN, "d8e4")
    table.clock.advance(days=4)
    decree(table, 1, DecreeKind.RESUME, "", "Ben's mail server is back.")
    room.collect("resumed")
    decree(table, 1, DecreeKind.EXTEND, "1", "Ben's mail server was slow for a day after that.")
    room.collect("more time")
    decree(table, 1, DecreeKind.ADJUDICATE, "draw", "Both players have asked for it by telephone.")
    room.collect("the end")
    table.challenge()
    room.collect("a challenge")
    decree(table, 2, DecreeKind.ADJUDICATE, "void", "This game was proposed twice.")
    room.collect("a void challenge")
    room.reply("an answer to a void challenge", ANN, "accept")
    table.begin("assassin")
    room.collect("a deployment")
    decree(table, 3, DecreeKind.EXTEND, "7", "Ann is away for a week.")
    room.collect("more time to deploy")
    decree(table, 3, DecreeKind.PAUSE, "", "Nobody can be reached.")
    room.collect("a pause while both deploy")
    room.reply("a set-up in a paused game", ANN, "deploy home")
    decree(table, 3, DecreeKind.ADJUDICATE, "white", "Ben does not answer any more.")
    room.collect("the end before the first move")
    ann = add_passkey(table, ANN, "the blue one")
    table.run_workers()
    room.collect("a passkey")
    remove_passkey(table, ann)
    table.run_workers()
    room.collect("a removed passkey")
    make_token(table, ANN, "in the cellar", plays=True)
    table.run_workers()
    room.collect("a token that can play")
    table.begin_by_email("wild16")
    table.begin_by_email("rbc")
    room.collect("two games")
    room.reply("choosing a daily email", ANN, "mail daily 18")
    table.clock.advance(hours=8)
    table.sweep()
    room.collect("a daily email")
    return room.texts


def room_of_doubts(table: Table) -> dict[str, str]:
    """Emails about doubtful senders, and about new addresses."""
    room = Room(table)
    code = table.challenge()
    for player in (ANN, BEN):
        table.reply(player, "accept")
    room.collect("a game")
    first = table.last_email(ANN)
    room.deliver("a forged sender", table.reply_email(ANN, "e2e4\ndraw?", headers=CALLED_FORGED))
    room.deliver("a forged sender without an order", table.reply_email(ANN, "Hello!", headers=CALLED_FORGED))
    room.deliver("another address", table.reply_email(ANN, "e2e4\ndraw?", sender=EVE))
    table.clock.advance(days=1)
    room.deliver("another address without an order", table.reply_email(ANN, "Hello!", sender=EVE))
    raw = table.reply_email(ANN, "resign resign", to=first)
    room.deliver("found by a Message-ID", raw.replace(first["Reply-To"].encode(), b"umpire@play.example"))
    room.deliver("the same Message-ID", table.reply_email(ANN, "show", message_id="same@mail.example"))
    room.deliver("with other words", table.reply_email(ANN, "help", message_id="same@mail.example"))
    asking = next(each for each in table.emails_to(ANN) if "Our mail server found" in text_of(each))
    room.deliver("confirmed", table.reply_email(ANN, "confirm", to=asking))
    room.deliver("confirmed twice", table.reply_email(ANN, "confirm", to=asking))
    room.reply("a new address", ANN, "new address")
    room.deliver("an address that is void", table.reply_email(ANN, "show", to=first))
    seats.renew_for_operator(table.server, code, Side.BLACK, table.clock())
    table.run_workers()
    room.collect("a new address by the operator")
    return room.texts


def room_of_answers(table: Table) -> dict[str, str]:
    """Emails of moves that are answered at once, and of a player who wants few answers."""
    room = Room(table)
    table.begin()
    room.collect("a game")
    room.reply("a first move", ANN, "e2e4")
    room.reply("a move with orders for the next turn", BEN, "e7e5\nif no capture: b8c6")
    room.reply("a list that is answered at once", ANN, "g1g3, g1f3")
    room.reply("no answers", ANN, "mail no answers")
    room.reply("a quiet move", ANN, "b1c3")
    room.reply("the other moves", BEN, "d7d5")
    room.reply("a capture", ANN, "e4d5")
    return room.texts


def decree(table: Table, game_id: int, deed: DecreeKind, detail: str, reason: str) -> None:
    """Carry out an operator's decision."""
    with table.server.store.reading() as connection:
        number = moderation.next_number(connection, game_id)
    wish = moderation.check_request(deed, detail, detail, reason)
    moderation.decree(table.server, "olga@house.example", game_id, str(number), wish, table.clock())
    table.run_workers()


def hold(room: str, texts: dict[str, str]) -> None:
    """Compare emails with those of a room, or rewrite the room."""
    folder = GALLERY / room
    plain = [name for name, text in texts.items() if "plainer than usual" in " ".join(text.split())]
    assert not plain, "these templates failed"
    if os.environ.get("CORR_GALLERY") == "write":
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        for name, text in texts.items():
            (folder / name).write_text(text)

    assert {path.name: path.read_text() for path in folder.iterdir()} == texts


#: The rooms of the gallery, and the functions that make their emails.
ROOMS: dict[str, Callable[[Table], dict[str, str]]] = {
    **{variant: partial(room_of, variant=variant) for variant in UMPIRES},
    "site": room_of_the_site,
    "operator": room_of_the_operator,
    "delays": room_of_delays,
    "doubts": room_of_doubts,
    "answers": room_of_answers,
    "tutorial": room_of_the_tutorial,
    "events": room_of_events,
}
