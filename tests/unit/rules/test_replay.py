"""Replays of finished games: the true board, each side's view, announcements, and legal moves."""

from __future__ import annotations

from typing import Any

import pytest

from corr.orders import parse_order
from corr.rules.core.deployment import SealedDeployment
from corr.rules.core.sights import sights_after_end
from corr.rules.core.umpire import Umpire
from corr.rules.retold.replay import build_replay
from corr.rules.variants import UMPIRES, find_umpire
from corr.words.board import Side
from corr.words.errors import Refused
from corr.words.orders import Sense
from corr.words.replay import Replay, Scene, SquareChanges
from corr.words.slips import Sight, Slip, Verdict
from tests.support.random_games import PlayedGame, begin_game, play_lines, play_random_game

every_umpire = pytest.mark.parametrize("umpire", UMPIRES.values(), ids=UMPIRES)
SEEDS = range(4)


def replay_of(played: PlayedGame) -> Replay:
    return build_replay(played.umpire, played.slips)


def truths(played: PlayedGame) -> list[Any]:
    """Return the umpire's truth when the pieces came onto the board, and after each move."""
    first, *rest = (each for each in played.rulings if not isinstance(each.truth, SealedDeployment))
    return [first.truth, *(each.truth for each in rest if each.verdict is Verdict.MOVED)]


def whole_sight(truth: Any) -> Sight:
    return sights_after_end(truth.board, truth.lost, getattr(truth, "reserves", None)).white


# ---------------------------------------------------------------- the boards


@every_umpire
@pytest.mark.parametrize("seed", SEEDS)
def test_the_true_board_after_each_move_is_the_umpires(umpire: Umpire, seed: int) -> None:
    played = play_random_game(umpire, seed)
    game, expected = replay_of(played), truths(played)

    assert game.last == len(expected) - 1
    for number, truth in enumerate(expected):
        scene = game.scene(number)
        assert scene.whole.signs() == whole_sight(truth).signs()
        assert scene.whole.reserves == whole_sight(truth).reserves
        assert (scene.turn is Side.WHITE) == truth.board.turn
        assert [scene.whole.lost[side].men for side in Side] == [truth.lost[side].men for side in Side]


@every_umpire
@pytest.mark.parametrize("seed", SEEDS)
def test_each_sides_board_is_that_of_its_slips(umpire: Umpire, seed: int) -> None:
    played = play_random_game(umpire, seed)
    game = replay_of(played)

    for side in Side:
        number, seen_at = 0, dict[int, Slip]()
        for slip in played.slips[side]:
            number += slip.made is not None
            if slip.made or any(fact.shown for fact in slip.facts):
                seen_at[number] = slip
        assert len(seen_at) >= game.last
        for at, slip in seen_at.items():
            seen = game.scene(at).sights[side]
            assert (seen.signs(), seen.own, seen.lost) == (
                slip.sight.signs(),
                slip.sight.own,
                slip.sight.lost,
            )


def test_a_sense_given_with_its_move_shows_before_the_move() -> None:
    played = begin_game(find_umpire("rbc"))
    played.put(Side.WHITE, parse_order("sense d7; e2e4"))
    played.put(Side.BLACK, parse_order("sense none; d7d5"))
    played.rulings.append(played.umpire.resigned(played.last.truth, Side.WHITE))
    scenes = [replay_of(played).scene(number) for number in range(3)]

    assert scenes[0].sights.white.signs()[51] == "p"
    assert scenes[1].sights.white.signs()[51] == "p!0"
    assert scenes[0].sights.black.signs()[12] == "?"
    assert scenes[1].marks.moved == ("e2", "e4")


# ---------------------------------------------------------------- marks


ORDERS = ("e2e4", "d7d5", "e4d5", "d8d5", "a2a3", "d5e5")


@pytest.mark.parametrize(
    ("number", "whole", "white", "black"),
    [
        (0, SquareChanges(), SquareChanges(), SquareChanges()),
        (1, SquareChanges(("e2", "e4")), SquareChanges(("e2", "e4")), SquareChanges()),
        (2, SquareChanges(("d7", "d5")), SquareChanges(), SquareChanges(("d7", "d5"))),
        (
            3,
            SquareChanges(("e4", "d5"), ("d5",)),
            SquareChanges(("e4", "d5"), ("d5",)),
            SquareChanges((), ("d5",)),
        ),
        (
            6,
            SquareChanges(("d5", "e5"), (), ("e1",), between=(("e2", "e3", "e4"),)),
            SquareChanges((), (), ("e1",), kinds=("file",)),
            SquareChanges(("d5", "e5")),
        ),
    ],
)
def test_moves_captures_and_checks_are_marked_for_the_sides_that_were_told(
    number: int, whole: SquareChanges, white: SquareChanges, black: SquareChanges
) -> None:
    scene = replay_of(play_lines(find_umpire("wild16"), ORDERS)).scene(number)

    assert (scene.marks, scene.marked.white, scene.marked.black) == (whole, white, black)


def test_an_en_passant_capture_marks_the_captured_pawns_square() -> None:
    scene = replay_of(play_lines(find_umpire("wild16"), ["e2e4", "a7a6", "e4e5", "d7d5", "e5d6"])).scene(5)

    assert scene.marks == SquareChanges(("e5", "d6"), ("d5",))


# ---------------------------------------------------------------- legal moves


@every_umpire
@pytest.mark.parametrize("seed", SEEDS)
def test_legal_moves_are_those_that_the_umpire_makes_unchanged(umpire: Umpire, seed: int) -> None:
    played = play_random_game(umpire, seed, most=60)
    game = replay_of(played)

    for number, truth in list(enumerate(truths(played)))[::7]:
        scene = game.scene(number)
        if not truth.over:
            assert sorted(scene.legal[scene.turn]) == sorted(moves_made(umpire, truth, scene))


def moves_made(umpire: Umpire, truth: Any, scene: Scene) -> set[str]:
    """Return those of the possible tries that are made unchanged."""
    side, found = scene.turn, set()
    if umpire.card.key == "rbc":
        truth = umpire.judge(truth, side, Sense(None)).truth
    for text in umpire.possible_tries(truth.sights[side]):
        ruling = umpire.judge(truth, side, parse_order(text))
        slip = ruling.slips[side]
        if ruling.verdict is Verdict.MOVED and slip and slip.made and slip.made["move"] == text:
            found.add(text)
    return found


@pytest.mark.parametrize("variant", ["wild16", "welbeck", "assassin"])
def test_the_side_not_to_move_could_not_capture_the_king(variant: str) -> None:
    umpire = find_umpire(variant)
    played = PlayedGame(umpire, [umpire.start("4k3/8/8/8/8/8/8/R3KQ1R w KQ - 0 1")])
    played.put(Side.WHITE, parse_order("f1e2"))
    played.rulings.append(umpire.resigned(played.last.truth, Side.BLACK))
    scene = replay_of(played).scene(1)

    assert "e2e7" in scene.legal.white
    assert "e2e8" not in scene.legal.white
    assert "e1c1" in replay_of(played).scene(0).legal.white
    assert "e1g1" not in replay_of(played).scene(0).legal.white


def test_in_rbc_the_king_could_be_captured_and_every_turn_passed() -> None:
    umpire = find_umpire("rbc")
    played = PlayedGame(umpire, [umpire.start("4k3/8/8/8/8/8/4Q3/4K3 b - - 0 1")])
    played.put(Side.BLACK, parse_order("sense none; pass"))
    played.rulings.append(umpire.resigned(played.last.truth, Side.BLACK))

    for number in (0, 1):
        assert {"e2e8", "pass"} <= set(replay_of(played).scene(number).legal.white)
    assert replay_of(played).scene(1).marks.moved == ()


def test_promotions_are_those_of_the_variant() -> None:
    for variant, letters in (("wild16", "qrbn"), ("welbeck", "qrbn"), ("assassin", "rbn")):
        umpire = find_umpire(variant)
        played = PlayedGame(umpire, [umpire.start("q3k3/7P/8/8/8/8/8/Q3K3 w - - 0 1")])
        played.rulings.append(umpire.resigned(played.last.truth, Side.WHITE))
        legal = replay_of(played).scene(0).legal.white
        assert {move for move in legal if move.startswith("h7")} == {f"h7h8{letter}" for letter in letters}


def test_pieces_in_reserve_could_be_dropped() -> None:
    umpire = find_umpire("crazykrieg")
    game = replay_of(play_lines(umpire, ["e2e4", "d7d5", "e4d5", "a7a6"]))

    assert {move for move in game.scene(4).legal.white if "@" in move} == {
        f"P@{file}{rank}" for file in "abcdefgh" for rank in "3456" if file + rank not in ("d5", "a6")
    } | {"P@e2", "P@a7", "P@d7"}
    assert not any("@" in move for move in game.scene(4).legal.black)


# ---------------------------------------------------------------- announcements


def test_private_refusals_are_not_shown() -> None:
    game = replay_of(play_lines(find_umpire("wild16"), ["e2e5", "a1a8", "e2e4", "e7e4", "d7d5"]))

    for number in range(game.last + 1):
        scene = game.scene(number)
        assert "llegal" not in " ".join((*scene.said, *scene.told.white, *scene.told.black))


def test_announcements_are_shown_to_the_sides_that_heard_them() -> None:
    scene = replay_of(play_lines(find_umpire("assassin"), ["b1b4", "b1a3"])).scene
    report = "a2 your pawn; a4 empty; b2 your pawn; b3 empty; b4 empty."

    assert scene(0).told.black[-1] == "White: Impossible."
    assert scene(1).told.white[0].endswith(report)
    assert not any("spy" in said for said in scene(1).told.black)
    assert scene(1).said[1] == f"White alone was told: Your spy on a3 reports: {report}"


def test_each_side_has_its_own_score() -> None:
    game = replay_of(play_lines(find_umpire("crazykrieg"), ["e2e4", "d7d5", "e4d5", "d8d5", "P@e4"]))

    assert game.moves == ("e4", "d5", "exd5", "Qxd5", "P@e4")
    assert game.scores.white == ("e2e4", "?", "e4xd5", "?xd5", "P@e4")
    assert game.scores.black == ("?", "d7d5", "?xd5", "d8xd5", "P@?")
    assert game.ending == "Black resigns. White wins."


def test_clashes_of_deployments_are_counted() -> None:
    umpire = find_umpire("welbeck")
    played = PlayedGame(umpire, [umpire.start()])
    for rank in ("4", "4", "1"):
        for side, own in ((Side.WHITE, rank), (Side.BLACK, {"4": "5", "1": "8"}[rank])):
            row, pawns = ("1", "2") if side is Side.WHITE else ("8", "7")
            men = " ".join(f"{man}{file}{row}" for man, file in zip("RNBQBNR", "abcdfgh", strict=True))
            pawns = " ".join(f"P{file}{pawns}" for file in "abcdefgh")
            played.put(side, parse_order(f"deploy Ke{own} {men} {pawns}"))
    played.rulings.append(umpire.resigned(played.last.truth, Side.WHITE))

    assert replay_of(played).clashes == 2


def test_a_game_without_deployed_pieces_has_no_replay() -> None:
    umpire = find_umpire("assassin")
    played = PlayedGame(umpire, [umpire.start()])
    played.put(Side.WHITE, parse_order("deploy home"))
    played.rulings.append(umpire.resigned(played.last.truth, Side.WHITE))

    with pytest.raises(Refused, match="before the pieces were deployed"):
        replay_of(played)


# ---------------------------------------------------------------- the turning point

QUEEN_LOST = "e2e4 d7d5 e4d5 d8d5 b1c3 a7a6 c3d5"


@pytest.mark.parametrize(
    ("variant", "moves", "winner", "number"),
    [
        ("wild16", QUEEN_LOST, Side.WHITE, 7),
        ("wild16", QUEEN_LOST, None, 7),
        ("wild16", QUEEN_LOST, Side.BLACK, None),
        ("wild16", "e2e4 d7d5 e4d5 d8d5", Side.BLACK, None),
        # A queen captures a guarded pawn, and is lost for it.
        ("wild16", "d2d4 g8f6 d1d3 f6g4 d3h7 h8h7", None, 6),
        ("wild16", "b1c3 d7d5 c3d5 d8d5 a2a3 d5d2 e1d2", Side.WHITE, 7),
        ("crazykrieg", "b1c3 g8f6 c3d5 a7a6 d5f6 e7f6", None, None),
        ("rbc", "e2e4 a7a6 f1a6 h7h6 a6b7 h6h5", Side.WHITE, None),
        ("wild16", "", None, None),
    ],
)
def test_the_turning_point_is_the_winners_largest_gain_after_the_reply(
    variant: str, moves: str, winner: Side | None, number: int | None
) -> None:
    game = replay_of(play_lines(find_umpire(variant), moves.split()))

    assert game.find_turning_point(winner) == number
