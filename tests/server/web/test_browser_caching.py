"""Browser caching: no page that needs a cookie or a secret link may be cached."""

from __future__ import annotations

import pytest
from werkzeug.test import TestResponse

from corr.rules.variants import UMPIRES
from corr.web import assets
from tests.support.every_page import PAGES, STRANGER, WHITE, Page, SampleSite, path_to

#: The day of the stage's first checkpoint.
DAY = "/checkpoint/2026-11-20"
LEAVES = f"{DAY}/leaves"
#: The same for everybody who isn't signed in.
PUBLIC = {
    *("/", "/privacy", "/privacy/", "/checkpoint", "/checkpoint/", DAY, LEAVES, "/rules", "/rules/"),
    *(f"/rules/{variant}" for variant in UMPIRES),
}


pytestmark = pytest.mark.xdist_group("stage")


def may_be_cached(answer: TestResponse) -> bool:
    return answer.headers.get("Cache-Control") != "no-store"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_only_public_pages_may_be_cached(sample_site: SampleSite, page: Page) -> None:
    for method in (page.method, "HEAD", "OPTIONS"):
        path = page.path(sample_site)
        answer = sample_site.client(page.who).open(path, method=method)

        assert may_be_cached(answer) == (path in PUBLIC), method


def test_only_public_routes_give_cacheable_answers(sample_site: SampleSite) -> None:
    cacheable = set()
    for rule in sample_site.app.url_map.iter_rules():
        path = rule.rule
        for name in rule.arguments:
            path = "/".join("nothing" if f"{name}>" in part else part for part in path.split("/"))
        answers = (sample_site.client(STRANGER).open(path, method=method) for method in rule.methods or ())
        if any(may_be_cached(answer) for answer in answers):
            cacheable.add(rule.endpoint)

    assert cacheable == {
        "front.front",
        "front.privacy",
        "checkpoint.newest",
        "checkpoint.of_day",
        "checkpoint.leaves",
        "rules.variants",
        "rules.variant",
        "assets.asset",
    }


def test_a_304_and_a_games_file_may_not_be_cached(sample_site: SampleSite) -> None:
    ann = sample_site.client(WHITE)
    table = path_to("table of wild16")(sample_site)
    etag = ann.get(table).headers["ETag"]
    same = ann.get(table, headers={"If-None-Match": etag})
    file = ann.get(f"{path_to('finished rbc')(sample_site)}/game.pgn")

    assert (same.status_code, may_be_cached(same)) == (304, False)
    assert (file.status_code, may_be_cached(file)) == (200, False)


def test_public_pages_set_no_cookie_but_vary_by_it(sample_site: SampleSite) -> None:
    for path in sorted(PUBLIC):
        for who in (STRANGER, WHITE):
            answer = sample_site.client(who).get(path, follow_redirects=True)

            assert "Set-Cookie" not in answer.headers, path
            assert answer.headers["Vary"] == "Cookie", path


def test_public_pages_are_not_cached_for_signed_in_players(sample_site: SampleSite) -> None:
    for path in sorted(PUBLIC):
        one, other = (sample_site.client(who).get(path, follow_redirects=True) for who in (STRANGER, WHITE))

        assert (may_be_cached(one), may_be_cached(other)) == (True, False), path
        assert (b"ann</a>" in one.data, b"ann</a>" in other.data) == (False, path != LEAVES), path


def test_a_stylesheet_neither_reads_nor_sets_a_cookie(sample_site: SampleSite) -> None:
    answer = sample_site.client(WHITE).get(f"/static/{assets.stamp()}/base.css")

    assert answer.headers.get("Vary") == "Accept-Encoding"
    assert "Set-Cookie" not in answer.headers
