"""Emails to the site that know only a Message-ID, are forged, or reuse a Message-ID change nothing."""

from __future__ import annotations

import pytest

from tests.support.table import ANN, AUTHSERV_ID, EVE, Table, text_of

FORGED = f"Authentication-Results: {AUTHSERV_ID}; dmarc=fail header.from=e.example"
PASSED = f"Authentication-Results: {AUTHSERV_ID}; dmarc=pass header.from=e.example"
ASKS_TO_CONFIRM = 'reply to this email with the one word "confirm"'


def invite(table: Table) -> None:
    """Ann challenges Eve, who plays here."""
    table.write_to_site(EVE, "seek wild16 3d", name="Eve")
    table.reply(EVE, "confirm")
    table.write_to_site(ANN, f"challenge {EVE} wild16", name="Ann")
    table.reply(ANN, "confirm")
    assert "accept" in table.last_text(EVE)


def by_message_id(table: Table, text: str, headers: str = "") -> bytes:
    """An email in Eve's name to the umpire's public address, in reply to the newest one she got."""
    newest = table.last_email(EVE)
    return table.reply_email(EVE, text, headers=headers).replace(
        newest["Reply-To"].encode(), b"umpire@play.example"
    )


def deliver(table: Table, raw: bytes) -> None:
    table.deliver(raw)
    table.run_workers()


def has_begun(table: Table) -> bool:
    return any("You are White. Move 1." in str(each) for each in table.all_emails())


@pytest.mark.parametrize("headers", ["", FORGED])
def test_a_challenge_is_not_accepted_by_a_message_id(table: Table, headers: str) -> None:
    invite(table)

    deliver(table, by_message_id(table, "accept", headers))

    assert not has_begun(table)
    assert ASKS_TO_CONFIRM in table.last_text(EVE)
    table.reply(EVE, "confirm", headers=headers)
    assert has_begun(table)


def test_a_challenge_is_not_accepted_by_a_forged_email_to_its_secret_address(table: Table) -> None:
    invite(table)

    table.reply(EVE, "accept", headers=FORGED)

    assert not has_begun(table)
    assert ASKS_TO_CONFIRM in table.last_text(EVE)


def test_a_challenge_is_not_declined_by_a_message_id(table: Table) -> None:
    invite(table)
    before = len(table.emails_to(ANN))

    deliver(table, by_message_id(table, "decline"))

    assert len(table.emails_to(ANN)) == before
    assert "I can't be sure it was you" in table.last_text(EVE)


@pytest.mark.parametrize("text", ["decline", "never again", "confirm"])
def test_a_forged_reply_to_the_right_address_is_answered_as_forged(table: Table, text: str) -> None:
    invite(table)
    invitation, before = table.last_email(EVE), len(table.emails_to(ANN))

    table.reply(EVE, text, headers=FORGED)

    assert len(table.emails_to(ANN)) == before
    assert (
        "Our mail server found that your email wasn't really sent from the address it shows"
        in table.last_text(EVE)
    )
    assert "everyone knows" not in table.last_text(EVE)
    table.reply(EVE, "accept", to=invitation)
    assert has_begun(table)


def test_emails_by_message_id_do_not_use_up_the_readers_own_replies(table: Table) -> None:
    invite(table)
    invitation, before = table.last_email(EVE), len(table.emails_to(EVE))
    raw = by_message_id(table, "games")
    for number in range(60):
        table.deliver(raw.replace(b"<reply-", b"<forged-%d-" % number))
    table.run_workers()
    assert len(table.emails_to(EVE)) == before + 5

    table.reply(EVE, "accept", to=invitation)

    assert has_begun(table)


def test_a_vouched_sender_may_answer_at_the_public_address(table: Table) -> None:
    invite(table)

    deliver(table, by_message_id(table, "accept", PASSED))

    assert has_begun(table)


def test_a_reused_message_id_with_other_text_is_answered_once_and_does_nothing(table: Table) -> None:
    table.write_to_site(EVE, "seek wild16 3d", name="Eve")
    table.reply(EVE, "confirm")
    raw = table.site_email(EVE, "challenge Ann wild16")
    before = len(table.emails_to(EVE))

    for each in (raw, raw, *[raw.replace(b"challenge Ann wild16", b"withdraw")] * 3):
        deliver(table, each)

    assert len(table.emails_to(EVE)) == before + 2
    assert "of an earlier one that says something else" in table.last_text(EVE)
    table.write_to_site(EVE, "games")
    table.write_to_site(EVE, "withdraw")
    assert "You've taken back your challenge" in table.last_text(EVE)


def test_a_reused_message_id_in_a_reply_does_nothing(table: Table) -> None:
    invite(table)
    raw = table.reply_email(EVE, "games")
    deliver(table, raw)

    deliver(table, raw.replace(b"games", b"accept"))

    assert "of an earlier one that says something else" in table.last_text(EVE)
    assert not has_begun(table)


def test_many_emails_under_one_message_id_get_only_the_usual_number_of_answers(
    table: Table,
) -> None:
    table.write_to_site(EVE, "seek wild16 3d", name="Eve")
    table.reply(EVE, "confirm")
    raw, before = table.site_email(EVE, "seeks"), len(table.emails_to(EVE))

    for number in range(60):
        table.deliver(raw.replace(b"seeks", b"rules %d" % number))
    table.run_workers()

    assert len(table.emails_to(EVE)) == before + 20


def test_a_player_who_was_impersonated_still_hears_about_their_own_email(
    table: Table,
) -> None:
    """We ask for a confirmation once a week at most; after that, the answer says how to go on."""
    invite(table)
    table.write_to_site(EVE, f"challenge {ANN} rbc", vouched=False)  # an impostor
    assert ASKS_TO_CONFIRM in table.last_text(EVE)

    table.write_to_site(EVE, "seek wild16", vouched=False)

    assert "| seek wild16" in text_of(table.last_email(EVE))
    assert "Please reply to one of our emails instead, for example this one." in table.last_text(EVE)
    table.reply(EVE, "seek wild16")
    assert "Your game is on offer" in table.last_text(EVE)
