"""How tests wait: by `tests/support/waiting.py` alone, so that a busy machine makes none of them fail."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
WAITING = TESTS / "support" / "waiting.py"
#: What reads a clock or rests by it.
CLOCKS = {"sleep", "monotonic", "perf_counter", "process_time", "thread_time"}
WAITS = {"wait", "join"}
#: Waits of their own, each with its reason.
EXCEPTIONS = {
    ("support/database_servers.py", "connect_timeout=2"): "asked again by wait_until",
    ("support/database_servers.py", "settimeout(1)"): "asked again by wait_until",
    (
        "support/procfile.py",
        "monotonic()",
    ): "the fault runs report how long an end takes; nothing depends on it",
    (
        "both/service/test_worker_rounds.py",
        "wait(0.3)",
    ): "holds two workers together if they meet, and passes if they don't",
    ("server/mail/test_transport.py", "timeout=0.05"): "a server that never answers: the shorter, the better",
    ("unit/web/test_umpire_wait.py", "wait(1)"): "no time: the number of what was written",
    (
        "unit/web/test_order_lock.py",
        "wait(0.001)",
    ): "gives others a chance to come in, and passes if they don't",
}


def waits(path: Path) -> Iterator[str]:
    """What a file waits for by a number of its own, or by no number at all, as it stands there."""
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


def found() -> dict[tuple[str, str], str]:
    files = [path for path in TESTS.rglob("*.py") if path != WAITING and "node_modules" not in path.parts]
    return {(str(path.relative_to(TESTS)), wait): "" for path in files for wait in waits(path)}


def test_every_test_waits_in_the_one_way() -> None:
    assert sorted(found()) == sorted(EXCEPTIONS)


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
def test_a_wait_of_its_own_is_found(tmp_path: Path, code: str, wait: str) -> None:
    (tmp_path / "test_x.py").write_text(code)

    assert list(waits(tmp_path / "test_x.py")) == [wait]
