"""Emails that corr signs itself: opendkim verifies them."""

from __future__ import annotations

import base64
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from corr.config import Config
from corr.service.server import build_server
from corr.words.errors import Misconfigured
from tests.support.skips import skip_missing
from tests.support.table import ANN, BEN, DOMAIN, Table
from tests.support.waiting import TIMEOUT


def verdict(folder: Path, letter: bytes) -> str:
    """opendkim's verdict on an email."""
    (folder / "letter.eml").write_bytes(letter)
    said = subprocess.run(
        ["opendkim", "-x", folder / "opendkim.conf", "-t", folder / "letter.eml"],
        capture_output=True,
        text=True,
        check=True,
        timeout=TIMEOUT,
    )
    return said.stdout + said.stderr


def know(folder: Path) -> Path:
    """Make a signing key, and tell opendkim its public half; return the key's file."""
    key = rsa.generate_private_key(65_537, 2048)
    file, known = folder / "dkim.pem", folder / "known"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.TraditionalOpenSSL,
            serialization.NoEncryption(),
        )
    )
    public = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    known.write_text(f"corr._domainkey.{DOMAIN} v=DKIM1; k=rsa; p={base64.b64encode(public).decode()}\n")
    (folder / "opendkim.conf").write_text(f"Mode v\nTestPublicKeys {known}\nRequireSafeKeys no\n")
    return file


def test_opendkim_verifies_every_email_of_a_game(table: Table, tmp_path: Path) -> None:
    if not shutil.which("opendkim"):
        skip_missing("opendkim")
    file = str(know(tmp_path))
    url = str(table.server.store.engine.url)
    config = Config(url, DOMAIN, f"spool:{table.spool}", dkim_key=file, dkim_selector="corr")
    table.server = replace(table.server, mailer=build_server(config).mailer)
    table.challenge()
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    table.play("e2e4", "e7e5")
    table.reply(BEN, "resign resign")
    table.write_to_site("eve@e.example", "help")
    letters = [path.read_bytes().split(b"\r\n", 2)[2] for path in sorted(table.spool.glob("*.eml"))]

    assert len(letters) > 8
    for letter in letters:
        assert "verification (s=corr, d=play.example, 2048-bit key) succeeded" in verdict(tmp_path, letter)
    forged = letters[-1].replace(b"\r\nReply-To: ", b"\r\nReply-To: eve@e.example, ")
    assert "signature verification failed" in verdict(tmp_path, forged)


def test_without_its_signing_key_only_the_website_starts(tmp_path: Path) -> None:
    config = Config(
        "sqlite://", DOMAIN, f"spool:{tmp_path}", dkim_key=str(tmp_path / "none"), dkim_selector="corr"
    )
    with pytest.raises(Misconfigured, match=r"^Can't read the file that CORR_DKIM_KEY names"):
        build_server(config)

    assert build_server(config.web_config).domain == DOMAIN
