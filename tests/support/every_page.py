"""Every page of the site as data: who opens it, and its path. A new page is one line of `PAGES`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

from flask import Flask
from flask.testing import FlaskClient

from corr import limits
from corr.rules.variants import UMPIRES
from corr.service.games import checkpoints, finished
from tests.support import rating_rows
from tests.support.browser import Browser, link_in
from tests.support.events import (
    FIVE,
    begin_section,
    challenge,
    end_game,
    enter_pyramid,
    enter_section,
    finish_section,
    running_games,
    withdraw,
)
from tests.support.sample_games import GAMES
from tests.support.table import ANN, BEN, EVE, FAY, OLGA, Table, text_of
from tests.support.unsubscribe_headers import unsubscribe_page

GUS, HAL, IDA, JOE, KIM, LEN, MIA, NED, ODA = (
    f"{name}@{name}.example" for name in ("gus", "hal", "ida", "joe", "kim", "len", "mia", "ned", "oda")
)
COOKIE = "corr"
#: The people who open pages.
STRANGER, SIGNING_IN, NAMELESS = "a stranger", "someone signing in", "a player without a name"
PLAYER, CHALLENGED, ADDING_ADDRESS, SIGNED_IN_EARLIER = "Eve", "Ida", "Ned", "Eve, an hour later"
WHITE, BLACK, OPERATOR = "Ann", "Ben", "Olga"


@dataclass
class SampleSite:
    """A server with people on every page of the site, and the cookie of each one's browser."""

    table: Table
    app: Flask
    cookies: dict[str, str] = field(default_factory=dict)
    #: Paths that only an email or another page names.
    paths: dict[str, str] = field(default_factory=dict)

    def link(self, address: str) -> str:
        """The page that the newest email to an address links to."""
        return link_in(text_of(self.table.last_email(address)))

    def client(self, who: str) -> FlaskClient:
        """A person's browser, as it was when the site was built."""
        client = self.app.test_client()
        if who in self.cookies:
            client.set_cookie(COOKIE, self.cookies[who])
        return client

    def sign_in(self, address: str) -> str:
        """The cookie of a new sign-in: some changes need a recent one."""
        browser = Browser(self.app)
        browser.sign_in_directly(self.table, address, self.table.clock())
        return _cookie_of(browser)


@dataclass(frozen=True)
class Page:
    """A page: its name, who opens it, its path, method and status."""

    name: str
    who: str = STRANGER
    at: str | Callable[[SampleSite], str] = "/"
    method: str = "GET"
    status: int = 200

    def path(self, stage: SampleSite) -> str:
        return self.at if isinstance(self.at, str) else self.at(stage)


def path_to(name: str, query: str = "") -> Callable[[SampleSite], str]:
    """The path that `build_sample_site` stored under a name."""
    return lambda stage: stage.paths[name] + query


PAGES = (
    Page("the front page"),
    Page("privacy", at="/privacy"),
    Page("verifying a game", at="/verify"),
    Page("the newest checkpoint", at="/checkpoint"),
    Page("the checkpoint of a day", at=path_to("signed")),
    Page("open games", at="/open"),
    Page("the archive", at="/archive"),
    Page("the archive of a player", at="/archive?player=ann&result=won"),
    Page("the archive without matching games", at="/archive?length=long"),
    Page("the archive of an unknown player", at="/archive?player=nobody+at+all", status=400),
    Page("the rules", at="/rules"),
    *(Page(f"the rules of {variant}", at=f"/rules/{variant}") for variant in UMPIRES),
    Page("signing in", at="/sign-in"),
    Page("signing in by a code", SIGNING_IN, "/sign-in"),
    Page("signing in when signed in", PLAYER, "/sign-in"),
    Page("signing in again", SIGNED_IN_EARLIER, "/sign-in"),
    Page("the lobby", at="/lobby/"),
    Page("the lobby before a name is chosen", NAMELESS, "/lobby/"),
    Page("the lobby of a player", PLAYER, "/lobby/"),
    Page("the lobby after an error", CHALLENGED, "/lobby/"),
    Page("the settings", PLAYER, "/settings/"),
    Page("the settings while an address is added", ADDING_ADDRESS, "/settings/"),
    Page("sessions", PLAYER, "/sessions/"),
    Page("time off", PLAYER, "/settings/hours/"),
    Page("notifications", PLAYER, "/settings/calls/"),
    Page("API tokens", PLAYER, "/settings/tokens/"),
    Page("sessions before a name is chosen", NAMELESS, "/sessions/"),
    Page("an email's new address", at=path_to("further address")),
    Page("an email's new address to its player", ADDING_ADDRESS, path_to("further address")),
    Page("an offer", at=path_to("offer")),
    Page("an offer before a name is chosen", NAMELESS, path_to("offer")),
    Page("an offer to a player", CHALLENGED, path_to("offer")),
    Page("one's own offer", PLAYER, path_to("offer")),
    Page("an emailed challenge to a stranger", at=path_to("challenge to Fay")),
    Page("an emailed challenge to a player", at=path_to("challenge to Ida")),
    Page("an emailed challenge that was accepted", at=path_to("accepted")),
    Page("an emailed challenge that was declined", at=path_to("turned down")),
    Page("an emailed challenge that was withdrawn", at=path_to("taken back")),
    Page("an emailed question", at=path_to("question")),
    Page("an emailed question that was answered", at=path_to("answered")),
    Page("an emailed sign-in link", at=path_to("lets in")),
    Page("an emailed sign-in link that was used", at=path_to("has let in")),
    Page("an email to someone who wants none", at=path_to("no letters")),
    Page("unsubscribing", at=path_to("stops letters")),
    Page("unsubscribing from daily checkpoints", at=path_to("stops checkpoints")),
    Page("one's games", WHITE, "/games/"),
    Page("one's games and challenges", PLAYER, "/games/"),
    Page("the games of a challenged player", CHALLENGED, "/games/"),
    *(Page(f"a table of {variant}", WHITE, path_to(f"table of {variant}")) for variant in UMPIRES),
    Page("the table while the opponent is to move", BLACK, path_to("table of wild16")),
    Page("a piece in hand", WHITE, path_to("table of wild16", "?from=e2")),
    Page("the switches for marks", WHITE, path_to("table of wild16", "?fold=marks")),
    Page("a piece of the reserve in hand", WHITE, path_to("table of crazykrieg", "?drop=P")),
    Page("pieces in both reserves", WHITE, path_to("reserves")),
    Page("a list of tries", WHITE, path_to("table of wild16", "?list=e2e4.d2d4&from=g1")),
    Page("lists for both answers to any?", WHITE, path_to("table of classic", "?list=yes:e2d3/no:g1f3")),
    Page("an order for the next turn", BLACK, path_to("table of wild16", "?list=capture e5:e7e5")),
    Page(
        "orders for two turns",
        WHITE,
        path_to("table of wild16", "?list=e2e4/*capture e4,no check:d2d3/else:g1f3"),
    ),
    Page("a ghost in hand", WHITE, path_to("table of wild16", "?ghost=Q")),
    Page("a lesson", BLACK, path_to("lesson")),
    Page("resigning", WHITE, path_to("table of wild16", "?sure=resign")),
    Page("offering a draw", WHITE, path_to("table of wild16", "?sure=draw%3F")),
    Page("the whole log", WHITE, path_to("table of crazykrieg", "?log=whole")),
    Page("a game to accept", WHITE, path_to("offered")),
    Page("setting up the pieces", WHITE, path_to("deploying")),
    Page("setting up a queen", WHITE, path_to("deploying", "?set=Q.Ke1")),
    Page("the table after the end", WHITE, path_to("ended rbc")),
    Page("a finished game", at=path_to("finished rbc")),
    Page("one's own finished game", WHITE, path_to("finished rbc")),
    Page("a finished game from White's side", at=path_to("finished rbc", "?from=white&at=4")),
    Page("a finished game after the deployment", at=path_to("finished assassin", "?at=0")),
    Page("analysis of a finished game", at=path_to("finished crazykrieg", "/analysis?at=2&held=g1")),
    Page("a finished game from Black's side", at=path_to("finished crazykrieg", "?from=black")),
    Page("players", at="/players/"),
    Page("a search for a player", at="/players/?name=ann"),
    Page("a search that finds no player", at="/players/?name=zoe"),
    Page("a leaderboard", WHITE, "/players/board/wild16"),
    Page("a leaderboard of bots", at="/players/board/rbc/programs"),
    Page("a player", at="/players/ann"),
    Page("a player without games", PLAYER, "/players/Annabella%20Wolkenstein"),
    Page("a bot", at="/players/Pip%20(bot)"),
    Page("a player's rating history", at="/players/ann/wild16"),
    Page("a leaderboard page past the end", at="/players/board/wild16?page=7", status=404),
    Page("an unknown player", at="/players/zoe", status=404),
    Page("events", at="/events/"),
    Page("events for a player", PLAYER, "/events/"),
    Page("events before a name is chosen", NAMELESS, "/events/"),
    Page("an open section", at=path_to("filling")),
    Page("an open section for a player", CHALLENGED, path_to("filling")),
    Page("an open section for its entrant", PLAYER, path_to("filling")),
    Page("a running section", PLAYER, path_to("section")),
    Page("a finished section", at=path_to("section over")),
    Page("a private section", PLAYER, path_to("private")),
    Page("a pyramid", PLAYER, path_to("pyramid")),
    Page("a pyramid for a stranger", at=path_to("pyramid")),
    Page("the server's health", OPERATOR, "/admin/"),
    Page("an operator's search", OPERATOR, "/admin/games"),
    Page("an operator's search results", OPERATOR, "/admin/games?for=ben"),
    Page("the operator's fair-play page", OPERATOR, "/admin/play"),
    Page("a game for an operator", OPERATOR, path_to("operated")),
    Page("a game ended by an operator", OPERATOR, path_to("decreed")),
    Page("events for an operator", OPERATOR, "/admin/events/"),
    Page("an event for an operator", OPERATOR, path_to("operated event")),
    Page("an event stopped by an operator", at=path_to("stopped event")),
    Page("an operator's settings", OPERATOR, "/settings/"),
    Page("no such page", at="/nothing", status=404),
    Page("no such email", at="/letters/nothing", status=404),
    Page("an unknown unsubscribe link", at="/stop/nothing", status=404),
    Page("a refused form", at="/sign-in", method="POST", status=400),
)


def build_sample_site(table: Table) -> SampleSite:
    """Let everyone do what brings them to their pages."""
    stage = SampleSite(table, table.app_with_workers(OLGA))
    people = (
        SIGNING_IN,
        NAMELESS,
        PLAYER,
        CHALLENGED,
        ADDING_ADDRESS,
        SIGNED_IN_EARLIER,
        WHITE,
        BLACK,
        OPERATOR,
    )
    browsers = {who: Browser(stage.app) for who in people}
    _let_in(stage, browsers)
    _challenge(stage, browsers[PLAYER], browsers[CHALLENGED])
    _add_an_address(stage, browsers[ADDING_ADDRESS])
    _come_back(stage, browsers[SIGNED_IN_EARLIER])
    _write(stage)
    _play(stage)
    _sign(stage)
    _rate(stage)
    _enter(stage, browsers[PLAYER])
    _sit_down(stage, browsers[WHITE], browsers[BLACK])
    _operate(stage, browsers[OPERATOR])
    for who, browser in browsers.items():
        stage.cookies[who] = _cookie_of(browser)
    return stage


def _cookie_of(browser: Browser) -> str:
    kept = browser.client.get_cookie(COOKIE)
    assert kept
    return kept.value


def _let_in(stage: SampleSite, browsers: dict[str, Browser]) -> None:
    browsers[NAMELESS].sign_in_by_email(stage.table, HAL)
    stage.paths["has let in"] = stage.link(HAL)
    browsers[PLAYER].sign_in(stage.table, EVE, "Eve")
    browsers[CHALLENGED].sign_in(stage.table, IDA, "Ida")
    browsers[SIGNING_IN].open("/sign-in")
    browsers[SIGNING_IN].press("Email me a code", address=GUS)
    stage.table.run_workers()
    stage.paths["lets in"] = stage.link(GUS)


def _challenge(stage: SampleSite, eve: Browser, ida: Browser) -> None:
    """Eve is challenged, challenges others and makes offers; Ida's last form is refused."""
    answers = {
        "accepted": (BEN, "accept"),
        "turned down": (JOE, "decline"),
        "no letters": (KIM, "never again"),
        "challenge to Fay": (FAY, ""),
    }
    for path_to, (whom, answer) in answers.items():
        stage.paths[path_to] = _challenged(stage, eve, whom, weight="rated")
        if answer:
            stage.table.reply(whom, answer)
    stage.paths["challenge to Ida"] = _challenged(stage, eve, IDA, variant="rbc", color="white")
    stage.paths["taken back"] = _challenged(stage, ida, ANN)
    ida.open("/games/")
    ida.press("Withdraw")
    ida.open("/lobby/")
    ida.press("Challenge", whom="Eve")
    ida.press("Offer to everyone")
    ida.client.post("/lobby/challenge", data={"csrf": ida.csrf, "whom": "nobody at all", "variant": "rbc"})
    eve.press("Offer to everyone", variant="crazykrieg")
    eve.press("Create private link", variant="cincinnati")
    stage.paths["offer"] = eve.path


def _challenged(stage: SampleSite, browser: Browser, address: str, **terms: str) -> str:
    """Challenge an address; return the page that the email links to."""
    browser.press("Challenge", whom=address, **terms)
    stage.table.run_workers()
    return stage.link(address)


def _add_an_address(stage: SampleSite, ned: Browser) -> None:
    """Ned adds an address."""
    ned.sign_in(stage.table, NED, "Ned")
    ned.open("/settings/")
    ned.press("Add address", address=ODA)
    stage.table.run_workers()
    stage.paths["further address"] = stage.link(ODA)


def _come_back(stage: SampleSite, eve: Browser) -> None:
    """Eve signed in an hour ago, and turns her emails off."""
    eve.sign_in_directly(stage.table, EVE, stage.table.clock() - timedelta(hours=1))
    eve.open("/settings/")
    eve.press("Save notifications", mail="off")


def _write(stage: SampleSite) -> None:
    """Two strangers write, and one of them confirms."""
    for address, path_to in ((LEN, "answered"), (MIA, "question")):
        stage.table.write_to_site(address, "seek wild16")
        stage.paths[path_to] = stage.link(address)
    stage.table.reply(LEN, "confirm")


def _play(stage: SampleSite) -> None:
    """Games are finished, running, offered, and waiting for a set-up."""
    for variant in ("assassin", "crazykrieg", "rbc"):
        code = _played(stage, variant, len(GAMES[variant].letters))
        stage.paths[f"ended {variant}"] = f"/games/{code}"
        with stage.table.server.store.reading() as connection:
            stage.paths[f"finished {variant}"] = f"/finished/{finished.find_page_key(connection, code)}"
    for variant in UMPIRES:
        turns = (len(GAMES[variant].letters) - 1) // 2
        stage.paths[f"table of {variant}"] = f"/games/{_played(stage, variant, turns * 2)}"
    stage.paths["reserves"] = f"/games/{_exchanged(stage)}"
    stage.paths["deploying"] = f"/games/{_played(stage, 'welbeck', 0)}"
    turns = [letter for letter in stage.table.emails_to(BEN) if letter["List-Unsubscribe"]]
    stage.paths["stops letters"] = unsubscribe_page(turns[-1])
    stage.paths["offered"] = f"/games/{stage.table.challenge()}"


def _enter(stage: SampleSite, eve: Browser) -> None:
    """Sections are open, running and finished; Eve enters some, creates a private one, and plays in a pyramid."""
    table = stage.table
    for number, name in enumerate(("The longest name that anyone may have xxx", *FIVE[1:])):
        enter_section(table, name[: limits.NAME_CHARACTERS], "cincinnati", fills=number > 1)
    table.run_workers()
    over_section = finish_section(table, "cincinnati")
    stage.paths["section over"] = f"/events/{over_section.code}"
    eve.open("/events/")
    eve.press("Enter the section", variant="wild16", kind="section")
    running = begin_section(table, *FIVE[1:])
    stage.paths["section"] = f"/events/{running.code}"
    for each, end in zip(
        running_games(table, running), ("white", "draw", "black by time", "void", "black"), strict=False
    ):
        end_game(table, each, end)
    withdraw(table, running, FIVE[2])
    table.sweep()
    for name in FIVE[:3]:
        enter_section(table, name, "rbc", fills=True)
    eve.open("/events/")
    eve.press("Enter the section", variant="rbc", kind="section")
    stage.paths["filling"] = eve.path
    eve.open("/events/")
    eve.press("Create the section", variant="crazykrieg")
    stage.paths["private"] = eve.path
    for name in FIVE:
        climbs = enter_pyramid(table, name)
    eve.open("/events/")
    eve.press("Enter the pyramid", variant="wild16", kind="pyramid")
    eve.press("Challenge")
    table.run_workers()
    end_game(table, running_games(table, climbs)[0], "white")
    table.sweep()
    challenge(table, climbs, FIVE[1], FIVE[2])
    table.run_workers()
    stage.paths["pyramid"] = eve.path


def _sign(stage: SampleSite) -> None:
    """The server signs a checkpoint, and Ben gets it by email."""
    stage.table.reply(BEN, "mail checkpoints")
    stage.table.sweep()
    signed = checkpoints.load_newest(stage.table.server)
    assert signed
    stage.paths["signed"] = f"/checkpoint/{signed.day}"
    stage.paths["stops checkpoints"] = unsubscribe_page(stage.table.last_email(BEN))


def _rate(stage: SampleSite) -> None:
    """Ann has a line about herself and ratings; so have others and a bot."""
    table = stage.table
    table.reply(ANN, "page about I play in the evenings, and like gambits that nobody can see.")
    rating_rows.add_players(table, "Annabella Wolkenstein", "Ångström", "Zed")
    for name, rating, deviation in (("ann", 1604, 62), ("ben", 1402, 95), ("Ångström", 1711, 71)):
        rating_rows.add_rating(table, name, rating, deviation)
    rating_rows.add_rating(table, "ann", 1312, 140, variant="rbc")
    rating_rows.add_rating(table, "Zed", 1555, 60, variant="rbc", program=True)
    last = 1500.0
    for number, now in enumerate((1530, 1512, 1548, 1571, 1560, 1604)):
        others = ("ben", "Ångström")[number % 2]
        why = "three" if number == 1 else ""
        at = table.clock() - timedelta(days=30 - number)
        rating_rows.add_rated_game(
            table, "ann", others, ("white", None)[number % 2], ((last, now), (1480, 1470)), at, uncounted=why
        )
        last = now


def _exchanged(stage: SampleSite) -> str:
    """The code of a game in which both sides have pieces to drop."""
    code = stage.table.challenge(variant="crazykrieg")
    for player in (ANN, BEN):
        stage.table.reply(player, "accept")
    stage.table.play(*("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5e5", "f1e2", "e5e2", "g1e2", "a7a6"))
    return code


def _played(stage: SampleSite, variant: str, letters: int) -> str:
    """The code of a game with this many emails after both accepted."""
    code = stage.table.challenge(variant=variant)
    for player, text in ((ANN, "accept"), (BEN, "accept"), *GAMES[variant].by_turns()[:letters]):
        stage.table.reply(player, text)
    return code


def _sit_down(stage: SampleSite, ann: Browser, ben: Browser) -> None:
    """Both players sign in; Ann has a ghost, a note and a refused move, and Ben takes a lesson."""
    for browser, address in ((ann, ANN), (ben, BEN)):
        browser.sign_in_directly(stage.table, address, stage.table.clock())
    ben.open(stage.paths["table of wild16"])
    ann.open(stage.paths["table of wild16"])
    ann.send("a1a5\nghost qh6 a6\nnote his queen is out")
    ben.open("/lobby/")
    ben.press("Start the tutorial")
    stage.paths["lesson"] = f"/games/{str(stage.table.last_email(BEN)['Subject'])[-6:-1]}"
    ben.open(stage.paths["lesson"])
    ben.send("e2e5")


def _operate(stage: SampleSite, olga: Browser) -> None:
    """An operator signs in and ends a game."""
    olga.sign_in(stage.table, OLGA, "Olga")
    running, ended = (_played(stage, "wild16", 0) for _ in range(2))
    stage.paths |= {"operated": f"/admin/games/{running}", "decreed": f"/admin/games/{ended}"}
    olga.open(stage.paths["decreed"])
    olga.press("End the game", reason="It was begun twice.", end="void")
    stage.table.run_workers()
    stage.paths["operated event"] = stage.paths["section"].replace("/events", "/admin/events")
    olga.open("/admin/events/")
    olga.press("Create the section", name="Autumn cup", variant="welbeck", reason="Because it is autumn.")
    stage.paths["stopped event"] = olga.path.replace("/admin", "")
    olga.press("Stop the event", reason="It is winter by now.")
