"""A DNS server on loopback that answers from a table of records, or not at all."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeAlias

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset

from tests.support.database_servers import HOST
from tests.support.waiting import join

#: The values of the records by name and type.
Records: TypeAlias = Mapping[tuple[str, str], Sequence[str]]


def parse_zone(zone: str) -> dict[tuple[str, str], list[str]]:
    """Parse the zone lines that `corr quickstart` writes."""
    found: dict[tuple[str, str], list[str]] = {}
    for line in zone.splitlines():
        if not line.startswith(";"):
            name, kind, value = line.split(None, 2)
            found.setdefault((name, kind), []).append(value)
    return found


def answer(table: Records, question: bytes) -> bytes:
    """Answer a question from the records; the value `SERVFAIL` makes the server fail."""
    asked = dns.message.from_wire(question)
    said = dns.message.make_response(asked, recursion_available=True)
    (about,) = asked.question
    name, kind = about.name.to_text().lower(), dns.rdatatype.to_text(about.rdtype)
    values = table.get((name, kind), ())
    if "SERVFAIL" in values:
        said.set_rcode(dns.rcode.SERVFAIL)
    elif values:
        said.answer.append(dns.rrset.from_text_list(about.name, 60, "IN", kind, list(values)))
    elif name not in {each for each, _ in table}:
        said.set_rcode(dns.rcode.NXDOMAIN)
    return said.to_wire()


def serve(door: socket.socket, table: Records) -> None:
    """Answer until an empty packet comes or the socket is closed."""
    while True:
        try:
            question, place = door.recvfrom(4096)
        except OSError:
            return
        if not question:
            return
        door.sendto(answer(table, question), place)


@contextmanager
def run_dns_server(table: Records | None) -> Iterator[str]:
    """Run a server and yield its address; without records it stays silent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as door:
        door.bind((HOST, 0))
        host, port = door.getsockname()
        if table is None:
            yield f"{host}:{port}"
            return
        thread = threading.Thread(target=serve, args=(door, table))
        thread.start()
        yield f"{host}:{port}"
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"", (host, port))
        join(thread)
