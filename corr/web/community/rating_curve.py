"""Draws a rating's history as the path of a small drawing."""

from __future__ import annotations

from collections.abc import Sequence

#: The drawing's width and height, and the fewest rating points it spans, so that small changes look small.
WIDTH, HEIGHT, _LEAST_RANGE = 100, 20, 60
_MARGIN = 2


def path(points: Sequence[float]) -> str:
    """Return a path from left to right through all points; without points, a line across the middle."""
    if not points:
        return f"M0 {HEIGHT // 2}H{WIDTH}"
    low, high = min(points), max(points)
    middle, span = (low + high) / 2, max(high - low, _LEAST_RANGE)
    step = WIDTH / max(1, len(points) - 1)
    at = [
        f"{number * step:.3g} {HEIGHT / 2 - (point - middle) / span * (HEIGHT - 2 * _MARGIN):.3g}"
        for number, point in enumerate(points)
    ]
    return "M" + " ".join(at)
