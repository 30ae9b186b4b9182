"""What SQLAlchemy has worded for one house is worded for all: else that is half of a small test's time."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine, create_engine, event

#: For each kind of database, the first engine of this run that has come to one.
_FIRST: dict[str, Engine] = {}


def engine_of(*asked: Any, **settings: Any) -> Engine:
    """An engine that knows the statements of those before it, which are kept under their dialect."""
    engine = create_engine(*asked, **settings)
    if first := _FIRST.get(engine.name):
        engine.dialect, engine._compiled_cache = first.dialect, first._compiled_cache
    else:
        event.listen(engine, "connect", lambda *_: _FIRST.setdefault(engine.name, engine))
    return engine
