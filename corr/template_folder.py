"""Where all that is said to people stands: among the templates."""

from __future__ import annotations

from pathlib import Path


def folder() -> Path:
    """Where the templates are: inside the installed package, or beside it in a checkout."""
    inside = Path(__file__).parent / "templates"
    return (inside if inside.is_dir() else Path(__file__).parent.parent / "templates") / "en"
