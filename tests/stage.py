"""Every page there is, as data: who opens it, and how to come there. A new page is one line of `PAGES`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from browser import Browser, link_in
from flask import Flask
from flask.testing import FlaskClient
from games import GAMES
from table import ANN, BEN, EVE, FAY, Table, text_of

from corr.desk import review
from corr.rules import UMPIRES

GUS, HAL, IDA, JOE, KIM, LEN, MIA = (
    f"{name}@{name}.example" for name in ("gus", "hal", "ida", "joe", "kim", "len", "mia")
)
COOKIE = "corr"
#: Who opens pages.
STRANGER, ASKING, NAMELESS, PLAYER, REFUSED = "a stranger", "who asks", "nobody yet", "Eve", "Ida"


@dataclass
class Stage:
    """A house with people at every stage of coming to a game, and the cookie of each one's browser."""

    table: Table
    app: Flask
    cookies: dict[str, str] = field(default_factory=dict)
    #: Where a page is that only a letter or another page names.
    places: dict[str, str] = field(default_factory=dict)

    def link(self, address: str) -> str:
        """The page that somebody's newest letter names."""
        return link_in(text_of(self.table.newest(address)))

    def client(self, who: str) -> FlaskClient:
        """Somebody's browser, just as it was when the stage was set."""
        client = self.app.test_client()
        if who in self.cookies:
            client.set_cookie(COOKIE, self.cookies[who])
        return client


@dataclass(frozen=True)
class Page:
    """A page: its name, who opens it, where it is, and how it answers."""

    name: str
    who: str = STRANGER
    at: str | Callable[[Stage], str] = "/"
    method: str = "GET"
    status: int = 200

    def path(self, stage: Stage) -> str:
        return self.at if isinstance(self.at, str) else self.at(stage)


def place(name: str) -> Callable[[Stage], str]:
    """Where `set_the_stage` has found a page."""
    return lambda stage: stage.places[name]


PAGES = (
    Page("the front page"),
    Page("the rules", at="/rules"),
    *(Page(f"the rules of {variant}", at=f"/rules/{variant}") for variant in UMPIRES),
    Page("signing in", at="/sign-in"),
    Page("signing in by a number", ASKING, "/sign-in"),
    Page("signing in when one is in", PLAYER, "/sign-in"),
    Page("the lobby", at="/lobby/"),
    Page("the lobby before a name is chosen", NAMELESS, "/lobby/"),
    Page("the lobby of a player", PLAYER, "/lobby/"),
    Page("the lobby after a refusal", REFUSED, "/lobby/"),
    Page("an offer", at=place("offer")),
    Page("an offer before a name is chosen", NAMELESS, place("offer")),
    Page("an offer to a player", REFUSED, place("offer")),
    Page("an offer of one's own", PLAYER, place("offer")),
    Page("a letter's challenge to a stranger", at=place("challenge to Fay")),
    Page("a letter's challenge to a player", at=place("challenge to Ida")),
    Page("a letter's challenge that was accepted", at=place("accepted")),
    Page("a letter's challenge that was turned down", at=place("turned down")),
    Page("a letter's challenge that was taken back", at=place("taken back")),
    Page("a letter's question", at=place("question")),
    Page("a letter's question that was answered", at=place("answered")),
    Page("a letter that lets in", at=place("lets in")),
    Page("a letter that has let in", at=place("has let in")),
    Page("a letter to somebody who wants none", at=place("no letters")),
    Page("a finished game", at=place("finished rbc")),
    Page(
        "a finished game from White's side",
        at=lambda stage: f"{stage.places['finished rbc']}?from=white&at=4",
    ),
    Page(
        "a finished game after the deployment", at=lambda stage: f"{stage.places['finished assassin']}?at=0"
    ),
    Page(
        "a finished game from Black's side",
        at=lambda stage: f"{stage.places['finished crazykrieg']}?from=black",
    ),
    Page("what is not there", at="/nothing", status=404),
    Page("a letter that is not there", at="/letters/nothing", status=404),
    Page("what is refused", at="/sign-in", method="POST", status=400),
)


def set_the_stage(table: Table) -> Stage:
    """Let everybody do what brings them to their pages."""
    stage = Stage(table, table.app())
    browsers = {who: Browser(stage.app) for who in (ASKING, NAMELESS, PLAYER, REFUSED)}
    _let_in(stage, browsers)
    _challenge(stage, browsers[PLAYER], browsers[REFUSED])
    _write(stage)
    _play(stage)
    for who, browser in browsers.items():
        kept = browser.client.get_cookie(COOKIE)
        assert kept
        stage.cookies[who] = kept.value
    return stage


def _let_in(stage: Stage, browsers: dict[str, Browser]) -> None:
    browsers[NAMELESS].sign_in(stage.table, HAL)
    stage.places["has let in"] = stage.link(HAL)
    browsers[PLAYER].sign_in(stage.table, EVE, "Eve")
    browsers[REFUSED].sign_in(stage.table, IDA, "Ida")
    browsers[ASKING].open("/sign-in")
    browsers[ASKING].press("Send me a letter", address=GUS)
    stage.table.work()
    stage.places["lets in"] = stage.link(GUS)


def _challenge(stage: Stage, eve: Browser, ida: Browser) -> None:
    """Eve is challenged, challenges, offers to all and by a link, and plays; Ida is refused something at last."""
    answers = {
        "accepted": (BEN, "accept"),
        "turned down": (JOE, "decline"),
        "no letters": (KIM, "never again"),
        "challenge to Fay": (FAY, ""),
    }
    for place, (whom, answer) in answers.items():
        stage.places[place] = _challenged(stage, eve, whom, weight="rated")
        if answer:
            stage.table.reply(whom, answer)
    stage.places["challenge to Ida"] = _challenged(stage, eve, IDA, variant="rbc", color="white")
    stage.places["taken back"] = _challenged(stage, ida, ANN)
    ida.press("Withdraw")
    ida.press("Challenge", whom="Eve")
    ida.press("Offer it to all")
    ida.client.post("/lobby/challenge", data={"csrf": ida.csrf, "whom": "nobody at all", "variant": "rbc"})
    eve.press("Offer it to all", variant="crazykrieg")
    eve.press("Make a secret link", variant="cincinnati")
    stage.places["offer"] = eve.at


def _challenged(stage: Stage, browser: Browser, address: str, **terms: str) -> str:
    """The page of the letter by which somebody is challenged."""
    browser.press("Challenge", whom=address, **terms)
    stage.table.work()
    return stage.link(address)


def _write(stage: Stage) -> None:
    """Strangers write, and one of them answers what is asked."""
    for address, place in ((LEN, "answered"), (MIA, "question")):
        stage.table.write(address, "seek wild16")
        stage.places[place] = stage.link(address)
    stage.table.reply(LEN, "confirm")


def _play(stage: Stage) -> None:
    """Games come to their ends."""
    for variant in ("assassin", "crazykrieg", "rbc"):
        code = stage.table.challenge(variant=variant)
        for player, text in ((ANN, "accept"), (BEN, "accept"), *GAMES[variant].by_turns()):
            stage.table.reply(player, text)
        with stage.table.house.store.reading() as connection:
            stage.places[f"finished {variant}"] = f"/finished/{review.share_mark(connection, code)}"
