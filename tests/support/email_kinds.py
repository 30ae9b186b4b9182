"""The kinds of letters that there are: each has its template."""

from __future__ import annotations

from corr.text.messages import template_folder

#: What stands below other letters, and is none.
_FOOT = "foot"
KINDS = {path.stem for path in (template_folder() / "mail").glob("*.txt")} - {_FOOT}
