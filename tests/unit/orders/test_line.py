"""How single lines are read, as listed in `lines.cases`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corr.orders import UnclearLine, fold, join_acts, kind_of, parse_lines, parse_order


def cases() -> list[list[str]]:
    lines = (Path(__file__).parent / "lines.cases").read_text("utf-8").splitlines()
    parts = [re.split(r" \|(?: |$)", line, maxsplit=2) for line in lines if line and not line.startswith("#")]
    return [
        [re.sub(r"\\u([0-9a-f]{4})", lambda code: chr(int(code[1], 16)), part) for part in row]
        for row in parts
    ]


@pytest.mark.parametrize("row", [row for row in cases() if row[0] == "order"], ids=lambda row: ascii(row[1]))
def test_an_order_is_read_as_its_canonical_form(row: list[str]) -> None:
    _, line, canonical = row
    assert " + ".join(map(str, parse_lines([line]).orders)) == canonical


@pytest.mark.parametrize("row", [row for row in cases() if row[0] != "order"], ids=lambda row: ascii(row[1]))
def test_any_other_line_is_puzzling_or_prose(row: list[str]) -> None:
    kind, line = row[0], " | ".join(row[1:])
    reading = parse_lines([line])
    assert kind_of(line) == kind
    assert reading.orders == ()
    assert (reading.puzzled is not None) == (kind == "puzzling")


@pytest.mark.parametrize("row", cases(), ids=lambda row: ascii(row[1]))
def test_parse_order_accepts_exactly_one_order(row: list[str]) -> None:
    found, acts = parse_order(row[1]), join_acts(parse_lines([row[1]]).orders)
    if len(acts) == 1:
        assert str(found) == str(acts[0])
    else:
        assert isinstance(found, UnclearLine)
        assert found.why


def test_fold_keeps_case_and_drops_one_full_stop() -> None:
    assert fold(" Zone\u00a0Europe/Paris. ") == "Zone Europe/Paris"


@pytest.mark.parametrize("line", ["Ann", "Rook64", "Olga", "Jean-Luc", "O'Hara", "A player"])
def test_ordinary_names_are_prose(line: str) -> None:
    assert kind_of(line) == "prose"
