"""Shows to everybody each day's checkpoint: a signed hash of all game seals and admin actions so far."""

from __future__ import annotations

from flask import Blueprint, abort
from werkzeug.wrappers import Response

from corr.service.games import checkpoints
from corr.text.messages import sentence
from corr.web.browser_session import current_server, render_public

pages = Blueprint("checkpoint", __name__, url_prefix="/checkpoint")

_FOR_A_DAY = "public, max-age=86400"


@pages.get("", strict_slashes=False)
def newest() -> str:
    """Show the newest checkpoint."""
    return render_public("web/checkpoint.html", seen=checkpoints.load_newest(current_server()))


@pages.get("/<day>")
def of_day(day: str) -> str:
    """Show the checkpoint of a day."""
    seen = checkpoints.load_day(current_server(), day)
    if seen is None:
        abort(404, sentence("pages.no_checkpoint"))
    return render_public("web/checkpoint.html", seen=seen)


@pages.get("/<day>/leaves")
def leaves(day: str) -> Response:
    """Serve the hashes of a checkpoint's entries, one a line."""
    found = checkpoints.load_leaves(current_server(), day)
    if found is None:
        abort(404, sentence("pages.no_checkpoint"))
    told = "".join(f"{leaf.hex()}\n" for leaf in found)
    return Response(told, content_type="text/plain; charset=utf-8", headers={"Cache-Control": _FOR_A_DAY})
