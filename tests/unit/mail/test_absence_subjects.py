"""Out-of-office replies are recognised by their subjects, if they hold no order."""

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


def raw_email(subject: str, body: str, head: str = "") -> bytes:
    return f"From: ann@a.example\r\nSubject: {subject}\r\n{head}\r\n{body}".encode()


@pytest.mark.parametrize("body", ["", WORDY])
@pytest.mark.parametrize("subject", ABSENT)
def test_an_absence_is_recognised_by_its_subject(subject: str, body: str) -> None:
    assert describe_email(raw_email(subject, body), None)["automatic"] == "absence"


@pytest.mark.parametrize("subject", ABSENT)
def test_an_order_under_such_a_subject_acts(subject: str) -> None:
    found = describe_email(raw_email(subject, "e2e4\r\n\r\nI am away until Monday.\r\n"), None)

    assert (found["automatic"], found["orders"]) == (False, ["e2e4"])


@pytest.mark.parametrize("subject", ABSENT)
def test_a_puzzling_line_under_such_a_subject_is_answered(subject: str) -> None:
    assert describe_email(raw_email(subject, "Nf3\r\n"), None)["automatic"] is False


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
def test_other_subjects_mean_no_absence(subject: str) -> None:
    assert not is_absence_subject(subject)
    assert describe_email(raw_email(subject, WORDY), None)["automatic"] is False


@pytest.mark.parametrize("value", ["All", "OOF", "DR, OOF, AutoReply", "autoreply"])
def test_suppressed_replies_are_not_sent_but_an_order_acts(value: str) -> None:
    head = f"X-Auto-Response-Suppress: {value}\r\n"

    assert describe_email(raw_email(OURS, WORDY, head), None)["automatic"] == "wants no answer"
    assert describe_email(raw_email(OURS, "e2e4", head), None)["orders"] == ["e2e4"]


@pytest.mark.parametrize("value", ["None", "", "DR, RN, NRN"])
def test_suppressed_receipts_mean_nothing(value: str) -> None:
    assert (
        describe_email(raw_email(OURS, WORDY, f"X-Auto-Response-Suppress: {value}\r\n"), None)["automatic"]
        is False
    )


@pytest.mark.parametrize("encoding", ["", "Content-Transfer-Encoding: base64\r\n"])
def test_a_calendar_reply_is_automatic_in_any_part(encoding: str) -> None:
    event = "BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\nEND:VCALENDAR\r\n"
    coded = "QkVHSU46VkNBTEVOREFSDQpNRVRIT0Q6UkVQTFkNCkVORDpWQ0FMRU5EQVINCg==" if encoding else event
    body = (
        "--b\r\nContent-Type: text/plain\r\n\r\naccept\r\n"
        f"--b\r\nContent-Type: Text/Calendar; charset=utf-8\r\n{encoding}\r\n{coded}\r\n--b--\r\n"
    )
    found = describe_email(
        raw_email(
            "Accepted: a game",
            body,
            "MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n",
        ),
        None,
    )

    assert (found["automatic"], found["orders"]) == ("calendar", [])


def test_a_calendar_request_is_not_automatic() -> None:
    head = "Content-Type: multipart/mixed; boundary=b\r\n"
    body = "--b\r\n\r\ne2e4\r\n--b\r\nContent-Type: text/calendar; method=REQUEST\r\n\r\nMETHOD:REQUEST\r\n--b--\r\n"

    assert describe_email(raw_email(OURS, body, head), None)["orders"] == ["e2e4"]
