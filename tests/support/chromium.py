"""Windows of a real Chromium: what people see of the site's pages, and what the browser complains of."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias
from urllib.parse import urlsplit

from corr.web.assets import assets
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
#: The same engine without windows: a third of the work for the same pages.
HEADLESS_CHROMIUM = shutil.which("chromium-headless-shell") or ""
#: Widths and heights of a narrow phone and of a desktop window.
SIZES = {320: 640, 1280: 800}
#: Each window, and each person in it, has an own address from the proxy, so that none meets another's rate limit.
_PLACES = itertools.cycle(range(1, 255))
_FONT = re.compile(rb"url\(([^)]+\.woff2)\)")
#: Runs all of axe's rules that aren't deprecated, also its advice and those off by default; or those of one kind.
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
    """A Chromium that shows the pages of one server."""

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
        waits_for_fonts: bool = False,
    ) -> Iterator[Page]:
        """Open a window with this cookie and nothing else stored.

        A browser shows another font if the site's own is 0.1 seconds late. A test that compares positions, or looks
        for words that are cut off, gets a window that `waits_for_fonts`: on a busy machine it would measure either.
        """
        context = self.chromium.new_context(
            base_url=self.url,
            java_script_enabled=scripts,
            color_scheme=light,
            viewport={"width": width, "height": SIZES[width]},
            reduced_motion="reduce",
            has_touch=has_touch,
            is_mobile=has_touch,
            bypass_csp=waits_for_fonts,
        )
        context.set_default_timeout(TIMEOUT * 1000)
        self._watch(context)
        if waits_for_fonts:
            context.route("**/*.css", _embed_fonts)
        try:
            page = context.new_page()
            self.change_user(page, cookie)
            yield page
        finally:
            context.close()

    def change_user(self, page: Page, cookie: str) -> None:
        """Give the window another person's cookie, or none.

        Leaves the open page first: it would find itself signed out and navigate while the test does.
        """
        page.goto("about:blank")
        page.context.set_extra_http_headers({"X-Forwarded-For": f"192.0.2.{next(_PLACES)}"})
        page.context.clear_cookies()
        if cookie:
            page.context.add_cookies([{"name": "corr", "value": cookie, "url": self.url}])

    def _watch(self, context: BrowserContext) -> None:
        """Record errors on a page, and requests to other servers."""
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
    """Start Chromium; it can reach only this machine."""
    chromium = playwright.chromium.launch(
        executable_path=program,
        args=[f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {HOST}, EXCLUDE localhost"],
    )
    yield Windows(chromium, url)
    chromium.close()


def open_path(page: Page, path: str, method: str = "GET") -> int:
    """Open a page, if need be with another method; return the answer's status."""

    def ask(route: Route) -> None:
        route.continue_(method=method)

    if method != "GET":
        page.route(f"**{urlsplit(path).path}", ask, times=1)
    answer = page.goto(path)
    assert answer is not None
    return answer.status


def set_view(page: Page, light: ColorScheme, width: int) -> None:
    """Show the page in another colour scheme or at another width."""
    page.emulate_media(color_scheme=light)
    if page.viewport_size is None or page.viewport_size["width"] != width:
        page.set_viewport_size({"width": width, "height": SIZES[width]})


def axe_violations(page: Page, kind: str = "") -> list[str]:
    """What axe finds wrong with the page as it is now; emails in frames aren't checked."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(_axe())
    found: list[str] = page.evaluate(_RULES, kind)
    return found


def bounding_box(shown: Locator) -> FloatRect:
    """The box of an element, which news may replace while we measure it."""
    while not (box := shown.bounding_box()):
        shown.wait_for()
    return box


def wait_for_fonts(page: Page) -> None:
    """Wait until the page has the font that it keeps: its own, or another because its own is late."""
    page.evaluate("() => [document.body.offsetTop, document.fonts.ready][1].then(() => null)")


def horizontal_overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    wider: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wider


def html_errors(folder: Path) -> list[str]:
    """What html-validate finds wrong with the pages in a folder."""
    found = folder / "found.json"
    command = [TOOLS / ".bin" / "html-validate", "--config", TOOLS.parent / "html-validate.json"]
    subprocess.run([*command, "--formatter", f"json={found}", folder], check=False)
    return [
        f"{Path(page['filePath']).stem}, line {each['line']}: {each['message']}"
        for page in json.loads(found.read_text())
        for each in page["messages"]
    ]


def _embed_fonts(route: Route) -> None:
    """Answer with a style sheet that contains its fonts: a page may be loaded before its layout asks for them."""
    style = assets()[route.request.url.rpartition("/")[2]]
    body = _FONT.sub(_embedded, style.plain).replace(b"font-display:optional", b"font-display:block")
    route.fulfill(body=body, content_type=style.kind)


def _embedded(font: re.Match[bytes]) -> bytes:
    return b"url(data:font/woff2;base64," + b64encode(assets()[font[1].decode()].plain) + b")"


@cache
def _axe() -> str:
    return (TOOLS / "axe-core" / "axe.min.js").read_text() + "; null"
