"""`corr doctor --dns --mail` names missing and wrong records, and a test email that is lost."""

from __future__ import annotations

import re
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import dkim
import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from corr.config import Config
from corr.doctor import dns_lookup, dns_records
from corr.quickstart.folder import write_zone
from corr.quickstart.settings import new_key
from corr.service.mail.entrance import EmailEntrance
from tests.support.command_line import corr
from tests.support.database_servers import HOST, free_port
from tests.support.dns_server import parse_zone, run_dns_server
from tests.support.quickstart import key, plan
from tests.support.table import DOMAIN, Table

MACHINE, OTHER = f"mail.{DOMAIN}", "127.0.0.2"
SPF, DMARC, KEY = f"{DOMAIN}.", f"_dmarc.{DOMAIN}.", f"corr._domainkey.{DOMAIN}."
#: The public half of a 512-bit key.
SMALL = (
    "MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAM8nZSL2mYoIzCp6JxhJ6mAYA7XbyWdUpyrxR4T6Re1uV5Q9vR1mWk7bBxGzTtYWpKqhMTFFIW4ltQ3xnK"
    "1k4yUCAwEAAQ=="
)
Change = dict[tuple[str, str], list[str]]


def correct_records(**otherwise: object) -> dict[tuple[str, str], list[str]]:
    """The records that quickstart asks for."""
    return parse_zone(write_zone(plan(domain=DOMAIN, host=MACHINE, addresses=(HOST,), **otherwise)))


# ---------------------------------------------------------------- DNS records


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """A mail server that accepts emails only for corr's domain."""

    class MailServer:
        async def handle_RCPT(  # noqa: N802
            self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
        ) -> str:
            envelope.rcpt_tos.append(address)
            return "250 ok" if address.endswith(f"@{DOMAIN}") else "554 5.7.1 Relay access denied"

    server = Controller(MailServer(), hostname=HOST, port=free_port())
    server.start()
    yield server.port
    server.stop()


def findings(table: Change | None, port: int, **settings: str) -> dict[str, str]:
    """The findings and advice by subject; of two about one subject, the last."""
    config = Config("sqlite://", DOMAIN, web_url=f"https://{DOMAIN}", **settings)
    with run_dns_server(table) as place:
        found = list(dns_records.findings(dns_lookup.DnsResolver(place), config, "corr", port))
    return {
        each.what: " ".join(("ok" if each.is_well else "WRONG", each.says, each.advice)).strip()
        for each in found
    }


def test_the_records_of_quickstart_are_well(port: int) -> None:
    said = findings(correct_records(), port)

    assert said == {
        "mx": f"ok email for {DOMAIN} goes to {MACHINE}",
        "address": f"ok {MACHINE} has the address {HOST}",
        "reverse": f"ok {HOST} has the name {MACHINE}",
        "port 25": f"ok {MACHINE} ({HOST}) accepts email to umpire@{DOMAIN}",
        "spf": 'ok "v=spf1 mx -all"',
        "dkim": f"ok corr._domainkey.{DOMAIN} has a key of 2048 bits",
        "dmarc": 'ok "v=DMARC1; p=quarantine"',
        "web": f"ok {DOMAIN} has the address {HOST}",
    }


WRONG: list[tuple[str, Change, str, str]] = [
    ("no mx", {(SPF, "MX"): []}, "mx", "has no MX record, so no mail server can find the site. Add an MX"),
    ("null mx", {(SPF, "MX"): ["0 ."]}, "mx", "has an MX record that says it accepts no email. Change it"),
    ("no address", {(f"{MACHINE}.", "A"): []}, "address", f"{MACHINE} has no address. Add an A or AAAA"),
    (
        "no reverse name",
        {("1.0.0.127.in-addr.arpa.", "PTR"): []},
        "reverse",
        f"{HOST} has no name. Ask the provider of {HOST} to set its reverse name (PTR) to {MACHINE}.",
    ),
    (
        "another reverse name",
        {("1.0.0.127.in-addr.arpa.", "PTR"): ["host-1.provider.example."]},
        "reverse",
        f"{HOST} has the name host-1.provider.example, not {MACHINE}. Ask the provider",
    ),
    (
        "nobody at port 25",
        {(f"{MACHINE}.", "A"): [OTHER]},
        "port 25",
        "Start the mail server, and open that port in every firewall in front of it.",
    ),
    (
        "no spf",
        {(SPF, "TXT"): []},
        "spf",
        "has no SPF record, so anyone can send email in its name. Add a TXT",
    ),
    (
        "another text",
        {(SPF, "TXT"): ['"v=spf10 mx -all"', '"some-verification=1"']},
        "spf",
        "has no SPF record",
    ),
    (
        "two spf records",
        {(SPF, "TXT"): ['"v=spf1 mx -all"', '"v=spf1 a -all"']},
        "spf",
        "has 2 SPF records, and receivers ignore more than one. Keep just one",
    ),
    ("spf for all", {(SPF, "TXT"): ['"v=spf1 mx +all"']}, "spf", "lets anyone send email in the name of"),
    ("spf without an end", {(SPF, "TXT"): ['"v=spf1 mx"']}, "spf", "Make it end with -all."),
    (
        "spf for nobody",
        {(SPF, "TXT"): ['"v=spf1 -all"']},
        "spf",
        f'"v=spf1 -all" doesn\'t let {HOST} send email in the name of {DOMAIN}. Change it to "v=spf1 mx -all", or add',
    ),
    (
        "spf of an old address",
        {(SPF, "TXT"): ['"v=spf1 ip4:198.51.100.0/24 ip6:2001:db8::/32 a:old.example -all"']},
        "spf",
        f"doesn't let {HOST} send",
    ),
    (
        "spf that leads on to nothing",
        {(SPF, "TXT"): [f'"v=spf1 redirect={DOMAIN}"']},
        "spf",
        f"doesn't let {HOST} send",
    ),
    (
        "no key",
        {(KEY, "TXT"): []},
        "dkim",
        "so receivers see our email as unsigned. Add its TXT record. corr",
    ),
    (
        "a key taken back",
        {(KEY, "TXT"): ['"v=DKIM1; p="']},
        "dkim",
        "isn't a DKIM key. Replace it with one TXT record",
    ),
    ("a text for a key", {(KEY, "TXT"): ['"to do"']}, "dkim", "isn't a DKIM key."),
    (
        "a key that was cut",
        {(KEY, "TXT"): [f'"{key().record[:255]}"']},
        "dkim",
        "is unreadable: it was cut short, or has something between its parts. Set it again",
    ),
    (
        "a key with the marks of its strings",
        {(KEY, "TXT"): [rf'"{key().record[:200]}\" \"" "{key().record[200:]}"']},
        "dkim",
        "is unreadable",
    ),
    (
        "a key that is too small",
        {(KEY, "TXT"): [f'"k=rsa; p={SMALL}"']},
        "dkim",
        "has 512 bits, but large mail systems want at least 1024. Make a new one",
    ),
    ("no dmarc", {(DMARC, "TXT"): []}, "dmarc", "doesn't say what to do with forged email (DMARC). Add"),
    (
        "dmarc without a policy",
        {(DMARC, "TXT"): ['"v=DMARC1"']},
        "dmarc",
        "should have one valid policy, but has: v=DMARC1.",
    ),
    (
        "two policies",
        {(DMARC, "TXT"): ['"v=DMARC1; p=none"', '"v=DMARC1; p=reject"']},
        "dmarc",
        "should have one valid policy, but has: v=DMARC1; p=none and v=DMARC1; p=reject. Keep just one",
    ),
    ("no pages", {(SPF, "A"): []}, "web", f"{DOMAIN} has no address. Add an A or AAAA record for {DOMAIN}"),
    (
        "a name server at a loss",
        {(DMARC, "TXT"): ["SERVFAIL"]},
        "dns",
        f"can't look up {DMARC[:-1]}. Check /etc/resolv.conf, or choose another",
    ),
]


@pytest.mark.parametrize(
    ("change", "what", "sentence"), [each[1:] for each in WRONG], ids=[each[0] for each in WRONG]
)
def test_missing_or_wrong_records_are_named_with_a_remedy(
    port: int, change: Change, what: str, sentence: str
) -> None:
    said = findings(correct_records() | change, port)[what]

    assert said.startswith("WRONG")
    assert sentence in said


@pytest.mark.parametrize(
    "record",
    [
        f"v=spf1 ip4:{HOST} ~all",
        "v=spf1 ip4:127.0.0.0/8 -all",
        f"v=spf1 a:{MACHINE} -all",
        f"v=spf1 a mx:{DOMAIN} -all",
        "v=spf1 include:others.example -all",
        "v=spf1 redirect=others.example",
        "V=SPF1 MX -ALL",
        "v=spf1 exists:%{i}.spf.example -all",
        "v=spf1 include:unread.example -all",
    ],
)
def test_other_spf_records_allow_the_server_too(port: int, record: str) -> None:
    change = {(SPF, "TXT"): [f'"{record}"'], ("others.example.", "TXT"): [f'"v=spf1 ip4:{HOST} -all"']}
    change[("unread.example.", "TXT")] = ['"v=spf1 a/24 -all"']

    assert findings(correct_records() | change, port)["spf"] == f'ok "{record}"'


def test_another_sending_machine_is_named(port: int) -> None:
    said = findings(correct_records(), port, post_url="smtp://relay.example:25")

    assert said["spf"] == 'ok "v=spf1 mx -all"; check that it includes relay.example, which sends your email'


def test_a_mail_server_that_does_not_know_the_domain_is_reported(port: int) -> None:
    class Strange:
        async def handle_RCPT(self, _server, _session, _envelope, _address, _options) -> str:  # noqa: N802
            return "554 5.7.1 Relay access denied"

    server = Controller(Strange(), hostname=HOST, port=free_port())
    server.start()
    said = findings(correct_records(), server.port)["port 25"]
    server.stop()

    assert f"doesn't accept email to umpire@{DOMAIN}: 554 5.7.1 Relay access denied." in said
    assert said.endswith("or point the MX record at the right machine.")


def test_a_silent_resolver_is_named_once(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dns_lookup, "_SECONDS", 0.2)

    (finding,) = findings(None, port).values()

    assert re.fullmatch(
        r"WRONG The resolver at 127\.0\.0\.1:\d+ doesn't answer\."
        r" Check /etc/resolv\.conf, or choose another resolver with --resolver\.",
        finding,
    )


# ---------------------------------------------------------------- the test email


@dataclass
class Way:
    """A mail server between corr and its listener: it can sign emails, and drop them."""

    table: Table
    key: str | None = None
    says: str | None = None
    loses: bool = False

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        raw = envelope.original_content
        assert raw
        if self.says:
            return self.says
        if self.key:
            raw = dkim.sign(raw, b"corr", DOMAIN.encode(), self.key.encode(), include_headers=[b"from"]) + raw
        if not self.loses:
            door = EmailEntrance(self.table.server, lambda _: None)
            assert [door.is_known(each) for each in envelope.rcpt_tos] == [True]
            door.store_received(raw, envelope.rcpt_tos, envelope.mail_from or "")
        return "250 ok"


@contextmanager
def run_relay(way: Way) -> Iterator[str]:
    server = Controller(way, hostname=HOST, port=free_port())
    server.start()
    yield f"smtp://{HOST}:{server.port}"
    server.stop()


def doctor(
    table: Table,
    url: str,
    names: Change | None,
    *words: str,
    further: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, str]:
    """What the doctor says of the test email."""
    settings = {
        **further,
        "CORR_DATABASE_URL": (table.spool.parent / "database").read_text(),
        "CORR_MAIL_DOMAIN": DOMAIN,
        "CORR_SMTP_URL": url,
    }
    with run_dns_server(names) as place:
        said = corr("doctor", "--mail", "--resolver", place, *words, env=settings)
    assert said.exit_code == 1  # nothing of that house runs
    lines = re.findall(r"^(ok|WRONG) +(letter|signed) +(.*(?:\n {6}.*)*)$", said.output, re.MULTILINE)
    return {what: " ".join(f"{mark} {text}".split()) for mark, what, text in lines}


def test_a_test_email_comes_back_with_a_valid_signature(table: Table) -> None:
    with run_relay(Way(table, key().pem)) as url:
        said = doctor(table, url, correct_records())

    assert re.fullmatch(r"ok an email to the site itself came back after \d+\.\d s", said["letter"])
    assert said["signed"] == f"ok {DOMAIN} signs its email, and the key in DNS matches"


def test_the_servers_own_signature_is_valid_too(table: Table, tmp_path: Path) -> None:
    (tmp_path / "dkim.pem").write_text(key().pem)
    signed = {"CORR_DKIM_KEY": str(tmp_path / "dkim.pem"), "CORR_DKIM_SELECTOR": "corr"}
    with run_relay(Way(table)) as url:
        said = doctor(table, url, correct_records(), further=signed)

    assert said["signed"] == f"ok {DOMAIN} signs its email, and the key in DNS matches"


def test_an_ed25519_key_alone_is_reported(table: Table, tmp_path: Path) -> None:
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", tmp_path / "dkim.pem"], check=True)
    signed = {"CORR_DKIM_KEY": str(tmp_path / "dkim.pem"), "CORR_DKIM_SELECTOR": "corr"}
    with run_relay(Way(table)) as url:
        said = doctor(table, url, correct_records(), further=signed)

    assert said["signed"].startswith("WRONG")
    assert "have only an Ed25519 signature" in said["signed"]


@pytest.mark.parametrize(
    ("signing", "known", "sentence"),
    [
        ("nobody", "ours", "emails go out without a signature by"),
        ("another", "ours", "but no key in DNS matches the signature. Set the TXT record of the key"),
        ("ours", "nobody", "but no key in DNS matches the signature. Set the TXT record of the key"),
    ],
)
def test_an_invalid_signature_is_reported(table: Table, signing: str, known: str, sentence: str) -> None:
    keys = {"nobody": None, "ours": key().pem, "another": new_key().pem}
    names = correct_records() | ({(KEY, "TXT"): []} if known == "nobody" else {})
    with run_relay(Way(table, keys[signing])) as url:
        said = doctor(table, url, names)

    assert said["letter"].startswith("ok")
    assert said["signed"].startswith("WRONG")
    assert sentence in said["signed"]


@pytest.mark.parametrize(
    ("way", "sentence"),
    [
        (
            {"says": "550 5.1.1 no such user"},
            "doesn't accept an email to the site itself: 550 5.1.1 no such user. Let",
        ),
        ({"says": "451 4.7.1 not now"}, "doesn't accept an email to the site itself: 451 4.7.1 not now. Let"),
        (
            {"loses": True},
            "accepted an email to the site itself, but it didn't come back within 0 s. Look for",
        ),
    ],
)
def test_a_lost_test_email_is_reported(table: Table, way: dict[str, object], sentence: str) -> None:
    with run_relay(Way(table, **way)) as url:
        said = doctor(table, url, correct_records(), "--wait", "0")

    assert said.keys() == {"letter"}
    assert sentence in said["letter"]


def test_a_missing_mail_server_is_reported(table: Table) -> None:
    with socket.socket() as nobody:
        nobody.bind((HOST, 0))
        said = doctor(table, f"smtp://{HOST}:{nobody.getsockname()[1]}", correct_records())["letter"]

    assert "doesn't accept an email to the site itself: ConnectionRefusedError" in said


def test_emails_that_go_into_a_folder_are_not_waited_for(table: Table) -> None:
    said = doctor(table, f"spool:{table.spool}", correct_records())

    assert said["letter"].startswith("WRONG emails only go into a folder. Set CORR_SMTP_URL")
    assert len(said) == 1


def test_an_invalid_resolver_address_is_explained() -> None:
    settings = {"CORR_DATABASE_URL": "sqlite://", "CORR_MAIL_DOMAIN": DOMAIN}

    said = corr("doctor", "--dns", "--resolver", "here", env=settings)

    assert '"here" isn\'t the address of a resolver. Write one like 127.0.0.1:53.' in said.output
