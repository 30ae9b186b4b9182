"""`docs/security.md`: each row names requirements of ASVS, and the test or file that meets them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIST = (ROOT / "docs" / "security.md").read_text("utf-8")
ROWS = [line.strip("| ").split(" | ") for line in LIST.splitlines() if re.match(r"\| \d", line)]
NAMED = sorted(set(re.findall(r"`(?:tests/)?(\S+?\.py)::(\w+)`", LIST)))

#: How many requirements each section of ASVS 5.0.0 has, chapter by chapter.
REQUIREMENTS = (
    *((2, 10, 12, 3, 3), (3, 3, 5, 2), (1, 3, 5, 8, 8, 1, 5), (5, 5, 2, 4), (1, 6, 3, 3)),
    *((3, 12, 8, 6, 8, 4, 2, 4), (3, 4, 2, 5, 3, 2), (4, 4, 3, 2), (3, 4), (2, 3, 5, 16, 5, 2, 3)),
    *((4, 5, 5, 4, 2, 2, 2), (5, 2, 5), (4, 6, 4, 7), (2, 8, 3), (5, 5, 7, 4), (1, 5, 4, 3, 4), (2, 8, 2)),
)


def functions_in(path: Path) -> set[str]:
    return {
        node.name for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)
    }


def is_required(requirement: str) -> bool:
    """Return whether ASVS has a requirement with this number."""
    chapter, section, number = map(int, requirement.split("."))
    sections = REQUIREMENTS[chapter - 1] if 0 < chapter <= len(REQUIREMENTS) else ()
    return 0 < section <= len(sections) and 0 < number <= sections[section - 1]


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_every_test_that_the_list_names_exists(path: str, name: str) -> None:
    assert name in functions_in(ROOT / "tests" / path)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_each_row_has_valid_requirements_and_a_measure(row: list[str]) -> None:
    requirements, holds, _ = row

    assert [each for each in re.split(", | to ", requirements) if not is_required(each)] == []
    assert holds


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_each_row_names_an_existing_test_or_file(row: list[str]) -> None:
    named = [each.partition("::")[0] for each in re.findall(r"`([^` ]+/[^` ]+)`", row[2])]
    paths = [ROOT / each if each.startswith("corr/") else ROOT / "tests" / each for each in named]

    assert paths
    assert [path for path in paths if not path.is_file()] == []


def test_the_list_is_complete() -> None:
    assert len(ROWS) > 60
