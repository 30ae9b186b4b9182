"""Mutation testing: breaks one small thing at a time in a package, and shows the breaks that no test finds.

    python -m bench.mutants corr/orders corr/rules corr/proof corr/game --mutants 50 --seed 1

A trace first notes which test reaches which line. Each mutant then meets the tests that reach its line: unit tests
first, quick ones first. A mutant lives in the memory of one process alone, so no file changes.
"""

from __future__ import annotations

import argparse
import ast
import copy
import functools
import gc
import itertools
import os
import pickle
import random
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import pytest

TESTS = {
    "corr/game": "tests/unit/game tests/server/service/test_turns.py",
    "corr/orders": "tests/unit/orders tests/server/orders",
    "corr/rules": "tests/unit/rules",
    "corr/proof": "tests/server/record",
}
#: The seconds of tests that a mutant meets, as traced, and the CPU seconds after which it is stopped.
SECONDS_OF_TESTS, SECONDS_OF_CPU = 30.0, 60
_BOTH_WAYS = ("Eq NotEq", "Lt LtE", "Gt GtE", "Is IsNot", "In NotIn", "And Or", "Add Sub", "BitAnd BitOr")
_ONE_WAY = ("Mult Add", "FloorDiv Mult", "Mod Mult", "BitXor BitOr", "Div Mult")
_PAIRS = [
    *map(str.split, _BOTH_WAYS),
    *(each.split()[::-1] for each in _BOTH_WAYS),
    *map(str.split, _ONE_WAY),
]
OPERATORS: dict[type[ast.AST], type[Any]] = {getattr(ast, one): getattr(ast, other) for one, other in _PAIRS}
#: We don't mutate types, decorators, assertions and docstrings.
LEFT_ALONE = ("annotation", "returns", "decorator_list")

#: How long a test takes, and which lines it reaches.
Reach = dict[str, tuple[float, set[tuple[str, int]]]]


class Mutant(NamedTuple):
    """A mutation: a node of a file and its replacement."""

    path: Path
    tree: ast.Module
    parent: ast.AST
    field: str
    place: int | None
    old: ast.AST
    new: ast.AST

    def __str__(self) -> str:
        old, new = (ast.unparse(each).partition("\n")[0] for each in (self.old, self.new))
        return f"{self.path}:{self.at[1]}  {old}  ->  {new}"

    @property
    def at(self) -> tuple[str, int]:
        return str(self.path.resolve()), self.old.lineno  # type: ignore[attr-defined]


def changes(node: ast.AST) -> Iterator[ast.AST]:  # noqa: C901
    """The possible replacements of a node."""
    match node:
        case ast.Compare(left, [operator, *more], rest) if type(operator) in OPERATORS:
            yield ast.Compare(left, [OPERATORS[type(operator)](), *more], rest)
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(OPERATORS[type(operator)](), values)
        case ast.BinOp(left, operator, right) if type(operator) in OPERATORS:
            yield ast.BinOp(left, OPERATORS[type(operator)](), right)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value)):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Constant(str(value)):
            yield ast.Constant(value + "X")
        case ast.If() | ast.IfExp():
            turned = copy.copy(node)
            turned.test = ast.UnaryOp(ast.Not(), node.test)
            yield turned
        case ast.Return(ast.expr() as value) if not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(ast.Call()) | ast.Raise() | ast.AugAssign() | ast.Continue() | ast.Break():
            yield ast.Pass()


def mutants(path: Path) -> Iterator[Mutant]:
    """All mutants of a file."""
    tree = ast.parse(path.read_text("utf-8"))
    waiting: list[ast.AST] = [tree]
    while waiting:
        parent = waiting.pop()
        for name, value in ast.iter_fields(parent):
            nodes = value if isinstance(value, list) else [value]
            for at, node in enumerate(nodes if name not in LEFT_ALONE else ()):
                is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
                if not isinstance(node, ast.AST) or isinstance(node, ast.Assert) or is_docstring:
                    continue
                waiting.append(node)
                for new in changes(node):
                    ast.fix_missing_locations(ast.copy_location(new, node))
                    yield Mutant(path, tree, parent, name, at if nodes is value else None, node, new)


def put_in_place(mutant: Mutant) -> None:
    """Replace the code of loaded functions by the mutant's."""
    path = str(mutant.path.resolve())
    if mutant.place is None:
        setattr(mutant.parent, mutant.field, mutant.new)
    else:
        getattr(mutant.parent, mutant.field)[mutant.place] = mutant.new
    waiting, codes = [compile(mutant.tree, path, "exec")], list[CodeType]()
    while waiting:
        codes.append(waiting.pop())
        waiting += (each for each in codes[-1].co_consts if isinstance(each, CodeType))
    places = Counter((each.co_qualname, each.co_firstlineno) for each in codes)
    new = {place: each for each in codes if places[place := (each.co_qualname, each.co_firstlineno)] == 1}
    gc.unfreeze()
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__code__.co_filename == path:
            place = each.__code__.co_qualname, each.__code__.co_firstlineno
            each.__code__ = new.get(place, each.__code__)
        elif isinstance(each, functools._lru_cache_wrapper):
            each.cache_clear()


def run(session: pytest.Session, tests: Sequence[pytest.Item]) -> int:
    """Run tests until one fails; return the number of failures."""
    for test, following in itertools.zip_longest(tests, tests[1:]):
        session.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
        if session.testsfailed:
            break
    return session.testsfailed


def trace(session: pytest.Session, package: str) -> Reach:
    """Run all tests, and record each one's time and lines."""
    ours, reach = str(Path(package).resolve()), Reach()
    for test, following in itertools.zip_longest(session.items, session.items[1:]):
        lines: set[tuple[str, int]] = set()

        def line(frame: Any, _event: str, _arg: object, lines: set[tuple[str, int]] = lines) -> Any:
            lines.add((frame.f_code.co_filename, frame.f_lineno))
            return line

        began = time.process_time()
        sys.settrace(lambda frame, *_, line=line: line if frame.f_code.co_filename.startswith(ours) else None)
        session.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
        sys.settrace(None)
        reach[test.nodeid] = time.process_time() - began, lines
    return reach


class Mutation:
    """A pytest plugin that runs the tests against one mutant after another."""

    def __init__(self, package: str, mutants_drawn: int, seed: int) -> None:
        self.package, self.mutants_drawn, self.seed = package, mutants_drawn, seed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        reach = self._reach(session)
        lines = set[tuple[str, int]]().union(*(lines for _, lines in reach.values()))
        every = [each for path in sorted(Path(self.package).rglob("*.py")) for each in mutants(path)]
        random.Random(self.seed).shuffle(every)  # so that a line more or less that is reached changes few
        reached = [each for each in every if each.at in lines]
        drawn = reached[: self.mutants_drawn]
        survivors = 0
        for mutant in drawn:
            if in_a_process(session, functools.partial(self._judge, session, mutant, reach)):
                survivors += 1
                print(mutant, flush=True)
        print(
            f"{self.package}: tests noticed {len(drawn) - survivors} of {len(drawn)} mutants, drawn from the "
            f"{len(reached)} of {len(every)} that they reach",
            flush=True,
        )
        return True

    def _reach(self, session: pytest.Session) -> Reach:
        with tempfile.NamedTemporaryFile() as noted:

            def note() -> int:
                Path(noted.name).write_bytes(pickle.dumps(trace(session, self.package)))
                return session.testsfailed

            if not in_a_process(session, note, 20 * SECONDS_OF_CPU):
                pytest.exit("The tests fail before anything is broken.", 1)
            reach: Reach = pickle.loads(Path(noted.name).read_bytes())
            return reach

    def _judge(self, session: pytest.Session, mutant: Mutant, reach: Reach) -> int:
        put_in_place(mutant)
        tests = [test for test in session.items if mutant.at in reach[test.nodeid][1]]
        tests.sort(key=lambda test: ("/unit/" not in test.nodeid, reach[test.nodeid][0]))
        spent = itertools.accumulate(reach[test.nodeid][0] for test in tests)
        return run(
            session, [test for test, so_far in zip(tests, spent, strict=True) if so_far < SECONDS_OF_TESTS]
        )


def in_a_process(session: pytest.Session, do: Callable[[], int], seconds: int = SECONDS_OF_CPU) -> bool:
    """Whether something exits with 0 in its own silent process within its time."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        child = os.fork()
        if child:
            return os.waitpid(child, 0)[1] == 0
        code = 1
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            signal.alarm(30 * seconds)
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            session.config._tmp_path_factory._basetemp = Path(folder)  # type: ignore[attr-defined]
            code = do()
        finally:
            os._exit(min(code, 1))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("packages", nargs="*", default=list(TESTS))
    parser.add_argument("--mutants", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    for package in told.packages:
        plugin = Mutation(package, told.mutants, told.seed)
        child = os.fork()  # what one package has loaded is no other's
        if child == 0:
            code = pytest.main(["-qq", "-s", "-p", "no:cacheprovider", *TESTS[package].split()], [plugin])
            sys.stdout.flush()
            os._exit(code)
        if os.waitpid(child, 0)[1] != 0:
            sys.exit(f"{package}: broken off.")


if __name__ == "__main__":
    main()
