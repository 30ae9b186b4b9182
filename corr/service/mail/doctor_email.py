"""Receives the doctor's test email to the server itself, at an address that exists while it is awaited."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from corr.service.house import House
from corr.store.tables import Secret

_BEGINS = "echo-"
_AWAITED = select(Secret.value).where(Secret.name == bindparam("asked"))
_CAME = update(Secret).where(Secret.name == bindparam("asked"), Secret.value == b"")
_OVER = delete(Secret).where(Secret.name == bindparam("asked"))


@dataclass(frozen=True, slots=True)
class Echo:
    """An awaited test email, by the local part of its address."""

    name: str
    house: House

    @property
    def address(self) -> str:
        return f"{self.name}@{self.house.domain}"

    def heard(self) -> bytes | None:
        """Return the email as it came back, or None if it has not."""
        with self.house.store.asking() as connection:
            return connection.execute(_AWAITED, {"asked": self.name}).scalar_one_or_none() or None


@contextmanager
def awaited(house: House) -> Iterator[Echo]:
    """Open an address that takes in one email until the context ends."""
    echo = Echo(f"{_BEGINS}{secrets.token_hex(16)}", house)
    with house.store.writing() as connection:
        connection.execute(insert(Secret), {"name": echo.name, "value": b""})
    try:
        yield echo
    finally:
        with house.store.writing() as connection:
            connection.execute(_OVER, {"asked": echo.name})


def is_awaited(connection: Connection, address: str, domain: str) -> bool:
    """Whether this address awaits a test email."""
    name = _name(address, domain)
    return name is not None and connection.execute(_AWAITED, {"asked": name}).scalar_one_or_none() is not None


def came_back(connection: Connection, addresses: Iterable[str], domain: str, raw: bytes) -> bool:
    """Store a test email for the doctor; return whether any address is of that kind."""
    names = [name for name in (_name(each, domain) for each in addresses) if name]
    for name in names:
        connection.execute(_CAME, {"asked": name, "value": raw})
    return bool(names)


def _name(address: str, domain: str) -> str | None:
    local, _, host = address.lower().rpartition("@")
    return local if host == domain and local.startswith(_BEGINS) else None
