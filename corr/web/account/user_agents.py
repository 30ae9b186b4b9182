"""Names a browser's kind by its own words: its maker's name for it and its system, and no more."""

from __future__ import annotations

#: Names by a browser's sign: the first sign found counts, since most browsers also name others.
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


def describe_browser(agent: str) -> str:
    """Return a name such as `Firefox, Linux`, the known half of it, or an empty string."""
    return ", ".join(filter(None, (_find_name(agent, _BROWSERS), _find_name(agent, _SYSTEMS))))


def _find_name(agent: str, names: dict[str, str]) -> str:
    return next((name for sign, name in names.items() if sign in agent), "")
