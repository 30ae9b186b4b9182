"""The JSON log: one line for each event, without anyone's address."""

from __future__ import annotations

import json
import logging

import pytest

from corr.processes import JsonFormatter, redact

SEAT = "ayfgs3lmnrxw6000000000000000000@play.example.org"


def log_line(says: str, **extra: object) -> dict[str, object]:
    record = logging.makeLogRecord(
        {"msg": says, "levelname": "INFO", "name": "corr.service.mail.game_reader", **extra}
    )
    return json.loads(JsonFormatter().format(record))


def test_extra_data_becomes_fields() -> None:
    logged = log_line("read an email", letter=7, seat=2)

    assert logged["says"] == "read an email"
    assert (logged["letter"], logged["seat"], logged["level"], logged["from"]) == (
        7,
        2,
        "info",
        "corr.service.mail.game_reader",
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"to <{SEAT}>", "to <…@play.example.org>"),
        ("Ann <ann.o'hara+x@a.example>, ben@b.example", "Ann <…@a.example>, …@b.example"),
        ("postgresql://corr:secret@db.example/corr", "postgresql://corr:…@db.example/corr"),
        ("at e2 @ noon", "at e2 @ noon"),
        ("umpire@[127.0.0.1]", "…@[127.0.0.1]"),
        ("änn@bücher.example", "…@bücher.example"),
        ('"ann smith"@a.example', "…@a.example"),
    ],
)
def test_addresses_and_passwords_are_redacted(text: str, shown: str) -> None:
    assert redact(text) == shown


def test_a_traceback_stays_on_its_line_without_addresses() -> None:
    error = ValueError(f"no letter for {SEAT}\nat all")
    record = logging.makeLogRecord({"msg": "broken", "exc_info": (ValueError, error, None)})

    logged = JsonFormatter().format(record)

    assert "\n" not in logged
    assert SEAT.partition("@")[0] not in logged
    assert "ValueError: no letter for …@play.example.org" in json.loads(logged)["traceback"]
