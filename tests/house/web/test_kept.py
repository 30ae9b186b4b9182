"""What a browser may keep of the pages: nothing that a cookie or a secret link opens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from corr.rules.variants import UMPIRES
from tests.support.stage import PAGES, WHITE, Page, Stage, place, set_the_stage
from tests.support.table import lay

#: The same for everybody, whoever asks.
PUBLIC = {"/", "/privacy", "/privacy/", "/rules", "/rules/", *(f"/rules/{variant}" for variant in UMPIRES)}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder: Path = tmp_path_factory.mktemp("stage")
    table = lay(folder)
    yield set_the_stage(table)
    table.house.store.close()


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
        answers = (stage.client(WHITE).open(path, method=method) for method in rule.methods or ())
        if any(may_be_kept(answer) for answer in answers):
            kept.add(rule.endpoint)

    assert kept == {"front.front", "front.privacy", "rules.variants", "rules.variant", "assets.asset"}


def test_the_answer_that_nothing_is_new_and_a_games_file_may_not_be_kept_either(stage: Stage) -> None:
    ann = stage.client(WHITE)
    table = place("table of wild16")(stage)
    etag = ann.get(table).headers["ETag"]
    same = ann.get(table, headers={"If-None-Match": etag})
    file = ann.get(f"{place('finished rbc')(stage)}/game.pgn")

    assert (same.status_code, may_be_kept(same)) == (304, False)
    assert (file.status_code, may_be_kept(file)) == (200, False)


def test_what_is_for_everybody_neither_reads_nor_sets_a_cookie(stage: Stage) -> None:
    for path in sorted(PUBLIC):
        answer = stage.client(WHITE).get(path, follow_redirects=True)

        assert not {"Set-Cookie", "Vary"} & set(answer.headers.keys()), path
