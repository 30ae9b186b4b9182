"""What is opened without a cookie or a secret link: that alone may be kept, as it is for who is let in nowhere."""

from __future__ import annotations

#: The same for everybody, whatever cookie comes with the question.
FILES = ("assets.asset",)
#: The same for everybody but for the head.
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
