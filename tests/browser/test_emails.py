"""HTML emails in a narrow window of a mail program: nothing is cut off."""

from __future__ import annotations

import base64
from email.message import EmailMessage

import pytest

from tests.support.chromium import Windows, axe_violations, set_view
from tests.support.every_page import SampleSite
from tests.support.public_server import PublicServer
from tests.support.table import html_of

WIDTH = 360
#: How many pixels a wrapped part of a quoted line is to the right of its bar.
_ROOMS = """
quotes => quotes.flatMap(quote => {
  const bar = quote.getBoundingClientRect().left, words = document.createRange();
  return [...quote.children].flatMap(line => {
    words.selectNodeContents(line);
    const [first, ...rows] = words.getClientRects();
    return rows.filter(row => row.top > first.bottom - 5).map(row => row.left - bar);
  });
})
"""
LINK = "https://a.example/" + "0123456789abcdef" * 20


@pytest.fixture(scope="module")
def letters(public_server: PublicServer, sample_site: SampleSite) -> list[str]:
    """The HTML of every email sent so far, and of one that quotes a very long word."""
    return [shown(letter) for letter in public_server.table.all_emails() if letter.is_multipart()]


def shown(letter: EmailMessage) -> str:
    """An email's HTML with its images, as a mail program shows it."""
    html = html_of(letter)
    for part in letter.walk():
        if part.get_content_type() == "image/png":
            coded = base64.b64encode(part.get_content()).decode()
            html = html.replace(f"cid:{part['Content-ID'].strip('<>')}", f"data:image/png;base64,{coded}")
    return html


def test_no_email_is_wider_than_a_phone(windows: Windows, letters: list[str]) -> None:
    wide = []
    with windows.open() as page:
        page.set_viewport_size({"width": WIDTH, "height": 740})
        for html in [*letters, letters[0].replace("</p>", f" {LINK}</p>", 1)]:
            page.set_content(html)
            if page.evaluate("document.documentElement.scrollWidth") > WIDTH:
                wide.append((page.evaluate("document.documentElement.scrollWidth"), html))

    assert len(letters) > 10
    assert wide == []


def test_long_quoted_lines_stay_beside_their_bar(windows: Windows, letters: list[str]) -> None:
    rooms: list[float] = []
    with windows.open() as page:
        page.set_viewport_size({"width": WIDTH, "height": 740})
        for html in letters:
            page.set_content(html)
            rooms += page.locator("div[style*='border-left']").evaluate_all(_ROOMS)

    assert len(rooms) > 10
    assert min(rooms) > 10


def test_emails_are_accessible_in_light_and_dark(
    windows: Windows, public_server: PublicServer, sample_site: SampleSite
) -> None:
    """Check one email of each subject and size: about one of each kind."""
    letters = [letter for letter in public_server.table.all_emails() if letter.is_multipart()]
    few = {(letter["Subject"], html_of(letter).count("<p")): letter for letter in letters}
    with windows.open() as page:
        for letter in [*few.values()][:12]:
            page.set_content(shown(letter))
            for light in ("light", "dark"):
                set_view(page, light, 320)
                assert axe_violations(page) == []
