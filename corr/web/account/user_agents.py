"""Of which kind a browser is, as far as it says so itself: its maker's name for it and its system, and no more."""

from __future__ import annotations

#: What a browser calls itself: of several, the first that is found, since most call themselves others' names too.
_BROWSERS = {
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Chrome/": "Chrome",
    "CriOS/": "Chrome",
    "Safari/": "Safari",
}
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}


def kind(agent: str) -> str:
    """`Firefox, Linux`, or the half of it that is known, or nothing."""
    return ", ".join(filter(None, (_first(agent, _BROWSERS), _first(agent, _SYSTEMS))))


def _first(agent: str, names: dict[str, str]) -> str:
    return next((name for sign, name in names.items() if sign in agent), "")
