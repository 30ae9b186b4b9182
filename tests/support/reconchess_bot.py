"""The requests of a `reconchess` bot, one by one."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from corr.service.players import players
from tests.support.api_bots import make_token
from tests.support.table import EVE, Table


def basic_auth(name: str, token: str) -> dict[str, str]:
    return {"Authorization": f"Basic {b64encode(f'{name}:{token}'.encode()).decode()}"}


class Bot:
    """Eve's bot, on a server whose workers run."""

    def __init__(self, table: Table, client: FlaskClient | None = None) -> None:
        players.add(table.server, "Eve", EVE, table.clock())
        self.token = make_token(table, EVE, plays=True)
        self.heads = basic_auth("Eve", self.token)
        self.client = client or table.app_with_workers().test_client()

    def get(self, path: str) -> TestResponse:
        return self.client.get(f"/reconchess/api/{path}", headers=self.heads)

    def post(self, path: str, body: object = None) -> TestResponse:
        return self.client.post(f"/reconchess/api/{path}", json=body, headers=self.heads)

    def invite(self, opponent: str = "Pip", *, color: bool = True) -> int:
        number: int = self.post("invitations/", {"opponent": opponent, "color": color}).get_json()["game_id"]
        return number


def move(uci: str) -> dict[str, Any]:
    return {"requested_move": {"type": "Move", "value": uci}}
