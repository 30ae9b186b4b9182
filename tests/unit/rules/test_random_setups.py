"""Other programs read PGN files with set-ups. More games: `python -m tests.support.random_setups 2000`."""

from __future__ import annotations

import pytest

from corr.orders import parse_order
from corr.rules.retold import pgn
from corr.rules.retold.pgn import build_record
from corr.rules.variants import find_umpire
from corr.words.board import Side
from tests.support import random_setups
from tests.support.pgn_reader import read_pgn
from tests.support.random_games import PlayedGame, resign
from tests.support.skips import skip_missing

#: Set-ups that use all ranks, with empty squares around every piece.
WHITE = "deploy Ra1 Kc1 Be1 Rg1 Na2 Qc2 Ne2 Bg2 Pa3 Pc3 Pe3 Pg3 Pb4 Pd4 Pf4 Ph4"
BLACK = "deploy Ra8 Kc8 Be8 Rg8 Na7 Qc7 Ne7 Bg7 Pa6 Pc6 Pe6 Pg6 Pb5 Pd5 Pf5 Ph5"


@pytest.mark.parametrize("key", ["welbeck", "assassin"])
def test_a_long_position_is_not_cut(key: str):
    umpire = find_umpire(key)
    played = PlayedGame(umpire, [umpire.start()])
    played.put(Side.WHITE, parse_order(WHITE))
    played.put(Side.BLACK, parse_order(BLACK))
    first = umpire.fen(played.last.truth)
    record = build_record(umpire.card, resign(played, Side.WHITE).finished())
    assert f'[FEN "{first}"]' in pgn.write_pgn(record).splitlines()
    assert read_pgn(pgn.write_pgn(record)) == pgn.clean_record(record)


def test_python_chess_reads_random_set_ups_and_their_moves():
    for played in random_setups.games(60, seed=3):
        assert random_setups.by_python_chess(random_setups.text_of(played)) == random_setups.fens(played)


def test_pgn_extract_reads_random_set_ups_and_their_moves():
    if not random_setups.PGN_EXTRACT.exists():
        skip_missing("pgn-extract")
    games = list(random_setups.games(100, seed=4))
    assert random_setups.by_pgn_extract([random_setups.text_of(each) for each in games]) == [
        random_setups.fens(each) for each in games
    ]
