"""The sheet of tiles, and the pictures under which the pages are installed, are what their scripts draw with resvg."""

from __future__ import annotations

import io
import os
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image

ROOT = Path(__file__).parents[2]


pytestmark = pytest.mark.skipif(
    find_spec("resvg_py") is None and os.environ.get("CORR_TEST_ALL") != "1",
    reason="resvg is not installed: pip install resvg-py",
)


def script_of(name: str) -> ModuleType:
    """One of the scripts that draw."""
    loader = SourceFileLoader(name, str(ROOT / "scripts" / name))
    spec = spec_from_loader(name, loader)
    assert spec
    script = module_from_spec(spec)
    loader.exec_module(script)
    return script


def test_the_sheet_of_tiles_is_what_its_script_draws():
    script = script_of("tiles")
    kept, drawn = (Image.open(io.BytesIO(file)) for file in (script.SHEET.read_bytes(), script.drawn()))

    assert (kept.tobytes(), kept.getpalette()) == (drawn.tobytes(), drawn.getpalette())
    assert kept.info == drawn.info


@pytest.mark.parametrize("name", ["mark-192", "mark-512", "mark-masked-512"])
def test_the_pictures_of_the_installed_pages_are_what_their_script_draws(name: str):
    script = script_of("icons")
    kept, drawn = (
        Image.open(io.BytesIO(file)).convert("RGB")
        for file in ((script.STATIC / f"{name}.png").read_bytes(), script.drawn(name))
    )

    assert kept.tobytes() == drawn.tobytes()
