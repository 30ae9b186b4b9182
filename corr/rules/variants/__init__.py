"""The umpires: every module here with an `UMPIRE` is found automatically."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from corr.rules.core.umpire import Umpire
from corr.words.errors import Refused


def _find_umpires() -> dict[str, Umpire[Any]]:
    modules = (import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__))
    umpires: list[Umpire[Any]] = [module.UMPIRE for module in modules if hasattr(module, "UMPIRE")]
    return {umpire.card.key: umpire for umpire in sorted(umpires, key=lambda umpire: umpire.card.key)}


UMPIRES = _find_umpires()  # every variant's umpire by its key


def find_umpire(key: str) -> Umpire[Any]:
    """Return the umpire of a variant; Refused, with a list of the variants, if there is none."""
    if key not in UMPIRES:
        raise Refused(f"There is no variant called {key}. Choose one of: {', '.join(UMPIRES)}.")
    return UMPIRES[key]
