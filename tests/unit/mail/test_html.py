"""HTML emails as lines of text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr.mail.inward.html import html_to_lines
from corr.words.errors import Refused

NAMES = ("p", "b", "div", "blockquote", "pre")
RULE = "_" * 32
TAGS = ("x", "<br>", *(f"<{name}>" for name in NAMES), *(f"</{name}>" for name in NAMES))


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("e2e4", ["e2e4"]),
        ("<div>a</div><div>b</div>", ["a", "b"]),
        ("<div>a<br></div><div><br></div><div>b</div>", ["a", "", "b"]),
        ("<p>a</p><p>b</p>", ["a", "", "b", ""]),
        ("<p class=MsoNormal>a</p><p class=MsoNormal>b</p>", ["a", "b"]),
        ("<p style='margin:0'>a</p><p style='margin: 0px'>b</p>", ["a", "b"]),
        ("a<br><br>b", ["a", "", "b"]),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", ["a b", "c"]),
        ("<b>e2</b><i>e4</i>", ["e2e4"]),
        ("e2\n  e4", ["e2 e4"]),
        ("<pre>a\n\n b</pre>", ["a", " b"]),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>c", ["> a", "> b", "c"]),
        ("a < b <3 &lt;c&gt;", ["a < b <3 <c>"]),
        ("<!-- a -->b<!-->c<!DOCTYPE html>d<?xml e?>f", ["bcdf"]),
        ("<style>a</style ><script>b</script>c<title>d", ["c"]),
        ("<div style='DISPLAY: None'>a<div>b</div></div>c", ["c"]),
        ("<div hidden>a</div>b", ["b"]),
        ("<div style='font-size:0.9em'>a</div>", ["a"]),
        ("<a href='x>y' title=\"z\">a</a>", ["a"]),
        ('<a href="x>a', ["a"]),
        ("</div></p>a</br>b", ["", "a", "b"]),
        ("a<hr>b", ["a", RULE, "b"]),
        ("<blockquote>a<hr></blockquote>", ["> a", f"> {RULE}"]),
        ("<div class=gmail_attr>x wrote:<br></div>a", [RULE, "x wrote:", "a"]),
        ("a<div id=appendonsend></div>b", ["a", RULE, "b"]),
        ("a<div style='border:none;border-top:solid #E1E1E1 1.0pt'>b</div>", ["a", RULE, "b"]),
        ("a<div style='border:1px solid'>b</div>", ["a", "b"]),
        ("a<div class=quote hidden>b</div>c", ["a", "c"]),
        ("\u0130<STYLE>a</STYLE>b", ["\u0130b"]),
        ("<li>a<li>b", ["a", "b"]),
        ("", []),
    ],
)  # fmt: skip
def test_html_is_read_as_a_person_sees_it(source: str, lines: list[str]) -> None:
    assert html_to_lines(source) == lines


@given(st.text("<>/abpbrdivtd=\"' !-&;#1\n") | st.lists(st.sampled_from(TAGS)).map("".join))
def test_any_text_can_be_read(source: str) -> None:
    assert all("\n" not in line for line in html_to_lines(source))


def test_too_many_nested_tags_are_refused() -> None:
    with pytest.raises(Refused, match="plain text"):
        html_to_lines("<i>" * 25_000)
