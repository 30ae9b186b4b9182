"""How a rating went, as the path of a small drawing."""

from __future__ import annotations

from collections.abc import Sequence

#: How wide and high it is drawn, and how many points of rating it shows at least: a little up and down is no mountain.
WIDTH, HEIGHT, _LEAST = 100, 20, 60
_MARGIN = 2


def path(points: Sequence[float]) -> str:
    """From left to right through all points, the highest above; a line across the middle where there are none."""
    if not points:
        return f"M0 {HEIGHT // 2}H{WIDTH}"
    low, high = min(points), max(points)
    middle, span = (low + high) / 2, max(high - low, _LEAST)
    step = WIDTH / max(1, len(points) - 1)
    at = [
        f"{number * step:.3g} {HEIGHT / 2 - (point - middle) / span * (HEIGHT - 2 * _MARGIN):.3g}"
        for number, point in enumerate(points)
    ]
    return "M" + " ".join(at)
