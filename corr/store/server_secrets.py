"""Loads the random secrets that a server made for itself."""

from __future__ import annotations

from sqlalchemy import Connection, select

from corr.store.tables import SecretRow


def load_secret(connection: Connection, name: str) -> bytes:
    """Return the server's random secret of this name, stored when its database was made."""
    return connection.execute(select(SecretRow.value).where(SecretRow.name == name)).scalar_one()
