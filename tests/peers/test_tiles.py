"""The sheet of tiles is what `scripts/tiles` draws with resvg."""

from __future__ import annotations

import io
import os
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_loader
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(
    find_spec("resvg_py") is None and os.environ.get("CORR_TEST_ALL") != "1",
    reason="resvg is not installed: pip install resvg-py",
)
def test_the_sheet_of_tiles_is_what_its_script_draws():
    loader = SourceFileLoader("tiles", str(ROOT / "scripts" / "tiles"))
    spec = spec_from_loader("tiles", loader)
    assert spec
    script = module_from_spec(spec)
    loader.exec_module(script)
    kept, drawn = (Image.open(io.BytesIO(file)) for file in (script.SHEET.read_bytes(), script.drawn()))

    assert (kept.tobytes(), kept.getpalette()) == (drawn.tobytes(), drawn.getpalette())
    assert kept.info == drawn.info
