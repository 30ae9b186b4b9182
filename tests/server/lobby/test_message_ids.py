"""Who knows a letter to a correspondent by its Message-ID alone, or forges one, begins and ends nothing with it.

Nor does a letter that has the Message-ID of another one.
"""

from __future__ import annotations

import pytest

from tests.support.table import ANN, AUTHSERV_ID, EVE, Table, text_of

FORGED = f"Authentication-Results: {AUTHSERV_ID}; dmarc=fail header.from=e.example"
PASSED = f"Authentication-Results: {AUTHSERV_ID}; dmarc=pass header.from=e.example"
ASKED = 'reply to this email with the one word "confirm"'


def invited(table: Table) -> None:
    """Eve, who plays here, is challenged by Ann."""
    table.write(EVE, "seek wild16 3d", name="Eve")
    table.reply(EVE, "confirm")
    table.write(ANN, f"challenge {EVE} wild16", name="Ann")
    table.reply(ANN, "confirm")
    assert "accept" in table.says(EVE)


def found(table: Table, text: str, headers: str = "") -> bytes:
    """A letter in Eve's name to the address that everybody knows, which names the newest one to her."""
    newest = table.newest(EVE)
    return table.letter(EVE, text, headers=headers).replace(
        newest["Reply-To"].encode(), b"umpire@play.example"
    )


def bring(table: Table, raw: bytes) -> None:
    table.post(raw)
    table.work()


def has_begun(table: Table) -> bool:
    return any("You are White. Move 1." in str(each) for each in table.all_letters())


@pytest.mark.parametrize("headers", ["", FORGED])
def test_a_challenge_is_not_accepted_by_a_message_id(table: Table, headers: str) -> None:
    invited(table)

    bring(table, found(table, "accept", headers))

    assert not has_begun(table)
    assert ASKED in table.says(EVE)
    table.reply(EVE, "confirm", headers=headers)
    assert has_begun(table)


def test_nor_by_an_address_of_it_in_a_letter_that_our_server_calls_forged(table: Table) -> None:
    invited(table)

    table.reply(EVE, "accept", headers=FORGED)

    assert not has_begun(table)
    assert ASKED in table.says(EVE)


def test_nor_is_it_declined(table: Table) -> None:
    invited(table)
    before = len(table.letters(ANN))

    bring(table, found(table, "decline"))

    assert len(table.letters(ANN)) == before
    assert "I can't be sure it was you" in table.says(EVE)


@pytest.mark.parametrize("text", ["decline", "never again", "confirm"])
def test_who_answers_where_the_letter_asks_for_it_and_is_called_forged_is_told_just_that(
    table: Table, text: str
) -> None:
    invited(table)
    invitation, before = table.newest(EVE), len(table.letters(ANN))

    table.reply(EVE, text, headers=FORGED)

    assert len(table.letters(ANN)) == before
    assert "Our mail server found that your email wasn't really sent from the address it shows" in table.says(
        EVE
    )
    assert "everyone knows" not in table.says(EVE)
    table.reply(EVE, "accept", to=invitation)
    assert has_begun(table)


def test_what_others_send_by_a_message_id_uses_up_nothing_of_what_its_reader_may_reply(table: Table) -> None:
    invited(table)
    invitation, before = table.newest(EVE), len(table.letters(EVE))
    raw = found(table, "games")
    for number in range(60):
        table.post(raw.replace(b"<reply-", b"<forged-%d-" % number))
    table.work()
    assert len(table.letters(EVE)) == before + 5

    table.reply(EVE, "accept", to=invitation)

    assert has_begun(table)


def test_who_is_vouched_for_may_answer_the_umpire_instead(table: Table) -> None:
    invited(table)

    bring(table, found(table, "accept", PASSED))

    assert has_begun(table)


def test_the_same_message_id_with_other_words_is_answered_once_and_not_read(table: Table) -> None:
    table.write(EVE, "seek wild16 3d", name="Eve")
    table.reply(EVE, "confirm")
    raw = table.unasked(EVE, "challenge Ann wild16")
    before = len(table.letters(EVE))

    for each in (raw, raw, *[raw.replace(b"challenge Ann wild16", b"withdraw")] * 3):
        bring(table, each)

    assert len(table.letters(EVE)) == before + 2
    assert "of an earlier email that says something else" in table.says(EVE)
    table.write(EVE, "games")
    table.write(EVE, "withdraw")
    assert "You've taken back your challenge" in table.says(EVE)


def test_so_it_is_in_answer_to_a_letter_of_ours(table: Table) -> None:
    invited(table)
    raw = table.letter(EVE, "games")
    bring(table, raw)

    bring(table, raw.replace(b"games", b"accept"))

    assert "of an earlier email that says something else" in table.says(EVE)
    assert not has_begun(table)


def test_what_a_program_sends_under_one_message_id_is_answered_no_more_than_anything_else(
    table: Table,
) -> None:
    table.write(EVE, "seek wild16 3d", name="Eve")
    table.reply(EVE, "confirm")
    raw, before = table.unasked(EVE, "seeks"), len(table.letters(EVE))

    for number in range(60):
        table.post(raw.replace(b"seeks", b"rules %d" % number))
    table.work()

    assert len(table.letters(EVE)) == before + 20


def test_who_is_asked_about_what_another_sent_in_their_name_is_told_what_became_of_their_own(
    table: Table,
) -> None:
    """No letter asks them a second time within a week, and nothing that they wrote is dropped for that unheard."""
    invited(table)
    table.write(EVE, f"challenge {ANN} rbc", vouched=False)  # by somebody else
    assert ASKED in table.says(EVE)

    table.write(EVE, "seek wild16", vouched=False)

    assert "| seek wild16" in text_of(table.newest(EVE))
    assert "Please reply to one of our emails instead, for example this one." in table.says(EVE)
    table.reply(EVE, "seek wild16")
    assert "Your game is on offer" in table.says(EVE)
