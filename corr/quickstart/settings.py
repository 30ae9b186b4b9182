"""A house that is to be: its names, its machine, and the secrets that it begins with."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path

from corr import procfile
from corr.quickstart.dkim_key import DkimKey
from corr.words.errors import Misconfigured

#: A mail address that a shell and systemd read as it is written,
MAILBOX = re.compile(r"[A-Za-z0-9.+_-]+@[A-Za-z0-9.-]+")
#: a file's full path that both, and nginx, read as it is written,
PATH = re.compile(r"/[A-Za-z0-9._/+-]+")
#: and one part of a host's name.
LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_NAME = re.compile(r"(?=.{4,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]")
#: Where a service may not look that runs as a user of its own (systemd's ProtectHome).
_HOMES = tuple(map(Path, ("/root", "/home", "/run/user")))
#: One is run once, before the others; one is for mail at a provider.
_PROCESSES_NOT_STARTED = ("release", "fetch")
#: Nothing is sent there: by a route to them it is known which addresses of this machine the world sees.
_OUTSIDE_ADDRESSES = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


@dataclass(frozen=True, slots=True)
class Plan:
    """What an operator has decided about a house, and what was found out for them."""

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
        """What systemd starts: the lines of the Procfile that a house with a mail server of its own needs."""
        return " ".join(
            f"corr@{name}" for name in procfile.read_procfile() if name not in _PROCESSES_NOT_STARTED
        )


def parse_host_name(text: str) -> str:
    """A host's or a domain's name, in small letters."""
    name = text.strip().rstrip(".").lower()
    if not _NAME.fullmatch(name):
        raise Misconfigured(f'"{text}" isn\'t a host name. Write one like play.example.org.')
    return name


def find_host_name() -> str:
    """By its own opinion."""
    try:
        return parse_host_name(socket.getfqdn())
    except Misconfigured as error:
        raise Misconfigured(
            "This machine doesn't know its full name. Give it with --host, for example "
            "--host mail.example.org."
        ) from error


def find_addresses() -> Iterator[str]:
    """Those by which the world may reach it; nothing is sent to find them out."""
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
    """Why a service that runs as a user of its own could not use these programs; empty where it can."""
    if not PATH.fullmatch(str(program)):
        return f"The path {program} has characters that a service manager may misread."
    for each in (program, program.resolve()):
        if any(each.is_relative_to(home) for home in _HOMES):
            return f"{each} is in a home folder, which a service can't read."
        shut = next((folder for folder in each.parents if not folder.stat().st_mode & 0o001), None)
        if shut:
            return f"Only its owner can open {shut}, so a service can't run {each}."
    return ""
