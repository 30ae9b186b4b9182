"""Names in each page of the built docs which scripts it may run: mkdocs.yml calls it."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import Any

_POLICY = (
    "default-src 'none'; script-src 'self'{scripts}; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
)
_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def guarded(page: str) -> str:
    """The page with a policy by which only its own scripts run: a search can bring none in."""
    digests = (hashlib.sha256(script.encode()).digest() for script in _INLINE.findall(page))
    hashes = (f" 'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    policy = _POLICY.format(scripts="".join(sorted(hashes)))
    return page.replace("<head>", f'<head><meta http-equiv="Content-Security-Policy" content="{policy}">', 1)


def on_post_build(config: Any, **_: Any) -> None:
    for path in Path(config.site_dir).rglob("*.html"):
        path.write_text(guarded(path.read_text("utf-8")), "utf-8")
