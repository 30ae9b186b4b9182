"""Rows are what their askers say they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Connection, create_engine, literal, select

from corr.store.rows import one_of, one_or_none_of, pairs_of, rows_of


class Stone(NamedTuple):
    """Two columns of one type: mypy could not tell them apart."""

    color: str
    shape: str


class Weight(NamedTuple):
    """What stands beside."""

    grams: int


_COLUMNS = (literal("red").label("color"), literal("round").label("shape"))


@pytest.fixture
def connection() -> Iterator[Connection]:
    with create_engine("sqlite://").connect() as connection:
        yield connection


def test_a_row_has_the_names_that_its_asker_gave_it(connection: Connection) -> None:
    stone, asked = Stone("red", "round"), select(*_COLUMNS)
    assert rows_of(Stone, connection.execute(asked)) == [stone]
    assert one_of(Stone, connection.execute(asked)) == stone
    assert one_or_none_of(Stone, connection.execute(asked)) == stone
    assert one_or_none_of(Stone, connection.execute(asked.limit(0))) is None


def test_a_row_of_two_parts_is_told_apart(connection: Connection) -> None:
    found = connection.execute(select(*_COLUMNS, literal(7).label("grams")))
    assert pairs_of(Stone, Weight, found) == [(Stone("red", "round"), Weight(7))]


@pytest.mark.parametrize("of", [rows_of, one_of, one_or_none_of])
def test_columns_that_have_changed_places_are_refused(of: Callable[..., Any], connection: Connection) -> None:
    with pytest.raises(TypeError, match=r"'color', 'shape'.* got the columns .*'shape', 'color'"):
        of(Stone, connection.execute(select(*reversed(_COLUMNS))))
