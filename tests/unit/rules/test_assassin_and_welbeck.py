"""Assassin and Welbeck: rulings that their tables of positions can't show."""

from __future__ import annotations

import pytest

from corr.game.memory import add_memory
from corr.rules.core.umpire import Ruling, Umpire
from corr.rules.variants import find_umpire
from corr.words.board import Side
from corr.words.orders import Deploy, SetupChoices
from corr.words.slips import Losses, Outcome, RememberedSquares, Verdict
from tests.support import referee_duel
from tests.support.umpire_cases import heard, order_of

ASSASSIN, WELBECK = find_umpire("assassin"), find_umpire("welbeck")
both_variants = pytest.mark.parametrize("umpire", [ASSASSIN, WELBECK], ids=["assassin", "welbeck"])
HOME, CORNER = Deploy(name="home"), Deploy(name="corner")


def set_up(text: str) -> Deploy:
    """Return a set-up as a player writes it."""
    return Deploy(tuple(referee_duel.man_of(man) for man in text.split()))


#: White's bishop attacks f8 in `SHARP`, but not in `BLUNT`; Black's king is there.
SHARP = set_up("Ke1 Qd1 Ra1 Rh1 Ba3 Bf1 Nb1 Ng1 Pa2 Pb2 Pc2 Pd2 Pe2 Pf2 Pg2 Ph2")
BLUNT = set_up("Ke1 Qd1 Ra1 Rh1 Bc1 Bf1 Nb1 Ng1 Pa2 Pb3 Pc2 Pd2 Pe2 Pf2 Pg2 Ph2")
EXPOSED = set_up("Kf8 Qe8 Ra8 Rh8 Bc8 Bd8 Nb8 Ng8 Pa7 Pb7 Pc7 Pd7 Pe6 Pf7 Pg7 Ph7")
COVERED = set_up("Kf8 Qe8 Ra8 Rh8 Bc8 Bd8 Nb8 Ng8 Pa7 Pb7 Pc7 Pd7 Pe7 Pf7 Pg7 Ph7")


@pytest.mark.parametrize("variant", ["assassin", "welbeck"])
def test_random_games_match_the_slow_referee(variant: str):
    """AS-1 to AS-13 from random set-ups. More games: `python -m tests.support.referee_duel assassin 2000`."""
    seen = referee_duel.duel(variant, games=6, seed=7)
    assert seen["moves"] > 200
    assert seen["clashes"] > 0


# ---------------------------------------------------------------- deployment


def deployed(
    umpire: Umpire, white: Deploy | SetupChoices = HOME, black: Deploy | SetupChoices = HOME
) -> Ruling:
    ruling = umpire.judge(umpire.start().truth, Side.WHITE, white)
    return umpire.judge(ruling.truth, Side.BLACK, black)


@both_variants
def test_both_sides_are_asked_to_deploy(umpire: Umpire):
    """AS-1: no side to move means both."""
    ruling = umpire.start()
    assert heard(ruling, Side.WHITE) == heard(ruling, Side.BLACK) == ("Both sides deploy their men",)
    assert (ruling.turn, ruling.outcome, umpire.plies(ruling.truth)) == (None, None, 0)


FAULTS = [
    (
        "Ke1 Qd1",
        "A set-up has one king, one queen, two rooks, two bishops, two knights and eight pawns; yours has",
    ),
    (str(SHARP)[7:].replace("Qd1", "Nd1"), "yours has no queen."),
    (str(SHARP)[7:].replace("Ba3", "Ba4"), "Your bishops on a4 and f1 are on squares of the same colour"),
    (str(SHARP)[7:].replace("Qd1", "Qd5"), "You deploy on ranks 1 to 4, but your queen on d5 isn't there."),
    (str(SHARP)[7:].replace("Qd1", "Qe1"), "Two of your pieces are on e1."),
    (f"{str(SHARP)[7:]} Pa4", "yours has 9 pawns."),
]


@both_variants
@pytest.mark.parametrize(("text", "fault"), FAULTS)
def test_every_fault_of_a_set_up_is_explained_to_its_writer_only(umpire: Umpire, text: str, fault: str):
    """AS-1."""
    start = umpire.start()
    ruling = umpire.judge(start.truth, Side.WHITE, set_up(text))
    assert ruling.verdict is Verdict.UNREADABLE
    assert fault in heard(ruling, Side.WHITE)[0]
    assert ruling.slips.black is None
    assert ruling.truth is start.truth


@both_variants
def test_pawns_may_be_on_the_first_rank_and_pieces_anywhere_in_the_own_half(umpire: Umpire):
    """AS-1: nothing else is restricted."""
    odd = set_up("Ke2 Qd4 Ra2 Rh2 Bc2 Bf2 Nb2 Ng2 Pa1 Pb1 Pc1 Pd1 Pe1 Pf1 Pg1 Ph4")
    assert umpire.judge(umpire.start().truth, Side.WHITE, odd).verdict is Verdict.TOLD


@both_variants
def test_a_deployment_is_secret_until_both_are_in(umpire: Umpire):
    """AS-2: the opponent learns only "deployed"; the umpire waits for the other side."""
    ruling = umpire.judge(umpire.start().truth, Side.WHITE, CORNER)
    assert heard(ruling, Side.BLACK) == ("White has deployed",)
    assert ruling.turn is Side.BLACK
    assert set(ruling.slips.black.sight.letters()) == {"?"}
    assert "K" in ruling.slips.white.sight.letters()


@both_variants
def test_a_deployment_can_be_changed_in_secret(umpire: Umpire):
    """AS-2."""
    first = umpire.judge(umpire.start().truth, Side.WHITE, CORNER)
    changed = umpire.judge(first.truth, Side.WHITE, HOME)
    assert changed.slips.black is None
    ruling = umpire.judge(changed.truth, Side.BLACK, HOME)
    assert "White's king stands on e1" in heard(ruling, Side.BLACK)


@both_variants
def test_one_late_side_loses_and_two_make_the_game_void(umpire: Umpire):
    """AS-2: one deadline for both."""
    start = umpire.start()
    one = umpire.judge(start.truth, Side.WHITE, HOME)
    assert umpire.flagged(one.truth, Side.BLACK).outcome == Outcome(Side.WHITE, "time")
    void = umpire.flagged(start.truth, Side.WHITE)
    assert void.outcome == Outcome(None, "void")
    assert heard(void, Side.WHITE) == ("Neither side has deployed in time. The game is void.",)


@both_variants
def test_each_side_is_told_the_other_kings_square_once(umpire: Umpire):
    """AS-3."""
    ruling = deployed(umpire, HOME, CORNER)
    assert heard(ruling, Side.WHITE) == ("Black has deployed", "Black's king stands on h8", "White's move")
    assert heard(ruling, Side.BLACK) == ("Black has deployed", "White's king stands on e1", "White's move")
    later = umpire.judge(ruling.truth, Side.WHITE, order_of("e2e3"))
    assert not any("king" in text for side in Side for text in heard(later, side))


@both_variants
def test_the_kings_square_is_recalled_but_not_tracked(umpire: Umpire):
    """AS-3, AS-14: recalled from the start, whatever the king has done since."""
    ruling, seen = deployed(umpire), dict.fromkeys(Side)
    for move in ("e2e3", "e7e6", "e1e2", "e8e7", "e2e1", "e7e8"):
        seen = {side: add_memory(seen[side], ruling.slips[side]).sight for side in Side}
        ruling = umpire.judge(ruling.truth, ruling.turn, order_of(move))
    assert RememberedSquares(0, ((60, "k"),)) in seen[Side.WHITE].recalled
    assert RememberedSquares(0, ((4, "K"),)) in seen[Side.BLACK].recalled
    assert (seen[Side.WHITE].signs()[60], seen[Side.BLACK].signs()[4]) == ("k?3", "K?3")


@both_variants
def test_a_clash_reveals_nothing_and_both_deploy_again(umpire: Umpire):
    """AS-4."""
    ruling = deployed(umpire, SHARP, EXPOSED)
    expected = ("Black has deployed", "The deployments clash; deploy again")
    assert heard(ruling, Side.WHITE) == heard(ruling, Side.BLACK) == expected
    assert ruling.turn is None
    assert {
        letter for slip in (ruling.slips.white, ruling.slips.black) for letter in slip.sight.letters()
    } == {"?"}
    again = umpire.judge(ruling.truth, Side.BLACK, EXPOSED)
    assert again.turn is Side.WHITE
    assert "Black's king stands on f8" in heard(umpire.judge(again.truth, Side.WHITE, BLUNT), Side.WHITE)


def clashing(umpire: Umpire, *pairs: tuple[Deploy, Deploy]) -> list[Ruling]:
    """Return the ruling on each round's second deployment; every truth is packed and restored."""
    rulings = [umpire.start()]
    for white, black in pairs:
        truth = umpire.restore(umpire.pack(rulings[-1].truth))
        truth = umpire.judge(truth, Side.WHITE, white).truth
        rulings.append(umpire.judge(umpire.restore(umpire.pack(truth)), Side.BLACK, black))
    return rulings[1:]


@both_variants
def test_after_the_fifth_clash_the_game_is_void(umpire: Umpire):
    """AS-4.b."""
    *rounds, last = clashing(umpire, *[(SHARP, EXPOSED)] * 5)
    assert [ruling.outcome for ruling in rounds] == [None] * 4
    assert last.outcome == Outcome(None, "void")
    expected = ("Black has deployed", "The deployments have clashed five times. The game is void.")
    assert heard(last, Side.WHITE) == heard(last, Side.BLACK) == expected
    assert {letter for slip in (last.slips.white, last.slips.black) for letter in slip.sight.letters()} == {
        "?"
    }
    assert umpire.judge(last.truth, Side.WHITE, HOME).verdict is Verdict.OVER
    restored = umpire.restore(umpire.pack(last.truth))
    assert umpire.judge(restored, Side.WHITE, HOME).verdict is Verdict.OVER


@both_variants
def test_a_game_can_start_in_the_fifth_round(umpire: Umpire):
    """AS-4.b."""
    *_, last = clashing(umpire, *[(SHARP, EXPOSED)] * 4, (BLUNT, EXPOSED))
    assert (last.turn, last.outcome) == (Side.WHITE, None)


def test_every_clash_is_announced_the_same():
    """AS-4.b: the same words in every round, so that a side can't tell two games apart."""
    high = set_up("Ke4 Qd1 Ra1 Rh1 Bc1 Bf1 Nb1 Ng1 Pa2 Pb2 Pc2 Pd2 Pe2 Pf2 Pg2 Ph2")
    near = set_up("Kf5 Qe8 Ra8 Rh8 Bc8 Bd8 Nb8 Ng8 Pa7 Pb7 Pc7 Pd7 Pe6 Pf7 Pg7 Ph7")
    one, other = (clashing(WELBECK, *[pair] * 5) for pair in ((SHARP, EXPOSED), (high, near)))
    for mine, theirs in zip(one, other, strict=True):
        assert (mine.slips, mine.outcome) == (theirs.slips, theirs.outcome)


@pytest.mark.parametrize(
    ("white", "black", "chosen_pair"),
    [
        ((SHARP, BLUNT), (EXPOSED, COVERED), (SHARP, COVERED)),
        ((SHARP, BLUNT), (EXPOSED,), (BLUNT, EXPOSED)),
        ((BLUNT, SHARP), (EXPOSED, COVERED), (BLUNT, EXPOSED)),
        ((SHARP, SHARP, BLUNT), (EXPOSED, EXPOSED, EXPOSED, COVERED), (BLUNT, EXPOSED)),
    ],
)
def test_the_first_pair_of_set_ups_without_a_clash_is_chosen(
    white: tuple[Deploy, ...], black: tuple[Deploy, ...], chosen_pair: tuple[Deploy, Deploy]
):
    """AS-4, D6: in the order 1-1, 1-2, 2-1, 2-2, 1-3 and so on; nobody is told which pair."""
    alone = deployed(ASSASSIN, *chosen_pair)
    chosen = deployed(ASSASSIN, SetupChoices(white), SetupChoices(black))
    assert ASSASSIN.fen(chosen.truth) == ASSASSIN.fen(alone.truth)
    assert chosen.slips == alone.slips


def test_adjacent_kings_clash_and_knights_attack_only_in_welbeck():
    """AS-4: spies attack nothing."""
    high = set_up("Ke4 Qd1 Ra1 Rh1 Bc1 Bf1 Nb1 Ng1 Pa2 Pb2 Pc2 Pd2 Pe2 Pf2 Pg2 Ph2")
    low = set_up("Ke5 Qd8 Ra8 Rh8 Bc8 Bf8 Nb8 Ng8 Pa7 Pb7 Pc7 Pd7 Pe7 Pf7 Pg7 Ph7")
    leaping = set_up("Ke1 Qd1 Ra1 Rh1 Bc1 Bf1 Nb1 Nc4 Pa2 Pb2 Pc2 Pd2 Pe2 Pf2 Pg2 Ph2")
    for umpire in (ASSASSIN, WELBECK):
        assert deployed(umpire, high, low).turn is None
    assert deployed(WELBECK, leaping, low).turn is None
    assert deployed(ASSASSIN, leaping, low).turn is Side.WHITE


@both_variants
def test_named_set_ups_are_valid_and_do_not_clash_with_home(umpire: Umpire):
    """AS-1, AS-4: for either side."""
    for prepared in umpire.card.setups:
        for side in Side:
            other = umpire.judge(umpire.start().truth, side.other, HOME)
            ruling = umpire.judge(other.truth, side, Deploy(name=prepared.name))
            assert ruling.turn is Side.WHITE
            assert prepared.men(side)[0][1] // 8 in ((0, 1, 2, 3) if side is Side.WHITE else (4, 5, 6, 7))


def test_castling_needs_king_and_rook_on_their_usual_squares():
    """AS-12."""
    truth = deployed(ASSASSIN, BLUNT, COVERED).truth
    assert ASSASSIN.fen(truth).split()[2] == "KQ"
    assert ASSASSIN.fen(deployed(ASSASSIN, CORNER, HOME).truth).split()[2] == "kq"


@both_variants
def test_a_secret_deployment_survives_a_restart(umpire: Umpire):
    first = umpire.judge(umpire.start().truth, Side.WHITE, SetupChoices((SHARP, BLUNT)))
    restored = umpire.restore(umpire.pack(first.truth))
    assert restored == first.truth
    ruling = umpire.judge(restored, Side.BLACK, EXPOSED)
    assert "Black's king stands on f8" in heard(ruling, Side.WHITE)


@both_variants
def test_an_end_before_the_first_move_reveals_no_deployment(umpire: Umpire):
    """G8: match events work in all variants, also during deployment."""
    first = umpire.judge(umpire.start().truth, Side.WHITE, CORNER)
    for ruling in (
        umpire.agreed(first.truth),
        umpire.resigned(first.truth, Side.BLACK),
        umpire.adjudicated(first.truth, Outcome(Side.WHITE, "adjudication")),
        umpire.adjudicated(first.truth, Outcome(None, "void")),
    ):
        assert ruling.outcome
        assert set(ruling.slips.black.sight.letters()) == {"?"}
        assert umpire.judge(ruling.truth, Side.BLACK, HOME).verdict is Verdict.OVER


# ---------------------------------------------------------------- spies


SPY = "4k3/8/8/8/8/2N2B2/8/Q3K3 w - - 0 1"


def ruling_after(fen: str, *moves: str) -> Ruling:
    ruling = ASSASSIN.start(fen)
    for move in moves:
        ruling = ASSASSIN.judge(ruling.truth, ruling.turn, order_of(move))
        assert ruling.verdict is Verdict.MOVED
    return ruling


def test_the_other_side_cannot_tell_a_spys_move_from_a_bishops():
    """AS-8: the same slip."""
    assert ruling_after(SPY, "c3b5").slips.black == ruling_after(SPY, "f3g4").slips.black


def test_a_report_is_seen_until_the_opponent_moves_and_recalled_afterwards():
    """AS-8, AS-14: with the number of the own turn."""
    ruling = ruling_after("4k3/8/8/3p4/8/2N5/8/Q3K3 w - - 0 7", "c3e4")
    assert ruling.slips.white.sight.signs()[35] == "p"
    assert dict(ruling.slips.white.facts[-1].data)["squares"].on[2] == ("d5", "p")
    reported = add_memory(None, ruling.slips.white)
    later = ASSASSIN.judge(ruling.truth, Side.BLACK, order_of("d5e4"))
    sight = add_memory(reported.sight, later.slips.white).sight
    assert sight.signs()[35] == "p!1"
    assert sight.recalled[0].move == 7
    assert {
        held for each in add_memory(None, later.slips.black).sight.recalled for _, held in each.squares
    } == {"."}


#: The same truth, packed in an older format that stored what either side had been shown.
OLD_FORMAT = bytes.fromhex(
    "4c043c0000382838000000070008132e1b2e2370142e242e152e1d2e252e000000020000000008000000000000100000"
    "000000000000000000000000000000000000010000000000000010000000000000101100001000000000000000000000"
    "0000004001000700010000000000000000ec13685a52809c7c5c8ae6aa6123970e"
)


def test_an_older_packed_truth_can_be_read():
    ruling = ruling_after("4k3/8/8/3p4/8/2N5/8/Q3K3 w - - 0 7", "c3e4")
    assert ASSASSIN.restore(OLD_FORMAT) == ruling.truth


def test_an_illegal_attempt_of_a_spy_reports_nothing():
    """AS-8."""
    ruling = ASSASSIN.judge(
        ASSASSIN.start("4k3/8/5p2/8/4N3/8/8/Q3K3 w - - 0 1").truth, Side.WHITE, order_of("e4f6")
    )
    assert heard(ruling, Side.WHITE) == heard(ruling, Side.BLACK) == ("White attempted an illegal move",)


def test_a_promoted_spy_reports_from_its_next_move():
    """AS-8."""
    ruling = ruling_after("4k3/P7/8/8/8/8/8/Q3K3 w - - 0 1", "a7a8n", "e8e7", "a8b6")
    assert "Your spy on b6 reports" in heard(ruling, Side.WHITE)[-1]


def test_a_captured_assassin_is_not_announced():
    """AS-11, AS-14: the captor sees a capture; the owner sees that the queen is gone."""
    ruling = ruling_after("3qk3/8/8/8/8/8/8/Q2RK3 w - - 0 1", "d1d8")
    assert ruling.slips.white.sight.lost.black == Losses(1, None)
    assert "q" not in ruling.slips.black.sight.letters()


def test_running_out_of_time_loses_in_assassin_but_may_draw_in_welbeck():
    """G7, AS-11."""
    bare = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"
    assert ASSASSIN.flagged(ASSASSIN.start(bare).truth, Side.WHITE).outcome == Outcome(Side.BLACK, "time")
    assert WELBECK.flagged(WELBECK.start(bare).truth, Side.WHITE).outcome == Outcome(None, "time")


def test_a_third_repetition_is_a_draw():
    """AS-11, D4: the first position after the deployment is the first occurrence."""
    ruling = deployed(ASSASSIN)
    for move in ("b1c3", "b8c6", "c3b1", "c6b8") * 2:
        ruling = ASSASSIN.judge(ruling.truth, ruling.turn, order_of(move))
    assert ruling.outcome == Outcome(None, "repetition")


def test_spy_reports_survive_a_restart():
    ruling = ruling_after("4k3/8/8/3p4/8/2N5/8/Q3K3 w - - 0 7", "c3e4")
    for truth in (ruling.truth, ASSASSIN.judge(ruling.truth, Side.BLACK, order_of("e8e7")).truth):
        restored = ASSASSIN.restore(ASSASSIN.pack(truth))
        assert restored == truth
        assert restored.sights == truth.sights


def test_the_side_not_to_move_may_not_be_in_check_except_by_a_spy():
    """AS-4, AS-7: for a position given as FEN."""
    fen = "4k3/8/5N2/8/8/8/8/Q3K3 w - - 0 1"
    assert ASSASSIN.start(fen).turn is Side.WHITE
    with pytest.raises(Exception, match="is in check"):
        WELBECK.start(fen)
