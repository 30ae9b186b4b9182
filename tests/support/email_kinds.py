"""All kinds of emails: each has a template."""

from __future__ import annotations

from corr.text.messages import template_folder

#: A footer of other emails.
_FOOT = "foot"
KINDS = {path.stem for path in (template_folder() / "mail").glob("*.txt")} - {_FOOT}
