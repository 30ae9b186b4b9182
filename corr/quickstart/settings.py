"""Collects the settings of a new server: names, machine and secrets."""

from __future__ import annotations

import base64
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from corr.processes import read_procfile
from corr.words.errors import Misconfigured

_BITS, _LEAST_BITS = 2048, 1024


@dataclass(frozen=True, slots=True)
class DkimKey:
    """A private key as PEM text, and its public half as a DNS record."""

    pem: str = field(repr=False)
    record: str


def new_key() -> DkimKey:
    return _make_dkim_key(rsa.generate_private_key(65_537, _BITS))


def read_key(pem: bytes) -> DkimKey:
    """Read an existing key, such as opendkim's."""
    try:
        found = serialization.load_pem_private_key(pem, None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise Misconfigured(
            "That file has no private key that DKIM can use. Give a PEM file without a password."
        ) from error
    if not isinstance(found, rsa.RSAPrivateKey) or found.key_size < _LEAST_BITS:
        raise Misconfigured(f"DKIM takes an RSA key of {_LEAST_BITS} bits or more, ideally {_BITS}.")
    return _make_dkim_key(found)


def _make_dkim_key(key: rsa.RSAPrivateKey) -> DkimKey:
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    public = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return DkimKey(pem.decode(), f"v=DKIM1; h=sha256; k=rsa; p={base64.b64encode(public).decode()}")


#: An email address that needs no quoting for a shell or systemd.
MAILBOX = re.compile(r"[A-Za-z0-9.+_-]+@[A-Za-z0-9.-]+")
#: A full path that needs no quoting for these or nginx.
PATH = re.compile(r"/[A-Za-z0-9._/+-]+")
LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")  # one part of a host name
_NAME = re.compile(r"(?=.{4,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]")
#: Folders that systemd's ProtectHome hides from services.
_HOMES = tuple(map(Path, ("/root", "/home", "/run/user")))
#: `release` runs once before the others; `fetch` is for email at a provider.
_PROCESSES_NOT_STARTED = ("release", "fetch")
#: The route to these tells which of this machine's addresses are public; nothing is sent.
_OUTSIDE_ADDRESSES = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


@dataclass(frozen=True, slots=True)
class Plan:
    """What the operator chose for a server, and what we found on the machine."""

    domain: str
    host: str
    program: Path
    database: str
    operators: tuple[str, ...]
    addresses: tuple[str, ...]
    certificate: str
    certificate_key: str
    selector: str
    key: DkimKey = field(repr=False)
    token: str = field(repr=False)
    password: str = field(repr=False)

    @property
    def is_on_postgresql(self) -> bool:
        return self.database == "postgresql"

    @property
    def units(self) -> str:
        """The systemd units: the Procfile's processes for a server with its own mail server."""
        return " ".join(f"corr@{name}" for name in read_procfile() if name not in _PROCESSES_NOT_STARTED)


def parse_host_name(text: str) -> str:
    """Check a host or domain name, and return it in lower case."""
    name = text.strip().rstrip(".").lower()
    if not _NAME.fullmatch(name):
        raise Misconfigured(f'"{text}" isn\'t a host name. Write one like play.example.org.')
    return name


def find_host_name() -> str:
    """Return this machine's full host name; raise Misconfigured if it has none."""
    try:
        return parse_host_name(socket.getfqdn())
    except Misconfigured as error:
        unknown = "This machine doesn't know its full name."
        raise Misconfigured(f"{unknown} Give it with --host, for example --host mail.example.org.") from error


def find_addresses() -> Iterator[str]:
    """Yield this machine's public IP addresses, without sending anything."""
    for family, elsewhere in _OUTSIDE_ADDRESSES:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((elsewhere, 9))
            except OSError:
                continue
            found = ip_address(probe.getsockname()[0])
        if found.is_global:
            yield str(found)


def why_not_runnable(program: Path) -> str:
    """Say why a service with its own user couldn't run these programs; empty if it can."""
    if not PATH.fullmatch(str(program)):
        return f"The path {program} has characters that a service manager may misread."
    for each in (program, program.resolve()):
        if any(each.is_relative_to(home) for home in _HOMES):
            return f"{each} is in a home folder, which a service can't read."
        shut = next((folder for folder in each.parents if not folder.stat().st_mode & 0o001), None)
        if shut:
            return f"Only its owner can open {shut}, so a service can't run {each}."
    return ""
