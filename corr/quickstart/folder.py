"""Writes the folder with all files for a new server."""

from __future__ import annotations

import os
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from corr.quickstart.settings import Plan
from corr.words.errors import Misconfigured

_STRING = 255  # the most characters in one string of a TXT record


class DnsRecord(NamedTuple):
    name: str
    kind: str
    value: str


def records(plan: Plan) -> list[DnsRecord]:
    """List the DNS records that the domain's owner must set."""
    return [
        *_addresses(plan, plan.host),
        *(_addresses(plan, plan.domain) if plan.domain != plan.host else ()),
        DnsRecord(f"{plan.domain}.", "MX", f"10 {plan.host}."),
        DnsRecord(f"{plan.domain}.", "TXT", _quote("v=spf1 mx -all")),
        DnsRecord(f"_dmarc.{plan.domain}.", "TXT", _quote("v=DMARC1; p=quarantine")),
        DnsRecord(f"{plan.selector}._domainkey.{plan.domain}.", "TXT", _quote(plan.key.record)),
    ]


def reverse(plan: Plan) -> list[DnsRecord]:
    """List the reverse DNS records (PTR), which the machine's provider must set."""
    return [
        DnsRecord(f"{ip_address(each).reverse_pointer}.", "PTR", f"{plan.host}.") for each in plan.addresses
    ]


def write_zone(plan: Plan) -> str:
    """Write all records as a zone file with comments."""
    own, reversed_ = records(plan), reverse(plan)
    width = max(len(each.name) for each in (*own, *reversed_))
    names = " and ".join(dict.fromkeys((plan.host, plan.domain)))
    said = [
        f"; DNS records for {plan.domain}, on the machine {plan.host}.",
        "; If a form asks for a TXT record, enter the text between the quotation marks, joined without spaces.",
        *(f"{each.name:<{width}}  {each.kind:<4}  {each.value}" for each in own),
        "; The provider of the machine's address sets its reverse name.",
        *(f"{each.name:<{width}}  {each.kind:<4}  {each.value}" for each in reversed_),
    ]
    if not plan.addresses:
        said.insert(-1, f"; Also A and AAAA with the machine's addresses, for {names}.")
        said.append(f"; PTR, for each of its addresses: {plan.host}.")
    return "\n".join(said) + "\n"


def _addresses(plan: Plan, name: str) -> Iterator[DnsRecord]:
    for each in plan.addresses:
        yield DnsRecord(f"{name}.", "A" if ip_address(each).version == 4 else "AAAA", each)


def _quote(text: str) -> str:
    """Quote the value of a TXT record, in strings of at most 255 characters."""
    return " ".join(f'"{text[at : at + _STRING]}"' for at in range(0, len(text), _STRING))


_TEMPLATE_FOLDER = Path(__file__).parent / "files"


class PlannedFile(NamedTuple):
    """A file of the folder, where it is installed, and what it is for."""

    name: str
    place: str
    purpose: str


PLANNED_FILES = (
    PlannedFile("corr.env", "/etc/corr.env", "corr's settings, with its secrets"),
    PlannedFile("corr@.service", "/etc/systemd/system/corr@.service", "one unit for all processes"),
    PlannedFile("as_corr", "/usr/local/sbin/as_corr", "runs an admin's command as corr's user"),
    PlannedFile("main.cf", "into /etc/postfix/main.cf, by postconf", "Postfix: which email it accepts"),
    PlannedFile(
        "header_checks", "/etc/postfix/header_checks", "Postfix: removes headers that we must not trust"
    ),
    PlannedFile("opendkim.conf", "/etc/opendkim.conf", "signs email"),
    PlannedFile("dkim.private", "/etc/dkimkeys/corr.private", "the key to sign with"),
    PlannedFile(
        "opendmarc.conf", "/etc/opendmarc.conf", "checks whether an email really comes from its sender"
    ),
    PlannedFile("nginx.conf", "/etc/nginx/sites-available/corr", "the web server in front of the pages"),
    PlannedFile("dns.txt", "your domain's DNS", "the records below"),
    PlannedFile("install.sh", "", "puts everything in place"),
)


def write_folder(plan: Plan, folder: Path) -> None:
    """Write all files, readable by the owner only, into a new or empty folder."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise Misconfigured(
                f"{folder} isn't empty, so I wrote nothing. Choose another folder with --into. "
                f"To keep the key from there, add --dkim-key {folder / 'dkim.private'}"
            )
        for each in PLANNED_FILES:
            _write(folder / each.name, render_file(each.name, plan))
    except OSError as error:
        raise Misconfigured(f"Can't write to {folder}: {error.strerror}") from error


def render_file(name: str, plan: Plan) -> str:
    if name == "dns.txt":
        return write_zone(plan)
    if name == "dkim.private":
        return plan.key.pem
    return _SHELF.get_template(name).render(plan=plan)


#: These are settings and scripts, so nothing is escaped; a plan's names have been checked.
_SHELF = Environment(  # noqa: S701
    loader=FileSystemLoader(_TEMPLATE_FOLDER),
    undefined=StrictUndefined,
    keep_trailing_newline=True,
    trim_blocks=True,
    lstrip_blocks=True,
)


def _write(path: Path, text: str) -> None:
    """Write a new file that only its owner can read."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
