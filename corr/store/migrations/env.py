"""Runs the migrations on the connection that `corr.store.migrate` gives; Alembic executes this module."""

from __future__ import annotations

from alembic import context

from corr.store import truths  # noqa: F401  # its table is part of the metadata
from corr.store.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
