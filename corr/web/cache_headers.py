"""Lists the endpoints that open without a cookie or a secret link: only their pages may be cached.

Caches keep only the version for signed-out visitors.
"""

from __future__ import annotations

#: The same for everybody, whatever cookie the request has.
FILES = ("assets.asset",)
#: The same for everybody except for the head.
OPEN = (
    "front.front",
    "front.privacy",
    "checkpoint.newest",
    "checkpoint.of_day",
    "checkpoint.leaves",
    "rules.variants",
    "rules.variant",
)
PUBLIC = OPEN + FILES
