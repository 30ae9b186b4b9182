"""The lines of the Procfile: which processes a house has, and by what each is run."""

from __future__ import annotations

from pathlib import Path


def lines() -> dict[str, str]:
    """Each line's name and its command, from inside the installed package or beside it in a checkout."""
    inside = Path(__file__).parent / "Procfile"
    text = (inside if inside.is_file() else Path(__file__).parent.parent / "Procfile").read_text("utf-8")
    pairs = (line.partition(":") for line in text.splitlines() if line)
    return {name: command.strip() for name, _, command in pairs}
