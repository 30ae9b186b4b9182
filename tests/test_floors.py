"""Imports go down only: the map of the house, and a reader that refuses in plain words."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).parent.parent
STORE = tuple(f"corr.store.{name}" for name in ("session", "schema", "tables", "slips", "claims", "once"))

#: Who may import what, beside the standard library and its own folder. The longest fitting name is the rule.
MAP: dict[str, tuple[str, ...]] = {
    "corr": (),
    "corr.words": (),
    "corr.config": ("corr.words",),
    "corr.logbook": (),
    "corr.stop": (),
    "corr.broker": ("redis",),
    "corr.limits": ("redis",),
    "corr.buckets": ("redis",),
    "corr.orders": ("corr.words",),
    "corr.rules": ("corr.words", "chess"),
    "corr.game": ("corr.words",),
    "corr.visible": (),
    "corr.pages": ("corr.words", "corr.visible", "jinja2", "markupsafe"),
    "corr.sentences": ("corr.pages",),
    "corr.diagram": ("corr.words",),
    "corr.passkey": ("webauthn",),
    "corr.knock": ("corr.config", "celery"),
    "corr.mail": (
        "corr.words",
        "corr.orders",
        "corr.diagram",
        "corr.pages",
        "corr.visible",
        "corr.sentences",
        "aiosmtpd",
    ),
    "corr.store": ("corr.words", "sqlalchemy", "alembic"),
    "corr.store.migrations": ("corr.store", "alembic", "sqlalchemy"),
    "corr.desk": (
        "corr.words",
        "corr.config",
        "corr.orders",
        "corr.diagram",
        "corr.pages",
        "corr.passkey",
        "corr.sentences",
        "corr.game",
        "corr.mail",
        *STORE,
        "sqlalchemy",
    ),
    "corr.desk.catalogue": ("corr.words", "corr.rules", "corr.sentences"),
    "corr.desk.bench": ("corr.words", *STORE, "corr.rules", "corr.store.sealed", "sqlalchemy"),
    "corr.web": (
        "corr.words",
        "corr.config",
        "corr.orders",
        "corr.diagram",
        "corr.pages",
        "corr.sentences",
        "corr.knock",
        "corr.broker",
        "corr.limits",
        "corr.buckets",
        "corr.desk",
        "flask",
        "werkzeug.exceptions",
        "werkzeug.wrappers",
        "sqlalchemy.exc",
    ),
    "corr.web.serving": ("corr.config", "corr.desk.house", "corr.logbook", "corr.store.schema", "corr.words"),
    "corr.console": ("corr.words", "corr.orders", "corr.game", "corr.rules"),
    "corr.door": ("corr.desk", "corr.knock"),
    "worker.transport": ("kombu",),
    "worker": ("corr.desk", "corr.config", "corr.mail.post", "corr.knock", "celery"),
    "worker.main": (
        "corr.config",
        "corr.desk.house",
        "corr.knock",
        "corr.logbook",
        "corr.store.schema",
        "corr.words",
        "worker.tasks",
        "celery",
    ),
    "corr.demo": (
        "corr.words",
        "corr.config",
        "corr.knock",
        "corr.door",
        "corr.pages",
        "corr.sentences",
        "corr.desk",
        "corr.mail",
        "corr.stop",
        "corr.web",
        "corr.store.schema",
        "worker",
        "aiosmtpd",
        "celery",
        "click",
        "flask",
        "werkzeug",
    ),
    "corr.doctor": (
        "corr.words",
        "corr.config",
        "corr.broker",
        "corr.desk.alarms",
        "corr.desk.health",
        "corr.desk.house",
        "corr.desk.players",
        "corr.mail.listen",
        "corr.store.schema",
        "sqlalchemy",
    ),
    "corr.cli": (
        "corr.config",
        "corr.console",
        "corr.demo",
        "corr.desk",
        "corr.doctor",
        "corr.door",
        "corr.knock",
        "corr.logbook",
        "corr.mail",
        "corr.stop",
        "corr.store.copies",
        "corr.store.roles",
        "corr.store.schema",
        "corr.store.session",
        "corr.words",
        "click",
        "sqlalchemy",
    ),
}


def modules() -> list[Path]:
    return sorted(path for folder in ("corr", "worker") for path in (HOUSE / folder).rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(HOUSE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_inside(name: str, room: str) -> bool:
    return name == room or name.startswith(room + ".")


def imports_of(path: Path) -> set[str]:
    """Every module that a file imports, `from corr.store import sealed` as `corr.store.sealed`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if _is_module(name) else str(node.module) for name in whole}
    return found


def _is_module(name: str) -> bool:
    path = HOUSE / Path(*name.split("."))
    return path.with_suffix(".py").exists() or path.is_dir()


def refusals(path: Path) -> list[str]:
    name = name_of(path)
    room = max((each for each in MAP if is_inside(name, each)), key=len)
    allowed = (*MAP[room], room if room != "corr" else "corr.words")
    return [
        f"{path.relative_to(HOUSE)} may not import {found}"
        for found in sorted(imports_of(path))
        if found.partition(".")[0] not in sys.stdlib_module_names
        and not any(is_inside(found, each) for each in allowed)
    ]


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_imports_go_down_only(path: Path) -> None:
    assert refusals(path) == []


def test_the_reader_of_the_map_refuses_in_plain_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The map itself is tried: a page that imports chess, a desk that opens a truth."""
    monkeypatch.setattr(sys.modules[__name__], "HOUSE", tmp_path)
    (tmp_path / "corr" / "desk").mkdir(parents=True)
    (tmp_path / "corr" / "store").mkdir()
    (tmp_path / "corr" / "store" / "sealed.py").touch()
    page, desk = tmp_path / "corr" / "pages.py", tmp_path / "corr" / "desk" / "turns.py"
    page.write_text("import chess\n")
    desk.write_text("from corr.store import sealed\nfrom corr.rules.umpire import Truth\n")

    assert refusals(page) == ["corr/pages.py may not import chess"]
    assert refusals(desk) == [
        "corr/desk/turns.py may not import corr.rules.umpire",
        "corr/desk/turns.py may not import corr.store.sealed",
    ]
