"""The page of a finished game: the whole truth from three sides, and to a player the own tries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from corr.desk import catalogue, dossier, review
from corr.desk.house import House
from corr.desk.signing import Visitor
from corr.game.clock import clock_of
from corr.mail.board import Board, board
from corr.words import Card, Pair, Replay, Scene, Side, Try


@dataclass(frozen=True, slots=True)
class Reveal:
    """A finished game: who played it and when, move by move, and a visitor's own tries by side and half-move."""

    code: str
    card: Card
    players: Pair[str]
    begun: str
    clock: str
    replay: Replay
    tries: Mapping[Side, Mapping[int, tuple[Try, ...]]]


def reveal(house: House, mark: str, visitor: Visitor | None) -> Reveal:
    """The finished game of a page's mark, for whoever has it; Refused where there is none."""
    player_id = visitor.who.player_id if visitor else None
    with house.store.reading() as connection:
        game = review.shared(connection, mark)
        seats = review.seats_of(connection, game.id)
        handed = [review.handed(connection, seats[side].id) for side in Side]
        begun = review.begun(connection, seats.values())
        own = {side: row.id for side, row in seats.items() if row.player_id == player_id}
        tries = {side: dossier.all_tries(connection, seat) for side, seat in own.items()}
    return Reveal(
        code=game.code,
        card=catalogue.card(game.variant),
        players=Pair(*(seats[side].name for side in Side)),
        begun=begun.strftime("%-d %B %Y") if begun else "",
        clock=clock_of(game.clock).sentence,
        replay=_replayed(game.variant, *handed),
        tries=tries,
    )


def drawn(scene: Scene, side: Side | None) -> Board:
    """The board of a scene as a side saw it, or as it was."""
    return board(scene.sights[side] if side else scene.whole)


@lru_cache(maxsize=16)
def _replayed(variant: str, white: review.Kept, black: review.Kept) -> Replay:
    """The same slips are the same game: what is remembered of one is never out of date."""
    slips = Pair(review.unpacked(Side.WHITE, white), review.unpacked(Side.BLACK, black))
    return catalogue.replayed(variant, slips)
