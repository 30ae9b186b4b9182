"""Answers to unclear lines point at the mistake and suggest what the player may have meant."""

from __future__ import annotations

from urllib.parse import unquote

import pytest

from tests.support.table import ANN, BEN, Table, html_of, text_of


def one_tap_suggestions(table: Table, player: str) -> list[str]:
    """The texts of the one-tap replies, without those that every email has."""
    links = html_of(table.last_email(player)).split('href="mailto:')[1:]
    said = [unquote(link.partition("body=")[2].partition('"')[0]) for link in links]
    assert len({link.partition("?")[0] for link in links}) == 1
    assert {"show", "help", "draw?", "resign resign"} <= {*said}
    return [each for each in said if each not in ("", "any?", "show", "help", "draw?", "resign resign")]


def test_any_is_a_one_tap_reply_on_your_turn_where_the_variant_has_it(table: Table) -> None:
    table.begin("classic")
    assert "body=any%3F" in html_of(table.last_email(ANN))
    assert "body=any%3F" not in html_of(table.last_email(BEN))
    table.begin_by_email()
    assert "body=any%3F" not in html_of(table.last_email(ANN))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Nf3", "g1f3"),
        ("e2e4?", "e2e4"),
        ("e2e4\nd2d4", "e2e4, d2d4"),
        (
            "e2e4, d2d4, a2a3, b2b3, c2c3, Nf3, g2g3, h2h3, f2f3, a2a4",
            "e2e4, d2d4, a2a3, b2b3, c2c3, g1f3, g2g3, h2h3, f2f3, a2a4",
        ),
    ],
)
def test_a_suggestion_is_a_one_tap_reply(table: Table, written: str, meant: str) -> None:
    table.begin()
    table.reply(ANN, written)

    assert 'Did you mean this? If so, reply with "yes" or with just this line:' in table.last_text(ANN)
    assert {*one_tap_suggestions(table, ANN)} == {meant}
    table.reply(ANN, meant)
    assert "The umpire says: Black's move" in table.last_text(ANN)


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "Yes!",
        "yes please",
        "OK",
        "correct",
        "\N{THUMBS UP SIGN}",
        "Yes, thanks",
        "Hi umpire,\n\nyes, that's what I meant.\n\nann",
        "Sure\n\nSent from my iPhone",
    ],
)
def test_yes_does_what_was_suggested(table: Table, text: str) -> None:
    table.begin()
    table.reply(ANN, "Nf3")
    table.reply(ANN, text)

    assert "You agreed to:\n| g1f3\nYour move has been made." in table.last_text(ANN)
    assert "Your turn" in table.last_text(BEN)


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "yes?",
        "yes, but not yet",
        "OK, thanks",
        "ok then d2d4",
        "yes e2e4",
        "Not yes",
        "yes or no",
        "maybe",
        "Thanks!",
        "> | g1f3\nyes\n> The umpire's last announcement: White's move.",
        "Who says yes to this?",
        "Yes.\n\nNo, wait.",
    ],
)
def test_only_a_clear_yes_does_it(table: Table, text: str) -> None:
    table.begin()
    table.reply(ANN, "Nf3")
    table.reply(ANN, text)

    assert "White's move" in table.last_text(ANN)
    assert "agreed" not in table.last_text(ANN)


def test_yes_below_our_quoted_email_is_asked_about(table: Table) -> None:
    table.begin()
    table.reply(ANN, "Nf3")
    asked = table.last_email(ANN)
    quoted = "".join(f"> {line}\n" for line in text_of(asked).splitlines())
    table.reply(ANN, f"The umpire wrote:\n{quoted}\nyes")

    assert "White's move" in table.last_text(ANN)


def test_yes_belongs_to_the_email_that_it_answers(table: Table) -> None:
    table.begin()
    table.reply(ANN, "Nf3")
    first = table.last_email(ANN)
    table.reply(ANN, "e2e9")
    table.reply(ANN, "yes")
    assert "I found no move or command" in table.last_text(ANN)
    table.reply(ANN, "Nc3")
    table.deliver(table.reply_email(ANN, "yes", to=first))
    table.run_workers()

    assert "You agreed to:\n| g1f3" in table.last_text(ANN)


def test_yes_does_nothing_once_a_move_was_made(table: Table) -> None:
    table.begin()
    table.reply(ANN, "Nf3")
    asked = table.last_email(ANN)
    table.play("e2e4", "e7e5")
    table.reply(ANN, "yes", to=asked)

    assert "You answered an older email: a move has been made since, so I did nothing." in table.last_text(
        ANN
    )


@pytest.mark.parametrize("written", ["draw please", "I resign"])
def test_yes_to_an_outdated_suggestion_to_end_the_game_does_nothing(table: Table, written: str) -> None:
    table.begin()
    table.reply(ANN, written)
    asked = table.last_email(ANN)
    table.play("e2e4", "e7e5")
    before = len(table.emails_to(BEN))
    table.reply(ANN, "yes", to=asked)

    assert "a move has been made since, so I did nothing" in table.last_text(ANN)
    assert len(table.emails_to(BEN)) == before


def test_yes_to_resigning_asks_once_more(table: Table) -> None:
    table.begin()
    table.reply(ANN, "I resign")
    table.reply(ANN, "yes")

    assert "resign" in table.last_text(ANN)
    assert "Your turn" in table.last_text(ANN)


@pytest.mark.parametrize("offer", ["draw?", "pause?"])
def test_yes_that_may_answer_an_offer_does_neither(table: Table, offer: str) -> None:
    table.begin()
    table.reply(ANN, "Nf3")
    asked = table.last_email(ANN)
    table.reply(BEN, offer)
    for player_reads in (asked, None):
        table.reply(ANN, "yes", to=player_reads)
        if player_reads:
            assert (
                'Your "yes" could also answer your opponent\'s offer, so I did nothing.'
                in table.last_text(ANN)
            )
    assert "White's move" in table.last_text(ANN)


def test_yes_that_may_mean_a_rematch_does_nothing_else(table: Table) -> None:
    table.begin()
    table.reply(BEN, "resign resign")
    table.reply(ANN, "unsubscribe")
    asked = table.last_email(ANN)
    table.reply(BEN, "again")
    table.reply(ANN, "yes", to=asked)

    assert 'Your "yes" could also answer your opponent\'s offer, so I did nothing.' in table.last_text(ANN)


def test_yes_to_two_suggestions_does_neither(table: Table) -> None:
    table.begin()
    table.reply(ANN, "pawn takes d3")
    table.reply(ANN, "yes")

    assert "I found no move or command" in table.last_text(ANN)


def test_yes_twice_does_it_once(table: Table) -> None:
    table.begin()
    table.reply(ANN, "Nf3")
    asked = table.last_email(ANN)
    table.reply(ANN, "yes", to=asked)
    table.reply(ANN, "Yes please", to=asked)

    assert "You sent these orders before" in table.last_text(ANN)
    assert "You agreed to:\n| g1f3" in table.last_text(ANN)


def test_yes_from_elsewhere_waits_for_a_confirmation(table: Table) -> None:
    table.begin()
    table.reply(ANN, "Nf3")
    table.reply(ANN, "yes", sender="eve@e.example")

    assert "g1f3" in table.last_text(ANN)
    assert "confirm" in table.last_text(ANN)
    assert "Your turn" not in table.last_text(BEN)


def test_yes_gives_a_list_or_an_order_for_the_next_turn(table: Table) -> None:
    table.begin()
    table.reply(BEN, "if capture d6: exd6, cxd6; else Nf6")
    table.reply(BEN, "yes")
    assert "Saved for your next turn" in table.last_text(BEN)
    table.reply(ANN, "a2a5, Nf3, d2d4, a2a3, b2b3, c2c3, g2g3, h2h3, f2f3, a2a4, b2b4")
    table.reply(ANN, "a2a4, Nf3, d2d4, a2a3, b2b3, c2c3, g2g3, h2h3, f2f3, b2b4")
    table.reply(ANN, "yes")

    assert "You agreed to" in text_of(table.emails_to(ANN)[-2])
    assert 'You played "a2a4".' in text_of(table.emails_to(ANN)[-2])


def test_yes_deploys_what_was_suggested(table: Table) -> None:
    table.begin("welbeck")
    table.reply(ANN, "home")
    table.reply(ANN, "yes")

    assert "Your set-up is sealed" in table.last_text(ANN)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("unsubscribe", "mail off"),
        ("Stop sending me emails, please", "mail off"),
        ("stop", "mail off"),
        ("Settings", "help all"),
        ("vacation", "help all"),
    ],
)
def test_site_commands_are_suggested_during_and_after_a_game(table: Table, written: str, meant: str) -> None:
    table.begin()
    table.reply(BEN, written)
    assert (
        f'Did you mean this? If so, reply with "yes" or with just this line:\n| {meant}'
        in table.last_text(BEN)
    )
    table.reply(ANN, "resign resign")
    over = table.last_email(BEN)
    table.reply(BEN, written, to=over)
    assert f"| {meant}" in table.last_text(BEN)
    table.reply(BEN, "yes")

    assert f"You agreed to:\n| {meant}" in table.last_text(BEN)
    assert ("We no longer email you about your games" in table.last_text(BEN)) is (meant == "mail off")


def test_yes_before_the_game_could_accept_it_and_afterwards_does_what_was_suggested(table: Table) -> None:
    table.challenge()
    offered = table.last_email(ANN)
    table.reply(ANN, "unsubscribe")
    asked = table.last_email(ANN)
    table.reply(ANN, "yes")
    assert 'Your "yes" could also answer your opponent\'s offer' in table.last_text(ANN)
    table.reply(ANN, "accept", to=offered)
    table.reply(ANN, "yes", to=asked)

    assert "We no longer email you about your games" in table.last_text(ANN)


def test_yes_does_what_was_suggested_in_a_declined_game(table: Table) -> None:
    table.challenge()
    table.reply(ANN, "decline")
    table.reply(ANN, "unsubscribe")
    table.reply(ANN, "yes")

    assert "We no longer email you about your games" in table.last_text(ANN)


def test_two_suggestions_are_two_one_tap_replies(table: Table) -> None:
    table.begin()
    table.reply(ANN, "pawn takes d3")

    assert (
        "Did you mean one of these? If so, reply with just that line:\n| c2d3\n| e2d3\n"
        in table.last_text(ANN)
    )
    assert one_tap_suggestions(table, ANN) == ["c2d3", "e2d3"]


@pytest.mark.parametrize("written", ["Nf6", "e2e9", "castle"])
def test_nothing_impossible_is_suggested(table: Table, written: str) -> None:
    table.begin()
    table.reply(ANN, written)

    assert "I couldn't understand this line, so I did nothing" in table.last_text(ANN)
    assert "Did you mean" not in table.last_text(ANN)


def test_out_of_turn_we_suggest_orders_for_the_next_turn(table: Table) -> None:
    table.begin()
    for written, meant in (("Nf6", "g8f6"), ("if check: Ke7 or Nc6; else Nf6", None)):
        table.reply(BEN, written)
        assert "I couldn't understand this line, so I did nothing" in table.last_text(BEN)
        assert ("Did you mean" in table.last_text(BEN)) is (meant is not None)
    table.reply(BEN, "if capture d6: exd6, cxd6; else Nf6")
    assert {*one_tap_suggestions(table, BEN)} == {"if capture d6: e7d6, c7d6; else g8f6"}

    table.reply(BEN, one_tap_suggestions(table, BEN)[0])

    assert "Saved for your next turn" in table.last_text(BEN)


@pytest.mark.parametrize(
    ("variant", "written"),
    [("rbc", "Nf6"), ("assassin", "Nf6"), ("classic", "if tries>0: exd6"), ("wild16", "any? yes: exd6")],
)
def test_we_do_not_suggest_what_could_not_be_saved_for_the_next_turn(
    table: Table, variant: str, written: str
) -> None:
    table.begin(variant)
    table.reply(BEN, written)

    assert "I couldn't understand this line, so I did nothing" in table.last_text(BEN)
    assert "Did you mean" not in table.last_text(BEN)


def test_a_question_with_branches_is_suggested_whole(table: Table) -> None:
    table.begin("classic")
    table.reply(ANN, "any? yes: exd3 / no: Nf3")

    assert {*one_tap_suggestions(table, ANN)} == {"any? yes: e2d3 / no: g1f3"}


POINTER = """\
| e2e4, d2d4, a2a3, b2b3, c2c3, g1f9, g2g3, h2h3, f2f3,
|                               ^
| a2a4
"""


def test_the_answer_points_at_the_mistake(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4, d2d4, a2a3, b2b3, c2c3, g1f9, g2g3, h2h3, f2f3, a2a4")

    assert POINTER in text_of(table.last_email(ANN))


def test_the_mistake_is_shown_even_far_down_a_long_list(table: Table) -> None:
    table.begin()
    table.reply(ANN, ",\n".join(["e2e4, d2d4, a2a3, b2b3"] * 60 + ["g1f9, g2g3"]))

    said = text_of(table.last_email(ANN))
    line, mark = said.partition("^")[0].splitlines()[-2:]
    assert line[len(mark) :] == "g1f9, g2g3"
    assert "| … " in said
