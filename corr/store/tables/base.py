"""Defines what all tables share: column types, and the names of keys and indexes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Text,
)
from sqlalchemy.orm import DeclarativeBase, InstrumentedAttribute, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DIGITS = 32


class Moment(TypeDecorator[datetime]):
    """An aware moment in time, stored as whole microseconds since 1970, alike on every database."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone")
        span = value - _EPOCH
        return (span.days * 86_400 + span.seconds) * 1_000_000 + span.microseconds

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[int | None], datetime | None]:  # noqa: ARG002
        """Return a bare function, called once for each value: a page of many games has more than a thousand."""
        return _moment


def _moment(value: int | None) -> datetime | None:
    """Turn stored microseconds since 1970 into a datetime in UTC; None stays None."""
    return None if value is None else _EPOCH + timedelta(microseconds=value)


class Span(TypeDecorator[timedelta]):
    """A span of time, stored as whole microseconds."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: timedelta | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        return None if value is None else value // timedelta(microseconds=1)

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[int | None], timedelta | None]:  # noqa: ARG002
        """Return a bare function, called once for each value."""
        return _span


def _span(value: int | None) -> timedelta | None:
    """Turn stored microseconds into a timedelta; None stays None."""
    return None if value is None else timedelta(microseconds=value)


class EmailKey(TypeDecorator[str]):
    """A column for the key that recognises a repeated email, a digest of 128 bits."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        if value is None:
            return None
        word, space, digest = value.rpartition(" ")
        return f"{word}{space}{digest[:_DIGITS]}"


class Base(DeclarativeBase):
    """The base class of all tables."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {datetime: Moment, timedelta: Span, str: Text, bytes: LargeBinary, int: BigInteger}  # noqa: RUF012  # SQLAlchemy's own protocol


def id_column() -> Mapped[int]:
    """Return a primary key column whose numbers the database assigns."""
    # SQLite numbers rows by itself only if the key is exactly INTEGER.
    return mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)


def email_key_column(table: str) -> Mapped[int]:
    """Return the primary key of a row that holds part of a `table` email."""
    return mapped_column(
        BigInteger().with_variant(Integer, "sqlite"),
        ForeignKey(f"{table}.id"),
        primary_key=True,
        autoincrement=False,
    )


def partial_index(
    name: str,
    *columns: InstrumentedAttribute[Any],
    where: ColumnElement[bool] | InstrumentedAttribute[bool],
    unique: bool = False,
) -> None:
    """Add an index of only those rows that meet a condition."""
    Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)
