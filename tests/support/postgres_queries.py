"""Checks that a full run has sent every query of corr to PostgreSQL."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

ROOT = Path(__file__).parents[2]
#: The arguments of runs that must send every query.
WHOLE_RUNS = ({ROOT / "tests"}, {ROOT / "tests" / "both"})
CORR, MIGRATIONS = ROOT / "corr", ROOT / "corr" / "store" / "migrations"
#: The calls that send a query.
EXECUTE_CALLS = ("connection.execute", "connection.exec_driver_sql")
#: Queries that only SQLite gets.
SQLITE_ONLY = ("PRAGMA", "sqlite_version()", "connection.execute(words)")
#: Files and lines of corr that were on the stack when PostgreSQL got a statement.
EXECUTED_LINES: set[tuple[str, int]] = set()


@dataclass(frozen=True)
class Query:
    """A call in corr that sends a query."""

    file: str
    first: int
    last: int
    words: str

    def is_executed(self) -> bool:
        return any((self.file, line) in EXECUTED_LINES for line in range(self.first, self.last + 1))


def queries() -> Iterator[Query]:
    """All queries of corr."""
    for path in sorted(CORR.rglob("*.py")):
        if MIGRATIONS not in path.parents:
            text = path.read_text("utf-8")
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call) and ast.unparse(node.func) in EXECUTE_CALLS:
                    words = " ".join(ast.unparse(node).split())
                    if not any(own in words for own in SQLITE_ONLY):
                        yield Query(str(path), node.lineno, node.end_lineno or node.lineno, words)


def record_queries() -> None:
    """Record which lines send statements to PostgreSQL."""
    event.listen(Engine, "before_cursor_execute", _remember)


def _remember(connection: Any, *_: Any) -> None:
    if connection.dialect.name == "postgresql":
        frame = sys._getframe(1)
        while frame:
            if frame.f_code.co_filename.startswith(str(CORR)):
                EXECUTED_LINES.add((frame.f_code.co_filename, frame.f_lineno))
            frame = frame.f_back


class UnexecutedQueries:
    """Collects the executed lines of all workers, and fails a full run that missed a query."""

    def __init__(self, config: pytest.Config) -> None:
        named = {Path(arg).resolve() for arg in config.args}
        self._is_whole = os.environ.get("CORR_TEST_ALL") == "1" and named in WHOLE_RUNS
        self._never: list[Query] = []

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        EXECUTED_LINES.update(map(tuple, getattr(node, "workeroutput", {}).get("asked", ())))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["asked"] = sorted(EXECUTED_LINES)
        elif self._is_whole:
            self._never = [each for each in queries() if not each.is_executed()]
            if self._never:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._never:
            terminalreporter.section("never asked on PostgreSQL: a test in tests/both is missing")
            for each in self._never:
                terminalreporter.line(f"{each.file}:{each.first}: {each.words}")
