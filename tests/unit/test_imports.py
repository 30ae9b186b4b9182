"""Which modules a package may import; a refusal names both modules."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]


class Package(NamedTuple):
    """A package of ours: its purpose and what it may import."""

    purpose: str
    may_import: tuple[str, ...]


STORE = tuple(
    f"corr.store.{name}"
    for name in (
        "session",
        "version",
        "tables",
        "slips",
        "locks",
        "texts",
        "rows",
        "server_secrets",
    )
)

#: What every package of the service may import, and every package of the website.
SERVICE = (
    "corr.words",
    "corr.config",
    "corr.orders",
    "corr.text.messages",
    "corr.service.answer_timing",
    "corr.notifications",
    "corr.mail",
    "corr.service.server",
    "corr.service.catalogue",
    "corr.record",
    *STORE,
    "sqlalchemy",
)
WEB = (
    "corr.words",
    "corr.config",
    "corr.orders",
    "corr.images",
    "corr.text",
    "corr.service.answer_timing",
    "corr.notifications",
    "corr.worker_wakeup",
    "corr.processes",
    "corr.service",
    "flask",
    "werkzeug.exceptions",
    "werkzeug.wrappers",
    "sqlalchemy.exc",
)

#: Each package: its purpose (also its docstring, and in docs/architecture.md), and what it may import beside the
#: standard library and itself.
PACKAGES: dict[str, Package] = {
    "corr": Package(
        "Kriegspiel by email: the umpire is never wrong and never writes to the wrong player.",
        (),
    ),
    "corr.words": Package(
        "What may pass from the umpire to a player: the vocabularies that import nothing else.",
        (),
    ),
    "corr.text": Package(
        "Templates and sentences: how they are found, filled in and made readable.",
        ("corr.words", "corr.player_settings", "jinja2", "markupsafe"),
    ),
    "corr.images": Package(
        "Boards and finished games as pictures.",
        ("corr.words",),
    ),
    "corr.orders": Package(
        "Turns a line of text into orders, or says where it went wrong: one grammar for all.",
        ("corr.words", "corr.player_settings"),
    ),
    "corr.rules": Package(
        "The rules: what all umpires share, the retelling of finished games, and the variants.",
        (),
    ),
    "corr.rules.core": Package(
        "What umpires are made of: the board, the moves, the announcements and the slips.",
        ("corr.words", "chess"),
    ),
    "corr.rules.retold": Package(
        "Retells a finished game as score, PGN and replay, and shows a turn on the rules page.",
        ("corr.words", "corr.rules.core", "chess"),
    ),
    "corr.rules.variants": Package(
        "The umpires: every module here with an `UMPIRE` is found automatically.",
        ("corr.words", "corr.rules.core", "chess"),
    ),
    "corr.game": Package(
        "A match in any variant: what both sides know of it, and what a side remembers. Pure.",
        ("corr.words", "corr.orders"),
    ),
    "corr.record": Package(
        "The record of a game, one line a turn, and the seals that prove it.",
        ("corr.words",),
    ),
    "corr.proof": Package(
        "Checks a record: its seals, its rules, and the emails that were sent.",
        ("corr.words", "corr.orders", "corr.record", "corr.rules", "corr.game"),
    ),
    "corr.bots": Package(
        "How bots think: each knows only the slips of its own seat.",
        ("corr.words", "corr.rules", "chess"),
    ),
    "corr.notifications": Package(
        "Webhooks and other notifications: what a call says, where it may go, and how it gets there.",
        ("corr.words", "corr.text.messages"),
    ),
    "corr.bot_runner": Package(
        "Bots at their tables: each reads its own seat's slips and writes into the inbox like anyone.",
        (
            "corr.words",
            "corr.orders",
            "corr.bots",
            "corr.rules.variants",
            "corr.service.server",
            "corr.service.players.house_bots",
            "corr.service.games.log_view",
            "corr.service.games.log_rows",
            "corr.service.games.slip_queries",
            "corr.service.games.page_orders",
            *STORE,
            "sqlalchemy",
        ),
    ),
    "corr.mail": Package(
        "Email: reading, composing, sending.",
        ("corr.words", "aiosmtpd", "imapclient"),
    ),
    "corr.mail.inward": Package(
        "Incoming email: from its bytes to what it says, who wrote it, and what it answers.",
        ("corr.words", "corr.orders", "corr.text.messages", "corr.mail.failure_reason"),
    ),
    "corr.mail.outward": Package(
        "Outgoing email: from what it says to its bytes, and on its way.",
        (
            "corr.words",
            "corr.mail.failure_reason",
            "corr.images",
            "corr.text",
            "corr.mail.inward",
            "cryptography",
        ),
    ),
    "corr.store": Package(
        "The database: its tables, and what is written into them once.",
        ("corr.words", "corr.player_settings", "sqlalchemy", "alembic"),
    ),
    "corr.store.tables": Package(
        "The open tables: everything we keep but the truths.",
        ("corr.store.compression", "sqlalchemy"),
    ),
    "corr.store.migrations": Package(
        "The history of the tables: those of the first release, then one file for each change.",
        ("corr.words", "corr.store", "alembic", "sqlalchemy"),
    ),
    "corr.service": Package(
        "What the server does, each thing in one transaction, room by room.",
        (
            "corr.words",
            "corr.config",
            "corr.mail.outward",
            "corr.service.answer_timing",
            "corr.notifications",
            *STORE,
            "sqlalchemy",
        ),
    ),
    "corr.service.players": Package(
        "Players: names, addresses, settings and signed-in devices.",
        (*SERVICE, "corr.game", "corr.text", "corr.player_settings"),
    ),
    "corr.service.ratings": Package(
        "Rates each rated game once, and can take it back.",
        (*SERVICE, "corr.game", "corr.service.players"),
    ),
    "corr.service.games": Package(
        "One game and its two seats: what each side gets, whose turn it is, and what a player reads of it.",
        (*SERVICE, "corr.game", "corr.images", "corr.text", "corr.service.players", "corr.service.ratings"),
    ),
    "corr.service.community": Package(
        "What everyone may see: players' pages, leaderboards, and the archive of finished games.",
        (*SERVICE, "corr.game", "corr.service.players", "corr.service.ratings", "corr.service.games"),
    ),
    "corr.service.events": Package(
        "Events: sections that fill and begin automatically, and a pyramid for each variant.",
        (
            *SERVICE,
            "corr.game",
            "corr.service.players",
            "corr.service.ratings",
            "corr.service.games",
            "corr.service.community",
        ),
    ),
    "corr.service.lobby": Package(
        "How two people start a game: challenges, their answers, and emails to the site.",
        (*SERVICE, "corr.game", "corr.service.players", "corr.service.games", "corr.service.events"),
    ),
    "corr.service.mail": Package(
        "Email in, each read once, and email out, each composed once.",
        (
            *SERVICE,
            "corr.game",
            "corr.service.players",
            "corr.service.games",
            "corr.service.events",
            "corr.service.lobby",
        ),
    ),
    "corr.service.admin": Package(
        "What an operator, who may play too, can see and do.",
        (
            *SERVICE,
            "corr.game",
            "corr.service.players",
            "corr.service.ratings",
            "corr.service.games",
            "corr.service.events",
            "corr.service.lobby",
            "corr.service.mail",
        ),
    ),
    "corr.web": Package(
        "The website, by the service's subjects, and what every request passes first.",
        (*WEB, "corr.processes", "corr.store.version"),
    ),
    "corr.web.account": Package(
        "A player's own pages: signing in, settings, devices, passkeys.",
        (
            *WEB,
            "corr.player_settings",
            "corr.service.players",
            "corr.web.browser_session",
        ),
    ),
    "corr.web.games": Package(
        "The pages of games: a player's table, your own games, and finished games.",
        (
            *WEB,
            "corr.service.games",
            "corr.proof",
            "corr.web.browser_session",
            "corr.web.order_submission",
        ),
    ),
    "corr.web.community": Package(
        "The pages of players, leaderboards, and the archive of finished games.",
        (
            *WEB,
            "corr.game",
            "corr.service.community",
            "corr.web.browser_session",
            "corr.web.order_submission",
            "corr.web.games",
        ),
    ),
    "corr.web.lobby": Package(
        "The pages on which two people start a game.",
        (*WEB, "corr.service.lobby", "corr.web.browser_session", "corr.web.account"),
    ),
    "corr.web.api": Package(
        "The JSON API for players' own bots, each with a token.",
        (*WEB, "corr.web.browser_session", "corr.web.order_submission"),
    ),
    "corr.web.reconchess": Package(
        "The protocol of `reconchess`, so that its bots play here unchanged.",
        (*WEB, "corr.web.browser_session", "corr.web.order_submission", "corr.web.api.token_auth"),
    ),
    "corr.web.admin": Package(
        "The operators' pages, and the figures for monitoring.",
        (*WEB, "corr.service.admin", "corr.web.browser_session", "corr.web.account"),
    ),
    "corr.commands": Package(
        "The commands of `corr`; each module is loaded when its command runs.",
        (
            "corr.words",
            "corr.config",
            "corr.demo",
            "corr.service",
            "corr.doctor",
            "corr.processes",
            "corr.quickstart",
            "corr.worker_wakeup",
            "corr.processes",
            "corr.proof",
            "corr.mail",
            "corr.store",
            "click",
            "sqlalchemy.exc",
        ),
    ),
    "corr.demo": Package(
        "The whole server in one process, with a page of mailboxes, to try it.",
        (
            "corr.words",
            "corr.config",
            "corr.worker_wakeup",
            "corr.text",
            "corr.service",
            "corr.mail",
            "corr.service.answer_timing",
            "corr.processes",
            "corr.web",
            "corr.store.migrate",
            "corr.store.session",
            "corr.store.version",
            "worker",
            "aiosmtpd",
            "celery",
            "click",
            "flask",
            "werkzeug",
        ),
    ),
    "corr.doctor": Package(
        "`corr doctor`: what is set, what answers, what is wrong and how to fix it.",
        (
            "corr.words",
            "corr.config",
            "corr.processes",
            "corr.service.mail.compose_failures",
            "corr.service.mail.doctor_email",
            "corr.service.admin.statistics",
            "corr.service.server",
            "corr.service.players.players",
            "corr.mail.imap",
            "corr.mail.smtp_server",
            "corr.mail.outward.transport",
            "corr.mail.outward.transport",
            "corr.store.version",
            "cryptography",
            "dkim",
            "dns",
            "sqlalchemy",
        ),
    ),
    "corr.quickstart": Package(
        "`corr quickstart`: writes all files for a server into one folder.",
        ("corr.words", "corr.processes", "cryptography", "jinja2"),
    ),
    "worker": Package(
        "The background processes: Celery's workers, and the beat that wakes them.",
        (
            "corr.service",
            "corr.bot_runner",
            "corr.config",
            "corr.mail.outward.transport",
            "corr.worker_wakeup",
            "celery",
        ),
    ),
}

#: Single modules that may import something else than their package.
FILES: dict[str, tuple[str, ...]] = {
    "corr.config": ("corr.words",),
    "corr.limits": (),
    "corr.player_settings": (),
    "corr.worker_wakeup": ("corr.config", "celery"),
    "corr.service.catalogue": ("corr.words", "corr.rules", "corr.text.messages"),
    "corr.service.pictures": ("corr.words", "corr.orders", "corr.text.messages", "corr.service.catalogue"),
    "corr.service.games.umpire_access": (
        "corr.words",
        *STORE,
        "corr.rules",
        "corr.store.truths",
        "sqlalchemy",
    ),
    "corr.service.worker_rounds": (*SERVICE, "corr.service"),
    "corr.web.wsgi": (*WEB, "corr.service.mail.entrance", "corr.web"),
    "corr.web.gunicorn_settings": (
        "corr.config",
        "corr.service.server",
        "corr.processes",
        "corr.store.version",
        "corr.text.template_env",
        "corr.words",
    ),
    "worker.transport": ("kombu",),
    "worker.app": ("corr.config", "corr.processes", "corr.words", "corr.worker_wakeup", "celery"),
    "worker.__main__": ("corr.worker_wakeup", "worker.app", "worker.main"),
    "worker.main": (
        "corr.service.server",
        "corr.store.version",
        "corr.worker_wakeup",
        "worker.app",
        "worker.tasks",
    ),
    "corr.cli": ("corr.words", "click"),
    "corr.commands.parse_email": ("corr.mail.inward.incoming_email", "click"),
    "corr.web.events": (
        *WEB,
        "corr.service.events",
        "corr.web.browser_session",
        "corr.web.order_submission",
        "corr.web.account",
    ),
    "corr.processes": ("redis",),
    "corr.text.messages": (),
    "corr.text.visible_text": (),
    "corr.notifications.push_request": ("corr.notifications.push_devices", "cryptography"),
    "corr.web.rate_limit": (*WEB, "corr.web.assets", "corr.web.browser_session", "redis"),
    "corr.service.answer_timing": (),
    "corr.service.games.checkpoints": (*SERVICE, "corr.service.players", "corr.service.games.signing_key"),
    "corr.service.games.signing_key": ("cryptography",),
    "corr.service.players.passkey_data": (),
    "corr.service.players.passkey_signatures": ("corr.service.players.passkey_data", "webauthn"),
    "corr.service.mail.entrance": ("corr.service", "corr.worker_wakeup"),
    "corr.commands.umpire": ("corr.words", "corr.orders", "corr.game", "corr.rules", "click"),
}

#: What each package or module may import; the longest matching name applies.
MAY_IMPORT = {name: package.may_import for name, package in PACKAGES.items()} | FILES
#: The service's packages: each may import those before it.
ORDER = ("players", "ratings", "games", "community", "events", "lobby", "mail", "admin", "worker_rounds")


def modules() -> list[Path]:
    return sorted(path for folder in ("corr", "worker") for path in (ROOT / folder).rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_inside(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def imports_of(path: Path) -> set[str]:
    """Return every module that a file imports: `from corr.store import truths` gives `corr.store.truths`."""
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
    path = ROOT / Path(*name.split("."))
    return path.with_suffix(".py").exists() or path.is_dir()


def refusals(path: Path) -> list[str]:
    name = name_of(path)
    package = max((each for each in MAY_IMPORT if is_inside(name, each)), key=len)
    allowed = (*MAY_IMPORT[package], "corr.limits", package if package != "corr" else "corr.words")
    return [
        f"{path.relative_to(ROOT)} may not import {found}"
        for found in sorted(imports_of(path))
        if found.partition(".")[0] not in sys.stdlib_module_names
        and not any(is_inside(found, each) for each in allowed)
    ]


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_a_module_imports_only_what_it_may(path: Path) -> None:
    assert refusals(path) == []


@pytest.mark.parametrize("at", range(len(ORDER)), ids=ORDER)
def test_a_package_of_the_service_imports_only_those_before_it(at: int) -> None:
    used = MAY_IMPORT[f"corr.service.{ORDER[at]}"]

    assert not [
        later for later in ORDER[at + 1 :] if any(is_inside(each, f"corr.service.{later}") for each in used)
    ]


def test_every_package_has_its_purpose_as_docstring() -> None:
    folders = {path for path in modules() if path.name == "__init__.py"}

    docstrings = {name_of(path): ast.get_docstring(ast.parse(path.read_text())) for path in folders}

    assert docstrings == {name: package.purpose for name, package in PACKAGES.items()}


def delays_of(tree: ast.AST) -> list[str]:
    """Return arguments that delay a task: the queue might deliver it twice meanwhile, or lose it."""
    named = (keyword for node in ast.walk(tree) if isinstance(node, ast.Call) for keyword in node.keywords)
    return [keyword.arg for keyword in named if keyword.arg in ("eta", "countdown")]


def test_no_task_is_delayed_in_the_queue() -> None:
    assert delays_of(ast.parse("task.apply_async(countdown=60)")) == ["countdown"]
    assert [path for path in modules() if delays_of(ast.parse(path.read_text("utf-8")))] == []


def test_architecture_md_lists_the_packages() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    shown = re.findall(r"^\| `([\w/]+)/` \| (.+) \|$", page, re.MULTILINE)

    assert [(folder.replace("/", "."), line) for folder, line in shown] == [
        (name, package.purpose) for name, package in PACKAGES.items()
    ]


def test_a_refusal_names_the_file_and_the_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two files that must be refused: a template module with chess, a service with a truth."""
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    (tmp_path / "corr" / "service" / "games").mkdir(parents=True)
    (tmp_path / "corr" / "store").mkdir()
    (tmp_path / "corr" / "text").mkdir()
    (tmp_path / "corr" / "store" / "truths.py").touch()
    page, service = (
        tmp_path / "corr" / "text" / "template_env.py",
        tmp_path / "corr" / "service" / "games" / "turns.py",
    )
    page.write_text("import chess\n")
    service.write_text("from corr.store import truths\nfrom corr.rules.core.umpire import Truth\n")

    assert refusals(page) == ["corr/text/template_env.py may not import chess"]
    assert refusals(service) == [
        "corr/service/games/turns.py may not import corr.rules.core.umpire",
        "corr/service/games/turns.py may not import corr.store.truths",
    ]
