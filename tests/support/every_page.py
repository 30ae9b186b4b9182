"""Every page there is, as data: who opens it, and how to come there. A new page is one line of `PAGES`."""

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
from tests.support.events import FIVE, challenge, climb, enter, met, over, played_section, section, withdraw
from tests.support.sample_games import GAMES
from tests.support.table import ANN, BEN, EVE, FAY, OLGA, Table, text_of
from tests.support.unsubscribe_headers import page_of

GUS, HAL, IDA, JOE, KIM, LEN, MIA, NED, ODA = (
    f"{name}@{name}.example" for name in ("gus", "hal", "ida", "joe", "kim", "len", "mia", "ned", "oda")
)
COOKIE = "corr"
#: Who opens pages.
STRANGER, ASKING, NAMELESS = "a stranger", "who asks", "nobody yet"
PLAYER, REFUSED, ADDING, AWAY = "Eve", "Ida", "Ned", "Eve, an hour later"
WHITE, BLACK, OPERATOR = "Ann", "Ben", "Olga"


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

    def sign_in(self, address: str) -> str:
        """The cookie of somebody who signs in only now, since some changes ask for a recent sign-in."""
        browser = Browser(self.app)
        browser.let_in(self.table, address, self.table.clock())
        return _cookie_of(browser)


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


def place(name: str, query: str = "") -> Callable[[Stage], str]:
    """Where `set_the_stage` has found a page."""
    return lambda stage: stage.places[name] + query


PAGES = (
    Page("the front page"),
    Page("what is kept", at="/privacy"),
    Page("proving a game", at="/verify"),
    Page("what was signed last", at="/checkpoint"),
    Page("what was signed on a day", at=place("signed")),
    Page("open games", at="/open"),
    Page("the archive", at="/archive"),
    Page("the archive of a player", at="/archive?player=ann&result=won"),
    Page("the archive without such games", at="/archive?length=long"),
    Page("the archive where nobody is so called", at="/archive?player=nobody+at+all", status=400),
    Page("the rules", at="/rules"),
    *(Page(f"the rules of {variant}", at=f"/rules/{variant}") for variant in UMPIRES),
    Page("signing in", at="/sign-in"),
    Page("signing in by a number", ASKING, "/sign-in"),
    Page("signing in when one is in", PLAYER, "/sign-in"),
    Page("signing in once more", AWAY, "/sign-in"),
    Page("the lobby", at="/lobby/"),
    Page("the lobby before a name is chosen", NAMELESS, "/lobby/"),
    Page("the lobby of a player", PLAYER, "/lobby/"),
    Page("the lobby after a refusal", REFUSED, "/lobby/"),
    Page("the settings", PLAYER, "/settings/"),
    Page("the settings while an address is added", ADDING, "/settings/"),
    Page("where one is let in", PLAYER, "/sessions/"),
    Page("one's hours", PLAYER, "/settings/hours/"),
    Page("one's ways to be told", PLAYER, "/settings/calls/"),
    Page("the tokens of one's programs", PLAYER, "/settings/tokens/"),
    Page("where one without a name is let in", NAMELESS, "/sessions/"),
    Page("a letter's further address", at=place("further address")),
    Page("a letter's further address to who has asked", ADDING, place("further address")),
    Page("an offer", at=place("offer")),
    Page("an offer before a name is chosen", NAMELESS, place("offer")),
    Page("an offer to a player", REFUSED, place("offer")),
    Page("an offer of one's own", PLAYER, place("offer")),
    Page("a letter's challenge to a stranger", at=place("challenge to Fay")),
    Page("a letter's challenge to a player", at=place("challenge to Ida")),
    Page("a letter's challenge that was accepted", at=place("accepted")),
    Page("a letter's challenge that was declined", at=place("turned down")),
    Page("a letter's challenge that was taken back", at=place("taken back")),
    Page("a letter's question", at=place("question")),
    Page("a letter's question that was answered", at=place("answered")),
    Page("a letter that lets in", at=place("lets in")),
    Page("a letter that has let in", at=place("has let in")),
    Page("a letter to somebody who wants none", at=place("no letters")),
    Page("a letter's way to be stopped", at=place("stops letters")),
    Page("a way to stop the letter of each day", at=place("stops checkpoints")),
    Page("one's settings", PLAYER, "/settings/"),
    Page("one's games", WHITE, "/games/"),
    Page("one's games and challenges", PLAYER, "/games/"),
    Page("the games of one who is challenged", REFUSED, "/games/"),
    *(Page(f"a table of {variant}", WHITE, place(f"table of {variant}")) for variant in UMPIRES),
    Page("the table of one who waits", BLACK, place("table of wild16")),
    Page("a man in hand", WHITE, place("table of wild16", "?from=e2")),
    Page("the switches of the marks", WHITE, place("table of wild16", "?fold=marks")),
    Page("a man of the reserve in hand", WHITE, place("table of crazykrieg", "?drop=P")),
    Page("men of both reserves", WHITE, place("reserves")),
    Page("a list of tries", WHITE, place("table of wild16", "?list=e2e4.d2d4&from=g1")),
    Page("lists after any?", WHITE, place("table of classic", "?list=yes:e2d3/no:g1f3")),
    Page("an order for the next turn", BLACK, place("table of wild16", "?list=capture e5:e7e5")),
    Page(
        "orders for two turns",
        WHITE,
        place("table of wild16", "?list=e2e4/*capture e4,no check:d2d3/else:g1f3"),
    ),
    Page("a ghost in hand", WHITE, place("table of wild16", "?ghost=Q")),
    Page("a lesson", BLACK, place("lesson")),
    Page("giving up", WHITE, place("table of wild16", "?sure=resign")),
    Page("offering a draw", WHITE, place("table of wild16", "?sure=draw%3F")),
    Page("the whole log", WHITE, place("table of crazykrieg", "?log=whole")),
    Page("a game that one may accept", WHITE, place("offered")),
    Page("setting up the men", WHITE, place("deploying")),
    Page("setting up a queen", WHITE, place("deploying", "?set=Q.Ke1")),
    Page("the table after the end", WHITE, place("ended rbc")),
    Page("a finished game", at=place("finished rbc")),
    Page("a finished game of one's own", WHITE, place("finished rbc")),
    Page("a finished game from White's side", at=place("finished rbc", "?from=white&at=4")),
    Page("a finished game after the deployment", at=place("finished assassin", "?at=0")),
    Page("a finished game played on", at=place("finished crazykrieg", "/analysis?at=2&held=g1")),
    Page("a finished game from Black's side", at=place("finished crazykrieg", "?from=black")),
    Page("players", at="/players/"),
    Page("players who were looked for", at="/players/?name=ann"),
    Page("nobody who was looked for", at="/players/?name=zoe"),
    Page("a leaderboard", WHITE, "/players/board/wild16"),
    Page("a leaderboard of programs", at="/players/board/rbc/programs"),
    Page("a player", at="/players/ann"),
    Page("a player of whom little is known", PLAYER, "/players/Annabella%20Wolkenstein"),
    Page("a house player", at="/players/Pip%20(bot)"),
    Page("how a rating came about", at="/players/ann/wild16"),
    Page("a leaderboard that does not go that far", at="/players/board/wild16?page=7", status=404),
    Page("a player whom there is not", at="/players/zoe", status=404),
    Page("events", at="/events/"),
    Page("events to a player", PLAYER, "/events/"),
    Page("events before a name is chosen", NAMELESS, "/events/"),
    Page("a section that fills", at=place("filling")),
    Page("a section that fills to a player", REFUSED, place("filling")),
    Page("a section that one waits in", PLAYER, place("filling")),
    Page("a section that is played", PLAYER, place("section")),
    Page("a section that is over", at=place("section over")),
    Page("a private section", PLAYER, place("private")),
    Page("a pyramid", PLAYER, place("pyramid")),
    Page("a pyramid to a stranger", at=place("pyramid")),
    Page("how the house is", OPERATOR, "/admin/"),
    Page("an operator's search", OPERATOR, "/admin/games"),
    Page("the games that an operator has found", OPERATOR, "/admin/games?for=ben"),
    Page("whether play is fair", OPERATOR, "/admin/play"),
    Page("a game as an operator sees it", OPERATOR, place("operated")),
    Page("a game that an operator has ended", OPERATOR, place("decreed")),
    Page("events as an operator sees them", OPERATOR, "/admin/events/"),
    Page("an event as an operator sees it", OPERATOR, place("operated event")),
    Page("an event that an operator has stopped", at=place("stopped event")),
    Page("an operator's settings", OPERATOR, "/settings/"),
    Page("what is not there", at="/nothing", status=404),
    Page("a letter that is not there", at="/letters/nothing", status=404),
    Page("a link that stops no letters", at="/stop/nothing", status=404),
    Page("what is refused", at="/sign-in", method="POST", status=400),
)


def set_the_stage(table: Table) -> Stage:
    """Let everybody do what brings them to their pages."""
    stage = Stage(table, table.at_work(OLGA))
    who_sit = (ASKING, NAMELESS, PLAYER, REFUSED, ADDING, AWAY, WHITE, BLACK, OPERATOR)
    browsers = {who: Browser(stage.app) for who in who_sit}
    _let_in(stage, browsers)
    _challenge(stage, browsers[PLAYER], browsers[REFUSED])
    _add_an_address(stage, browsers[ADDING])
    _come_back(stage, browsers[AWAY])
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


def _let_in(stage: Stage, browsers: dict[str, Browser]) -> None:
    browsers[NAMELESS].sign_in_by_letter(stage.table, HAL)
    stage.places["has let in"] = stage.link(HAL)
    browsers[PLAYER].sign_in(stage.table, EVE, "Eve")
    browsers[REFUSED].sign_in(stage.table, IDA, "Ida")
    browsers[ASKING].open("/sign-in")
    browsers[ASKING].press("Email me a code", address=GUS)
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
    ida.open("/games/")
    ida.press("Withdraw")
    ida.open("/lobby/")
    ida.press("Challenge", whom="Eve")
    ida.press("Offer to everyone")
    ida.client.post("/lobby/challenge", data={"csrf": ida.csrf, "whom": "nobody at all", "variant": "rbc"})
    eve.press("Offer to everyone", variant="crazykrieg")
    eve.press("Create private link", variant="cincinnati")
    stage.places["offer"] = eve.at


def _challenged(stage: Stage, browser: Browser, address: str, **terms: str) -> str:
    """The page of the letter by which somebody is challenged."""
    browser.press("Challenge", whom=address, **terms)
    stage.table.work()
    return stage.link(address)


def _add_an_address(stage: Stage, ned: Browser) -> None:
    """Ned would like to read letters at another address too."""
    ned.sign_in(stage.table, NED, "Ned")
    ned.open("/settings/")
    ned.press("Add address", address=ODA)
    stage.table.work()
    stage.places["further address"] = stage.link(ODA)


def _come_back(stage: Stage, eve: Browser) -> None:
    """Eve was let in an hour ago, and would have her letters go nowhere."""
    eve.let_in(stage.table, EVE, stage.table.clock() - timedelta(hours=1))
    eve.open("/settings/")
    eve.press("Save notifications", mail="off")


def _write(stage: Stage) -> None:
    """Strangers write, and one of them answers what is asked."""
    for address, place in ((LEN, "answered"), (MIA, "question")):
        stage.table.write(address, "seek wild16")
        stage.places[place] = stage.link(address)
    stage.table.reply(LEN, "confirm")


def _play(stage: Stage) -> None:
    """Games come to their ends, and others go on; one is offered, and in one the men are set up."""
    for variant in ("assassin", "crazykrieg", "rbc"):
        code = _played(stage, variant, len(GAMES[variant].letters))
        stage.places[f"ended {variant}"] = f"/games/{code}"
        with stage.table.server.store.reading() as connection:
            stage.places[f"finished {variant}"] = f"/finished/{finished.find_page_key(connection, code)}"
    for variant in UMPIRES:
        turns = (len(GAMES[variant].letters) - 1) // 2
        stage.places[f"table of {variant}"] = f"/games/{_played(stage, variant, turns * 2)}"
    stage.places["reserves"] = f"/games/{_exchanged(stage)}"
    stage.places["deploying"] = f"/games/{_played(stage, 'welbeck', 0)}"
    turns = [letter for letter in stage.table.letters(BEN) if letter["List-Unsubscribe"]]
    stage.places["stops letters"] = page_of(turns[-1])
    stage.places["offered"] = f"/games/{stage.table.challenge()}"


def _enter(stage: Stage, eve: Browser) -> None:
    """Sections fill, are played, and are over; Eve plays in some, makes a private one, and climbs."""
    table = stage.table
    for number, name in enumerate(("The longest name that anybody may have xx", *FIVE[1:])):
        enter(table, name[: limits.NAME_CHARACTERS], "cincinnati", fills=number > 1)
    table.work()
    over_section = played_section(table, "cincinnati")
    stage.places["section over"] = f"/events/{over_section.code}"
    eve.open("/events/")
    eve.press("Enter the section", variant="wild16", kind="section")
    running = section(table, *FIVE[1:])
    stage.places["section"] = f"/events/{running.code}"
    for each, end in zip(
        met(table, running), ("white", "draw", "black by time", "void", "black"), strict=False
    ):
        over(table, each, end)
    withdraw(table, running, FIVE[2])
    table.sweep()
    for name in FIVE[:3]:
        enter(table, name, "rbc", fills=True)
    eve.open("/events/")
    eve.press("Enter the section", variant="rbc", kind="section")
    stage.places["filling"] = eve.at
    eve.open("/events/")
    eve.press("Create the section", variant="crazykrieg")
    stage.places["private"] = eve.at
    for name in FIVE:
        climbs = climb(table, name)
    eve.open("/events/")
    eve.press("Enter the pyramid", variant="wild16", kind="pyramid")
    eve.press("Challenge")
    table.work()
    over(table, met(table, climbs)[0], "white")
    table.sweep()
    challenge(table, climbs, FIVE[1], FIVE[2])
    table.work()
    stage.places["pyramid"] = eve.at


def _sign(stage: Stage) -> None:
    """The house signs where all games stand, and Ben gets it by mail."""
    stage.table.reply(BEN, "mail checkpoints")
    stage.table.sweep()
    signed = checkpoints.load_newest(stage.table.server)
    assert signed
    stage.places["signed"] = f"/checkpoint/{signed.day}"
    stage.places["stops checkpoints"] = page_of(stage.table.newest(BEN))


def _rate(stage: Stage) -> None:
    """Ann has a page with a line about her, and is rated; so are others, a program, and one who is hidden."""
    table = stage.table
    table.reply(ANN, "page about I play in the evenings, and like gambits that nobody can see.")
    rating_rows.enrol(table, "Annabella Wolkenstein", "Ångström", "Zed")
    for name, rating, deviation in (("ann", 1604, 62), ("ben", 1402, 95), ("Ångström", 1711, 71)):
        rating_rows.rate(table, name, rating, deviation)
    rating_rows.rate(table, "ann", 1312, 140, variant="rbc")
    rating_rows.rate(table, "Zed", 1555, 60, variant="rbc", program=True)
    last = 1500.0
    for number, now in enumerate((1530, 1512, 1548, 1571, 1560, 1604)):
        others = ("ben", "Ångström")[number % 2]
        why = "three" if number == 1 else ""
        at = table.clock() - timedelta(days=30 - number)
        rating_rows.meet(
            table, "ann", others, ("white", None)[number % 2], ((last, now), (1480, 1470)), at, uncounted=why
        )
        last = now


def _exchanged(stage: Stage) -> str:
    """The code of a game in which both sides have men to drop."""
    code = stage.table.challenge(variant="crazykrieg")
    for player in (ANN, BEN):
        stage.table.reply(player, "accept")
    stage.table.play(*("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5e5", "f1e2", "e5e2", "g1e2", "a7a6"))
    return code


def _played(stage: Stage, variant: str, letters: int) -> str:
    """The code of a game in which so many letters were written after both had accepted."""
    code = stage.table.challenge(variant=variant)
    for player, text in ((ANN, "accept"), (BEN, "accept"), *GAMES[variant].by_turns()[:letters]):
        stage.table.reply(player, text)
    return code


def _sit_down(stage: Stage, ann: Browser, ben: Browser) -> None:
    """Both players come to their pages without a letter; Ann imagines and is refused a move, Ben takes a lesson."""
    for browser, address in ((ann, ANN), (ben, BEN)):
        browser.let_in(stage.table, address, stage.table.clock())
    ben.open(stage.places["table of wild16"])
    ann.open(stage.places["table of wild16"])
    ann.send("a1a5\nghost qh6 a6\nnote his queen is out")
    ben.open("/lobby/")
    ben.press("Start the tutorial")
    stage.places["lesson"] = f"/games/{str(stage.table.newest(BEN)['Subject'])[-6:-1]}"
    ben.open(stage.places["lesson"])
    ben.send("e2e5")


def _operate(stage: Stage, olga: Browser) -> None:
    """An operator comes to their pages, and ends a game."""
    olga.sign_in(stage.table, OLGA, "Olga")
    running, ended = (_played(stage, "wild16", 0) for _ in range(2))
    stage.places |= {"operated": f"/admin/games/{running}", "decreed": f"/admin/games/{ended}"}
    olga.open(stage.places["decreed"])
    olga.press("End the game", reason="It was begun twice.", end="void")
    stage.table.work()
    stage.places["operated event"] = stage.places["section"].replace("/events", "/admin/events")
    olga.open("/admin/events/")
    olga.press("Create the section", name="Autumn cup", variant="welbeck", reason="Because it is autumn.")
    stage.places["stopped event"] = olga.at.replace("/admin", "")
    olga.press("Stop the event", reason="It is winter by now.")
