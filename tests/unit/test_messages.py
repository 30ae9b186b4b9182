"""The sentences among the templates: what the code says is there, and what is there the code says."""

from __future__ import annotations

import ast
import tomllib
from functools import cache
from pathlib import Path
from string import Formatter
from typing import TypeGuard

import pytest

from corr.text.messages import sentence, template_folder

HOUSE = Path(__file__).parents[2]
ROOMS = ("corr/web/**/*.py", "corr/service/**/*.py", "corr/mail/**/*.py", "corr/demo/pages.py")

#: Where sentences may stand in Python.
STAY = {
    "corr/service/admin/game_decisions.py": "the umpire's words, kept with the decree",
    "corr/mail/imap.py": "told to an operator, in English, when a process can't start",
    "corr/mail/outward/dkim.py": "the same",
    "corr/mail/outward/transport.py": "the same",
    "corr/web/admin/metrics.py": "Prometheus reads its help lines",
}


@cache
def written() -> dict[str, str]:
    tables = tomllib.loads((template_folder() / "sentences.toml").read_text("utf-8"))
    return {f"{table}.{name}": text for table, said in tables.items() for name, text in said.items()}


def places(text: str) -> set[str]:
    return {place for _, place, _, _ in Formatter().parse(text) if place is not None}


@cache
def calls() -> list[ast.Call]:
    trees = (ast.parse(path.read_text("utf-8")) for path in (HOUSE / "corr").rglob("*.py"))
    return [node for tree in trees for node in ast.walk(tree) if is_call(node)]


def is_call(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sentence"


def as_read(node: ast.AST) -> str | None:
    """The text of a string in the code, `X` for what is filled in; None for anything else."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=pieces):
            return "".join(as_read(piece) or "X" for piece in pieces)
    return None


def names_said() -> set[str]:
    """By their names; `spans.X` for all of a table, of which the code says one or another."""
    return {as_read(call.args[0]) or ast.unparse(call.args[0]) for call in calls()}


def is_for_a_person(text: str) -> bool:
    return text[:1].isupper() and " " in text and text.endswith((".", "?", "!"))


def sentences_in(path: Path) -> list[str]:
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = (as_read(node) for node in ast.walk(tree) if id(node) not in docstrings)
    return [text for text in found if text and is_for_a_person(text)]


def test_every_sentence_that_the_code_says_is_written() -> None:
    tables = {f"{name.partition('.')[0]}.X" for name in written()}

    assert names_said() <= written().keys() | tables


def test_every_sentence_that_is_written_is_said() -> None:
    said = names_said()

    unsaid = {name for name in written() if not {name, f"{name.partition('.')[0]}.X"} & said}
    assert unsaid == set()


def test_every_call_fills_in_what_its_sentence_leaves_open() -> None:
    for call in calls():
        name = as_read(call.args[0]) or ""
        if name in written():
            assert {keyword.arg for keyword in call.keywords} == places(written()[name]), name


def test_no_sentence_for_a_person_stands_in_python() -> None:
    paths = [path for room in ROOMS for path in HOUSE.glob(room)]
    found = {path.relative_to(HOUSE).as_posix(): sentences_in(path) for path in paths}

    assert {path: texts for path, texts in found.items() if texts and path not in STAY} == {}
    assert [path for path in STAY if not found[path]] == []


def test_what_a_person_typed_is_never_read_as_a_sentence_to_fill_in() -> None:
    assert sentence("names.nobody", name="{most}") == "There is no player called {most}."


def test_an_unknown_sentence_and_a_missing_value_are_mistakes() -> None:
    with pytest.raises(KeyError):
        sentence("names.never_heard_of")
    with pytest.raises(KeyError):
        sentence("names.nobody")
