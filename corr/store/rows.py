"""Turns result rows into the caller's named tuples, and checks that the columns match."""

from __future__ import annotations

from collections.abc import Callable
from itertools import starmap
from operator import attrgetter
from typing import Any, TypeVar, TypeVarTuple

from sqlalchemy import ColumnElement, Result
from sqlalchemy.orm import InstrumentedAttribute

_Row = TypeVar("_Row")
_SecondRow = TypeVar("_SecondRow")
_Columns = TypeVarTuple("_Columns")

_field_names: Callable[[object], tuple[str, ...]] = attrgetter("_fields")


def columns_of(
    kind: Callable[..., object], *tables: Any, **beside: ColumnElement[Any] | InstrumentedAttribute[Any]
) -> list[ColumnElement[Any]]:
    """Return a column for each field of a NamedTuple, from `beside` or the first table."""
    return [
        beside[name].label(name)
        if name in beside
        else next(getattr(table, name) for table in tables if hasattr(table, name))
        for name in _field_names(kind)
    ]


def rows_of(kind: Callable[[*_Columns], _Row], found: Result[*_Columns]) -> list[_Row]:
    """Return all rows as NamedTuples of this class."""
    _check(_field_names(kind), found)
    return list(starmap(kind, found))


def one_of(kind: Callable[[*_Columns], _Row], found: Result[*_Columns]) -> _Row:
    """Return the only row as a NamedTuple of this class; another count is an error."""
    _check(_field_names(kind), found)
    return kind(*found.one())


def one_or_none_of(kind: Callable[[*_Columns], _Row], found: Result[*_Columns]) -> _Row | None:
    """Return the only row as a NamedTuple of this class; None if there is none."""
    _check(_field_names(kind), found)
    row = found.one_or_none()
    return None if row is None else kind(*row)


def pairs_of(
    kind: Callable[..., _Row], beside: Callable[..., _SecondRow], found: Result[*tuple[Any, ...]]
) -> list[tuple[_Row, _SecondRow]]:
    """Split each row into two NamedTuples, of its first and of its further columns."""
    own = _field_names(kind)
    _check(own + _field_names(beside), found)
    most = len(own)
    return [(kind(*row[:most]), beside(*row[most:])) for row in found]


def dicts_of(found: Result[*tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Return all rows as dicts by column name, for data exports."""
    return [dict(row) for row in found.mappings()]


def _check(names: tuple[str, ...], found: Result[*tuple[Any, ...]]) -> None:
    """Raise TypeError unless a result has these columns in order; mypy misses swapped ones."""
    asked = tuple(found.keys())
    if asked != names:
        raise TypeError(f"a row with the fields {names} got the columns {asked}")
