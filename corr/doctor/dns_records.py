"""Checks the site's DNS records (MX, addresses, reverse names, SPF, DKIM, DMARC) and port 25."""

from __future__ import annotations

import smtplib
from base64 import b64decode
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_der_public_key

from corr.config import Config
from corr.doctor.dns_lookup import LOOKUP_ADVICE, DnsResolver, LookupFailed
from corr.doctor.finding import Finding, report_ok, report_problem

_RESULTS = {"+": "pass", "-": "fail", "~": "softfail", "?": "neutral"}
_MOST_LOOKUPS = 10  # the most records to follow, by whatever mechanism


def spf_records(names: DnsResolver, domain: str) -> list[str]:
    """Return a domain's SPF records; a correct domain has exactly one."""
    return [text for text in names.texts(domain) if text.lower().split(" ")[0] == "v=spf1"]


def spf_verdict(names: DnsResolver, domain: str, address: str, led: list[str] | None = None) -> str:
    """Return the SPF result for email from this address; `unknown` for unsupported mechanisms."""
    led = [] if led is None else led
    found = spf_records(names, domain)
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
    """Return another domain's SPF result; `permerror` if too many were followed."""
    led.append(domain)
    return spf_verdict(names, domain, address, led) if len(led) <= _MOST_LOOKUPS else "permerror"


def _matches(names: DnsResolver, domain: str, address: str, mechanism: str, led: list[str]) -> bool | None:
    """Tell whether an SPF mechanism matches the address; None if we do not support it."""
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


_SECONDS = 10.0
_LEAST_BITS = 1024
_POLICIES = ("none", "quarantine", "reject")
_ADVICE_SOURCE = "corr quickstart wrote it into dns.txt."


def findings(names: DnsResolver, config: Config, selector: str, port: int = 25) -> Iterator[Finding]:
    """Check all DNS records and port 25; stop with a finding if the resolver fails."""
    domain = config.domain
    try:
        hosts = names.mail_hosts(domain)
        yield _mail_hosts(domain, hosts)
        found = {host: names.addresses(host) for host in hosts if host}
        for host, addresses in found.items():
            yield _addresses(host, addresses, "address")
            for address in addresses:
                yield _reverse(names, host, address)
                yield _port(host, address, port, domain)
        leaving = [each for addresses in found.values() for each in addresses]
        yield _spf(names, domain, leaving, config.post_url)
        yield _dkim(domain, selector, names.texts(f"{selector}._domainkey.{domain}"))
        yield _dmarc(domain, names.texts(f"_dmarc.{domain}"))
        pages = str(urlsplit(config.web_url).hostname)
        yield _addresses(pages, [pages] if _is_address(pages) else names.addresses(pages), "web")
    except LookupFailed as error:
        yield report_problem("dns", str(error), LOOKUP_ADVICE)


def _mail_hosts(domain: str, hosts: list[str]) -> Finding:
    """Report whether the domain has a mail server (MX)."""
    if not hosts:
        says = f"{domain} has no MX record, so no mail server can find the site."
        return report_problem("mx", says, f"Add an MX record that names your mail server. {_ADVICE_SOURCE}")
    if hosts == [""]:
        says = f"{domain} has an MX record that says it accepts no email."
        return report_problem("mx", says, "Change it to name your mail server.")
    return report_ok("mx", f"email for {domain} goes to {', '.join(hosts)}")


def _addresses(host: str, addresses: list[str], what: str) -> Finding:
    """Report whether a host has an IP address, as the finding named `what`."""
    if addresses:
        return report_ok(what, f"{host} has the address {', '.join(addresses)}")
    says = f"{host} has no address."
    return report_problem(what, says, f"Add an A or AAAA record for {host} with its machine's address.")


def _reverse(names: DnsResolver, host: str, address: str) -> Finding:
    """Report whether the reverse name (PTR) of an address is its host's."""
    found = names.names_of(address)
    if host in found:
        return report_ok("reverse", f"{address} has the name {host}")
    name = f"the name {' and '.join(found)}, not {host}" if found else "no name"
    advice = f"Ask the provider of {address} to set its reverse name (PTR) to {host}."
    return report_problem("reverse", f"{address} has {name}.", advice)


def _port(host: str, address: str, port: int, domain: str) -> Finding:
    """Report whether the mail server there accepts email to the umpire."""
    try:
        with smtplib.SMTP(address, port, timeout=_SECONDS) as server:
            server.ehlo_or_helo_if_needed()
            server.mail("")
            code, words = server.rcpt(f"umpire@{domain}")
    except (OSError, smtplib.SMTPException) as error:
        says = f"Nothing accepts email on port {port} of {host} ({address}): {error}."
        advice = "Start the mail server, and open that port in every firewall in front of it."
        return report_problem("port 25", says, advice)
    if code in (250, 251):
        return report_ok("port 25", f"{host} ({address}) accepts email to umpire@{domain}")
    said = f"{code} {words.decode(errors='replace')}"
    says = f"{host} ({address}) doesn't accept email to umpire@{domain}: {said}."
    if 400 <= code < 500:
        advice = "Try again in a minute. If it stays like this, see the mail server's log."
    else:
        advice = f"Tell the mail server there about {domain}, or point the MX record at the right machine."
    return report_problem("port 25", says, advice)


def _spf(names: DnsResolver, domain: str, addresses: list[str], post_url: str) -> Finding:
    """Report whether SPF lets our addresses send email, and strangers not."""
    found = spf_records(names, domain)
    if not found:
        says = f"{domain} has no SPF record, so anyone can send email in its name."
        return report_problem("spf", says, f'Add a TXT record "v=spf1 mx -all". {_ADVICE_SOURCE}')
    if len(found) > 1:
        says = f"{domain} has {len(found)} SPF records, and receivers ignore more than one."
        return report_problem("spf", says, "Keep just one TXT record that begins with v=spf1.")
    if spf_verdict(names, domain, "192.0.2.1") in ("pass", "neutral"):
        says = f'"{found[0]}" lets anyone send email in the name of {domain}.'
        return report_problem("spf", says, "Make it end with -all.")
    relay = str(urlsplit(post_url).hostname)
    if relay != "localhost" and not (_is_address(relay) and ip_address(relay).is_loopback):
        return report_ok("spf", f'"{found[0]}"; check that it includes {relay}, which sends your email')
    kept_out = [each for each in addresses if spf_verdict(names, domain, each) not in ("pass", "unknown")]
    if kept_out:
        says = f'"{found[0]}" doesn\'t let {" and ".join(kept_out)} send email in the name of {domain}.'
        return report_problem("spf", says, 'Change it to "v=spf1 mx -all", or add the address.')
    return report_ok("spf", f'"{found[0]}"')


def _dkim(domain: str, selector: str, texts: list[str]) -> Finding:
    """Report whether DNS has one usable DKIM key."""
    name = f"{selector}._domainkey.{domain}"
    if not texts:
        says = f"{name} has no key, so receivers see our email as unsigned."
        advice = (
            f"Add its TXT record. {_ADVICE_SOURCE} If your key has another name, give it with --selector."
        )
        return report_problem("dkim", says, advice)
    tags = _tags(texts[0])
    if len(texts) > 1 or tags.get("v", "DKIM1") != "DKIM1" or not tags.get("p"):
        says = f"The record at {name} isn't a DKIM key."
        return report_problem("dkim", says, f"Replace it with one TXT record. {_ADVICE_SOURCE}")
    bits = _bits(tags["p"], tags.get("k", "rsa"))
    if bits is None:
        says = f"The key at {name} is unreadable: it was cut short, or has something between its parts."
        return report_problem("dkim", says, "Set it again, with its strings joined without spaces.")
    if bits < _LEAST_BITS:
        says = f"The key at {name} has {bits} bits, but large mail systems want at least {_LEAST_BITS}."
        return report_problem("dkim", says, "Make a new one of 2048 bits, for example with corr quickstart.")
    return report_ok("dkim", f"{name} has a key of {bits} bits")


def _dmarc(domain: str, texts: list[str]) -> Finding:
    """Report whether the domain has exactly one valid DMARC policy."""
    found = [text for text in texts if text.lower().replace(" ", "").startswith("v=dmarc1")]
    if not found:
        says = f"{domain} doesn't say what to do with forged email (DMARC)."
        return report_problem("dmarc", says, f'Add a TXT record "v=DMARC1; p=quarantine" at _dmarc.{domain}.')
    policy = _tags(found[0]).get("p", "").lower()
    if len(found) > 1 or policy not in _POLICIES:
        says = f"_dmarc.{domain} should have one valid policy, but has: {' and '.join(found)}."
        return report_problem("dmarc", says, 'Keep just one TXT record there, "v=DMARC1; p=quarantine".')
    return report_ok("dmarc", f'"{found[0]}"')


def _tags(text: str) -> dict[str, str]:
    """Parse a record such as `v=DKIM1; p=MII` into its tags."""
    pairs = (each.partition("=") for each in text.split(";"))
    return {name.strip().lower(): "".join(value.split()) for name, _, value in pairs}


def _bits(encoded: str, kind: str) -> int | None:
    """Return the size of a public key; None if it is not a valid key."""
    try:
        raw = b64decode(encoded, validate=True)
        if kind == "ed25519":
            return len(raw) * 8 * 8 if len(raw) == 32 else None  # 256 bits of Ed25519 outweigh RSA's
        key = load_der_public_key(raw)
    except (ValueError, UnsupportedAlgorithm):
        return None
    return key.key_size if isinstance(key, RSAPublicKey) else None


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
