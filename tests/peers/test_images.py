"""The sheet of tiles and the app icons match what their scripts draw with resvg."""

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


def load_script(name: str) -> ModuleType:
    loader = SourceFileLoader(name, str(ROOT / "scripts" / name))
    spec = spec_from_loader(name, loader)
    assert spec
    script = module_from_spec(spec)
    loader.exec_module(script)
    return script


def test_the_sheet_of_tiles_matches_its_script():
    script = load_script("tiles")
    stored, drawn = (Image.open(io.BytesIO(file)) for file in (script.SHEET.read_bytes(), script.drawn()))

    assert (stored.tobytes(), stored.getpalette()) == (drawn.tobytes(), drawn.getpalette())
    assert stored.info == drawn.info


@pytest.mark.parametrize("name", ["mark-192", "mark-512", "mark-masked-512"])
def test_the_app_icons_match_their_script(name: str):
    script = load_script("icons")
    stored, drawn = (
        Image.open(io.BytesIO(file)).convert("RGB")
        for file in ((script.STATIC / f"{name}.png").read_bytes(), script.drawn(name))
    )

    assert stored.tobytes() == drawn.tobytes()
