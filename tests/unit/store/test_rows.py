"""Typed rows: a query's result becomes a NamedTuple with the same columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Connection, create_engine, literal, select

from corr.store.rows import one_of, one_or_none_of, pairs_of, rows_of


class Stone(NamedTuple):
    """Two columns of one type, which mypy can't tell apart."""

    color: str
    shape: str


class Weight(NamedTuple):
    """The columns of the second part."""

    grams: int


_COLUMNS = (literal("red").label("color"), literal("round").label("shape"))


@pytest.fixture
def connection() -> Iterator[Connection]:
    with create_engine("sqlite://").connect() as connection:
        yield connection


def test_a_row_has_the_fields_of_its_type(connection: Connection) -> None:
    stone, query = Stone("red", "round"), select(*_COLUMNS)
    assert rows_of(Stone, connection.execute(query)) == [stone]
    assert one_of(Stone, connection.execute(query)) == stone
    assert one_or_none_of(Stone, connection.execute(query)) == stone
    assert one_or_none_of(Stone, connection.execute(query.limit(0))) is None


def test_a_row_can_have_two_parts(connection: Connection) -> None:
    found = connection.execute(select(*_COLUMNS, literal(7).label("grams")))
    assert pairs_of(Stone, Weight, found) == [(Stone("red", "round"), Weight(7))]


@pytest.mark.parametrize("convert", [rows_of, one_of, one_or_none_of])
def test_columns_in_another_order_are_refused(convert: Callable[..., Any], connection: Connection) -> None:
    with pytest.raises(TypeError, match=r"'color', 'shape'.* got the columns .*'shape', 'color'"):
        convert(Stone, connection.execute(select(*reversed(_COLUMNS))))
