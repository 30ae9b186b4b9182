"""Imports go down only: the map of the house, and a reader that refuses in plain words."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

HOUSE = Path(__file__).parents[2]


class Room(NamedTuple):
    """A folder of the house."""

    is_for: str
    may_use: tuple[str, ...]


STORE = tuple(
    f"corr.store.{name}"
    for name in (
        "session",
        "version",
        "tables",
        "slips",
        "claims",
        "once",
        "parcels",
        "originals",
        "rows",
        "space",
    )
)

#: What every room of the desk may use; and every page.
DESK = (
    "corr.words",
    "corr.config",
    "corr.orders",
    "corr.sentences",
    "corr.pace",
    "corr.calls",
    "corr.mail",
    "corr.desk.house",
    "corr.desk.catalogue",
    "corr.record",
    *STORE,
    "sqlalchemy",
)
WEB = (
    "corr.words",
    "corr.config",
    "corr.orders",
    "corr.diagram",
    "corr.pages",
    "corr.wording",
    "corr.sentences",
    "corr.pace",
    "corr.calls",
    "corr.knock",
    "corr.broker",
    "corr.desk",
    "flask",
    "werkzeug.exceptions",
    "werkzeug.wrappers",
    "sqlalchemy.exc",
)

#: Each room: what it is for, which its docstring says and docs/architecture.md shows, and what it may use beside the
#: standard library and itself.
ROOMS: dict[str, Room] = {
    "corr": Room(
        "Kriegspiel by email: the umpire is never wrong and never writes to the wrong player.",
        (),
    ),
    "corr.words": Room(
        "What may pass from the umpire to a player: five vocabularies that import nothing else.",
        (),
    ),
    "corr.orders": Room(
        "Turns a line of text into orders, or says where it went wrong: one grammar for all.",
        ("corr.words",),
    ),
    "corr.rules": Room(
        "The rules: what all umpires share, the retelling of finished games, and the variants.",
        (),
    ),
    "corr.rules.core": Room(
        "What umpires are made of: the board, the moves, the announcements and the slips.",
        ("corr.words", "chess"),
    ),
    "corr.rules.retold": Room(
        "Retells a finished game as score, PGN and replay, and shows a turn on the rules page.",
        ("corr.words", "corr.rules.core", "chess"),
    ),
    "corr.rules.variants": Room(
        "The umpires: every module here with an `UMPIRE` is found automatically.",
        ("corr.words", "corr.rules.core", "chess"),
    ),
    "corr.game": Room(
        "A match in any variant: what both sides know of it, and what a side remembers. Pure.",
        ("corr.words", "corr.orders"),
    ),
    "corr.record": Room(
        "The record of a game, one line a turn, and the seals that prove it.",
        ("corr.words",),
    ),
    "corr.proof": Room(
        "Checks a record: its seals, its rules, and the emails that were sent.",
        ("corr.words", "corr.orders", "corr.record", "corr.rules", "corr.game"),
    ),
    "corr.bots": Room(
        "How bots think: each knows only the slips of its own seat.",
        ("corr.words", "corr.rules", "chess"),
    ),
    "corr.calls": Room(
        "Webhooks and other notifications: what a call says, where it may go, and how it gets there.",
        ("corr.words", "corr.sentences"),
    ),
    "corr.programs": Room(
        "Bots at their tables: each reads its own seat's slips and writes into the inbox like anyone.",
        (
            "corr.words",
            "corr.orders",
            "corr.bots",
            "corr.rules.variants",
            "corr.desk.house",
            "corr.desk.people.programs",
            "corr.desk.table.history",
            "corr.desk.table.log",
            "corr.desk.table.page",
            *STORE,
            "sqlalchemy",
        ),
    ),
    "corr.mail": Room(
        "Email: reading, composing, sending.",
        ("corr.words", "aiosmtpd", "imapclient"),
    ),
    "corr.mail.inward": Room(
        "Incoming email: from its bytes to what it says, who wrote it, and what it answers.",
        ("corr.words", "corr.orders", "corr.sentences", "corr.mail.failure"),
    ),
    "corr.mail.outward": Room(
        "Outgoing email: from what it says to its bytes, and on its way.",
        (
            "corr.words",
            "corr.mail.failure",
            "corr.diagram",
            "corr.film",
            "corr.pages",
            "corr.wording",
            "corr.visible",
            "corr.sentences",
            "corr.mail.inward",
            "cryptography",
        ),
    ),
    "corr.store": Room(
        "The database: its tables, and what is written into them once.",
        ("corr.words", "sqlalchemy", "alembic"),
    ),
    "corr.store.tables": Room(
        "The open tables: everything we keep but the truths.",
        ("corr.store.packed", "sqlalchemy"),
    ),
    "corr.store.migrations": Room(
        "The history of the tables, one file for each change.",
        ("corr.words", "corr.store", "alembic", "sqlalchemy"),
    ),
    "corr.desk": Room(
        "What the server does, each thing in one transaction, room by room.",
        ("corr.words", "corr.config", "corr.mail.outward", "corr.pace", "corr.calls", *STORE, "sqlalchemy"),
    ),
    "corr.desk.people": Room(
        "Players: names, addresses, settings and signed-in devices.",
        (*DESK, "corr.game", "corr.pages", "corr.passkey", "corr.ceremony", "corr.device", "corr.push"),
    ),
    "corr.desk.ratings": Room(
        "Rates each rated game once, and can take it back.",
        (*DESK, "corr.game", "corr.desk.people"),
    ),
    "corr.desk.table": Room(
        "One game and its two seats: what each side gets, whose turn it is, and what a player reads of it.",
        (
            *DESK,
            "corr.game",
            "corr.diagram",
            "corr.film",
            "corr.lessons",
            "corr.pages",
            "corr.signature",
            "corr.desk.people",
            "corr.desk.ratings",
        ),
    ),
    "corr.desk.club": Room(
        "What everyone may see: players' pages, leaderboards, and the archive of finished games.",
        (*DESK, "corr.game", "corr.desk.people", "corr.desk.ratings", "corr.desk.table"),
    ),
    "corr.desk.events": Room(
        "Events: sections that fill and begin automatically, and a pyramid for each variant.",
        (*DESK, "corr.game", "corr.desk.people", "corr.desk.ratings", "corr.desk.table", "corr.desk.club"),
    ),
    "corr.desk.lobby": Room(
        "How two people start a game: challenges, their answers, and emails to the site.",
        (*DESK, "corr.game", "corr.desk.people", "corr.desk.table", "corr.desk.events"),
    ),
    "corr.desk.letters": Room(
        "Email in, each read once, and email out, each composed once.",
        (
            *DESK,
            "corr.game",
            "corr.device",
            "corr.desk.people",
            "corr.desk.table",
            "corr.desk.events",
            "corr.desk.lobby",
        ),
    ),
    "corr.desk.operator": Room(
        "What an operator, who may play too, can see and do.",
        (
            *DESK,
            "corr.game",
            "corr.desk.people",
            "corr.desk.ratings",
            "corr.desk.table",
            "corr.desk.events",
            "corr.desk.lobby",
            "corr.desk.letters",
        ),
    ),
    "corr.web": Room(
        "The website, by the desk's subjects, and what every request passes first.",
        (*WEB, "corr.logbook", "corr.counting", "corr.store.version"),
    ),
    "corr.web.people": Room(
        "A player's own pages: signing in, settings, devices, passkeys.",
        (*WEB, "corr.desk.people", "corr.web.visit", "corr.web.public"),
    ),
    "corr.web.table": Room(
        "The pages of games: a player's table, your own games, and finished games.",
        (*WEB, "corr.desk.table", "corr.proof", "corr.web.visit", "corr.web.public", "corr.web.handing"),
    ),
    "corr.web.club": Room(
        "The pages of players, leaderboards, and the archive of finished games.",
        (
            *WEB,
            "corr.game",
            "corr.desk.club",
            "corr.web.visit",
            "corr.web.public",
            "corr.web.handing",
            "corr.web.table",
        ),
    ),
    "corr.web.events": Room(
        "The pages of events: what you can enter, and the standings.",
        (
            *WEB,
            "corr.desk.events",
            "corr.web.visit",
            "corr.web.public",
            "corr.web.handing",
            "corr.web.people",
        ),
    ),
    "corr.web.lobby": Room(
        "The pages on which two people start a game.",
        (*WEB, "corr.desk.lobby", "corr.web.visit", "corr.web.people"),
    ),
    "corr.web.api": Room(
        "The JSON API for players' own bots, each with a token.",
        (*WEB, "corr.web.visit", "corr.web.handing"),
    ),
    "corr.web.reconchess": Room(
        "The protocol of `reconchess`, so that its bots play here unchanged.",
        (*WEB, "corr.web.visit", "corr.web.handing", "corr.web.api.door"),
    ),
    "corr.web.operator": Room(
        "The operators' pages, and the figures for monitoring.",
        (*WEB, "corr.desk.operator", "corr.web.visit", "corr.web.people"),
    ),
    "corr.commands": Room(
        "What each command of `corr` does, loaded when it is called.",
        (
            "corr.words",
            "corr.config",
            "corr.demo",
            "corr.desk",
            "corr.doctor",
            "corr.door",
            "corr.procfile",
            "corr.quickstart",
            "corr.knock",
            "corr.logbook",
            "corr.proof",
            "corr.mail",
            "corr.stop",
            "corr.store",
            "click",
            "sqlalchemy.exc",
        ),
    ),
    "corr.demo": Room(
        "The whole server in one process, with a page of mailboxes, to try it.",
        (
            "corr.words",
            "corr.config",
            "corr.knock",
            "corr.door",
            "corr.pages",
            "corr.sentences",
            "corr.desk",
            "corr.mail",
            "corr.pace",
            "corr.stop",
            "corr.web",
            "corr.store.schema",
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
    "corr.doctor": Room(
        "`corr doctor`: what is set, what answers, what is wrong and how to fix it.",
        (
            "corr.words",
            "corr.config",
            "corr.broker",
            "corr.desk.letters.alarms",
            "corr.desk.letters.echo",
            "corr.desk.operator.figures",
            "corr.desk.house",
            "corr.desk.people.players",
            "corr.mail.fetch",
            "corr.mail.listen",
            "corr.mail.outward.post",
            "corr.mail.outward.smarthost",
            "corr.store.version",
            "cryptography",
            "dkim",
            "dns",
            "sqlalchemy",
        ),
    ),
    "corr.quickstart": Room(
        "`corr quickstart`: writes all files for a server into one folder.",
        ("corr.words", "corr.procfile", "cryptography", "jinja2"),
    ),
    "worker": Room(
        "The background processes: Celery's workers, and the beat that wakes them.",
        ("corr.desk", "corr.programs", "corr.config", "corr.mail.outward.post", "corr.knock", "celery"),
    ),
}

#: The single files that may use something else than the room they stand in.
FILES: dict[str, tuple[str, ...]] = {
    "corr.config": ("corr.words",),
    "corr.logbook": (),
    "corr.stop": (),
    "corr.broker": ("redis",),
    "corr.limits": (),
    "corr.pace": (),
    "corr.counting": ("redis",),
    "corr.visible": (),
    "corr.wording": (),
    "corr.pages": ("corr.words", "corr.visible", "corr.wording", "jinja2", "markupsafe"),
    "corr.sentences": ("corr.wording",),
    "corr.diagram": ("corr.words",),
    "corr.film": ("corr.words", "corr.diagram"),
    "corr.lessons": ("corr.words", "corr.wording"),
    "corr.passkey": (),
    "corr.ceremony": ("corr.passkey", "webauthn"),
    "corr.device": (),
    "corr.signature": ("cryptography",),
    "corr.push": ("corr.device", "cryptography"),
    "corr.knock": ("corr.config", "celery"),
    "corr.procfile": (),
    "corr.desk.catalogue": ("corr.words", "corr.rules", "corr.sentences"),
    "corr.desk.pictures": ("corr.words", "corr.orders", "corr.wording", "corr.desk.catalogue"),
    "corr.desk.table.bench": ("corr.words", *STORE, "corr.rules", "corr.store.sealed", "sqlalchemy"),
    "corr.desk.rounds": (*DESK, "corr.desk"),
    "corr.web.main": (*WEB, "corr.door", "corr.web"),
    "corr.web.serving": (
        "corr.config",
        "corr.desk.house",
        "corr.logbook",
        "corr.store.version",
        "corr.words",
    ),
    "corr.console": ("corr.words", "corr.orders", "corr.game", "corr.rules"),
    "corr.door": ("corr.desk", "corr.knock"),
    "worker.transport": ("kombu",),
    "worker.main": (
        "corr.config",
        "corr.desk.house",
        "corr.knock",
        "corr.logbook",
        "corr.store.version",
        "corr.words",
        "worker.tasks",
        "celery",
    ),
    "corr.cli": ("corr.words", "click"),
    "corr.commands.umpire": ("corr.console", "click"),
    "corr.commands.letter": ("corr.mail.inward.letter", "click"),
}

#: Who may import what; the longest fitting name is the rule.
MAP = {name: room.may_use for name, room in ROOMS.items()} | FILES
#: The desk's rooms: each may use those before it.
ORDER = ("people", "ratings", "table", "club", "events", "lobby", "letters", "operator", "rounds")


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
    allowed = (*MAP[room], "corr.limits", room if room != "corr" else "corr.words")
    return [
        f"{path.relative_to(HOUSE)} may not import {found}"
        for found in sorted(imports_of(path))
        if found.partition(".")[0] not in sys.stdlib_module_names
        and not any(is_inside(found, each) for each in allowed)
    ]


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_imports_go_down_only(path: Path) -> None:
    assert refusals(path) == []


@pytest.mark.parametrize("at", range(len(ORDER)), ids=ORDER)
def test_a_room_of_the_desk_may_use_those_before_it_alone(at: int) -> None:
    used = MAP[f"corr.desk.{ORDER[at]}"]

    assert not [
        later for later in ORDER[at + 1 :] if any(is_inside(each, f"corr.desk.{later}") for each in used)
    ]


def test_every_folder_of_the_house_is_a_room_and_says_what_it_is_for() -> None:
    folders = {path for path in modules() if path.name == "__init__.py"}

    said = {name_of(path): ast.get_docstring(ast.parse(path.read_text())) for path in folders}

    assert said == {name: room.is_for for name, room in ROOMS.items()}


def put_off(tree: ast.AST) -> list[str]:
    """What would let a queue keep a task for an hour to come: it may be handed out again meanwhile, or be lost."""
    named = (keyword for node in ast.walk(tree) if isinstance(node, ast.Call) for keyword in node.keywords)
    return [keyword.arg for keyword in named if keyword.arg in ("eta", "countdown")]


def test_no_task_is_sent_for_an_hour_to_come() -> None:
    assert put_off(ast.parse("task.apply_async(countdown=60)")) == ["countdown"]
    assert [path for path in modules() if put_off(ast.parse(path.read_text("utf-8")))] == []


def test_the_page_of_the_architecture_shows_the_rooms() -> None:
    page = (HOUSE / "docs" / "architecture.md").read_text()
    shown = re.findall(r"^\| `([\w/]+)/` \| (.+) \|$", page, re.MULTILINE)

    assert [(folder.replace("/", "."), line) for folder, line in shown] == [
        (name, room.is_for) for name, room in ROOMS.items()
    ]


def test_the_reader_of_the_map_refuses_in_plain_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The map itself is tried: a page that imports chess, a desk that opens a truth."""
    monkeypatch.setattr(sys.modules[__name__], "HOUSE", tmp_path)
    (tmp_path / "corr" / "desk" / "table").mkdir(parents=True)
    (tmp_path / "corr" / "store").mkdir()
    (tmp_path / "corr" / "store" / "sealed.py").touch()
    page, desk = tmp_path / "corr" / "pages.py", tmp_path / "corr" / "desk" / "table" / "turns.py"
    page.write_text("import chess\n")
    desk.write_text("from corr.store import sealed\nfrom corr.rules.core.umpire import Truth\n")

    assert refusals(page) == ["corr/pages.py may not import chess"]
    assert refusals(desk) == [
        "corr/desk/table/turns.py may not import corr.rules.core.umpire",
        "corr/desk/table/turns.py may not import corr.store.sealed",
    ]
