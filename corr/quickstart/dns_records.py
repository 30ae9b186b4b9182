"""Lists the DNS records that a server needs to get emails and be trusted."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address
from typing import NamedTuple

from corr.quickstart.settings import Plan

#: The most characters in one string of a TXT record.
_STRING = 255


class DnsRecord(NamedTuple):
    name: str
    kind: str
    value: str


def records(plan: Plan) -> list[DnsRecord]:
    """List the records that the domain's owner sets."""
    return [
        *_addresses(plan, plan.host),
        *(_addresses(plan, plan.domain) if plan.domain != plan.host else ()),
        DnsRecord(f"{plan.domain}.", "MX", f"10 {plan.host}."),
        DnsRecord(f"{plan.domain}.", "TXT", _quote("v=spf1 mx -all")),
        DnsRecord(f"_dmarc.{plan.domain}.", "TXT", _quote("v=DMARC1; p=quarantine")),
        DnsRecord(f"{plan.selector}._domainkey.{plan.domain}.", "TXT", _quote(plan.key.record)),
    ]


def reverse(plan: Plan) -> list[DnsRecord]:
    """List the reverse records, which the machine's provider sets."""
    return [
        DnsRecord(f"{ip_address(each).reverse_pointer}.", "PTR", f"{plan.host}.") for each in plan.addresses
    ]


def zone(plan: Plan) -> str:
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
    return " ".join(f'"{text[at : at + _STRING]}"' for at in range(0, len(text), _STRING))
