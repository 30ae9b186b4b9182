"""The email that the doctor sends to the server itself: its address works only while it's awaited."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from corr.service.mail import doctor_email, inbox
from corr.service.mail.arrivals import Arrival
from corr.service.mail.entrance import EmailEntrance
from corr.store.tables import SecretRow
from tests.support.table import DOMAIN, Table

RAW = b"From: umpire@v.example\r\nAuto-Submitted: auto-generated\r\n\r\nLooking whether this comes back.\r\n"


def echo_secrets(table: Table) -> list[str]:
    with table.server.store.reading() as connection:
        return list(
            connection.execute(select(SecretRow.name).where(SecretRow.name.startswith("echo-"))).scalars()
        )


def test_it_is_stored_unchanged_and_then_deleted(table: Table) -> None:
    entrance = EmailEntrance(table.server, lambda _: None)

    with doctor_email.open_echo_address(table.server) as awaited:
        assert awaited.find_email() is None
        assert entrance.is_known(awaited.address.upper())
        assert entrance.store_received(RAW, [awaited.address], table.server.umpire) == 1
        assert awaited.find_email() == RAW

    assert not entrance.is_known(awaited.address)
    assert echo_secrets(table) == []


def test_only_the_first_email_counts(table: Table) -> None:
    with doctor_email.open_echo_address(table.server) as awaited:
        for raw in (RAW, RAW + b"again"):
            inbox.store_email(table.server, Arrival(raw, (awaited.address,), table.clock()))

        assert awaited.find_email() == RAW


def test_it_is_found_by_its_headers_without_an_envelope(table: Table) -> None:
    with doctor_email.open_echo_address(table.server) as awaited:
        raw = f"To: {awaited.address}\r\n".encode() + RAW
        assert inbox.store_email(table.server, Arrival(raw, (), table.clock())) == 1

        assert awaited.find_email() == raw


@pytest.mark.parametrize("local", ["echo-", "echo-0123456789abcdef", "echo-%"])
def test_an_address_that_is_not_awaited_is_unknown(table: Table, local: str) -> None:
    with doctor_email.open_echo_address(table.server) as awaited:
        assert not EmailEntrance(table.server, lambda _: None).is_known(f"{local}@{DOMAIN}")
        assert awaited.find_email() is None
