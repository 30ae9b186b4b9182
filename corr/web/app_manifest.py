"""Serves the app manifest and the service worker, so that the pages can be installed on a device."""

from __future__ import annotations

import json

from flask import Blueprint, request
from werkzeug.wrappers import Response

from corr.text.messages import sentence
from corr.web import assets

pages = Blueprint("installed", __name__)

#: The page background by day; a manifest has no dark mode.
_DESK = "#e3e9eb"
_ICONS = (("mark-192", 192, "any"), ("mark-512", 512, "any"), ("mark-masked-512", 512, "maskable"))


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """Serve the name, icons and start page of the installed app."""
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
    """Serve the service worker, at the pages' root so that its scope includes all of them."""
    return Response(assets.assets()["sw.js"].plain, content_type="text/javascript")
