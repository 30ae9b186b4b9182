"""Evaluates a domain's SPF record for an address: the parts of RFC 7208 that such domains need."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

from corr.doctor.dns_lookup import DnsResolver

_RESULTS = {"+": "pass", "-": "fail", "~": "softfail", "?": "neutral"}
#: The most records to follow, by whatever mechanism.
_MOST_LOOKUPS = 10


def records(names: DnsResolver, domain: str) -> list[str]:
    """Return a domain's SPF records; more than one is as bad as none."""
    return [text for text in names.texts(domain) if text.lower().split(" ")[0] == "v=spf1"]


def verdict(names: DnsResolver, domain: str, address: str, led: list[str] | None = None) -> str:
    """Return `pass`, `fail` or another SPF result; `unknown` if it needs unsupported mechanisms."""
    led = [] if led is None else led
    found = records(names, domain)
    if len(found) != 1:
        return "permerror" if found else "none"
    terms = [term.lower() for term in found[0].split()[1:]]
    for term in terms:
        sign, mechanism = (term[0], term[1:]) if term[0] in _RESULTS else ("+", term)
        is_so = _matches(names, domain, address, mechanism, led)
        if is_so is None:
            return "unknown"
        if is_so:
            return _RESULTS[sign]
    leads = [term.partition("=")[2] for term in terms if term.startswith("redirect=")]
    return _follow_domain(names, leads[0], address, led) if leads else "neutral"


def _follow_domain(names: DnsResolver, domain: str, address: str, led: list[str]) -> str:
    """Evaluate another domain's record, unless too many were followed."""
    led.append(domain)
    return verdict(names, domain, address, led) if len(led) <= _MOST_LOOKUPS else "permerror"


def _matches(names: DnsResolver, domain: str, address: str, mechanism: str, led: list[str]) -> bool | None:
    """Tell whether a mechanism matches the address; None for unsupported mechanisms."""
    kind, _, value = mechanism.partition(":")
    kind, _, size = kind.partition("/") if not value else (kind, "", "")
    name = value or domain
    match kind:
        case "all":
            return True
        case "ip4" | "ip6":
            return _is_in(address, value)
        case "include" if "%" not in name:
            included = _follow_domain(names, name, address, led)
            return None if included == "unknown" else included == "pass"
        case "a" | "mx" if "%" not in name and "/" not in name and not size:
            hosts = [name] if kind == "a" else names.mail_hosts(name)
            return any(address in names.addresses(host) for host in hosts)
        case _ if "=" in mechanism:
            return False  # `redirect` is handled last, and other modifiers say nothing of addresses
        case _:
            return None


def _is_in(address: str, network: str) -> bool:
    try:
        return ip_address(address) in ip_network(network, strict=False)
    except ValueError:
        return False
