"""Finds the folder of the templates."""

from __future__ import annotations

from pathlib import Path


def folder() -> Path:
    """Return the templates' folder, inside the installed package or in a checkout."""
    inside = Path(__file__).parent / "templates"
    return (inside if inside.is_dir() else Path(__file__).parent.parent / "templates") / "en"
