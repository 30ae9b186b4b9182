"""Players as they may be: where they live, how long they think, when they are away, and what they never do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

_ZONES = (
    *("UTC", "Europe/Paris", "America/New_York", "America/Sao_Paulo", "Asia/Kolkata", "Asia/Tokyo"),
    *("Australia/Lord_Howe", "Pacific/Auckland", "Pacific/Kiritimati", "Africa/Cairo"),
)
_LADDERS = ("usual", "usual", "off", "3d 1d 6h", "1d 2h", "12h", "30m", "2d 20h 3h 1h", "30d 10d 5d")
_QUIET = ("off", "off", "22-7", "20-8", "23-6", "0-9", "13-15")
_THINKS = ((0.05, 3.0), (0.5, 12.0), (2.0, 30.0), (10.0, 60.0))
#: So many make a move more often than they fall silent for good.
_STAYS = 25


@dataclass(frozen=True, slots=True)
class Habits:
    """One player, drawn by chance."""

    words: tuple[str, ...]
    hours: tuple[float, float]  # how long a move is thought over
    silent_from: int  # from which ply on, in whatever game
    pages: float  # how often it is written on the page
    wrong_tries: float
    resigns: float
    pauses: float
    agrees: float
    claims: float
    quotes: bool
    goes_on_leave: bool
    away: float  # how often a vacation is booked, or ended

    def thinks(self, dice: Random) -> timedelta:
        return timedelta(hours=dice.uniform(*self.hours))


def drawn(dice: Random) -> Habits:
    words = [f"zone {dice.choice(_ZONES)}", f"remind {dice.choice(_LADDERS)}", f"quiet {dice.choice(_QUIET)}"]
    if dice.random() < 0.3:
        words.append("weekends off")
    if dice.random() < 0.15:
        words.append("mail off")
    return Habits(
        words=tuple(words),
        hours=dice.choice(_THINKS),
        silent_from=dice.randint(0, 60) if dice.random() < 0.3 else 10_000,
        pages=dice.choice((0.0, 0.0, 0.5, 1.0)),
        wrong_tries=0.1,
        resigns=1 / dice.randint(20, 80),
        pauses=dice.choice((0.0, 0.03)),
        agrees=dice.random(),
        claims=dice.random(),
        quotes=dice.random() < 0.5,
        goes_on_leave=dice.random() < 0.15,
        away=dice.choice((0.0, 0.05)),
    )


def vacation(dice: Random, now: datetime) -> str:
    """A vacation that may begin at once, or is long ahead; or none any more."""
    if dice.random() < 0.25:
        return "vacation off"
    first = now.date() + timedelta(days=dice.choice((0, 1, 2, 5, 20)))
    return f"vacation {first} {first + timedelta(days=dice.randint(0, 12))}"
