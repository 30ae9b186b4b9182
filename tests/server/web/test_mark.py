"""The mark of a game's page: another one for all that stands there, the same whatever the other side does unheard."""

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
from tests.support.table import ANN, BEN, Table

#: What both know of whom they meet.
PUBLIC = {"players.name", "seats.house"}
#: What is told to whoever waits for somebody that has not been told of the turn (docs/play.md).
PUBLIC_WHILE_TIME_WAITS = {"seats.delayed_from", "seats.held"}
#: What a player may find in a cell instead of what stands there, by the kind of column.
OTHERS: dict[type, object] = {bool: True, int: 77, str: "something else", bytes: b"something else"}


@pytest.fixture
def begun(table: Table) -> Table:
    table.begin()
    table.play("e2e4")
    return table


def at_table(table: Table, player: str, code: str) -> GamePlayer:
    """How the game stands for a player who has just been let in."""
    secret = authentication.sign_in_directly(table.server, player, table.clock()).secret
    found = page.find_game_player(table.server, secret, code, "", table.clock())
    assert found
    return found


def code_of(table: Table) -> str:
    return str(table.newest(ANN)["Subject"])[-6:-1]


# ---------------------------------------------------------------- all that stands there


def others(value: Any) -> Iterator[Any]:
    """The same with one thing in it changed, for each thing in it."""
    if is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from (replace(value, **{each.name: other}) for other in others(getattr(value, each.name)))
    elif isinstance(value, tuple):
        for at, part in enumerate(value):
            made = getattr(type(value), "_make", tuple)
            yield from (made((*value[:at], other, *value[at + 1 :])) for other in others(part))
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
        assert value is None, f"how is a {type(value).__name__} to be changed?"
        yield "something"


def whole(status: GameStatus) -> GameStatus:
    """The same with something everywhere."""
    public = replace(status.public, offer=Side.WHITE, outcome=Outcome(Side.WHITE, "mate"), turn=Side.WHITE)
    return replace(status, public=public, answer="{}", again="white")


def test_whatever_is_changed_of_what_the_page_is_made_from_its_mark_is_another(begun: Table) -> None:
    status = at_table(begun, BEN, code_of(begun)).status
    for each in (status, whole(status)):
        changed = list(others(each))

        assert len(changed) >= len(fields(GameStatus)) + len(fields(each.public)) + len(each.info) - 2
        assert len({each.mark, *(other.mark for other in changed)}) == 1 + len(changed)


def test_the_same_status_has_the_same_mark(begun: Table) -> None:
    one, other = (at_table(begun, BEN, code_of(begun)).status for _ in range(2))

    assert one is not other
    assert (one, one.mark) == (other, other.mark)


# ---------------------------------------------------------------- nothing of the other side's alone


def changeable(table: type[Base]) -> list[Column[Any]]:
    """What may be written over in a row: all but how it hangs together with others."""
    columns = inspect(table).local_table.columns
    return [each for each in columns if not each.primary_key and not each.foreign_keys and each.key != "side"]


def another(column: Column[Any], moment: datetime) -> object:
    if isinstance(column.type, Moment):
        return moment
    if isinstance(column.type, Span):
        return timedelta(days=1)
    return b"something else" if isinstance(column.type, LargeBinary) else OTHERS[column.type.python_type]


def seen_by_ben(table: Table, code: str) -> set[str]:
    """Of all that is kept of White's seat and of Ann, what changes Black's mark."""
    seat = select(SeatRow.id, SeatRow.player_id).where(SeatRow.side == Side.WHITE)
    with table.server.store.reading() as connection:
        white, ann = connection.execute(seat).one()
    before = at_table(table, BEN, code).status.mark
    found = set()
    for kept, row in ((SeatRow, white), (PlayerRow, ann)):
        for column in changeable(kept):
            with table.server.store.writing() as connection:
                this = update(kept).where(kept.id == row)
                was = connection.execute(select(column).where(kept.id == row)).scalar_one()
                other = not was if isinstance(was, bool) else another(column, table.clock())
                assert other != was, column
                connection.execute(this.values({column.key: other}))
            if at_table(table, BEN, code).status.mark != before:
                found.add(str(column))
            with table.server.store.writing() as connection:
                connection.execute(this.values({column.key: was}))
    return found


def test_nothing_that_is_kept_of_the_other_side_alone_is_in_the_mark(begun: Table) -> None:
    assert seen_by_ben(begun, code_of(begun)) == PUBLIC


def test_while_the_time_waits_only_what_the_other_side_is_told_of_it_is_in_the_mark(
    begun: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = code_of(begun)
    with monkeypatch.context() as away:
        away.setattr(begun.server.mailer, "send", lambda _: Delivery(DeliveryFate.LATER, "421 not now"))
        begun.post(begun.letter(BEN, "e7e5"))
        begun.work()
        begun.clock.pass_by(hours=2)
        begun.sweep()

        assert at_table(begun, BEN, code).status.public.time.delay == "waits"
        assert seen_by_ben(begun, code) == PUBLIC | PUBLIC_WHILE_TIME_WAITS
