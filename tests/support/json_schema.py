"""Checks JSON against a schema of an OpenAPI file; raises KeyError for keywords it doesn't know."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_KINDS: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: type(value) is int,
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
#: Keywords that aren't checked, or are checked with another.
_SAID = {"description", "format", "required", "additionalProperties"}


def schema_errors(
    value: Any, schema: Mapping[str, Any], whole: Mapping[str, Any], at: str = ""
) -> Iterator[str]:
    """What is wrong with a value, and where."""
    for word, meant in schema.items():
        if word not in _SAID:
            yield from _CHECKS[word](value, meant, schema, whole, at)


def resolve_reference(whole: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Find a schema by its reference."""
    found: Mapping[str, Any] = whole
    for part in name.removeprefix("#/").split("/"):
        found = found[part]
    return found


def _of_kind(value: Any, kind: str, _schema: Any, _whole: Any, at: str) -> Iterator[str]:
    if not _KINDS[kind](value):
        yield f"{at}: {value!r} is no {kind}"


def _referred(value: Any, name: str, _schema: Any, whole: Any, at: str) -> Iterator[str]:
    yield from schema_errors(value, resolve_reference(whole, name), whole, at)


def _one_of(value: Any, some: list[Any], _schema: Any, whole: Any, at: str) -> Iterator[str]:
    fitting = [each for each in some if not any(schema_errors(value, each, whole, at))]
    if len(fitting) != 1:
        yield f"{at}: {value!r} is of {len(fitting)} kinds"


def _properties(value: Any, known: dict[str, Any], schema: Any, whole: Any, at: str) -> Iterator[str]:
    given = value if isinstance(value, dict) else {}
    yield from (f"{at}: no {name}" for name in schema["required"] if name not in given)
    for name, each in given.items():
        if name not in known:
            yield f"{at}: {name} is told nowhere"
        else:
            yield from schema_errors(each, known[name], whole, f"{at}.{name}")


def _items(value: Any, schema: Any, _schema: Any, whole: Any, at: str) -> Iterator[str]:
    for number, each in enumerate(value if isinstance(value, list) else ()):
        yield from schema_errors(each, schema, whole, f"{at}[{number}]")


def _never_together(value: Any, some: dict[str, Any], _schema: Any, _whole: Any, at: str) -> Iterator[str]:
    if isinstance(value, dict) and value.keys() >= set(some["required"]):
        yield f"{at}: {' and '.join(some['required'])} stand together"


def _simply(fits: Callable[[Any, Any], bool]) -> Callable[..., Iterator[str]]:
    def check(value: Any, meant: Any, _schema: Any, _whole: Any, at: str) -> Iterator[str]:
        if not fits(value, meant):
            yield f"{at}: {value!r} does not fit {meant!r}"

    return check


_CHECKS: dict[str, Callable[..., Iterator[str]]] = {
    "type": _of_kind,
    "$ref": _referred,
    "oneOf": _one_of,
    "not": _never_together,
    "properties": _properties,
    "items": _items,
    "enum": _simply(lambda value, some: value in some),
    "pattern": _simply(lambda value, pattern: re.search(pattern, value) is not None),
    "minimum": _simply(lambda value, least: value >= least),
    "maximum": _simply(lambda value, most: value <= most),
    "minLength": _simply(lambda value, least: len(value) >= least),
    "maxLength": _simply(lambda value, most: len(value) <= most),
}
