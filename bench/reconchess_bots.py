"""Lets `reconchess` bots play in the arena: translates our slips into the calls they expect."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import chess
import chess.engine
from reconchess import GameHistory, Player
from reconchess.bots.attacker_bot import AttackerBot
from reconchess.bots.random_bot import RandomBot
from reconchess.bots.trout_bot import STOCKFISH_ENV_VAR, TroutBot

from bench.arena_players import Drawless
from corr.bots.history import Observation
from corr.bots.move_scores import parse_option
from corr.rules.core.umpire import Umpire
from corr.words.board import Side
from corr.words.codes import Common, Datum
from corr.words.orders import Command, Order, Pass, Sense
from corr.words.slips import Slip

_SECONDS_LEFT = 900.0
BOTS: dict[str, Callable[[], Player]] = {"rc-random": RandomBot, "attacker": AttackerBot, "trout": TroutBot}


class Bot(Drawless):
    """A `reconchess` bot at a seat."""

    def __init__(self, umpire: Umpire[Any], player: Player) -> None:
        self._umpire, self._player = umpire, player
        self._last: Slip | None = None

    def observe(self, heard: Observation) -> None:
        """Tell the bot in its own terms what a slip says."""
        slip, is_first, square = heard.slip, self._last is None, heard.captured
        self._last = slip
        if is_first:
            self._player.handle_game_start(slip.side is Side.WHITE, chess.Board(), "corr")
            if slip.side is Side.WHITE:
                self._player.handle_opponent_move_result(False, None)  # reconchess' signature
        elif isinstance(heard.order, Sense):
            self._player.handle_sense_result(_seen(slip))
        elif heard.order is not None:
            fact = slip.find(Common.TAKEN) or slip.made
            assert fact
            asked, done = _move(fact.get("asked") or fact["move"]), _move(fact["move"])
            self._player.handle_move_result(asked, done, square is not None, square)
        elif heard.is_opponents_move:
            self._player.handle_opponent_move_result(square is not None, square)

    def write(self) -> Order:
        """Its sense or move; it resigns if it crashes, as in `reconchess`."""
        try:
            return self._choose()
        except (chess.engine.EngineError, TimeoutError):
            return Command("resign", "resign")

    def leave(self) -> None:
        self._player.handle_game_end(None, None, GameHistory())

    def _choose(self) -> Order:
        assert self._last
        if isinstance(self._player, TroutBot):
            _revive(self._player)
        sight = self._last.sight
        texts = self._umpire.possible_tries(sight._replace(sense_due=False))
        moves = [chess.Move.from_uci(text) for text in texts if text != "pass"]
        if sight.sense_due:
            return Sense(self._player.choose_sense(list(chess.SQUARES), moves, _SECONDS_LEFT))
        move = self._player.choose_move(moves, _SECONDS_LEFT)
        return parse_option(move.uci()) if move in moves else Pass()


def _revive(trout: TroutBot) -> None:
    """Give it a new Stockfish if an impossible board has crashed the old one."""
    if trout.engine.protocol.returncode.done():
        trout.engine.close()
        trout.engine = chess.engine.SimpleEngine.popen_uci(os.environ[STOCKFISH_ENV_VAR], setpgrp=True)


def _move(text: Datum) -> chess.Move | None:
    return None if text in (None, "pass") else chess.Move.from_uci(str(text))


def _seen(slip: Slip) -> list[tuple[int, chess.Piece | None]]:
    """What the sense has shown, own pieces too."""
    sensed = slip.find(Common.SENSED)
    return [
        (chess.parse_square(square), None if letter == "." else chess.Piece.from_symbol(letter))
        for square, letter in (sensed.shown.on if sensed and sensed.shown else ())
    ]
