"""Receives the test email that `corr doctor` sends to the server itself, at a temporary address."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from corr.service.server import Server
from corr.store.tables import SecretRow

_ADDRESS_PREFIX = "echo-"
_AWAITED_QUERY = select(SecretRow.value).where(SecretRow.name == bindparam("asked"))
_RECEIVED_UPDATE = update(SecretRow).where(SecretRow.name == bindparam("asked"), SecretRow.value == b"")
_AWAITED_DELETE = delete(SecretRow).where(SecretRow.name == bindparam("asked"))


@dataclass(frozen=True, slots=True)
class EchoEmail:
    """A test email that `corr doctor` waits for; `name` is its address before the @."""

    name: str
    server: Server

    @property
    def address(self) -> str:
        return f"{self.name}@{self.server.domain}"

    def find_email(self) -> bytes | None:
        """Return the test email's bytes once it has arrived, else None."""
        with self.server.store.asking() as connection:
            return connection.execute(_AWAITED_QUERY, {"asked": self.name}).scalar_one_or_none() or None


@contextmanager
def open_echo_address(server: Server) -> Iterator[EchoEmail]:
    """Open an address that takes in one email until the context ends."""
    echo = EchoEmail(f"{_ADDRESS_PREFIX}{secrets.token_hex(16)}", server)
    with server.store.writing() as connection:
        connection.execute(insert(SecretRow), {"name": echo.name, "value": b""})
    try:
        yield echo
    finally:
        with server.store.writing() as connection:
            connection.execute(_AWAITED_DELETE, {"asked": echo.name})


def is_echo_address(connection: Connection, address: str, domain: str) -> bool:
    """Whether `corr doctor` still waits for a test email at this address."""
    name = _name(address, domain)
    return (
        name is not None
        and connection.execute(_AWAITED_QUERY, {"asked": name}).scalar_one_or_none() is not None
    )


def store_echo(connection: Connection, addresses: Iterable[str], domain: str, raw: bytes) -> bool:
    """Store an email if any of its addresses is a test address; return whether one is."""
    names = [name for name in (_name(each, domain) for each in addresses) if name]
    for name in names:
        connection.execute(_RECEIVED_UPDATE, {"asked": name, "value": raw})
    return bool(names)


def _name(address: str, domain: str) -> str | None:
    """Return the part before the @ of a test address, or None for another address."""
    local, _, host = address.lower().rpartition("@")
    return local if host == domain and local.startswith(_ADDRESS_PREFIX) else None
