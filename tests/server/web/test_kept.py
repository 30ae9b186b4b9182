"""What a browser may keep of the pages: nothing that a cookie or a secret link opens."""

from __future__ import annotations

import pytest
from werkzeug.test import TestResponse

from corr.rules.variants import UMPIRES
from corr.web import assets
from tests.support.every_page import PAGES, STRANGER, WHITE, Page, Stage, place

#: When the stage's first day is signed.
DAY = "/checkpoint/2026-11-20"
LEAVES = f"{DAY}/leaves"
#: The same for everybody who is let in nowhere.
PUBLIC = {
    *("/", "/privacy", "/privacy/", "/checkpoint", "/checkpoint/", DAY, LEAVES, "/rules", "/rules/"),
    *(f"/rules/{variant}" for variant in UMPIRES),
}


pytestmark = pytest.mark.xdist_group("stage")


def may_be_kept(answer: TestResponse) -> bool:
    return answer.headers.get("Cache-Control") != "no-store"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_that_is_somebodys_may_be_kept(stage: Stage, page: Page) -> None:
    for method in (page.method, "HEAD", "OPTIONS"):
        path = page.path(stage)
        answer = stage.client(page.who).open(path, method=method)

        assert may_be_kept(answer) == (path in PUBLIC), method


def test_no_answer_of_any_address_may_be_kept_but_of_the_few_that_are_for_everybody(stage: Stage) -> None:
    kept = set()
    for rule in stage.app.url_map.iter_rules():
        path = rule.rule
        for name in rule.arguments:
            path = "/".join("nothing" if f"{name}>" in part else part for part in path.split("/"))
        answers = (stage.client(STRANGER).open(path, method=method) for method in rule.methods or ())
        if any(may_be_kept(answer) for answer in answers):
            kept.add(rule.endpoint)

    assert kept == {
        "front.front",
        "front.privacy",
        "checkpoint.newest",
        "checkpoint.of_day",
        "checkpoint.leaves",
        "rules.variants",
        "rules.variant",
        "assets.asset",
    }


def test_the_answer_that_nothing_is_new_and_a_games_file_may_not_be_kept_either(stage: Stage) -> None:
    ann = stage.client(WHITE)
    table = place("table of wild16")(stage)
    etag = ann.get(table).headers["ETag"]
    same = ann.get(table, headers={"If-None-Match": etag})
    file = ann.get(f"{place('finished rbc')(stage)}/game.pgn")

    assert (same.status_code, may_be_kept(same)) == (304, False)
    assert (file.status_code, may_be_kept(file)) == (200, False)


def test_what_is_for_everybody_sets_no_cookie_and_tells_that_it_depends_on_one(stage: Stage) -> None:
    for path in sorted(PUBLIC):
        for who in (STRANGER, WHITE):
            answer = stage.client(who).get(path, follow_redirects=True)

            assert "Set-Cookie" not in answer.headers, path
            assert answer.headers["Vary"] == "Cookie", path


def test_what_is_for_everybody_is_not_kept_as_who_is_let_in_has_seen_it(stage: Stage) -> None:
    for path in sorted(PUBLIC):
        one, other = (stage.client(who).get(path, follow_redirects=True) for who in (STRANGER, WHITE))

        assert (may_be_kept(one), may_be_kept(other)) == (True, False), path
        assert (b"ann</a>" in one.data, b"ann</a>" in other.data) == (False, path != LEAVES), path


def test_a_style_neither_reads_nor_sets_a_cookie(stage: Stage) -> None:
    answer = stage.client(WHITE).get(f"/static/{assets.stamp()}/base.css")

    assert answer.headers.get("Vary") == "Accept-Encoding"
    assert "Set-Cookie" not in answer.headers
