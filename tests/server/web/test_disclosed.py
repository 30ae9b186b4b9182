"""What a finished game tells of what both wrote: in what a move stood, and what was refused if its player likes."""

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
    """What White writes for the second move, a letter each, and what everybody reads of it once the game is over."""

    variant: str
    letters: tuple[str, ...]
    stood: str = ""  # where White tells what was refused
    stood_kept_back: str = ""  # where White keeps it back
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
    "a branch in vain": Case(
        "classic",
        ("any? yes: e4f5 / no: g1f3", "e4d5"),
        tried=((("e4f5",), "White attempted an illegal move."),),
    ),
    "nonsense": Case(
        "cincinnati", ("a1a5", "e4f5", "e4d5"), tried=((("a1a5",), "Nonsense."), (("e4f5",), "Illegal."))
    ),
    "a list with what is held back": Case(
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
#: What was held back, and what stood behind the move.
HIDDEN = re.compile("Only you|could have seen|g1f3")


def game(table: Table, case: Case, *untold: str) -> str:
    """The mark of such a game, after whose first half-move Black has tried something in vain."""
    code = table.challenge(f"Ann <{ANN}>", f"Ben <{BEN}>", case.variant)
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).where(PlayerRow.name.in_(untold)).values(tells_tries=False))
    sense = "sense none; " if case.variant == "rbc" else ""
    for player, text in (
        (ANN, "accept"),
        (BEN, "accept"),
        (ANN, f"{sense}e2e4"),
        *([] if sense else [(BEN, "d7d4")]),
        (BEN, f"{sense}d7d5"),
        *((ANN, letter) for letter in case.letters),
        (BEN, "resign resign"),
    ):
        table.reply(player, text)
    return mark(table, code)


def mark(table: Table, code: str) -> str:
    with table.server.store.reading() as connection:
        found = finished.find_page_key(connection, code)
    assert found
    return found


def read(table: Table, shared: str) -> dict[str, str]:
    """What a stranger reads, but for what could be moved: each view before the second move and after it, the file."""
    stranger = Browser(table.app())
    pages = {
        f"{view} {at}": LEGAL.sub("", stranger.open(f"/finished/{shared}?orders=shown&from={view}&at={at}"))
        for view in VIEWS
        for at in (2, 3)
    }
    return pages | {"file": " ".join(finished.load_by_mark(table.server, shared).pgn.split())}


def on_page(orders: tuple[str, ...], said: str) -> str:
    return f"{', '.join(orders)} : {said}"


def stood_in(page: str) -> str:
    """In what the move of a page stood, which its list of moves says too."""
    found = re.search(r"\d[.…] \S+ ((?:from|try \d+ of) an? [a-z ]+?) First Back", page)
    stood = found[1] if found else ""
    assert page.count(stood) == 2 or not stood
    return stood


def stood_in_file(file: str) -> str:
    found = re.search(r"2\. \S+ \{((?:From|Try) [^.]*)\.\}", file)
    return f"{found[1][0].lower()}{found[1][1:]}" if found else ""


def in_file(orders: tuple[str, ...], said: str, *, both_heard: bool) -> str:
    """What was refused; and what was said to it, where that does not stand before it because both heard it."""
    quoted = ", ".join(f'"{order}"' for order in orders)
    return f"{{White tried {quoted}{'' if both_heard else f': {said[:-1]}'}.}}"


@pytest.mark.parametrize("what", CASES)
def test_everybody_reads_in_what_a_move_stood_and_what_was_refused(table: Table, what: str) -> None:
    case = CASES[what]
    told = read(table, game(table, case))

    for tried in case.tried:
        assert all(on_page(*tried) in told[f"{view} 2"] for view in ("umpire", "white"))
        assert in_file(*tried, both_heard=case.variant != "wild16") in told["file"]
    for view in ("umpire", "white"):
        assert ("White's refused tries" in told[f"{view} 2"]) == bool(case.tried)
        assert stood_in(told[f"{view} 3"]) == case.stood
    assert stood_in_file(told["file"]) == case.stood
    assert not HIDDEN.search("".join(told.values()))


@pytest.mark.parametrize("what", CASES)
def test_nobody_reads_what_was_refused_to_who_keeps_it_back(table: Table, what: str) -> None:
    case = CASES[what]
    told = read(table, game(table, case, "Ann"))

    assert stood_in(told["umpire 3"]) == stood_in_file(told["file"]) == case.stood_kept_back
    assert not re.search(r"White tried|White's refused|\btry \d", "".join(told.values()))
    assert not any(order in page for orders, _ in case.tried for order in orders for page in told.values())


@pytest.mark.parametrize("what", CASES)
def test_from_a_sides_eyes_nothing_is_read_that_the_other_wrote(table: Table, what: str) -> None:
    told = read(table, game(table, CASES[what]))
    kept_back = read(table, game(table, CASES[what], "Ann"))

    assert not re.search(
        r"White tried|White's refused|\b(list|condition)\b", told["black 2"] + told["black 3"]
    )
    for at in (2, 3):
        assert told[f"black {at}"] == kept_back[f"black {at}"]


def test_in_what_a_move_stood_is_told_to_who_asks_for_it_and_from_step_to_step(table: Table) -> None:
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


@pytest.mark.parametrize("untold", [(), ("Ann",), ("Ben",), ("Ann", "Ben")])
def test_each_player_says_what_is_told_of_their_own(table: Table, untold: tuple[str, ...]) -> None:
    shared = game(table, CASES["a list"], *untold)
    stranger = Browser(table.app())
    file = finished.load_by_mark(table.server, shared).pgn

    for name, side, at in (("Ann", "White", 2), ("Ben", "Black", 1)):
        page = stranger.open(f"/finished/{shared}?at={at}")
        assert (f"{side}'s refused tries before the next move" in page) == (name not in untold)
        assert (f"{{{side} tried " in file) == (name not in untold)


@pytest.mark.parametrize(
    ("untold", "stood"), [((), "try 2 of an advance order"), (("Ann",), "from an advance order")]
)
def test_a_move_that_was_ordered_ahead_is_told_as_such(
    table: Table, untold: tuple[str, ...], stood: str
) -> None:
    code = table.challenge(f"Ann <{ANN}>", f"Ben <{BEN}>")
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).where(PlayerRow.name.in_(untold)).values(tells_tries=False))
    for player, text in (
        (ANN, "accept"),
        (BEN, "accept"),
        (ANN, "e2e4\nif no capture: e4f5, e4d5, g1f3"),
        (BEN, "d7d5"),
        (BEN, "resign resign"),
    ):
        table.reply(player, text)
    told = read(table, mark(table, code))

    assert stood_in(told["umpire 3"]) == stood_in_file(told["file"]) == stood
    assert ("e4f5" in "".join(told.values())) == (not untold)
    assert not HIDDEN.search("".join(told.values()))


def test_what_only_its_player_may_read_stands_on_its_players_page_alone(table: Table) -> None:
    case = CASES["a list with what is held back"]._replace(letters=("g1g5, e4f5, e4d5",))
    shared = game(table, case)
    ann, ben = Browser(table.app()), Browser(table.app())
    ann.sign_in(table, ANN)
    ben.sign_in(table, BEN)

    own = ann.open(f"/finished/{shared}?at=2")
    assert "What you wrote as White before the next move Only you see this. g1g5 : Not tried" in own
    assert own.count("e4f5 : Illegal.") == 1
    assert "g1g5" not in ben.open(f"/finished/{shared}?at=2")


# ---------------------------------------------------------------- when it is decided


def test_what_is_set_while_a_game_goes_on_holds_from_the_next_one_on(table: Table) -> None:
    ann = Browser(table.app())
    ann.sign_in(table, ANN, "Ann")
    running = begin(table)
    ann.open("/settings/")
    assert "only you see your refused tries" in ann.press("Save game settings", tries="untold")
    end(table)
    later = begin(table)
    end(table)

    for code, is_told in ((running, True), (later, False)):
        assert ('{White tried "e2e5": Illegal move.}' in finished.pgn(table.server, code)) == is_told


def begin(table: Table) -> str:
    code = table.challenge(f"Ann <{ANN}>", f"Ben <{BEN}>")
    for player in (ANN, BEN):
        table.reply(player, "accept")
    return code


def end(table: Table) -> None:
    """White tries something in vain before the move, and Black gives up."""
    for player, text in ((ANN, "e2e5"), (ANN, "e2e4"), (BEN, "resign resign")):
        table.reply(player, text)
