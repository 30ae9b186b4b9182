"""Looks up the sentences for people, by their names in the templates."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path


def sentence(name: str, /, **values: object) -> str:
    """Return a sentence with its values filled in; KeyError if the sentence or a value is missing."""
    return _sentences()[name].format_map(values)


@cache
def _sentences() -> dict[str, str]:
    tables = tomllib.loads((template_folder() / "messages.toml").read_text("utf-8"))
    return {f"{table}.{name}": text for table, said in tables.items() for name, text in said.items()}


def template_folder() -> Path:
    """Return the templates' folder, inside the installed package or in a checkout."""
    inside = Path(__file__).parent.parent / "templates"
    return (inside if inside.is_dir() else Path(__file__).parent.parent.parent / "templates") / "en"
