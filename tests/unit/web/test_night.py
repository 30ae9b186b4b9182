"""By night a page has other colours, and nothing else is another: who can use it by day can by night."""

from __future__ import annotations

import re

from corr.web.assets import assets

_COLOUR = re.compile(r"#[0-9a-f]{3,8}|rgba\([^)]*\)")
#: A pair of a property's values, by day and by night; a colour may have brackets of its own.
_PAIR = re.compile(r"(--[\w-]+):light-dark\(((?:[^()]|\([^()]*\))*)\)")
_BETWEEN = re.compile(r",(?![^(]*\))")


def styles() -> dict[str, str]:
    return {name: asset.plain.decode() for name, asset in assets().items() if name.endswith(".css")}


def test_the_night_changes_colours_alone() -> None:
    pairs = _PAIR.findall(styles()["tokens.css"])

    assert len(pairs) > 20
    for name, pair in pairs:
        day, night = _BETWEEN.split(pair)
        assert _COLOUR.fullmatch(day), (name, day)
        assert _COLOUR.fullmatch(night), (name, night)


def test_the_night_is_told_of_in_one_place_alone() -> None:
    tokens = styles()["tokens.css"]

    assert tokens.count("light-dark(") == len(_PAIR.findall(tokens))
    for name, style in styles().items():
        told = style.replace(tokens, "")
        assert "prefers-color-scheme" not in style, name
        assert "light-dark(" not in told, name
