"""A connection by which SQLAlchemy words what is said often once, and the driver says it.

SQLAlchemy's own way from a worded statement to its rows takes six times as long as the driver's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from sqlalchemy import BindParameter, Connection, Dialect, Engine
from sqlalchemy.engine import IteratorResult, Row, result_tuple
from sqlalchemy.engine.result import SimpleResultMetaData
from sqlalchemy.exc import DBAPIError, ResourceClosedError
from sqlalchemy.sql.expression import SelectBase, UpdateBase
from sqlalchemy.types import TypeEngine

Values: TypeAlias = Mapping[str, Any]
Kind: TypeAlias = tuple[frozenset[object], bool]
_Processor: TypeAlias = Callable[[Any], Any]

#: In how many ways a statement is remembered: a list has one for each length.
_KINDS = 40


class _Answer(IteratorResult[*tuple[Any, ...]]):
    """What the driver answered, in the words of SQLAlchemy."""

    rowcount: int


@dataclass(frozen=True, slots=True)
class _Place:
    """What fills one place of a statement: a value, one of a list, or what stands in the statement itself."""

    name: str
    key: str | None
    at: int | None
    own: object
    process: _Processor | None

    def filled(self, values: Values) -> object:
        if self.key is None:
            return self.own
        value = values[self.key] if self.at is None else values[self.key][self.at]
        return self.process(value) if self.process else value


@dataclass(frozen=True, slots=True)
class Wording:
    """A statement as the driver is told it."""

    said: str
    places: tuple[_Place, ...]
    by_order: bool
    columns: SimpleResultMetaData
    row: Callable[[Sequence[Any]], Row[*tuple[Any, ...]]]
    readers: tuple[tuple[int, _Processor], ...]

    def filled(self, values: Values) -> Any:
        if self.by_order:
            return tuple([place.filled(values) for place in self.places])
        return {place.name: place.filled(values) for place in self.places}

    def answer(self, cursor: Any) -> _Answer:
        rows = map(self._read, cursor.fetchall()) if self.columns.keys else ()
        answer = _Answer(self.columns, map(self.row, rows))
        answer.rowcount = cursor.rowcount
        return answer

    def _read(self, row: Sequence[Any]) -> Sequence[Any]:
        if not self.readers:
            return row
        read = list(row)
        for at, reader in self.readers:
            read[at] = reader(read[at])
        return read


#: Statements that have been said before, in each way they were; None for what must be worded anew each time.
Wordings: TypeAlias = WeakKeyDictionary[Any, dict[Kind, Wording | None]]


class Wire(Connection):
    """SQLAlchemy's connection, but for what is said for a second time."""

    def __init__(self, engine: Engine, wordings: Wordings) -> None:
        super().__init__(engine)
        self._wordings = wordings
        self.is_resting = False

    def execute(self, statement: Any, parameters: Any = None, **more: Any) -> Any:
        if self.is_resting:
            raise ResourceClosedError("This connection is nobody's: its transaction is over")
        known = self._wordings.get(statement)
        if known is None or more:  # most statements are made for the occasion
            self._wordings.setdefault(statement, {})
            return super().execute(statement, parameters, **more)
        several = parameters if parameters and isinstance(parameters, list) else [parameters or {}]
        kind = _kind(several)
        if kind not in known and len(known) < _KINDS:
            known[kind] = _worded(statement, several, self.dialect)
        wording = known.get(kind)
        if wording is None:
            return super().execute(statement, parameters, **more)
        return self._say(wording, several)

    def _say(self, wording: Wording, values: Sequence[Values]) -> _Answer:
        if not self.in_transaction():
            self.begin()
        many = len(values) > 1
        filled = [wording.filled(each) for each in values] if many else wording.filled(values[0])
        try:
            with closing(self.connection.cursor()) as cursor:
                # Whoever listens to SQLAlchemy hears of this too.
                self.dispatch.before_cursor_execute(self, cursor, wording.said, filled, None, many)
                (cursor.executemany if many else cursor.execute)(wording.said, filled)
                return wording.answer(cursor)
        except self.dialect.loaded_dbapi.Error as error:
            raise self._wrapped(error, wording.said, filled) from error

    def _wrapped(self, error: Exception, said: str, filled: Any) -> BaseException:
        """A driver's error as one of SQLAlchemy's; a connection that is lost is given up."""
        is_lost = self.dialect.is_disconnect(error, self.connection, None)  # type: ignore[arg-type]  # it takes a pooled one too
        if is_lost:
            self.invalidate(error)
        return DBAPIError.instance(
            said,
            filled,
            discreet(error),
            self.dialect.loaded_dbapi.Error,
            hide_parameters=self.engine.hide_parameters,
            connection_invalidated=is_lost,
            dialect=self.dialect,
        )


def discreet(error: BaseException) -> BaseException:
    """An error without what PostgreSQL adds below its first line: whole rows of letters and keys."""
    error.args = tuple(str(each).partition("\n")[0] for each in error.args)
    return error


def _kind(several: Sequence[Values]) -> Kind:
    """What values a statement is said with: their names, and how long each list is."""
    first = several[0]
    names = [(name, len(value)) if type(value) is list else name for name, value in first.items()]
    return frozenset(names), len(several) > 1


def _worded(statement: Any, several: Sequence[Values], dialect: Dialect) -> Wording | None:
    """The statement in the words of a database; none where the values change them, or are not all given."""
    if not issubclass(type(statement), SelectBase | UpdateBase):
        return None
    first, many = several[0], len(several) > 1
    compiled = statement.compile(dialect=dialect, column_keys=sorted(first) or None, for_executemany=many)
    binds: Mapping[str, BindParameter[Any]] = {name: bind for bind, name in compiled.bind_names.items()}
    columns = list(statement.execution_options().exported_columns)  # asked of a copy, which remembers them
    lacks = any(not _is_given(bind, first) for bind in binds.values())
    if lacks or compiled.prefetch or compiled.literal_execute_params or (many and columns):
        return None
    expanded = compiled.construct_expanded_state(dict(first))
    lists = expanded.parameter_expansion
    if (many and lists) or any(
        len(names) != len(_value(binds[name], first)) for name, names in lists.items()
    ):
        return None
    among = {name: (whole, at) for whole, names in lists.items() for at, name in enumerate(names)}
    by_order = expanded.positiontup is not None
    keys = [str(column.key) for column in columns]
    readers = [_impl(column.type, dialect).result_processor(dialect, None) for column in columns]
    return Wording(
        said=expanded.statement,
        places=tuple(
            _place(name, binds, among.get(name), first, dialect)
            for name in expanded.positiontup or expanded.parameters
        ),
        by_order=by_order,
        columns=SimpleResultMetaData(keys),
        row=result_tuple(keys),
        readers=tuple((at, reader) for at, reader in enumerate(readers) if reader),
    )


def _is_given(bind: BindParameter[Any], values: Values) -> bool:
    if bind.key not in values:
        return not bind.required
    return not bind.expanding or type(values[bind.key]) is list


def _place(
    name: str,
    binds: Mapping[str, BindParameter[Any]],
    among: tuple[str, int] | None,
    given: Values,
    dialect: Dialect,
) -> _Place:
    whole, at = among or (name, None)
    bind = binds[whole]
    process = _impl(bind.type, dialect).bind_processor(dialect)
    if bind.key in given:
        return _Place(name, bind.key, at, None, process)
    own = _value(bind, given)
    own = own if at is None else own[at]
    return _Place(name, None, None, process(own) if process else own, None)


def _value(bind: BindParameter[Any], given: Values) -> Any:
    """What is given for a place, or else stands in the statement itself."""
    return given.get(bind.key, bind.effective_value)


def _impl(kind: TypeEngine[Any], dialect: Dialect) -> TypeEngine[Any]:
    return kind.dialect_impl(dialect)
