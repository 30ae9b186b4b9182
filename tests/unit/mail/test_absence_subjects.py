"""Letters that programs write while their owners are away, known by their subjects where they hold no order."""

from __future__ import annotations

import pytest

from corr.mail.inward.automatic_mail import is_absence_subject
from corr.mail.inward.incoming_email import describe_email

OURS = "Re: [corr] Wild 16 with Rook64 (k3x9q)"
ABSENT = (
    f"Automatic reply: {OURS}",
    f"Auto: {OURS}",
    f"[Auto-Reply] {OURS}",
    f"Out of Office: {OURS}",
    "Out of the office until Monday",
    f"Abwesenheitsnotiz: {OURS}",
    f"Automatische Antwort: {OURS}",
    f"Réponse automatique : {OURS}",
    "Absence du bureau",
    f"Respuesta automática: {OURS}",
    "Estoy fuera de la oficina",
    f"Risposta automatica: {OURS}",
    f"Resposta automática: {OURS}",
    f"Automatisch antwoord: {OURS}",
    f"Automatiskt svar: {OURS}",
    f"Autosvar: {OURS}",
    f"Automaattinen vastaus: {OURS}",
    f"Odpowiedź automatyczna: {OURS}",
    f"Automatická odpověď: {OURS}",
    f"Автоматический ответ: {OURS}",
    f"自動応答: {OURS}",
    f"自动答复: {OURS}",
    f"Otomatik Yan\u0131t: {OURS}",
    f"Read: {OURS}",
    f"Gelesen: {OURS}",
)
WORDY = "Thank you for your message.\r\nI am away until Monday, and my colleagues read it meanwhile.\r\n"


def letter(subject: str, body: str, head: str = "") -> bytes:
    return f"From: ann@a.example\r\nSubject: {subject}\r\n{head}\r\n{body}".encode()


@pytest.mark.parametrize("body", ["", WORDY])
@pytest.mark.parametrize("subject", ABSENT)
def test_an_absence_is_told_by_a_subject_where_no_order_stands(subject: str, body: str) -> None:
    assert describe_email(letter(subject, body), None)["automatic"] == "absence"


@pytest.mark.parametrize("subject", ABSENT)
def test_an_order_under_such_a_subject_is_a_persons(subject: str) -> None:
    found = describe_email(letter(subject, "e2e4\r\n\r\nI am away until Monday.\r\n"), None)

    assert (found["automatic"], found["orders"]) == (False, ["e2e4"])


@pytest.mark.parametrize("subject", ABSENT)
def test_what_is_puzzling_under_such_a_subject_is_answered(subject: str) -> None:
    assert describe_email(letter(subject, "Nf3\r\n"), None)["automatic"] is False


@pytest.mark.parametrize(
    "subject",
    [
        "",
        OURS,
        f"AW: {OURS}",
        "Re: [corr] Wild 16 with Out of Office (k3x9q)",
        "Read this!",
        "A game next vacation?",
        "my answer, automatically late",
    ],
)
def test_other_subjects_tell_of_no_absence(subject: str) -> None:
    assert not is_absence_subject(subject)
    assert describe_email(letter(subject, WORDY), None)["automatic"] is False


@pytest.mark.parametrize("value", ["All", "OOF", "DR, OOF, AutoReply", "autoreply"])
def test_who_wants_no_answer_gets_none_but_an_order_acts(value: str) -> None:
    head = f"X-Auto-Response-Suppress: {value}\r\n"

    assert describe_email(letter(OURS, WORDY, head), None)["automatic"] == "wants no answer"
    assert describe_email(letter(OURS, "e2e4", head), None)["orders"] == ["e2e4"]


@pytest.mark.parametrize("value", ["None", "", "DR, RN, NRN"])
def test_who_wants_no_receipt_is_a_person(value: str) -> None:
    assert (
        describe_email(letter(OURS, WORDY, f"X-Auto-Response-Suppress: {value}\r\n"), None)["automatic"]
        is False
    )


@pytest.mark.parametrize("encoding", ["", "Content-Transfer-Encoding: base64\r\n"])
def test_the_answer_to_an_invitation_is_a_programs_wherever_it_stands(encoding: str) -> None:
    event = "BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\nEND:VCALENDAR\r\n"
    coded = "QkVHSU46VkNBTEVOREFSDQpNRVRIT0Q6UkVQTFkNCkVORDpWQ0FMRU5EQVINCg==" if encoding else event
    body = (
        "--b\r\nContent-Type: text/plain\r\n\r\naccept\r\n"
        f"--b\r\nContent-Type: Text/Calendar; charset=utf-8\r\n{encoding}\r\n{coded}\r\n--b--\r\n"
    )
    found = describe_email(
        letter(
            "Accepted: a game",
            body,
            "MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n",
        ),
        None,
    )

    assert (found["automatic"], found["orders"]) == ("calendar", [])


def test_an_invitation_itself_is_no_answer() -> None:
    head = "Content-Type: multipart/mixed; boundary=b\r\n"
    body = "--b\r\n\r\ne2e4\r\n--b\r\nContent-Type: text/calendar; method=REQUEST\r\n\r\nMETHOD:REQUEST\r\n--b--\r\n"

    assert describe_email(letter(OURS, body, head), None)["orders"] == ["e2e4"]
