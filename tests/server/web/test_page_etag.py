"""The ETag value of a game's page changes with the page, and never by the other side's private acts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Column, LargeBinary, inspect, select, update

from corr.mail.outward.transport import Delivery, DeliveryFate
from corr.service.games import page
from corr.service.games.page import GamePlayer, GameStatus
from corr.service.players import authentication
from corr.store.tables import Base, Moment, PlayerRow, SeatRow, Span
from corr.words.board import Side
from corr.words.slips import Outcome
from tests.support.api_bots import first_game_code
from tests.support.table import BEN, Table

#: What both players know of each other.
PUBLIC = {"players.name", "seats.house"}
#: What else you see while your opponent hasn't heard of their turn yet (docs/play.md).
PUBLIC_WHILE_DELAYED = {"seats.delayed_from", "seats.held"}
#: Another value for a cell, by the type of its column.
OTHER_VALUES: dict[type, object] = {bool: True, int: 77, str: "something else", bytes: b"something else"}


@pytest.fixture
def begun(table: Table) -> Table:
    table.begin()
    table.play("e2e4")
    return table


def at_table(table: Table, player: str, code: str) -> GamePlayer:
    """The game as a player sees it after signing in."""
    secret = authentication.sign_in_directly(table.server, player, table.clock()).secret
    found = page.find_game_player(table.server, secret, code, "", table.clock())
    assert found
    return found


# ---------------------------------------------------------------- everything on the page


def variations(value: Any) -> Iterator[Any]:
    """Copies of a value with one part changed, one for each part."""
    if is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from (
                replace(value, **{each.name: other}) for other in variations(getattr(value, each.name))
            )
    elif isinstance(value, tuple):
        for at, part in enumerate(value):
            made = getattr(type(value), "_make", tuple)
            yield from (made((*value[:at], other, *value[at + 1 :])) for other in variations(part))
    elif isinstance(value, Side):
        yield value.other
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, datetime):
        yield value + timedelta(minutes=1)
    elif isinstance(value, str):
        yield f"{value} "
    else:
        assert value is None, f"don't know how to change a {type(value).__name__}"
        yield "something"


def filled_in(status: GameStatus) -> GameStatus:
    """The status with a value in every optional field."""
    public = replace(status.public, offer=Side.WHITE, outcome=Outcome(Side.WHITE, "mate"), turn=Side.WHITE)
    return replace(status, public=public, answer="{}", again="white")


def test_every_change_to_the_status_changes_the_mark(begun: Table) -> None:
    status = at_table(begun, BEN, first_game_code(begun)).status
    for each in (status, filled_in(status)):
        changed = list(variations(each))

        assert len(changed) >= len(fields(GameStatus)) + len(fields(each.public)) + len(each.info) - 2
        assert len({each.mark, *(other.mark for other in changed)}) == 1 + len(changed)


def test_the_same_status_has_the_same_mark(begun: Table) -> None:
    one, other = (at_table(begun, BEN, first_game_code(begun)).status for _ in range(2))

    assert one is not other
    assert (one, one.mark) == (other, other.mark)


# ---------------------------------------------------------------- nothing of the other side's private data


def changeable_columns(table: type[Base]) -> list[Column[Any]]:
    """A table's columns except its keys and the side."""
    columns = inspect(table).local_table.columns
    return [each for each in columns if not each.primary_key and not each.foreign_keys and each.key != "side"]


def another_value(column: Column[Any], moment: datetime) -> object:
    if isinstance(column.type, Moment):
        return moment
    if isinstance(column.type, Span):
        return timedelta(days=1)
    return (
        b"something else" if isinstance(column.type, LargeBinary) else OTHER_VALUES[column.type.python_type]
    )


def seen_by_ben(table: Table, code: str) -> set[str]:
    """Which columns of White's seat and of Ann change Black's mark."""
    seat = select(SeatRow.id, SeatRow.player_id).where(SeatRow.side == Side.WHITE)
    with table.server.store.reading() as connection:
        white, ann = connection.execute(seat).one()
    before = at_table(table, BEN, code).status.mark
    found = set()
    for row_class, row in ((SeatRow, white), (PlayerRow, ann)):
        for column in changeable_columns(row_class):
            with table.server.store.writing() as connection:
                this = update(row_class).where(row_class.id == row)
                was = connection.execute(select(column).where(row_class.id == row)).scalar_one()
                other = not was if isinstance(was, bool) else another_value(column, table.clock())
                assert other != was, column
                connection.execute(this.values({column.key: other}))
            if at_table(table, BEN, code).status.mark != before:
                found.add(str(column))
            with table.server.store.writing() as connection:
                connection.execute(this.values({column.key: was}))
    return found


def test_private_data_of_the_other_side_does_not_change_the_mark(begun: Table) -> None:
    assert seen_by_ben(begun, first_game_code(begun)) == PUBLIC


def test_while_the_clock_is_delayed_only_what_both_know_of_it_changes_the_mark(
    begun: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = first_game_code(begun)
    with monkeypatch.context() as away:
        away.setattr(begun.server.mailer, "send", lambda _: Delivery(DeliveryFate.LATER, "421 not now"))
        begun.deliver(begun.reply_email(BEN, "e7e5"))
        begun.run_workers()
        begun.clock.advance(hours=2)
        begun.sweep()

        assert at_table(begun, BEN, code).status.public.time.delay == "waits"
        assert seen_by_ben(begun, code) == PUBLIC | PUBLIC_WHILE_DELAYED
