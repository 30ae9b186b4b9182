"""The checkpoint pages: what the server signed, day by day, naming no game."""

from __future__ import annotations

import re
import subprocess
from html import unescape

import pytest

from corr import limits
from corr.service.games import checkpoints
from tests.support.browser import Browser, text_of_page
from tests.support.signed_notes import leaf_hash, parse_checkpoint, tree_hash, verify_note
from tests.support.table import ANN, Table, text_of

DAY, NEXT = "2026-11-20", "2026-11-21"


def source(table: Table, path: str = "/checkpoint") -> str:
    """The source of a page."""
    answer = table.app().test_client().get(path)
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def blocks(page: str) -> list[str]:
    """The page's blocks of text to copy."""
    return [unescape(each) for each in re.findall(r"<pre.*?>(.*?)</pre>", page, re.DOTALL)]


def test_the_page_says_so_while_nothing_is_signed(table: Table) -> None:
    page = source(table)

    assert "Nothing has been signed yet." in text_of_page(page)
    assert blocks(page) == []


def test_players_can_find_their_own_game_in_a_checkpoint(table: Table) -> None:
    table.begin_by_email()
    table.play("e2e4", "e7e5")
    table.begin_by_email("rbc")
    table.sweep()
    email = table.last_email(ANN)
    code, seal = (
        str(email["Subject"])[-6:-1],
        re.findall(r"^Seal .+: (\w{26})$", text_of(email), re.MULTILINE)[0],
    )

    note, key = blocks(source(table))
    leaves = [bytes.fromhex(line) for line in source(table, f"/checkpoint/{DAY}/leaves").splitlines()]
    assert leaf_hash(f"{code} {seal}") in leaves
    assert parse_checkpoint(verify_note(note, key)).root == tree_hash(leaves)


def test_the_pages_command_hashes_an_entry_with_any_code(table: Table) -> None:
    (command,) = re.findall(r"<code>(.*?)</code>", source(table))
    command = unescape(command)
    assert "k3x9m ABCDEFGHIJKLMNOPQRSTUVWXYZ" in command

    for code in ("k3x9m", "22222", "7xxxx"):
        entry = f"{code} {'A' * 26}"
        words = command.replace("k3x9m ABCDEFGHIJKLMNOPQRSTUVWXYZ", entry)
        said = subprocess.run(["sh", "-c", words], capture_output=True, text=True, check=True).stdout
        assert said.split()[0] == leaf_hash(entry).hex()


def test_no_checkpoint_page_names_a_game_or_a_player(table: Table) -> None:
    table.begin_by_email()
    table.play("e2e4", "e7e5")
    code = str(table.last_email(ANN)["Subject"])[-6:-1]
    table.sweep()

    for path in ("/checkpoint", f"/checkpoint/{DAY}", f"/checkpoint/{DAY}/leaves"):
        page = source(table, path)
        assert not re.search(rf"\b({code}|ann|ben|Seal \w+:)\b", page), path


def test_each_day_has_a_page_and_the_newest_links_to_earlier_ones(table: Table) -> None:
    table.sweep()
    table.clock.advance(days=1)
    table.begin_by_email()
    table.sweep()
    page = source(table)

    assert f"<h2>{NEXT}</h2>" in page
    assert f'href="/checkpoint/{DAY}"' in page
    first = source(table, f"/checkpoint/{DAY}")
    assert f"<h2>{DAY}</h2>" in first
    assert "Earlier days" not in first
    assert blocks(first)[0] != blocks(page)[0]
    assert blocks(first)[1] == blocks(page)[1]


def test_only_the_latest_days_are_listed(table: Table) -> None:
    for _ in range(limits.CHECKPOINTS_LISTED + 3):
        checkpoints.sign_checkpoint(table.server, table.clock())
        table.clock.advance(days=1)
    named = re.findall(r'href="(/checkpoint/[\d-]+)"', source(table))

    assert len(named) == limits.CHECKPOINTS_LISTED
    assert named[0] == "/checkpoint/2026-12-21"
    assert f"/checkpoint/{DAY}" not in named


@pytest.mark.parametrize(
    "day", ["nothing", "2026-11-19", "2026-11-20 ", "20261120", "é", "%00", "2026-11-20'--"]
)
def test_a_day_without_a_checkpoint_has_no_page(table: Table, day: str) -> None:
    table.sweep()
    client = table.app().test_client()

    for path in (f"/checkpoint/{day}", f"/checkpoint/{day}/leaves"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "No checkpoint was signed on this day." in answer.get_data(as_text=True)


def test_the_hashes_are_plain_text_that_may_be_cached(table: Table) -> None:
    table.begin_by_email()
    table.sweep()
    answer = table.app().test_client().get(f"/checkpoint/{DAY}/leaves")

    assert answer.content_type == "text/plain; charset=utf-8"
    assert answer.headers["Cache-Control"] == "public, max-age=86400"
    assert "Set-Cookie" not in answer.headers
    assert re.fullmatch(r"[0-9a-f]{64}\n", answer.get_data(as_text=True))


def test_a_signed_in_browser_caches_no_checkpoint_page(table: Table) -> None:
    table.begin_by_email()
    table.sweep()
    ann = Browser(table.app())
    ann.sign_in(table, ANN)

    for path in (
        "/checkpoint",
        f"/checkpoint/{DAY}/leaves",
        "/checkpoint/nothing",
        "/checkpoint/nothing/leaves",
    ):
        assert ann.client.get(path).headers["Cache-Control"] == "no-store"


def test_an_empty_day_has_no_hashes(table: Table) -> None:
    table.sweep()

    assert source(table, f"/checkpoint/{DAY}/leaves") == ""


def test_every_page_links_to_the_checkpoint(table: Table) -> None:
    assert 'href="/checkpoint"' in source(table, "/")
