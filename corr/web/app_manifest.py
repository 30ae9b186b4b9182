"""What lets the pages be installed on a device, and what a browser keeps running behind them."""

from __future__ import annotations

import json

from flask import Blueprint, request
from werkzeug.wrappers import Response

from corr.messages import sentence
from corr.web import assets

pages = Blueprint("installed", __name__)

#: The colour of the desk by day; a manifest knows no night.
_DESK = "#e3e9eb"
_ICONS = (("mark-192", 192, "any"), ("mark-512", 512, "any"), ("mark-masked-512", 512, "maskable"))


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """As what the pages are installed: under which name, with which pictures, and which page comes first."""
    root = request.script_root
    told = {
        "name": "corr",
        "short_name": "corr",
        "description": sentence("installed.description"),
        "id": f"{root}/",
        "scope": f"{root}/",
        "start_url": f"{root}/games/",
        "display": "standalone",
        "background_color": _DESK,
        "theme_color": _DESK,
        "icons": [
            {
                "src": f"{root}/static/{assets.stamp()}/{name}.png",
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for name, size, purpose in _ICONS
        ],
    }
    return Response(json.dumps(told), content_type="application/manifest+json")


@pages.get("/sw.js")
def service_worker() -> Response:
    """What a browser keeps running behind all pages: it must stand where they do, to be there for all of them."""
    return Response(assets.assets()["sw.js"].plain, content_type="text/javascript")
