"""Twins: an email that tells of a move and of the opponent's answer reveals nothing else."""

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
from tests.support.watched_pages import ALIVE, WatchedTwins

STEPS, SEED = 20, 4
#: Impossible for a rook, king, knight or pawn: the opponent hears only what the rest of the list brings.
REFUSED = {Side.WHITE: "a1h8", Side.BLACK: "a8h1"}
#: More emails than this must tell of two moves.
FEW = 3
#: The columns of an email that must be the same.
COLUMNS = ("number", "kind", "slip", "step", "made_at", "due_at", "sent_at", "tries", "trouble")

Step = tuple[twins.Game, twins.Game]


def steps_of(variant: str) -> tuple[Side, list[Step]]:
    """A side, and the steps of two games that it can't tell apart."""
    drawn = list(islice(twins.games(find_umpire(variant), random.Random(SEED)), STEPS))
    return drawn[0][0], [(one, other) for _, one, other in drawn if one.ruling.outcome is None]


def written_steps(variant: str, side: Side, steps: list[Step]) -> Iterator[tuple[Step, bool]]:
    """The steps in the order in which they are written; every second answer is a standing order."""
    allows_standing, is_standing, rest = bool(catalogue.card(variant).told), False, list(steps)
    while rest:
        step = rest.pop(0)
        if rest and has_moved(step, side) and has_moved(rest[0], side.other):
            is_standing = allows_standing and not is_standing
            if is_standing:
                yield rest.pop(0), True
        yield step, False


def has_moved(step: Step, side: Side) -> bool:
    return all(game.side is side and game.ruling.verdict is Verdict.MOVED for game in step)


def write_order(game: twins.Game, variant: str, *, more: bool) -> str:
    """An order as its side writes it; with `more`, also something private."""
    assert game.side
    takes_list = variant != "rbc" and game.ruling.verdict is Verdict.MOVED
    vain = f"{REFUSED[game.side]}, " if takes_list else ""
    return f"{vain}{game.order}\nnote hm" if more else str(game.order)


def browser_in(twin: Twin, player: str) -> Browser:
    """A player's browser whose orders are judged at once, while no emails go out."""
    twin.app.extensions["knock"] = lambda _work: twin.table.read_emails()
    browser = Browser(twin.app)
    browser.sign_in(twin.table, player)
    return browser


def stored_emails(twin: Twin, side: Side) -> list[tuple[object, ...]]:
    columns = [getattr(OutboxRow, each) for each in COLUMNS]
    kept = select(*columns).join(SeatRow, SeatRow.id == OutboxRow.seat_id).where(SeatRow.side == side)
    with twin.table.server.store.reading() as connection:
        return [tuple(each) for each in connection.execute(kept.order_by(OutboxRow.number))]


def side_and_ply(twin: Twin) -> tuple[str | None, int]:
    """Who is to move, after how many moves."""
    with twin.table.server.store.reading() as connection:
        turn, ply = connection.execute(select(GameRow.turn, GameRow.ply)).one()
    return turn, ply


@pytest.mark.parametrize("variant", UMPIRES)
def test_an_email_about_two_moves_is_the_same_bytes_at_the_same_time(
    table: Table, tmp_path: Path, variant: str
) -> None:
    """The opponent answers before any email about the move goes out, by hand or by standing orders."""
    side, steps = steps_of(variant)
    player, opponent = (ANN, BEN) if side is Side.WHITE else (BEN, ANN)
    table.begin(variant)
    table.reply(player, "mail json")
    watched = WatchedTwins(table, tmp_path / "twins", player)
    one, other = watched.both
    browsers = [browser_in(each, opponent) for each in watched.both]

    for step, is_standing in written_steps(variant, side, steps):
        for twin, browser, game in zip(watched.both, browsers, step, strict=True):
            if game.side is side:
                watched.write(twin, player, str(game.order))
            else:
                browser.open(f"/games/{watched.code}")
                browser.send(write_order(game, variant, more=twin is one))
        assert watched.beat() == ALIVE or not is_standing
        if side_and_ply(one)[0] != side.other:
            for twin in watched.both:
                twin.table.send_emails()
                twin.table.clock.advance(minutes=7)
    one.table.send_emails()
    other.table.send_emails()

    moves = sum(has_moved(step, each) for step in steps for each in Side)
    turn = steps[-1][0].ruling.turn
    assert side_and_ply(one) == side_and_ply(other) == (turn, moves), "the umpire was asked what was drawn"
    assert one.emails_to(player) == other.emails_to(player)
    assert stored_emails(one, side) == stored_emails(other, side)
    assert one.emails_to(opponent) != other.emails_to(opponent)
    then = f"Then {opponent.partition('@')[0]} moved."
    assert sum(then in text_of(each) for each in one.table.emails_to(player)) > FEW
    watched.twins.close()
