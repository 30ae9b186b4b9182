"""What is the same for everybody, and opened without a cookie or a secret link: that alone may be kept."""

from __future__ import annotations

PUBLIC = ("front.front", "front.privacy", "rules.variants", "rules.variant", "assets.asset")
