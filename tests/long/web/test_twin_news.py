"""Twins: a stream of news is the same bytes at the same times, whatever the opponent does in private."""

from __future__ import annotations

from pathlib import Path

import pytest

from corr.rules.variants import UMPIRES
from corr.service import catalogue
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, Table
from tests.support.twin_servers import Twin, page_paths
from tests.support.watched_pages import ALIVE, NEWS, WatchedTwins

#: White's move in either twin, and what it tries in vain before.
ONE, OTHER = "e2e3", "b1c3"
REFUSED = {ONE: "a1a5", OTHER: "h1h5"}
#: What White does in private, by email in its own turn, and on its page in Black's turn.
BY_EMAIL = (
    "new address",
    "show",
    "note his queen is out",
    "ghost qd8 e5",
    "Nf3 perhaps",
    "e2e4\nb1c3",
    "zone Europe/Paris",
    "quiet 22-7",
    "mail json",
    "mail off",
    "mail each",
    "publish name",
    "resign",
)
ON_THE_PAGE = (
    "show",
    "ghost clear",
    "note it is quiet",
    "e2e9",
    "claim",
    "accept",
    "remind 2d",
    "page on",
    "resign",
)
#: Tries of which Black hears nothing, in variants that have them.
UNHEARD = {"wild16": ("a1a5", "c1c4, d1h8", "h1h5\ndraw?")}
#: Standing orders, in variants that have them.
STANDING = ("if capture: a2a4", "delay 2-8h", "cancel", "a1a5, a2a4", "if check: e1e2", "if check: e1e9")


def with_sense(variant: str, order: str, square: str = "none") -> str:
    return f"sense {square}\n{order}" if variant == "rbc" else order


def write(watched: WatchedTwins, twin: Twin, player: str, text: str) -> None:
    watched.write(twin, player, text)
    twin.table.send_emails()


@pytest.mark.parametrize("variant", UMPIRES)
def test_what_the_opponent_does_in_private_is_no_news(table: Table, tmp_path: Path, variant: str) -> None:
    """White does private things in one twin only, and different public things in both."""
    table.begin(variant)
    table.deploy()
    watched = WatchedTwins(table, tmp_path / "twins", BEN)
    one, other = watched.both
    ann = Browser(one.app)
    ann.sign_in(one.table, ANN)

    for text in (*BY_EMAIL, *UNHEARD.get(variant, ())):
        write(watched, one, ANN, text)
        assert watched.beat() == ALIVE, text
    for path in (*page_paths(one.app, code=watched.code), f"/games/{watched.code}?from=e2&list=e2e3"):
        ann.client.get(path)
    assert watched.beat() == ALIVE
    if variant == "rbc":
        for twin, square in ((one, "b2"), (other, "g7")):
            write(watched, twin, ANN, f"sense {square}")
            assert watched.beat() == ALIVE
    for twin, order in ((one, ONE), (other, OTHER)):
        write(watched, twin, ANN, order if variant == "rbc" else f"{REFUSED[order]}, {order}")
    assert watched.beat() == NEWS

    ann.open(f"/games/{watched.code}")
    for text in (*ON_THE_PAGE, *(STANDING if catalogue.card(variant).told else ())):
        ann.send(text)
        assert watched.beat() == ALIVE, text
    for path in ("/games/", "/lobby/", "/settings/"):  # each shows how many games wait
        known, alike = watched.twins.answers_to_cached(path)
        assert known == alike
    for twin in watched.both:
        write(watched, twin, BEN, with_sense(variant, "a7a6"))
    assert watched.beat() == NEWS
    for twin, order in ((one, OTHER), (other, ONE)):
        write(watched, twin, ANN, with_sense(variant, order, "d4"))
    assert watched.beat() == NEWS
    assert watched.beat() == ALIVE
    assert one.emails_to(BEN) == other.emails_to(BEN)
    assert one.emails_to(ANN) != other.emails_to(ANN)
    watched.twins.close()


@pytest.mark.parametrize("variant", ["assassin", "welbeck"])
def test_a_changed_set_up_is_no_news(table: Table, tmp_path: Path, variant: str) -> None:
    table.begin(variant)
    watched = WatchedTwins(table, tmp_path / "twins", BEN)
    one, other = watched.both
    for twin, set_up in ((one, "home"), (other, "corner")):
        write(watched, twin, ANN, f"deploy {set_up}")
    assert watched.beat() == NEWS

    for set_up in ("spread", "vanguard", "home"):
        write(watched, one, ANN, f"deploy {set_up}")
        assert watched.beat() == ALIVE
    for twin in watched.both:
        write(watched, twin, BEN, "deploy home")
    assert watched.beat() == NEWS
    watched.twins.close()
