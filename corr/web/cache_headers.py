"""Lists the endpoints that open without a cookie or a secret link: only their pages may be cached.

Caches keep only the version for signed-out visitors.
"""

from __future__ import annotations

#: The same for everybody, whatever cookie the request has.
FILE_ENDPOINTS = ("assets.asset",)
#: The same for everybody except for the head.
OPEN_ENDPOINTS = (
    "front.front",
    "front.privacy",
    "checkpoint.newest",
    "checkpoint.of_day",
    "checkpoint.leaves",
    "rules.variants",
    "rules.variant",
)
CACHEABLE_ENDPOINTS = OPEN_ENDPOINTS + FILE_ENDPOINTS
