"""The header of a quoted email starts a quotation: lines below it may be old orders, so they aren't tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from corr.mail.inward.incoming_email import describe_email
from tests.support.hostile_emails import html, plain

HARDER = Path(__file__).parents[2] / "letters" / "harder"
HEADERS = {
    "English": ("From: Ann", "Sent: Friday", "To: Umpire", "Subject: Re: a game"),
    "German": ("Von: Ann", "Gesendet: Freitag", "An: Umpire", "Betreff: Re: a game"),
    "French": ("De : Ann", "Envoyé : vendredi", "À : Umpire", "Objet : Re: a game"),
    "Spanish": ("De: Ann", "Enviado el: viernes", "Para: Umpire", "Asunto: Re: a game"),
    "Portuguese": ("De: Ann", "Enviada em: sexta", "Para: Umpire", "Assunto: Re: a game"),
    "Italian": ("Da: Ann", "Inviato: venerdì", "A: Umpire", "Oggetto: Re: a game"),
    "Dutch": ("Van: Ann", "Verzonden: vrijdag", "Aan: Umpire", "Onderwerp: Re: a game"),
    "Swedish": ("Från: Ann", "Skickat: fredag", "Till: Umpire", "Ämne: Re: a game"),
    "Danish": ("Fra: Ann", "Sendt: fredag", "Til: Umpire", "Emne: Re: a game"),
    "Finnish": ("Lähettäjä: Ann", "Lähetetty: perjantai", "Vastaanottaja: Umpire", "Aihe: Re: a game"),
    "Polish": ("Od: Ann", "Wysłano: piątek", "Do: Umpire", "Temat: Re: a game"),
    "Czech": ("Od: Ann", "Odesláno: pátek", "Komu: Umpire", "Předmět: Re: a game"),
    "Hungarian": ("Feladó: Ann", "Elküldve: péntek", "Címzett: Umpire", "Tárgy: Re: a game"),
    "Russian": ("От: Ann", "Отправлено: пятница", "Кому: Umpire", "Тема: Re: a game"),
    "Turkish": ("Kimden: Ann", "Gönderildi: Cuma", "Kime: Umpire", "Konu: Re: a game"),
    "Japanese": ("差出人: Ann", "送信日時: 金曜日", "宛先: Umpire", "件名: Re: a game"),
    "Chinese": ("发件人: Ann", "发送时间: 星期五", "收件人: Umpire", "主题: Re: a game"),
    "Korean": ("보낸 사람: Ann", "보낸 날짜: 금요일", "받는 사람: Umpire", "제목: Re: a game"),
}
#: The English header in other shapes.
SHAPES = {
    "in bold": [f"*{line.replace(':', ':*', 1)}" for line in HEADERS["English"]],
    "in bold, the colon outside": [f"**{line.replace(':', '**:', 1)}" for line in HEADERS["English"]],
    "wrapped": [
        "From: Ann",
        "Sent: Friday",
        "To: The Umpire of All the Games",
        "and Others",
        "Subject: Re: a",
    ],
    "with empty lines": "\n\n".join(HEADERS["English"]).split("\n"),
    "under a rule": ["_" * 32, *HEADERS["English"]],
    "about an order": [*HEADERS["English"][:3], "Subject: draw?"],
    "recognised by its date": ["Whoever: Ann", "Whenever: 2026-11-17", "Whither: Umpire"],
    "a title": ["-----Original Message-----"],
    "an attribution": ["On Tue, Nov 17, 2026 at 9:14 AM Ann <ann@example.org> wrote:"],
}
ALL = {**HEADERS, **SHAPES}


def raw_email(*lines: str) -> bytes:
    return plain("\n".join(lines), b"Content-Type: text/plain; charset=utf-8\r\n")


@pytest.mark.parametrize("name", ALL)
def test_an_order_only_below_a_header_is_not_tried_but_answered(name: str) -> None:
    found = describe_email(raw_email("Thank you, I shall think.", "", *ALL[name], "", "e2e5"), None)

    assert found["orders"] == []
    assert found["puzzled"]["line"] == "e2e5"  # type: ignore[index]
    assert "below the header of another email" in found["puzzled"]["why"]  # type: ignore[index]


@pytest.mark.parametrize("name", ALL)
def test_only_the_order_above_a_header_acts(name: str) -> None:
    found = describe_email(raw_email("g1f3", "", *ALL[name], "", "e2e5", "Resign", "resign resign"), None)

    assert (found["orders"], found["puzzled"]) == (["g1f3"], None)


def test_an_order_directly_below_a_header_is_not_tried() -> None:
    assert describe_email(raw_email(*HEADERS["German"], "e2e5"), None)["orders"] == []


def test_a_wrapped_set_up_is_found_below_a_header() -> None:
    found = describe_email(raw_email("Hello", *HEADERS["French"], "", "deploy Ra1 Kc1,", "Be1 Rg1"), None)

    assert found["puzzled"]["line"] == "deploy Ra1 Kc1, Be1 Rg1"  # type: ignore[index]


def test_a_header_in_html_is_recognised() -> None:
    head = "<br>".join(f"<b>{line.replace(':', ':</b>', 1)}" for line in HEADERS["Italian"])
    found = describe_email(html(f"<p>Thanks!</p><div>{head}</div><div><p>e2e5</p></div>"), None)

    assert found["orders"] == []
    assert found["puzzled"] is not None


def test_an_order_below_our_quoted_email_acts_if_we_have_that_email() -> None:
    raw = (HARDER / "bottom_unmarked_outlook.eml").read_bytes()
    alone, with_ours = describe_email(raw, None), describe_email(raw, (HARDER / "sent.txt").read_bytes())

    assert (alone["orders"], alone["puzzled"]["line"]) == ([], "e2e4")  # type: ignore[index]
    assert (with_ours["orders"], with_ours["puzzled"]) == (["e2e4"], None)


def test_a_few_words_with_colons_are_not_a_header() -> None:
    found = describe_email(raw_email("From: a friend", "To: you", "PS: a question", "", "e2e4"), None)

    assert found["orders"] == ["e2e4"]


def test_lines_below_a_marked_quotation_are_the_writers() -> None:
    found = describe_email(raw_email(*HEADERS["English"], "", "> Your turn", "", "e2e4"), None)

    assert found["orders"] == ["e2e4"]
