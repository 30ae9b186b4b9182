"""Emails to the site that know only a Message-ID, are forged, or reuse a Message-ID change nothing."""

from __future__ import annotations

import pytest

from tests.support.table import ANN, AUTHSERV_ID, EVE, Table, text_of

FORGED = f"Authentication-Results: {AUTHSERV_ID}; dmarc=fail header.from=e.example"
PASSED = f"Authentication-Results: {AUTHSERV_ID}; dmarc=pass header.from=e.example"
ASKS_TO_CONFIRM = 'reply to this email with the one word "confirm"'


def invite(table: Table) -> None:
    """Ann challenges Eve, who plays here."""
    table.write(EVE, "seek wild16 3d", name="Eve")
    table.reply(EVE, "confirm")
    table.write(ANN, f"challenge {EVE} wild16", name="Ann")
    table.reply(ANN, "confirm")
    assert "accept" in table.says(EVE)


def by_message_id(table: Table, text: str, headers: str = "") -> bytes:
    """An email in Eve's name to the umpire's public address, in reply to the newest one she got."""
    newest = table.newest(EVE)
    return table.letter(EVE, text, headers=headers).replace(
        newest["Reply-To"].encode(), b"umpire@play.example"
    )


def deliver(table: Table, raw: bytes) -> None:
    table.post(raw)
    table.work()


def has_begun(table: Table) -> bool:
    return any("You are White. Move 1." in str(each) for each in table.all_letters())


@pytest.mark.parametrize("headers", ["", FORGED])
def test_a_challenge_is_not_accepted_by_a_message_id(table: Table, headers: str) -> None:
    invite(table)

    deliver(table, by_message_id(table, "accept", headers))

    assert not has_begun(table)
    assert ASKS_TO_CONFIRM in table.says(EVE)
    table.reply(EVE, "confirm", headers=headers)
    assert has_begun(table)


def test_a_challenge_is_not_accepted_by_a_forged_email_to_its_secret_address(table: Table) -> None:
    invite(table)

    table.reply(EVE, "accept", headers=FORGED)

    assert not has_begun(table)
    assert ASKS_TO_CONFIRM in table.says(EVE)


def test_a_challenge_is_not_declined_by_a_message_id(table: Table) -> None:
    invite(table)
    before = len(table.letters(ANN))

    deliver(table, by_message_id(table, "decline"))

    assert len(table.letters(ANN)) == before
    assert "I can't be sure it was you" in table.says(EVE)


@pytest.mark.parametrize("text", ["decline", "never again", "confirm"])
def test_a_forged_reply_to_the_right_address_is_answered_as_forged(table: Table, text: str) -> None:
    invite(table)
    invitation, before = table.newest(EVE), len(table.letters(ANN))

    table.reply(EVE, text, headers=FORGED)

    assert len(table.letters(ANN)) == before
    assert "Our mail server found that your email wasn't really sent from the address it shows" in table.says(
        EVE
    )
    assert "everyone knows" not in table.says(EVE)
    table.reply(EVE, "accept", to=invitation)
    assert has_begun(table)


def test_emails_by_message_id_do_not_use_up_the_readers_own_replies(table: Table) -> None:
    invite(table)
    invitation, before = table.newest(EVE), len(table.letters(EVE))
    raw = by_message_id(table, "games")
    for number in range(60):
        table.post(raw.replace(b"<reply-", b"<forged-%d-" % number))
    table.work()
    assert len(table.letters(EVE)) == before + 5

    table.reply(EVE, "accept", to=invitation)

    assert has_begun(table)


def test_a_vouched_sender_may_answer_at_the_public_address(table: Table) -> None:
    invite(table)

    deliver(table, by_message_id(table, "accept", PASSED))

    assert has_begun(table)


def test_a_reused_message_id_with_other_text_is_answered_once_and_does_nothing(table: Table) -> None:
    table.write(EVE, "seek wild16 3d", name="Eve")
    table.reply(EVE, "confirm")
    raw = table.unasked(EVE, "challenge Ann wild16")
    before = len(table.letters(EVE))

    for each in (raw, raw, *[raw.replace(b"challenge Ann wild16", b"withdraw")] * 3):
        deliver(table, each)

    assert len(table.letters(EVE)) == before + 2
    assert "of an earlier one that says something else" in table.says(EVE)
    table.write(EVE, "games")
    table.write(EVE, "withdraw")
    assert "You've taken back your challenge" in table.says(EVE)


def test_a_reused_message_id_in_a_reply_does_nothing(table: Table) -> None:
    invite(table)
    raw = table.letter(EVE, "games")
    deliver(table, raw)

    deliver(table, raw.replace(b"games", b"accept"))

    assert "of an earlier one that says something else" in table.says(EVE)
    assert not has_begun(table)


def test_many_emails_under_one_message_id_get_only_the_usual_number_of_answers(
    table: Table,
) -> None:
    table.write(EVE, "seek wild16 3d", name="Eve")
    table.reply(EVE, "confirm")
    raw, before = table.unasked(EVE, "seeks"), len(table.letters(EVE))

    for number in range(60):
        table.post(raw.replace(b"seeks", b"rules %d" % number))
    table.work()

    assert len(table.letters(EVE)) == before + 20


def test_a_player_who_was_impersonated_still_hears_about_their_own_email(
    table: Table,
) -> None:
    """We ask for a confirmation once a week at most; after that, the answer says how to go on."""
    invite(table)
    table.write(EVE, f"challenge {ANN} rbc", vouched=False)  # an impostor
    assert ASKS_TO_CONFIRM in table.says(EVE)

    table.write(EVE, "seek wild16", vouched=False)

    assert "| seek wild16" in text_of(table.newest(EVE))
    assert "Please reply to one of our emails instead, for example this one." in table.says(EVE)
    table.reply(EVE, "seek wild16")
    assert "Your game is on offer" in table.says(EVE)
