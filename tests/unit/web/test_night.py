"""By night a page has other colours, and nothing else is another: who can use it by day can by night."""

from __future__ import annotations

import re

from corr.web.assets import assets

_BY_NIGHT = "@media (prefers-color-scheme:dark)"
#: What holds a colour, or how much of a drawing shines through.
_COLOUR = re.compile(r"(#[0-9a-f]{3,8}|rgba\([^)]*\)|\d?\.\d+)")
_INNERMOST = re.compile(r"\{([^{}]*)\}")


def told_by_night(style: str) -> list[tuple[str, str]]:
    """What a style sheet says for the night: each property and its value."""
    found = []
    for part in style.split(_BY_NIGHT)[1:]:
        end = re.search(r"\}\s*\}", part)
        assert end
        for told in _INNERMOST.findall(part[: end.end()]):
            found += [(name.strip(), value.strip()) for name, _, value in _pairs(told)]
    return found


def _pairs(told: str) -> list[tuple[str, str, str]]:
    return [each.partition(":") for each in told.split(";") if each.strip()]


def styles() -> dict[str, str]:
    return {name: asset.plain.decode() for name, asset in assets().items() if name.endswith(".css")}


def test_the_night_changes_colours_alone() -> None:
    told = [each for style in styles().values() for each in told_by_night(style)]

    assert len(told) > 20
    for name, value in told:
        assert name.startswith("--") or name in ("color", "background-color", "opacity"), (name, value)
        assert _COLOUR.fullmatch(value), (name, value)


def test_the_night_is_told_of_in_one_way_alone() -> None:
    for name, style in styles().items():
        assert style.count("prefers-color-scheme") == style.count(_BY_NIGHT), name
        assert "light-dark(" not in style, name
