"""One email for a move and for the opponent's answer to it tells nothing that it must not, in every variant."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from sqlalchemy import select

from bench import twins
from corr.rules.variants import UMPIRES, find_umpire
from corr.service import catalogue
from corr.store.tables import GameRow, OutboxRow, SeatRow
from corr.words.board import Side
from corr.words.slips import Verdict
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, Table, text_of
from tests.support.twin_servers import Twin
from tests.support.watched_pages import ALIVE, Watched

#: How many orders are written, and how they are drawn.
STEPS, SEED = 20, 4
#: What no rook, king, knight or pawn can do: of a list that begins so, the other side hears what the rest brings.
VAIN = {Side.WHITE: "a1h8", Side.BLACK: "a8h1"}
#: More emails than this tell of two moves.
FEW = 3
#: What is kept of an email, and when it was written, was due and went out.
KEPT = ("number", "kind", "slip", "step", "made_at", "due_at", "sent_at", "tries", "trouble")

Step = tuple[twins.Game, twins.Game]


def steps_of(variant: str) -> tuple[Side, list[Step]]:
    """A side, and the steps of two games that it cannot tell apart, as long as they go on."""
    drawn = list(islice(twins.games(find_umpire(variant), random.Random(SEED)), STEPS))
    return drawn[0][0], [(one, other) for _, one, other in drawn if one.ruling.outcome is None]


def writings(variant: str, side: Side, steps: list[Step]) -> Iterator[tuple[Step, bool]]:
    """The steps in the order in which they are written; every second move in answer to one stands ahead of it."""
    takes_ahead, is_ahead, rest = bool(catalogue.card(variant).told), False, list(steps)
    while rest:
        step = rest.pop(0)
        if rest and has_moved(step, side) and has_moved(rest[0], side.other):
            is_ahead = takes_ahead and not is_ahead
            if is_ahead:
                yield rest.pop(0), True
        yield step, False


def has_moved(step: Step, side: Side) -> bool:
    return all(game.side is side and game.ruling.verdict is Verdict.MOVED for game in step)


def worded(game: twins.Game, variant: str, *, more: bool) -> str:
    """An order as its side writes it, with more that it keeps to itself."""
    assert game.side
    takes_list = variant != "rbc" and game.ruling.verdict is Verdict.MOVED
    vain = f"{VAIN[game.side]}, " if takes_list else ""
    return f"{vain}{game.order}\nnote hm" if more else str(game.order)


def browser_in(twin: Twin, player: str) -> Browser:
    """A player's browser; what is written there is judged at once, and no email goes out yet."""
    twin.app.extensions["knock"] = lambda _work: twin.table.read()
    browser = Browser(twin.app)
    browser.sign_in(twin.table, player)
    return browser


def emails_kept(twin: Twin, side: Side) -> list[tuple[object, ...]]:
    columns = [getattr(OutboxRow, each) for each in KEPT]
    kept = select(*columns).join(SeatRow, SeatRow.id == OutboxRow.seat_id).where(SeatRow.side == side)
    with twin.table.server.store.reading() as connection:
        return [tuple(each) for each in connection.execute(kept.order_by(OutboxRow.number))]


def standing(twin: Twin) -> tuple[str | None, int]:
    """Who is to move, and after how many moves."""
    with twin.table.server.store.reading() as connection:
        turn, ply = connection.execute(select(GameRow.turn, GameRow.ply)).one()
    return turn, ply


@pytest.mark.parametrize("variant", UMPIRES)
def test_an_email_that_tells_of_two_moves_is_the_same_bytes_at_the_same_moment(
    table: Table, tmp_path: Path, variant: str
) -> None:
    """The opponent answers before any email about the move goes out: by hand, or by orders ahead."""
    side, steps = steps_of(variant)
    player, opponent = (ANN, BEN) if side is Side.WHITE else (BEN, ANN)
    table.begin(variant)
    table.reply(player, "mail json")
    watched = Watched(table, tmp_path / "twins", player)
    one, other = watched.both
    browsers = [browser_in(each, opponent) for each in watched.both]

    for step, is_ahead in writings(variant, side, steps):
        for twin, browser, game in zip(watched.both, browsers, step, strict=True):
            if game.side is side:
                watched.write(twin, player, str(game.order))
            else:
                browser.open(f"/games/{watched.code}")
                browser.send(worded(game, variant, more=twin is one))
        assert watched.beat() == ALIVE or not is_ahead
        if standing(one)[0] != side.other:
            for twin in watched.both:
                twin.table.send()
                twin.table.clock.pass_by(minutes=7)
    one.table.send()
    other.table.send()

    moves = sum(has_moved(step, each) for step in steps for each in Side)
    turn = steps[-1][0].ruling.turn
    assert standing(one) == standing(other) == (turn, moves), "the umpire was asked what was drawn"
    assert one.letters(player) == other.letters(player)
    assert emails_kept(one, side) == emails_kept(other, side)
    assert one.letters(opponent) != other.letters(opponent)
    then = f"Then {opponent.partition('@')[0]} moved."
    assert sum(then in text_of(each) for each in one.table.letters(player)) > FEW
    watched.twins.close()
