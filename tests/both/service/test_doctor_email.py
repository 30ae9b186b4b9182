"""The doctor's letter to the house itself: its address is good as long as it is awaited, and for that letter alone."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from corr.service.mail import doctor_email, inbox
from corr.service.mail.arrivals import Arrival
from corr.service.mail.entrance import EmailEntrance
from corr.store.tables import SecretRow
from tests.support.table import DOMAIN, Table

RAW = b"From: umpire@v.example\r\nAuto-Submitted: auto-generated\r\n\r\nLooking whether this comes back.\r\n"


def names(table: Table) -> list[str]:
    with table.server.store.reading() as connection:
        return list(
            connection.execute(select(SecretRow.name).where(SecretRow.name.startswith("echo-"))).scalars()
        )


def test_it_is_taken_in_as_it_came_and_nothing_of_it_stays(table: Table) -> None:
    door = EmailEntrance(table.server, lambda _: None)

    with doctor_email.open_echo_address(table.server) as awaited:
        assert awaited.find_email() is None
        assert door.is_known(awaited.address.upper())
        assert door.store_received(RAW, [awaited.address], table.server.umpire) == 1
        assert awaited.find_email() == RAW

    assert not door.is_known(awaited.address)
    assert names(table) == []


def test_the_first_one_counts(table: Table) -> None:
    with doctor_email.open_echo_address(table.server) as awaited:
        for raw in (RAW, RAW + b"again"):
            inbox.store_email(table.server, Arrival(raw, (awaited.address,), table.clock()))

        assert awaited.find_email() == RAW


def test_by_a_way_that_tells_no_envelope_it_is_found_by_its_head(table: Table) -> None:
    with doctor_email.open_echo_address(table.server) as awaited:
        raw = f"To: {awaited.address}\r\n".encode() + RAW
        assert inbox.store_email(table.server, Arrival(raw, (), table.clock())) == 1

        assert awaited.find_email() == raw


@pytest.mark.parametrize("local", ["echo-", "echo-0123456789abcdef", "echo-%"])
def test_nobody_is_known_who_is_not_awaited(table: Table, local: str) -> None:
    with doctor_email.open_echo_address(table.server) as awaited:
        assert not EmailEntrance(table.server, lambda _: None).is_known(f"{local}@{DOMAIN}")
        assert awaited.find_email() is None
