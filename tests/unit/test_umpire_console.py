"""`corr umpire`: one JSON answer for each line, following the rules and the orders about a match."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from corr.commands.umpire import run
from corr.words.errors import Refused


def answers(*lines: str, fen: str | None = None, variant: str = "wild16") -> list[dict[str, Any]]:
    """Return what is printed for these lines, without the start."""
    return printed(*lines, fen=fen, variant=variant)[1:]


def printed(
    *lines: str, variant: str = "wild16", fen: str | None = None, reveal: bool = False
) -> list[dict[str, Any]]:
    out = io.StringIO()
    run(variant, fen, reveal, [f"{line}\n" for line in lines], out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def announced(answer: dict[str, Any], side: str) -> list[str] | None:
    """Return the announcements that a side hears; None if it gets no slip."""
    return None if answer[side] is None else [fact["text"] for fact in answer[side] if fact["text"]]


def test_both_sides_are_told_the_start_before_any_order():
    (start,) = printed()
    assert (start["side"], start["order"], start["verdict"], start["turn"]) == (None, None, "told", "white")
    assert announced(start, "white") == announced(start, "black") == ["White's move", "0 pawn tries"]
    assert start["outcome"] is None
    assert "fen" not in start


def test_a_move_is_one_object_with_everything_for_both_sides():
    (answer,) = answers("e2-e4")
    assert answer == {
        "side": "white",
        "order": "e2e4",
        "verdict": "moved",
        "white": [
            {"code": "moved", "text": "", "side": "white", "move": "e2e4"},
            {"code": "turn", "text": "Black's move", "side": "black"},
            {"code": "tries", "text": "0 pawn tries", "count": 0},
        ],
        "black": [
            {"code": "moved", "text": "", "side": "white", "move": None},
            {"code": "turn", "text": "Black's move", "side": "black"},
            {"code": "tries", "text": "0 pawn tries", "count": 0},
        ],
        "tried": [
            {"order": "e2e4", "verdict": "moved", "white": answer["white"], "black": answer["black"]},
        ],
        "ahead": [],
        "standing": {"white": None, "black": None},
        "sight": {
            "white": "RNBQKBNRPPPP?PPP????????????P???" + "?" * 32,
            "black": "?" * 48 + "pppppppprnbqkbnr",
        },
        "turn": "black",
        "outcome": None,
    }


def test_only_the_mover_learns_of_a_refusal():
    (answer,) = answers("e2e5")
    assert (answer["verdict"], answer["turn"]) == ("refused", "white")
    assert answer["white"] == [{"code": "illegal", "text": "Illegal move"}]
    assert answer["black"] is None


def test_a_capture_and_a_check_carry_their_data():
    *_, answer = answers("e2e4", "f7f5", "e4f5", "g7g6", "d1h5", "a7a6", "h5g6")
    capture, check = answer["black"][1:3]
    assert capture == {
        "code": "capture",
        "text": "Pawn at g6 captured",
        "square": "g6",
        "man": "pawn",
        "en_passant": False,
    }
    assert check == {"code": "check", "text": "Short-diagonal check", "kinds": ["short-diagonal"]}


@pytest.mark.parametrize("line", ["", "   ", "hello there", "Nf3", "e2e4; e7e5", "white:"])
def test_only_the_sender_is_told_of_an_unreadable_line(line: str):
    (answer,) = answers(line)
    assert (answer["side"], answer["order"], answer["verdict"]) == ("white", None, "unreadable")
    assert [fact["code"] for fact in answer["white"]] == ["unreadable"]
    assert announced(answer, "white")
    assert answer["black"] is None


def test_an_order_of_the_wrong_side_is_not_tried():
    (answer,) = answers("black: e7e5")
    assert (answer["side"], answer["order"], answer["verdict"]) == ("black", "e7e5", "unreadable")
    assert announced(answer, "black") == ["It is White's turn."]
    assert answer["white"] is None


def test_the_side_to_move_may_be_named_before_its_order():
    assert answers("White: e2e4")[0]["verdict"] == "moved"


def test_after_mate_the_game_is_over_and_both_see_everything():
    *_, mate, late = answers("f2f3", "e7e5", "g2g4", "d8h4", "e2e4")
    assert mate["turn"] is None
    assert mate["outcome"] == {"winner": "black", "reason": "checkmate"}
    assert announced(mate, "white") == ["Short-diagonal check", "Checkmate. Black wins."]
    assert mate["sight"]["white"] == mate["sight"]["black"]
    assert "?" not in mate["sight"]["white"]
    assert (late["side"], late["order"], late["verdict"], late["turn"]) == ("white", "e2e4", "over", None)
    assert announced(late, "white") == ["The game is over."]
    assert late["black"] is None
    assert late["outcome"] == mate["outcome"]


@pytest.mark.parametrize("word", ["resign resign", "draw?", "accept", "decline", "px", "e2e4"])
def test_an_order_after_the_end_is_answered_with_over(word: str):
    *_, late = answers("resign resign", word)
    assert late["verdict"] == "over"


def test_resigning_takes_a_second_resign():
    ask, done = answers("resign", "resign")
    assert (ask["verdict"], ask["turn"]) == ("told", "white")
    assert [fact["code"] for fact in ask["white"]] == ["confirm"]
    assert ask["black"] is None
    assert (done["verdict"], done["turn"]) == ("told", None)
    assert done["outcome"] == {"winner": "black", "reason": "resignation"}
    assert done["black"] == [{"code": "resigned", "text": "White resigns. Black wins.", "side": "white"}]


@pytest.mark.parametrize("between", ["e2e5", "nonsense", "black: resign", "draw?"])
def test_only_the_next_line_can_confirm_a_resignation(between: str):
    *_, last = answers("resign", between, "resign")
    assert (last["verdict"], last["outcome"]) == ("told", None)


def test_either_side_may_resign_at_once_at_any_time():
    (answer,) = answers("black: resign resign")
    assert (answer["side"], answer["outcome"]) == ("black", {"winner": "white", "reason": "resignation"})


def test_a_draw_can_be_offered_and_accepted():
    offer, done = answers("draw?", "black: accept")
    assert (offer["verdict"], offer["turn"]) == ("told", "white")
    assert (
        offer["white"]
        == offer["black"]
        == [{"code": "offer", "text": "White offers a draw.", "side": "white"}]
    )
    assert done["outcome"] == {"winner": None, "reason": "agreement"}
    assert done["white"] == [{"code": "draw", "text": "Draw: agreement.", "reason": "agreement"}]


def test_a_declined_draw_cannot_be_accepted():
    *_, declined, late = answers("draw?", "black: decline", "black: accept")
    assert [fact["code"] for fact in declined["white"]] == ["declined"]
    assert (late["verdict"], late["white"]) == ("unreadable", None)


def test_an_offer_ends_with_the_receivers_move_but_not_with_a_refusal():
    *_, refused, kept = answers("e2e4", "white: draw?", "e7e4", "black: accept")
    assert refused["verdict"] == "refused"
    assert kept["outcome"] == {"winner": None, "reason": "agreement"}
    *_, late = answers("e2e4", "white: draw?", "e7e5", "black: accept")
    assert (late["verdict"], late["outcome"]) == ("unreadable", None)


def test_both_parts_of_an_rbc_turn_are_the_same_sides():
    sensed, moved, passed, hanging = answers(
        "sense e4", "e2e4", "sense none; pass", "sense d5; if e5=p: d4e5; else g1f3", variant="rbc"
    )
    assert (sensed["verdict"], sensed["turn"], sensed["black"]) == ("told", "white", None)
    assert sensed["white"][0]["squares"] == dict.fromkeys(
        ["d3", "d4", "d5", "e3", "e4", "e5", "f3", "f4", "f5"], "."
    )
    assert sensed["sight"]["white"].count(".") == 9
    assert [(fact["code"], fact.get("move")) for fact in moved["white"][:2]] == [
        ("moved", "e2e4"),
        ("taken", "e2e4"),
    ]
    assert moved["sight"]["white"].count(".") == 0
    assert [fact["code"] for fact in passed["white"]] == ["moved", "turn"]
    assert (hanging["verdict"], hanging["turn"]) == ("unreadable", "white")


def test_the_true_position_is_printed_when_asked_for():
    start, answer = printed("e2e4", fen="4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", reveal=True)
    assert start["fen"] == "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"
    assert answer["fen"] == "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"


def test_a_game_may_begin_with_black_and_end_before_it_begins():
    assert printed(fen="4k3/8/8/8/8/8/P7/4K3 b - - 0 1")[0]["turn"] == "black"
    start, late = printed("h8h7", fen="7k/8/6Q1/8/8/8/8/K7 b - - 0 1")
    assert start["outcome"] == {"winner": None, "reason": "stalemate"}
    assert late["verdict"] == "over"


def test_an_unknown_variant_is_refused():
    with pytest.raises(Refused, match="wild16"):
        run("checkers", None, False, [], io.StringIO())


def test_every_answer_is_flushed_at_once():
    """A program at the other end reads an answer before it writes the next line."""
    seen: list[str] = []

    class Reader(io.StringIO):
        def flush(self) -> None:
            seen.append(self.getvalue())

    out = Reader()

    def lines():
        assert json.loads(seen[-1].splitlines()[-1])["verdict"] == "told"
        yield "e2e4\n"
        assert json.loads(seen[-1].splitlines()[-1])["verdict"] == "moved"

    run("wild16", None, False, lines(), out)
    assert len(seen) == 2


def test_drops_are_orders_and_the_fen_shows_reserves():
    start, drop, refused = printed(
        "N@f5", "n@f5", variant="crazykrieg", fen="4k3/8/8/8/8/8/8/Q~3K3[Nn] w - - 0 1", reveal=True
    )
    assert start["fen"] == "4k3/8/8/8/8/8/8/Q~3K3[Nn] w - - 0 1"
    assert start["white"][0] == {
        "code": "reserves",
        "text": "White's reserve: a knight. Black's reserve: a knight.",
        "white": "N",
        "black": "n",
    }
    assert drop["black"][0] == {
        "code": "dropped",
        "text": "White dropped a knight.",
        "side": "white",
        "man": "knight",
        "move": None,
    }
    assert drop["white"][0]["move"] == "N@f5"
    assert drop["fen"] == "4k3/8/8/5N2/8/8/8/Q~3K3[n] b - - 0 1"
    assert (refused["order"], refused["verdict"]) == ("N@f5", "refused")
    assert announced(refused, "white") == announced(refused, "black") == ["Black tried: No."]


def test_set_ups_on_one_line_are_tried_in_order_as_in_an_email():
    line = "deploy corner; deploy home"
    first, second = answers(line, f"black: {line}", variant="welbeck")
    assert (first["order"], first["verdict"]) == (line, "told")
    assert announced(first, "white") == ["White has deployed"]
    assert announced(second, "white")[0] == "Black has deployed"
    assert "Black's king stands on h8" in " ".join(announced(second, "white"))


def test_more_than_five_set_ups_on_one_line_are_refused_as_in_an_email():
    names = ("home", "vanguard", "corner", "spread", "upturned", "another")
    (answer,) = answers("; ".join(f"deploy {name}" for name in names), variant="welbeck")
    assert announced(answer, "white")[0].startswith("You wrote more than five set-ups")


def test_a_question_and_a_move_may_share_a_line():
    (answer,) = answers("any?; e2e4", variant="classic")
    assert (answer["verdict"], answer["turn"]) == ("moved", "black")


def test_an_unreadable_line_is_answered_with_proposals():
    white, black, late = answers("Nf3", "black: Nf6", "black: e2e4 e7e5")
    assert (white["verdict"], white["meant"]) == ("unreadable", ["g1f3"])
    assert black["meant"] == late["meant"] == []


def test_a_list_reports_every_try():
    *_, answer = answers("e2e4", "d7d5", "e4f5, e1e3, e4d5, a2a3")
    assert (answer["order"], answer["verdict"], answer["turn"]) == (
        "e4f5, e1e3, e4d5, a2a3",
        "moved",
        "black",
    )
    assert [
        (each["order"], each["verdict"], announced(each, "white"), announced(each, "black"))
        for each in answer["tried"]
    ] == [
        ("e4f5", "refused", ["Illegal move"], None),
        ("e1e3", "refused", ["Illegal move"], None),
        ("e4d5", "moved", *2 * [["Pawn at d5 captured", "Black's move", "0 pawn tries"]]),
    ]
    assert announced(answer, "white") == ["Illegal move", "Illegal move", *announced(answer, "black")]


def test_a_list_without_a_possible_move_changes_neither_turn_nor_offer():
    _, exhausted, kept = answers("black: draw?", "e2e5, e1e3", "accept")
    assert (exhausted["verdict"], exhausted["turn"], exhausted["black"]) == ("refused", "white", None)
    assert kept["outcome"] == {"winner": None, "reason": "agreement"}


def test_a_question_can_have_a_list_for_either_answer():
    *_, answer = answers("e2e4", "d7d5", "any? yes: g1f3, e4f5, e4d5 / no: a2a3", variant="classic")
    assert [(each["order"], each["verdict"]) for each in answer["tried"]] == [
        ("any?", "told"),
        ("g1f3", "held"),
        ("e4f5", "refused"),
        ("e4d5", "moved"),
    ]
    assert answer["tried"][1]["black"] is None
    assert announced(answer, "black")[:2] == ["White asked Any?: Try!", "White attempted an illegal move"]


def test_match_orders_and_unreadable_lines_try_nothing():
    assert [answer["tried"] for answer in answers("draw?", "Nf3", "resign resign")] == [[], [], []]


# ---------------------------------------------------------------- orders for the next turn


def test_standing_orders_wait_for_the_opponents_move():
    _, kept, answer = answers("e2e4", "white: if capture e4: d2d3; else e4e5, e4d5, g1f3", "d7d5")

    assert (kept["verdict"], kept["white"], kept["black"], kept["turn"]) == ("told", None, None, "black")
    assert kept["standing"] == {
        "white": "if capture e4: d2d3; else e4e5, e4d5, g1f3",
        "black": None,
    }
    assert (answer["side"], answer["order"], answer["verdict"], answer["turn"]) == (
        "black",
        "d7d5",
        "moved",
        "black",
    )
    (ahead,) = answer["ahead"]
    assert (ahead["side"], ahead["order"], ahead["verdict"]) == ("white", "e4e5, e4d5, g1f3", "moved")
    assert [(each["order"], each["verdict"]) for each in ahead["tried"]] == [("e4e5", "moved")]
    assert answer["standing"] == {"white": None, "black": None}


def test_standing_orders_of_both_sides_are_played_until_none_is_left():
    *_, answer = answers(
        "black: if no capture: e7e5", "e2e4", "black: if no check: b8c6", "white: cancel", "g1f3"
    )
    assert [(each["side"], each["order"]) for each in answer["ahead"]] == [("black", "b8c6")]

    first, second = answers("black: if no capture: e7e5", "e2e4")
    assert first["standing"]["black"] == "if no capture: e7e5"
    assert second["turn"] == "white"


@pytest.mark.parametrize(
    ("lines", "turn"),
    [
        (("black: if capture: e7e5", "e2e4"), "black"),
        (("black: if no capture: e2e4, e7e4", "e2e4"), "black"),
        (("black: if no capture: e7e5", "black: cancel", "e2e4"), "black"),
        (("black: if no capture: e7e5", "black: if check: e8e7", "e2e4"), "black"),
    ],
    ids=["no condition holds", "no move is possible", "cancelled", "replaced"],
)
def test_the_turn_stays_if_no_standing_order_is_played(lines: tuple[str, ...], turn: str):
    *_, answer = answers(*lines)
    assert (answer["turn"], answer["standing"]) == (turn, {"white": None, "black": None})


@pytest.mark.parametrize(
    ("variant", "line", "why"),
    [
        ("wild16", "if check: e1e2", 'An "if" is for your next turn'),
        ("classic", "black: if tries>0: e7d6", "something that this umpire never tells you about a move"),
        ("rbc", "black: if capture: e7d6", "you can't send moves in advance"),
    ],
)
def test_an_impossible_standing_order_is_refused_with_a_reason(variant: str, line: str, why: str):
    (answer,) = answers(line, variant=variant)
    side, other = ("black", "white") if line.startswith("black") else ("white", "black")
    assert answer["verdict"] == "unreadable"
    assert why in " ".join(announced(answer, side))
    assert answer[other] is None
    assert answer["standing"] == {"white": None, "black": None}
