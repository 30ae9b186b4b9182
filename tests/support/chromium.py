"""Windows of a real Chromium: what a person sees of a house's pages, and what the browser complains of."""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias
from urllib.parse import urlsplit

from tests.support.database_servers import HOST
from tests.support.waiting import TIMEOUT

if TYPE_CHECKING:
    from playwright.sync_api import (
        Browser,
        BrowserContext,
        FloatRect,
        Locator,
        Page,
        Playwright,
        Request,
        Response,
        Route,
    )

ColorScheme: TypeAlias = Literal["light", "dark"]

TOOLS = Path(__file__).parents[1] / "browser" / "node_modules"
CHROMIUM = shutil.which("chromium") or ""
#: The same engine without windows, which shows the same pages for a third of the work.
HEADLESS_CHROMIUM = shutil.which("chromium-headless-shell") or ""
#: A narrow phone, and a window on a desk.
SIZES = {320: 640, 1280: 800}
#: Each window is somewhere else, as the proxy tells it, so that none is asked to come less often for the others' sake.
_PLACES = itertools.count(1)
#: Each rule of axe's that is kept up, those off unless asked for and its advice, too; or those of one kind.
_RULES = """
kind => axe.run({
  runOnly: kind || [...new Set(axe.getRules().flatMap(rule => rule.tags))].filter(tag => tag !== 'deprecated'),
  resultTypes: ['violations'],
  iframes: false,
}).then(found => found.violations.flatMap(rule =>
  rule.nodes.map(node => `${rule.id} at ${node.target.join(' ')}: ${node.failureSummary}`)))
"""


@dataclass
class Windows:
    """A Chromium that shows the pages of one house."""

    chromium: Browser
    url: str
    problems: list[str] = field(default_factory=list)

    @contextmanager
    def open(
        self,
        cookie: str = "",
        *,
        scripts: bool = True,
        light: ColorScheme = "light",
        width: int = 1280,
        has_touch: bool = False,
    ) -> Iterator[Page]:
        """A window with this cookie, of a person who has never been here otherwise."""
        context = self.chromium.new_context(
            base_url=self.url,
            java_script_enabled=scripts,
            color_scheme=light,
            viewport={"width": width, "height": SIZES[width]},
            reduced_motion="reduce",
            has_touch=has_touch,
            is_mobile=has_touch,
            extra_http_headers={"X-Forwarded-For": f"192.0.2.{next(_PLACES)}"},
        )
        context.set_default_timeout(TIMEOUT * 1000)
        self._watch(context)
        try:
            page = context.new_page()
            self.change_user(page, cookie)
            yield page
        finally:
            context.close()

    def change_user(self, page: Page, cookie: str) -> None:
        """From now on somebody else is at this window: who has this cookie.

        The page that is open is left first: it would find itself signed out, and go elsewhere while a test goes too.
        """
        page.goto("about:blank")
        page.context.clear_cookies()
        if cookie:
            page.context.add_cookies([{"name": "corr", "value": cookie, "url": self.url}])

    def _watch(self, context: BrowserContext) -> None:
        """Write down whatever goes wrong on a page, and whatever a page wants from elsewhere."""
        context.on("request", self._look_at_request)
        context.on("response", self._look_at_response)
        context.on("weberror", lambda error: self.problems.append(f"script: {error.error}"))
        context.on(
            "console",
            lambda said: (
                said.type == "error"
                and not said.text.startswith("Failed to load resource")
                and self.problems.append(f"console: {said.text}")
            ),
        )

    def _look_at_request(self, request: Request) -> None:
        if not request.url.startswith((self.url, "data:", "about:")):
            self.problems.append(f"from elsewhere: {request.url}")

    def _look_at_response(self, response: Response) -> None:
        if response.status >= (400 if not response.request.is_navigation_request() else 500):
            self.problems.append(f"{response.status}: {response.url}")


@contextmanager
def run_chromium(playwright: Playwright, program: str, url: str) -> Iterator[Windows]:
    """Start Chromium; it finds no other machine than this one."""
    chromium = playwright.chromium.launch(
        executable_path=program,
        args=[f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {HOST}, EXCLUDE localhost"],
    )
    yield Windows(chromium, url)
    chromium.close()


def open_path(page: Page, path: str, method: str = "GET") -> int:
    """Open a page, if need be as a form without fields would; the status of the answer."""

    def ask(route: Route) -> None:
        route.continue_(method=method)

    if method != "GET":
        page.route(f"**{urlsplit(path).path}", ask, times=1)
    answer = page.goto(path)
    assert answer is not None
    return answer.status


def set_view(page: Page, light: ColorScheme, width: int) -> None:
    """See the same page in another light, or in a window of another width."""
    page.emulate_media(color_scheme=light)
    if page.viewport_size is None or page.viewport_size["width"] != width:
        page.set_viewport_size({"width": width, "height": SIZES[width]})


def axe_violations(page: Page, kind: str = "") -> list[str]:
    """What keeps somebody from using the page as it is shown now, by axe's rules; a letter in a frame is no page."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(_axe())
    found: list[str] = page.evaluate(_RULES, kind)
    return found


def bounding_box(shown: Locator) -> FloatRect:
    """Where something is on a page, which may exchange it for news while it's being measured."""
    while not (box := shown.bounding_box()):
        shown.wait_for()
    return box


def horizontal_overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    wider: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wider


def html_errors(folder: Path) -> list[str]:
    """What in the pages of a folder is not HTML as the standard wants it."""
    found = folder / "found.json"
    command = [TOOLS / ".bin" / "html-validate", "--config", TOOLS.parent / "html-validate.json"]
    subprocess.run([*command, "--formatter", f"json={found}", folder], check=False)
    return [
        f"{Path(page['filePath']).stem}, line {each['line']}: {each['message']}"
        for page in json.loads(found.read_text())
        for each in page["messages"]
    ]


@cache
def _axe() -> str:
    return (TOOLS / "axe-core" / "axe.min.js").read_text() + "; null"
