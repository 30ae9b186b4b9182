"""One Chromium for all tests of a run, and a house whose pages it shows."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from tests.support.chromium import CHROMIUM, ENGINE, TOOLS, Windows, opened
from tests.support.database_servers import HOST, free_port
from tests.support.every_page import Stage, set_the_stage
from tests.support.procfile import Part, environ
from tests.support.public_server import OpenHouse
from tests.support.skips import leave_out
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Playwright


@pytest.fixture(scope="session", autouse=True)
def tools() -> None:
    """Chromium, what drives it, and what looks at its pages."""
    for program, package in ((CHROMIUM, "chromium"), (ENGINE, "chromium-headless-shell")):
        if not program:
            leave_out(package)
    if find_spec("playwright") is None:
        leave_out("playwright", "pip install -c constraints.txt -e '.[browser]'")
    if not TOOLS.is_dir():
        leave_out("axe-core", "npm ci --prefix tests/browser")


@pytest.fixture(scope="session")
def stage(open_house: OpenHouse) -> Stage:
    """Everybody at their pages."""
    return set_the_stage(open_house.table)


@pytest.fixture(scope="session")
def playwright(tools: None) -> Iterator[Playwright]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as made:
        yield made


@pytest.fixture(scope="session")
def windows(playwright: Playwright, open_house: OpenHouse) -> Iterator[Windows]:
    with opened(playwright, ENGINE, open_house.url) as made:
        yield made


@pytest.fixture(scope="session")
def demo_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where `corr demo` shows its mailboxes."""
    folder, port = tmp_path_factory.mktemp("demo"), free_port()
    log = folder / "log"
    demo = Part("demo", f"corr demo --dir {folder / 'demo'} --port {port} --empty", environ(), log)
    demo.start()
    wait_until(lambda: "SMTP is listening on" in log.read_text(), "the demo shows its mailboxes")
    yield f"http://{HOST}:{port}"
    demo.stop()


@pytest.fixture(autouse=True)
def _nothing_goes_wrong(open_house: OpenHouse, windows: Windows) -> Iterator[None]:
    """The house has told of no trouble, and Chromium has not complained, when a test has passed."""
    windows.troubles.clear()
    yield
    assert (open_house.troubles(), windows.troubles) == ([], [])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add to a failure what its open pages show, which a reader of CI's output cannot see."""
    report = yield
    windows = getattr(item, "funcargs", {}).get("windows")
    if report.failed and windows:
        for page in (page for context in windows.chromium.contexts for page in context.pages):
            report.sections.append((page.url, page.locator("body").inner_text()))
    return report
