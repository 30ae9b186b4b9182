"""What others' code has worded for one house is worded for all: else that is half of a small test's time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Engine, create_engine, event
from werkzeug.routing import Rule

#: For each kind of database, the first engine of this run that has come to one.
_FIRST: dict[str, Engine] = {}
#: For each rule of an app's pages, what makes an address by it: a function that is handed its rule.
_BUILDERS: dict[tuple[Any, ...], Callable[..., Any]] = {}
_compile_builder = Rule._compile_builder


def engine_of(*asked: Any, **settings: Any) -> Engine:
    """An engine that knows the statements of those before it, which are kept under their dialect."""
    engine = create_engine(*asked, **settings)
    if first := _FIRST.get(engine.name):
        engine.dialect, engine._compiled_cache = first.dialect, first._compiled_cache
    else:
        event.listen(engine, "connect", lambda *_: _FIRST.setdefault(engine.name, engine))
    return engine


def builder_of(rule: Rule, append_unknown: object) -> Callable[..., Any]:
    """What makes an address by a rule, compiled for the first app that has it."""
    key = (rule.rule, tuple(rule._trace), repr(rule.defaults), append_unknown)
    if key not in _BUILDERS:
        _BUILDERS[key] = _compile_builder(rule, append_unknown)
    return _BUILDERS[key]
