"""The dark theme changes only colours, so a page that is usable by day is usable at night."""

from __future__ import annotations

import re

from corr.web.assets import assets
from tests.unit.test_board_image import contrast

_COLOUR = re.compile(r"#[0-9a-f]{3,8}|rgba\([^)]*\)")
#: A mask's black isn't a visible colour: it marks what shows.
_MASK = re.compile(r"mask(-image)?:[^;}]*")
#: A property's light and dark values; a colour may contain brackets.
_PAIR = re.compile(r"(--[\w-]+):light-dark\(((?:[^()]|\([^()]*\))*)\)")
_COMMA = re.compile(r",(?![^(]*\))")


def styles() -> dict[str, str]:
    return {name: asset.plain.decode() for name, asset in assets().items() if name.endswith(".css")}


def test_the_dark_theme_changes_only_colours() -> None:
    pairs = _PAIR.findall(styles()["tokens.css"])

    assert len(pairs) > 20
    for name, pair in pairs:
        day, night = _COMMA.split(pair)
        assert _COLOUR.fullmatch(day), (name, day)
        assert _COLOUR.fullmatch(night), (name, night)


def test_the_dark_theme_is_defined_in_one_file() -> None:
    tokens = styles()["tokens.css"]

    assert tokens.count("light-dark(") == len(_PAIR.findall(tokens))
    for name, style in styles().items():
        rest = style.replace(tokens, "")
        assert "prefers-color-scheme" not in style, name
        assert "light-dark(" not in rest, name
        assert "color-scheme:" not in rest, name


def test_colours_are_defined_in_one_file() -> None:
    tokens = styles()["tokens.css"]

    for name, style in styles().items():
        assert _COLOUR.findall(_MASK.sub("", style.replace(tokens, ""))) == [], name


def test_the_discs_of_both_sides_are_visible_in_both_themes() -> None:
    """They lie on board squares, which stay light at night, when black would vanish on the page."""
    disc, black = re.findall(r"\.disc(?:\.black)?\{([^}]*)\}", styles()["base.css"])[:2]
    tokens = styles()["tokens.css"]

    assert "var(--white)" in disc
    assert ") var(--seen-dark)" in disc
    assert "background-image:" in black
    assert "var(--black)" in black
    grounds = dict(_PAIR.findall(tokens))["--seen-dark"].split(",")
    for other in (*grounds, _find_value(tokens, "--white")):
        assert contrast(_rgb(_find_value(tokens, "--black")), _rgb(other)) > 6


def _find_value(tokens: str, name: str) -> str:
    found = re.search(rf"{name}:(#[0-9a-f]+)", tokens)
    assert found
    return found[1]


def _rgb(colour: str) -> tuple[int, ...]:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * each for each in colour[1:])
    return tuple(bytes.fromhex(digits))
