"""Query results are typed: every row in the service and the website has fields that mypy knows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TypeGuard, get_args, get_type_hints

import pytest
from sqlalchemy import inspect

ROOT = Path(__file__).parents[2]
MODULES = sorted((*ROOT.glob("corr/service/**/*.py"), *ROOT.glob("corr/web/**/*.py")))
#: Functions that make typed rows; and methods that return one column, or a count.
TYPED = ("rows_of", "one_of", "one_or_none_of", "pairs_of", "dicts_of")
ONE_COLUMN = ("scalars", "scalar_one", "scalar_one_or_none", "rowcount")
#: Objects whose `execute` isn't a database's.
OTHER_EXECUTORS = ("pipe",)
ADVICE = "make its rows a NamedTuple in the line that runs the query, with corr/store/rows.py"


def untyped_rows(source: str) -> Iterator[str]:
    """Yield a sentence for each line of a module that takes untyped rows."""
    tree = ast.parse(source)
    around = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and any(
            each.name in ("Row", "RowMapping") for each in node.names
        ):
            yield f"line {node.lineno} passes on untyped rows: {ADVICE}"
        if _executes(node) and not _is_typed(node, around[node]):
            yield f"line {node.lineno} takes untyped rows: {ADVICE}"


def _executes(node: ast.AST) -> TypeGuard[ast.Call]:
    if not (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "execute"
    ):
        return False
    return ast.unparse(node.func.value) not in OTHER_EXECUTORS


def _is_typed(asked: ast.AST, around: ast.AST) -> bool:
    """Return whether a result is discarded, typed at once, or asked for one column only."""
    match around:
        case ast.Expr():
            return True
        case ast.Attribute(attr=taken):
            return taken in ONE_COLUMN
        case ast.Call(func=ast.Name(id=maker)):
            return maker in TYPED
    return False


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_has_no_untyped_rows(module: Path) -> None:
    assert not list(untyped_rows(module.read_text()))


@pytest.mark.parametrize(
    "source",
    [
        "from sqlalchemy import Connection, Row",
        "from sqlalchemy import RowMapping",
        "rows = connection.execute(ALL)",
        "for row in connection.execute(ALL): print(row.name)",
        "row = connection.execute(ONE).one()",
        "names = [row.name for row in connection.execute(ALL).all()]",
        "first = connection.execute(ALL).mappings().first()",
    ],
)
def test_untyped_rows_are_found(source: str) -> None:
    (sentence,) = untyped_rows(source)
    assert sentence.startswith("line 1 ")
    assert sentence.endswith(ADVICE)


@pytest.mark.parametrize(
    "source",
    [
        "connection.execute(CHANGE)",
        "changed = connection.execute(CHANGE).rowcount",
        "ids = connection.execute(IDS).scalars().all()",
        "games = rows_of(Game, connection.execute(GAMES))",
        "((seat, game),) = pairs_of(Seat, Game, connection.execute(SEAT))",
    ],
)
def test_typed_rows_are_accepted(source: str) -> None:
    assert not list(untyped_rows(source))


def _columns_by_name(module: Path) -> Iterator[tuple[str, object, object]]:
    """Yield each field of a row class that takes a column by name: the field, its type, and the column's."""
    source = module.read_text()
    if "columns_of(" not in source:
        return
    names = vars(import_module(".".join(module.relative_to(ROOT).with_suffix("").parts)))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "columns_of":
            kind, *tables = (eval(ast.unparse(each), names) for each in node.args)
            given = {each.arg for each in node.keywords}
            for each in node.keywords:
                given |= set() if each.arg else eval(ast.unparse(each.value), names).keys()
            for field, hint in get_type_hints(kind).items():
                if field not in given:
                    owner = next(inspect(table).mapper.class_ for table in tables if hasattr(table, field))
                    (mapped,) = get_args(get_type_hints(owner)[field])
                    yield field, hint, mapped


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_column_taken_by_name_has_its_fields_type(module: Path) -> None:
    for field, hint, stored in _columns_by_name(module):
        assert {*(get_args(stored) or (stored,))} <= {*(get_args(hint) or (hint,))}, field
