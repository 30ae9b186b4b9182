"""Players' own bots: their tokens, and their requests to the API."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.test import TestResponse

from corr.service.players import mailboxes, tokens
from corr.service.players.authentication import Visitor
from corr.store.tables import GameRow
from tests.support.table import Table


def make_token(table: Table, address: str, name: str = "one", *, plays: bool = False) -> str:
    """Make a token for the player with this address."""
    with table.server.store.reading() as connection:
        who = mailboxes.find_correspondent(connection, address)
    assert who
    return tokens.make(table.server, Visitor(who, "", table.clock()), name, table.clock(), plays=plays)


def bearer_header(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def api_get(table: Table, path: str, token: str, **heads: str) -> TestResponse:
    return table.app().test_client().get(path, headers=bearer_header(token) | heads)


def first_game_code(table: Table) -> str:
    """The code of the oldest game."""
    with table.server.store.reading() as connection:
        return connection.execute(select(GameRow.code).order_by(GameRow.id).limit(1)).scalar_one()


class ApiBot:
    """A bot with a token, on a server whose workers run."""

    def __init__(self, table: Table, token: str, client: FlaskClient | None = None) -> None:
        self._client = client or table.app_with_workers().test_client()
        self._heads = bearer_header(token)

    def get(self, path: str) -> TestResponse:
        return self._client.get(path, headers=self._heads)

    def post(self, path: str, body: object = None) -> TestResponse:
        return self._client.post(path, json=body, headers=self._heads)

    def slips(self, code: str, after: str = "0") -> dict[str, Any]:
        """Everything the API tells it about a game."""
        told: dict[str, Any] = self.get(f"/api/games/{code}/slips?after={after}").get_json()
        return told

    def write(self, code: str, text: str, stamp: str = "") -> TestResponse:
        """Write orders, with the newest stamp unless another is given."""
        stamp = stamp or self.slips(code)["stamp"]
        return self.post(f"/api/games/{code}/orders", {"text": text, "stamp": stamp})
