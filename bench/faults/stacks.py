"""The houses that are put to the test, by name."""

from __future__ import annotations

from bench.faults.alone import AloneStack
from bench.faults.household import PostgresStack, SqliteStack

STACKS = {"postgres": PostgresStack, "sqlite": SqliteStack, "alone": AloneStack}
