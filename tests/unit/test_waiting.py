"""How tests wait: only with `tests/support/waiting.py`, so that none fails on a busy machine."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
WAITING = TESTS / "support" / "waiting.py"
#: Functions that read a clock or sleep.
CLOCKS = {"sleep", "monotonic", "perf_counter", "process_time", "thread_time"}
WAITS = {"wait", "join"}
#: Waits that don't use it, each with its reason.
EXCEPTIONS = {
    ("support/database_servers.py", "connect_timeout=2"): "wait_until tries again",
    ("support/database_servers.py", "settimeout(1)"): "wait_until tries again",
    ("support/procfile.py", "monotonic()"): "fault runs only report how long stopping takes",
    ("both/service/test_worker_rounds.py", "wait(0.3)"): "lets two workers meet, and passes if they don't",
    ("server/mail/test_transport.py", "timeout=0.05"): "a server that never answers: keep it short",
    ("unit/web/test_waiting_room.py", "wait(1)"): "not a time, but the number of an order",
    ("unit/web/test_order_lock.py", "wait(0.001)"): "lets other threads run, and passes if they don't",
}


def waits(path: Path) -> Iterator[str]:
    """Yield what a file waits for with its own timeout, or without any, as source code."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if is_a_wait(name, node):
                yield f"{name}({', '.join(map(ast.unparse, node.args))})"
            for each in node.keywords:
                if "timeout" in (each.arg or "") and is_number(each.value):
                    yield ast.unparse(each)


def is_a_wait(name: str, call: ast.Call) -> bool:
    if name in CLOCKS or (name == "join" and not call.args and not call.keywords):
        return True
    return (name in WAITS or "timeout" in name) and any(map(is_number, call.args))


def is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))


def waits_by_file() -> dict[tuple[str, str], str]:
    files = [path for path in TESTS.rglob("*.py") if path != WAITING and "node_modules" not in path.parts]
    return {(str(path.relative_to(TESTS)), wait): "" for path in files for wait in waits(path)}


def test_every_test_waits_with_the_shared_helper() -> None:
    assert sorted(waits_by_file()) == sorted(EXCEPTIONS)


@pytest.mark.parametrize(
    ("code", "wait"),
    [
        ("time.sleep(1)", "sleep(1)"),
        ("thread.join()", "join()"),
        ("thread.join(20)", "join(20)"),
        ("run(command, timeout=60)", "timeout=60"),
        ("door.settimeout(5)", "settimeout(5)"),
        ("end = time.monotonic() + 5", "monotonic()"),
    ],
)
def test_other_waits_are_found(tmp_path: Path, code: str, wait: str) -> None:
    (tmp_path / "test_x.py").write_text(code)

    assert list(waits(tmp_path / "test_x.py")) == [wait]
