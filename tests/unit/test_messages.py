"""`messages.toml`: every sentence that the code uses is there, and every one there is used."""

from __future__ import annotations

import ast
import tomllib
from functools import cache
from pathlib import Path
from string import Formatter
from typing import TypeGuard

import pytest

from corr.text.messages import sentence, template_folder

ROOT = Path(__file__).parents[2]
GLOBS = ("corr/web/**/*.py", "corr/service/**/*.py", "corr/mail/**/*.py", "corr/demo/pages.py")

#: Modules that may hold sentences for people.
ALLOWED = {
    "corr/service/admin/game_decisions.py": "the umpire's words, stored with the decision",
    "corr/mail/imap.py": "errors for an operator, in English, when a process can't start",
    "corr/mail/outward/dkim.py": "the same",
    "corr/mail/outward/transport.py": "the same",
    "corr/web/admin/metrics.py": "Prometheus reads its help lines",
}


@cache
def sentences() -> dict[str, str]:
    tables = tomllib.loads((template_folder() / "messages.toml").read_text("utf-8"))
    return {f"{table}.{name}": text for table, said in tables.items() for name, text in said.items()}


def placeholders(text: str) -> set[str]:
    return {place for _, place, _, _ in Formatter().parse(text) if place is not None}


@cache
def calls() -> list[ast.Call]:
    trees = (ast.parse(path.read_text("utf-8")) for path in (ROOT / "corr").rglob("*.py"))
    return [node for tree in trees for node in ast.walk(tree) if is_call(node)]


def is_call(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sentence"


def text_of(node: ast.AST) -> str | None:
    """Return the text of a string in the code, with `X` for each placeholder; None for anything else."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=pieces):
            return "".join(text_of(piece) or "X" for piece in pieces)
    return None


def names_used() -> set[str]:
    """Return the names in the code; `spans.X` for a table whose entry is chosen at run time."""
    return {text_of(call.args[0]) or ast.unparse(call.args[0]) for call in calls()}


def is_for_a_person(text: str) -> bool:
    return text[:1].isupper() and " " in text and text.endswith((".", "?", "!"))


def sentences_in(path: Path) -> list[str]:
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = (text_of(node) for node in ast.walk(tree) if id(node) not in docstrings)
    return [text for text in found if text and is_for_a_person(text)]


def test_every_sentence_that_the_code_uses_exists() -> None:
    tables = {f"{name.partition('.')[0]}.X" for name in sentences()}

    assert names_used() <= sentences().keys() | tables


def test_every_sentence_is_used() -> None:
    said = names_used()

    unsaid = {name for name in sentences() if not {name, f"{name.partition('.')[0]}.X"} & said}
    assert unsaid == set()


def test_every_call_fills_in_all_placeholders() -> None:
    for call in calls():
        name = text_of(call.args[0]) or ""
        if name in sentences():
            assert {keyword.arg for keyword in call.keywords} == placeholders(sentences()[name]), name


def test_python_modules_hold_no_sentences_for_people() -> None:
    paths = [path for room in GLOBS for path in ROOT.glob(room)]
    found = {path.relative_to(ROOT).as_posix(): sentences_in(path) for path in paths}

    assert {path: texts for path, texts in found.items() if texts and path not in ALLOWED} == {}
    assert [path for path in ALLOWED if not found[path]] == []


def test_placeholders_in_user_input_are_not_filled_in() -> None:
    assert sentence("names.nobody", name="{most}") == "There is no player called {most}."


def test_an_unknown_sentence_or_a_missing_value_raises() -> None:
    with pytest.raises(KeyError):
        sentence("names.never_heard_of")
    with pytest.raises(KeyError):
        sentence("names.nobody")
