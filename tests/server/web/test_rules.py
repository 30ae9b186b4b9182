"""The rules pages: the same sentences as in the email that answers "rules", for every variant."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient

from corr.rules.core.referee import Referee
from corr.rules.variants import UMPIRES
from corr.service.pictures import list_by_difficulty
from corr.words.slips import say_plainly
from corr.words.view import VariantInfo
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, EVE, Table, text_of

every_variant = pytest.mark.parametrize("card", [umpire.card for umpire in UMPIRES.values()], ids=UMPIRES)
VOID_TAGS = ("meta", "link", "br", "img", "input")


class Page(HTMLParser):
    """A page's elements and their text; checks that each is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[tuple[str, dict[str, str | None]]] = []
        self.said: list[tuple[str, str]] = []
        self.links: list[str] = []
        self.titles, self.lang = 0, ""
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        assert "style" not in attributes
        self.lang = self.lang or str(attributes.get("lang", ""))
        self.titles += tag == "title"
        if tag == "a":
            self.links.append(str(attributes["href"]))
        if tag in ("p", "li", "figcaption", "h1", "h2", "h3", "title"):
            self.said.append((tag, ""))
        if tag not in VOID_TAGS:
            self.open.append((tag, attributes))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        for tag, attributes in reversed(self.open):
            if attributes.get("aria-hidden") == "true":
                return
            if tag in ("p", "li", "figcaption", "h1", "h2", "h3", "title"):
                kind, text = self.said.pop()
                self.said.append((kind, text + data))
                return

    def each(self, *tags: str) -> list[str]:
        return [" ".join(text.split()) for tag, text in self.said if tag in tags]


@pytest.fixture
def client(table: Table) -> FlaskClient:
    return table.app().test_client()


def page(client: FlaskClient, path: str, status: int = 200) -> Page:
    answer = client.get(path)
    assert answer.status_code == status
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'self'")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.mimetype == "text/html"
    html = answer.get_data(as_text=True)
    assert html.startswith("<!DOCTYPE html>")
    assert "<script" not in html
    return Page(html)


def rules_email(table: Table, variant: str) -> list[str]:
    """The paragraphs and the quoted lines of the answer to "rules" and a variant."""
    table.challenge()
    table.reply(ANN, f"rules {variant}")
    text = (
        text_of(table.last_email(ANN))
        .partition(f"| rules {variant}\n\n")[2]
        .rpartition("The game hasn't started")[0]
    )
    paragraphs = [re.sub(r"\n(?!\| )", " ", paragraph) for paragraph in text.strip().split("\n\n")]
    return [line.removeprefix("| ") for paragraph in paragraphs for line in paragraph.split("\n")]


def sentences(card: VariantInfo) -> list[str]:
    setups = [f"{setup.name}: {setup.about}" for setup in card.setups]
    return [card.summary, *card.announcements, *card.words, *map(say_plainly, card.example), *setups]


@every_variant
def test_page_and_email_have_the_same_sentences(client: FlaskClient, table: Table, card: VariantInfo) -> None:
    shown, email = page(client, f"/rules/{card.key}"), rules_email(table, card.key)
    summary = shown.each("p")[1]
    said = {f"{card.name}. {summary}", *(f"{heading}:" for heading in shown.each("h2"))}

    assert set(email) <= {*said, *shown.each("p", "li", "figcaption")}
    assert set(sentences(card)) <= {*shown.each("p", "li", "figcaption")}


@every_variant
def test_a_rules_page_has_a_language_a_title_and_a_heading(client: FlaskClient, card: VariantInfo) -> None:
    shown = page(client, f"/rules/{card.key}")

    assert (shown.lang, shown.titles) == ("en", 1)
    assert shown.each("title") == [f"The rules of {card.name}: corr"]
    assert shown.each("h1") == [card.name]
    assert shown.each("h3") == []


@every_variant
def test_ready_made_set_ups_are_drawn_and_readable_aloud(client: FlaskClient, card: VariantInfo) -> None:
    html = client.get(f"/rules/{card.key}").get_data(as_text=True)

    assert html.count('<table class="board"') == len(card.setups)
    assert len(re.findall(r'<span class="spoken">\w\d pawn</span>', html)) == 8 * len(card.setups)
    assert len(re.findall(r'<span class="spoken">\w\d king</span>', html)) == len(card.setups)


def test_set_ups_are_drawn_with_the_front_row_on_top(client: FlaskClient) -> None:
    html = client.get("/rules/welbeck").get_data(as_text=True)
    board = re.search(r"<table.*?upturned.*?</table>", html[html.rindex("<table") :], re.DOTALL)

    assert board
    rows = re.findall(r"<tr>(.*?)</tr>", board[0])
    assert [re.findall(r'spoken">(\w+ \w+)', row)[:3] for row in rows] == [
        [],
        [],
        ["a2 rook", "b2 knight", "c2 bishop"],
        ["a1 pawn", "b1 pawn", "c1 pawn"],
    ]


def test_all_variants_are_listed_with_their_summary(client: FlaskClient) -> None:
    shown = page(client, "/rules")

    by_ease = [card.key for card, _ in list_by_difficulty()]
    assert shown.links[7:] == [*(f"/rules/{key}" for key in by_ease), "/open", "/privacy", "/checkpoint"]
    assert shown.each("h2") == [UMPIRES[key].card.name for key in by_ease]
    assert {umpire.card.summary for umpire in UMPIRES.values()} <= set(shown.each("p"))
    assert client.get("/rules/").status_code == 200


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> VariantInfo:
    """A variant without pictures."""
    like = UMPIRES["cincinnati"]
    assert isinstance(like, Referee)
    card = replace(like.card, key="plain", name="Plain Chess")
    monkeypatch.setitem(UMPIRES, card.key, replace(like, card=card))
    return card


def test_a_variant_without_pictures_has_its_rules_in_words(client: FlaskClient, plain: VariantInfo) -> None:
    shown = page(client, "/rules/plain")

    assert set(sentences(plain)) <= {*shown.each("p", "li")}
    assert "One turn, as both sides hear it" not in shown.each("h2")


@pytest.mark.parametrize("path", ["/", "/rules"])
def test_a_variant_without_pictures_is_listed_last(
    client: FlaskClient, plain: VariantInfo, path: str
) -> None:
    shown = page(client, path)

    assert shown.each("h2", "h3")[-1] == plain.name
    assert plain.summary in shown.each("p")


def test_a_variant_without_pictures_can_be_chosen_and_played(table: Table, plain: VariantInfo) -> None:
    eve = Browser(table.app_with_workers())
    eve.sign_in(table, EVE, "Eve")
    table.begin(plain.key)
    table.play("e2e4")

    assert plain.name in eve.open("/lobby/")
    assert "Black's move." in table.last_text(BEN)


def test_the_front_page_links_to_the_rules(client: FlaskClient) -> None:
    assert {"/rules", *(f"/rules/{key}" for key in UMPIRES)} <= set(page(client, "/").links)


@every_variant
def test_each_rules_page_links_to_the_others(client: FlaskClient, card: VariantInfo) -> None:
    links = page(client, f"/rules/{card.key}").links

    assert set(links) == {
        "#main",
        "/",
        "/games/",
        "/lobby/",
        "/players/",
        "/sign-in",
        "/rules",
        "/privacy",
        "/checkpoint",
        *(f"/rules/{key}" for key in UMPIRES if key != card.key),
    }


@pytest.mark.parametrize(
    ("path", "heading"),
    [
        ("/rules/chess960", "Variant not found"),
        ("/rules/%3Cb%3E", "Variant not found"),
        ("/rules/wild16/more", "Page not found"),
        ("/nowhere", "Page not found"),
    ],
)
def test_a_missing_rules_page_looks_like_other_pages(client: FlaskClient, path: str, heading: str) -> None:
    shown = page(client, path, 404)

    assert shown.each("h1") == [heading]
    assert {"/", "/rules"} <= set(shown.links)


def test_an_unknown_variants_name_is_not_repeated(client: FlaskClient) -> None:
    shown = page(client, "/rules/chess960", 404)

    assert "There is no variant with this name." in shown.each("p")
    assert "chess960" not in " ".join(text for _, text in shown.said)


def test_the_rules_of_assassin_do_not_promise_a_queen(client: FlaskClient) -> None:
    text = " ".join(page(client, "/rules/assassin").each("p"))

    assert "promotes to the strongest piece allowed" in text
    assert "becomes a queen" not in text
