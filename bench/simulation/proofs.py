"""What players keep of their letters, and whether the records of games that are over lead to the seals in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from sqlalchemy import select

from bench.simulation.postbox import Received
from corr.proof.proof import Proof, prove
from corr.service.games import game_records
from corr.service.house import House
from corr.store.tables import Game, Player, SeatRow
from corr.words.board import Side
from corr.words.view import Stage

_SEATED = (
    select(Game.id, SeatRow.side, Player.address)
    .join(SeatRow, SeatRow.game_id == Game.id)
    .join(Player, Player.id == SeatRow.player_id)
    .where(Game.state == Stage.OVER, Game.leaves > 0)
    .order_by(Game.id, SeatRow.side)
)


class Mailboxes:
    """The letters of each player, as far as they matter to a proof."""

    def __init__(self) -> None:
        self._letters: defaultdict[str, list[bytes]] = defaultdict(list)

    def keep(self, received: Received) -> None:
        """A letter has come."""
        letter = f"From umpire\nSubject: {received.subject}\n\n{received.text}\n"
        self._letters[received.recipient] += letter.encode().splitlines(keepends=True)

    def proofs(self, house: House) -> Iterator[tuple[int, Side, Proof]]:
        """What each player of each game that is over finds out."""
        with house.store.reading() as connection:
            for game, side, address in connection.execute(_SEATED).all():
                record = game_records.record(connection, game, Side(side))
                lines = (line.encode() for line in record.splitlines(keepends=True))
                yield game, Side(side), prove(lines, [self._letters[address]])
