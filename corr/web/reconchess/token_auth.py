"""Signs in bots of `reconchess` by name and token, and converts between game codes and numbers."""

from __future__ import annotations

import re
from typing import NamedTuple

from flask import abort, request

from corr.service.players import access_log, tokens
from corr.service.players.authentication import Visitor
from corr.service.players.lookalikes import fold_lookalikes
from corr.service.players.names import remove_bot_mark
from corr.text.messages import sentence
from corr.web.browser_session import current_server

PREFIX = "/reconchess/api"

_SIGNS = "0123456789abcdefghijklmnopqrstuvwxyz"
_BASE = len(_SIGNS)
_NUMBER = re.compile(r"[1-9][0-9]{0,59}")


class Credentials(NamedTuple):
    name: str
    token: str

    def is_for(self, player: str) -> bool:
        """Return whether the name is this player's."""
        return fold_lookalikes(remove_bot_mark(self.name)) == fold_lookalikes(remove_bot_mark(player))


def require_bot() -> Visitor:
    """Return the bot's player, if its token may play."""
    given = credentials()
    found = tokens.bearer(current_server(), given.token)
    if found is None or not found.plays or not given.is_for(found.visitor.name or ""):
        access_log.log_refusal(request.endpoint or "", "token")
        abort(401, sentence("reconchess.unknown"))
    return found.visitor


def credentials() -> Credentials:
    given = request.authorization
    if given is None or given.type != "basic":
        abort(401, sentence("reconchess.unknown"))
    return Credentials(given.username or "", given.password or "")


def code_to_number(code: str) -> int:
    """Return the number by which a bot knows the game or challenge of this code."""
    return int(f"1{code}", _BASE)


def number_to_code(number: str) -> str:
    """Return the code of a bot's number."""
    left, code = int(number) if _NUMBER.fullmatch(number) else 0, ""
    while left >= _BASE:
        left, sign = divmod(left, _BASE)
        code = _SIGNS[sign] + code
    if left != 1:
        abort(404, sentence("pages.no_game"))
    return code
