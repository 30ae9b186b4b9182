"""The list of what keeps the house safe: each test that it names is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
LIST = (HOUSE / "docs" / "security.md").read_text("utf-8")
LINES = [line.strip("| ").split(" | ") for line in LIST.splitlines() if re.match(r"\| \d", line)]
NAMED = sorted(set(re.findall(r"`(tests/\S+?\.py)::(\w+)`", LIST)))


def named_in(path: Path) -> set[str]:
    return {
        node.name for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)
    }


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_a_test_that_the_list_names_is_there(path: str, name: str) -> None:
    assert name in named_in(HOUSE / path)


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[0])
def test_each_line_has_its_section_what_holds_and_its_test_or_reason(line: list[str]) -> None:
    section, holds, shown = line

    assert re.fullmatch(r"\d+\.\d+\.\d+(?:(?:, | to )\d+\.\d+\.\d+)*", section)
    assert holds
    assert shown


def test_the_list_is_a_list() -> None:
    assert len(LINES) > 40
