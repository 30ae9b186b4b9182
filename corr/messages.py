"""Looks up the sentences for people, by their names in the templates."""

from __future__ import annotations

import tomllib
from functools import cache

from corr.template_folder import folder


def sentence(name: str, /, **values: object) -> str:
    """Return a sentence with its values filled in; KeyError if the sentence or a value is missing."""
    return _sentences()[name].format_map(values)


@cache
def _sentences() -> dict[str, str]:
    tables = tomllib.loads((folder() / "sentences.toml").read_text("utf-8"))
    return {f"{table}.{name}": text for table, said in tables.items() for name, text in said.items()}
