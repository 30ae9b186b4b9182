"""A finished game shows how moves were sent, and refused tries if their player allows it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import NamedTuple

import pytest
from sqlalchemy import update

from corr.service.games import finished
from corr.store.tables import PlayerRow
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, Table

VIEWS = ("umpire", "white", "black")


class Case(NamedTuple):
    """White's emails for the second move, and what everybody reads of them after the game."""

    variant: str
    emails: tuple[str, ...]
    sent: str = ""  # how the move was sent, if White shows refused tries
    sent_private: str = ""  # the same if White hides them
    tried: tuple[tuple[tuple[str, ...], str], ...] = ()


CASES: Mapping[str, Case] = {
    "a move": Case("wild16", ("e4d5",)),
    "a try and a move": Case("wild16", ("e4e6", "e4d5"), tried=((("e4e6",), "Illegal move."),)),
    "a list": Case(
        "wild16",
        ("e4f5, e1e3, e4d5, g1f3",),
        "try 3 of a list",
        "from a list",
        ((("e4f5", "e1e3"), "Illegal move."),),
    ),
    "the first of a list": Case("wild16", ("e4d5, g1f3",), "from a list", "from a list"),
    "two lists": Case(
        "wild16",
        ("e4f5, e1e3", "e4e6, e4d5"),
        "try 2 of a list",
        "from a list",
        ((("e4f5", "e1e3", "e4e6"), "Illegal move."),),
    ),
    "a branch": Case("classic", ("any? yes: e4d5 / no: g1f3",), "from a condition", "from a condition"),
    "a list in a branch": Case(
        "classic",
        ("any? yes: e4f5, e4d5 / no: g1f3",),
        "try 2 of a conditional list",
        "from a condition",
        ((("e4f5",), "White attempted an illegal move."),),
    ),
    "a branch without a legal try": Case(
        "classic",
        ("any? yes: e4f5 / no: g1f3", "e4d5"),
        tried=((("e4f5",), "White attempted an illegal move."),),
    ),
    "nonsense": Case(
        "cincinnati", ("a1a5", "e4f5", "e4d5"), tried=((("a1a5",), "Nonsense."), (("e4f5",), "Illegal."))
    ),
    "a list with nonsense": Case(
        "cincinnati",
        ("a1a5, e4f5, e4d5",),
        "try 2 of a list",
        "from a list",
        ((("e4f5",), "Illegal."),),
    ),
    "a sense and what it shows": Case(
        "rbc", ("sense d6; if d5=p: e4d5; else g1f3",), "from a condition", "from a condition"
    ),
}
LEGAL = re.compile(r"could play [^.]*\.")
#: What nobody else may read: private notes, and orders after the one that was played.
HIDDEN = re.compile("Only you|could have seen|g1f3")


def game(table: Table, case: Case, *hides_tries: str) -> str:
    """The page key of a finished game of this case; Black also made a refused try."""
    code = table.challenge(f"Ann <{ANN}>", f"Ben <{BEN}>", case.variant)
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).where(PlayerRow.name.in_(hides_tries)).values(tells_tries=False))
    sense = "sense none; " if case.variant == "rbc" else ""
    for player, text in (
        (ANN, "accept"),
        (BEN, "accept"),
        (ANN, f"{sense}e2e4"),
        *([] if sense else [(BEN, "d7d4")]),
        (BEN, f"{sense}d7d5"),
        *((ANN, email) for email in case.emails),
        (BEN, "resign resign"),
    ):
        table.reply(player, text)
    return page_key(table, code)


def page_key(table: Table, code: str) -> str:
    with table.server.store.reading() as connection:
        found = finished.find_page_key(connection, code)
    assert found
    return found


def read(table: Table, shared: str) -> dict[str, str]:
    """What a stranger reads: each view before and after the second move, and the file, without legal moves."""
    stranger = Browser(table.app())
    pages = {
        f"{view} {at}": LEGAL.sub("", stranger.open(f"/finished/{shared}?orders=shown&from={view}&at={at}"))
        for view in VIEWS
        for at in (2, 3)
    }
    return pages | {"file": " ".join(finished.load_by_mark(table.server, shared).pgn.split())}


def on_page(orders: tuple[str, ...], said: str) -> str:
    return f"{', '.join(orders)} : {said}"


def how_sent(page: str) -> str:
    """How the page says its move was sent; its list of moves must say the same."""
    found = re.search(r"\d[.…] \S+ ((?:from|try \d+ of) an? [a-z ]+?) First Back", page)
    sent = found[1] if found else ""
    assert page.count(sent) == 2 or not sent
    return sent


def how_sent_in_file(file: str) -> str:
    found = re.search(r"2\. \S+ \{((?:From|Try) [^.]*)\.\}", file)
    return f"{found[1][0].lower()}{found[1][1:]}" if found else ""


def in_file(orders: tuple[str, ...], said: str, *, both_heard: bool) -> str:
    """The file's comment on refused tries; an answer that both heard comes before it instead."""
    quoted = ", ".join(f'"{order}"' for order in orders)
    return f"{{White tried {quoted}{'' if both_heard else f': {said[:-1]}'}.}}"


@pytest.mark.parametrize("what", CASES)
def test_everybody_reads_how_a_move_was_sent_and_what_was_refused(table: Table, what: str) -> None:
    case = CASES[what]
    pages = read(table, game(table, case))

    for tried in case.tried:
        assert all(on_page(*tried) in pages[f"{view} 2"] for view in ("umpire", "white"))
        assert in_file(*tried, both_heard=case.variant != "wild16") in pages["file"]
    for view in ("umpire", "white"):
        assert ("White's refused tries" in pages[f"{view} 2"]) == bool(case.tried)
        assert how_sent(pages[f"{view} 3"]) == case.sent
    assert how_sent_in_file(pages["file"]) == case.sent
    assert not HIDDEN.search("".join(pages.values()))


@pytest.mark.parametrize("what", CASES)
def test_nobody_reads_tries_that_their_player_hides(table: Table, what: str) -> None:
    case = CASES[what]
    pages = read(table, game(table, case, "Ann"))

    assert how_sent(pages["umpire 3"]) == how_sent_in_file(pages["file"]) == case.sent_private
    assert not re.search(r"White tried|White's refused|\btry \d", "".join(pages.values()))
    assert not any(order in page for orders, _ in case.tried for order in orders for page in pages.values())


@pytest.mark.parametrize("what", CASES)
def test_one_sides_view_shows_nothing_that_the_other_wrote(table: Table, what: str) -> None:
    pages = read(table, game(table, CASES[what]))
    private = read(table, game(table, CASES[what], "Ann"))

    assert not re.search(
        r"White tried|White's refused|\b(list|condition)\b", pages["black 2"] + pages["black 3"]
    )
    for at in (2, 3):
        assert pages[f"black {at}"] == private[f"black {at}"]


def test_how_moves_were_sent_is_shown_on_request_and_stays_shown(table: Table) -> None:
    shared = game(table, CASES["a list"])
    show, hide = (f"{what} how moves were sent" for what in ("Show", "Hide"))

    def follow(page: str, link: str) -> str:
        (found,) = re.findall(rf'href="([^"]*)">{link}<', page)
        return source(table, shared, unescape(found))

    page = source(table, shared, "?at=3")
    assert "of a list" not in page
    page = follow(page, show)
    assert page.count("try 3 of a list") == 2
    page = follow(follow(page, "Back"), "Next")
    assert page.count("try 3 of a list") == 2
    assert "of a list" not in follow(page, hide)
    assert show not in source(table, shared, "?from=black&at=3")


def source(table: Table, shared: str, asked: str) -> str:
    return table.app().test_client().get(f"/finished/{shared}{asked}").get_data(as_text=True)


@pytest.mark.parametrize("hides_tries", [(), ("Ann",), ("Ben",), ("Ann", "Ben")])
def test_each_player_decides_about_their_own_tries(table: Table, hides_tries: tuple[str, ...]) -> None:
    shared = game(table, CASES["a list"], *hides_tries)
    stranger = Browser(table.app())
    file = finished.load_by_mark(table.server, shared).pgn

    for name, side, at in (("Ann", "White", 2), ("Ben", "Black", 1)):
        page = stranger.open(f"/finished/{shared}?at={at}")
        assert (f"{side}'s refused tries before the next move" in page) == (name not in hides_tries)
        assert (f"{{{side} tried " in file) == (name not in hides_tries)


@pytest.mark.parametrize(
    ("hides_tries", "sent"), [((), "try 2 of an advance order"), (("Ann",), "from an advance order")]
)
def test_a_move_from_an_advance_order_is_shown_as_such(
    table: Table, hides_tries: tuple[str, ...], sent: str
) -> None:
    code = table.challenge(f"Ann <{ANN}>", f"Ben <{BEN}>")
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).where(PlayerRow.name.in_(hides_tries)).values(tells_tries=False))
    for player, text in (
        (ANN, "accept"),
        (BEN, "accept"),
        (ANN, "e2e4\nif no capture: e4f5, e4d5, g1f3"),
        (BEN, "d7d5"),
        (BEN, "resign resign"),
    ):
        table.reply(player, text)
    pages = read(table, page_key(table, code))

    assert how_sent(pages["umpire 3"]) == how_sent_in_file(pages["file"]) == sent
    assert ("e4f5" in "".join(pages.values())) == (not hides_tries)
    assert not HIDDEN.search("".join(pages.values()))


def test_private_orders_are_shown_only_to_their_player(table: Table) -> None:
    case = CASES["a list with nonsense"]._replace(emails=("g1g5, e4f5, e4d5",))
    shared = game(table, case)
    ann, ben = Browser(table.app()), Browser(table.app())
    ann.sign_in(table, ANN)
    ben.sign_in(table, BEN)

    own = ann.open(f"/finished/{shared}?at=2")
    assert "What you wrote as White before the next move Only you see this. g1g5 : Not tried" in own
    assert own.count("e4f5 : Illegal.") == 1
    assert "g1g5" not in ben.open(f"/finished/{shared}?at=2")


# ---------------------------------------------------------------- when the setting takes effect


def test_a_changed_setting_holds_from_the_next_game(table: Table) -> None:
    ann = Browser(table.app())
    ann.sign_in(table, ANN, "Ann")
    running = begin(table)
    ann.open("/settings/")
    assert "only you see your refused tries" in ann.press("Save game settings", tries="untold")
    end(table)
    later = begin(table)
    end(table)

    for code, is_shown in ((running, True), (later, False)):
        assert ('{White tried "e2e5": Illegal move.}' in finished.pgn(table.server, code)) == is_shown


def begin(table: Table) -> str:
    code = table.challenge(f"Ann <{ANN}>", f"Ben <{BEN}>")
    for player in (ANN, BEN):
        table.reply(player, "accept")
    return code


def end(table: Table) -> None:
    """White makes a refused try and a move, and Black resigns."""
    for player, text in ((ANN, "e2e5"), (ANN, "e2e4"), (BEN, "resign resign")):
        table.reply(player, text)
