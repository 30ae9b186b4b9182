"""Reads the Procfile: the server's processes and their commands."""

from __future__ import annotations

from pathlib import Path


def read_procfile() -> dict[str, str]:
    """Return each process's name and command, from the installed package or from a checkout."""
    inside = Path(__file__).parent / "Procfile"
    text = (inside if inside.is_file() else Path(__file__).parent.parent / "Procfile").read_text("utf-8")
    pairs = (line.partition(":") for line in text.splitlines() if line)
    return {name: command.strip() for name, _, command in pairs}
