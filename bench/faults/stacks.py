"""The houses that are put to the test, by name."""

from __future__ import annotations

from bench.faults.alone import AloneStack
from bench.faults.household import PostgresStack, SqliteStack

Stacks = dict[str, type[PostgresStack | SqliteStack | AloneStack]]

STACKS: Stacks = {
    "postgres": PostgresStack,
    "sqlite": SqliteStack,
    "alone": AloneStack,
}
