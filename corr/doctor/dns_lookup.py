"""Looks up DNS names, and tells a failing resolver from a missing name."""

from __future__ import annotations

from ipaddress import ip_address

from dns.exception import DNSException
from dns.name import from_text
from dns.rdata import Rdata
from dns.rdatatype import RdataType
from dns.rdtypes.ANY.TXT import TXT
from dns.resolver import NXDOMAIN, LifetimeTimeout, NoAnswer, NoNameservers, NoResolverConfiguration, Resolver
from dns.reversename import from_address

from corr.words.errors import CorrError, Misconfigured

_SECONDS = 5.0
#: What to do if no resolver answers.
LOOKUP_ADVICE = "Check /etc/resolv.conf, or choose another resolver with --resolver."


class LookupFailed(CorrError):
    """The resolver did not answer; the sentence says why."""


class DnsResolver:
    """Looks up DNS names with the machine's own resolver, or with the one at `place`."""

    def __init__(self, place: str | None = None) -> None:
        self._who = f"The resolver at {place}" if place else "The resolver of /etc/resolv.conf"
        try:
            self._resolver = Resolver(configure=place is None)
            if place is not None:
                host, _, port = place.rpartition(":") if ":" in place else (place, "", "53")
                self._resolver.nameservers, self._resolver.port = (
                    [str(ip_address(host.strip("[]")))],
                    int(port),
                )
        except NoResolverConfiguration as error:
            raise LookupFailed("/etc/resolv.conf names no DNS resolver.") from error
        except ValueError as error:
            raise Misconfigured(
                f'"{place}" isn\'t the address of a resolver. Write one like 127.0.0.1:53.'
            ) from error
        self._resolver.lifetime = _SECONDS

    def addresses(self, name: str) -> list[str]:
        """Return a host's addresses, IPv4 before IPv6."""
        return [*self._ask(name, RdataType.A), *self._ask(name, RdataType.AAAA)]

    def mail_hosts(self, domain: str) -> list[str]:
        """Return a domain's mail hosts in order of preference."""
        found = (value.split() for value in self._ask(domain, RdataType.MX))
        return [host.rstrip(".").lower() for _, host in sorted((int(rank), host) for rank, host in found)]

    def texts(self, name: str) -> list[str]:
        """Return a name's TXT records, each with its strings joined."""
        found = (each for each in self._found(name, RdataType.TXT) if isinstance(each, TXT))
        return sorted(b"".join(each.strings).decode("utf-8", "replace") for each in found)

    def names_of(self, address: str) -> list[str]:
        """Return the names of an IP address in reverse DNS (PTR)."""
        return [each.rstrip(".").lower() for each in self._ask(str(from_address(address)), RdataType.PTR)]

    def _ask(self, name: str, kind: RdataType) -> list[str]:
        """Return a name's DNS records of one type, as text."""
        return [each.to_text() for each in self._found(name, kind)]

    def _found(self, name: str, kind: RdataType) -> list[Rdata]:
        """Return a name's DNS records of one type; raise LookupFailed if the resolver fails."""
        try:
            return list(self._resolver.resolve(from_text(name), kind))
        except (NXDOMAIN, NoAnswer):
            return []
        except LifetimeTimeout as error:
            raise LookupFailed(f"{self._who} doesn't answer.") from error
        except NoNameservers as error:
            raise LookupFailed(f"{self._who} can't look up {name}.") from error
        except DNSException as error:
            raise LookupFailed(f"Can't look up {name}: {error}.") from error
