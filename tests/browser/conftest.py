"""One Chromium for all tests of a run, and the server whose pages it shows."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from tests.support.chromium import CHROMIUM, HEADLESS_CHROMIUM, TOOLS, Windows, run_chromium
from tests.support.database_servers import HOST, free_port
from tests.support.every_page import SampleSite, build_sample_site
from tests.support.procfile import Process, environ
from tests.support.public_server import PublicServer
from tests.support.skips import skip_missing
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Playwright


@pytest.fixture(scope="session", autouse=True)
def tools() -> None:
    """Check that Chromium, Playwright and axe-core are installed."""
    for program, package in ((CHROMIUM, "chromium"), (HEADLESS_CHROMIUM, "chromium-headless-shell")):
        if not program:
            skip_missing(package)
    if find_spec("playwright") is None:
        skip_missing("playwright", "pip install -c constraints.txt -e '.[browser]'")
    if not TOOLS.is_dir():
        skip_missing("axe-core", "npm ci --prefix tests/browser")


@pytest.fixture(scope="session")
def sample_site(public_server: PublicServer) -> SampleSite:
    """The site with every page."""
    return build_sample_site(public_server.table)


@pytest.fixture(scope="session")
def playwright(tools: None) -> Iterator[Playwright]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as made:
        yield made


@pytest.fixture(scope="session")
def windows(playwright: Playwright, public_server: PublicServer) -> Iterator[Windows]:
    with run_chromium(playwright, HEADLESS_CHROMIUM, public_server.url) as made:
        yield made


@pytest.fixture(scope="session")
def demo_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running `corr demo`."""
    folder, port = tmp_path_factory.mktemp("demo"), free_port()
    log = folder / "log"
    demo = Process("demo", f"corr demo --dir {folder / 'demo'} --port {port} --empty", environ(), log)
    demo.start()
    wait_until(lambda: "SMTP is listening on" in log.read_text(), "the demo shows its mailboxes")
    yield f"http://{HOST}:{port}"
    demo.stop()


@pytest.fixture(autouse=True)
def _no_problems(public_server: PublicServer, windows: Windows) -> Iterator[None]:
    """Fail a test if the server logged an error or Chromium complained."""
    windows.problems.clear()
    yield
    assert (public_server.problems(), windows.problems) == ([], [])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add to a failure what its open pages show, which a reader of CI's output cannot see."""
    report = yield
    windows = getattr(item, "funcargs", {}).get("windows")
    if report.failed and windows:
        for page in (page for context in windows.chromium.contexts for page in context.pages):
            report.sections.append((page.url, page.locator("body").inner_text()))
    return report
