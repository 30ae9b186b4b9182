"""What a letter that came back says of why, in the figures and marks that programs write for programs."""

from __future__ import annotations

import re

from corr.mail.failure import Failure, failure
from corr.mail.inward.head import Head, behead
from corr.mail.inward.letter import opened
from corr.mail.inward.mime import texts_of
from corr.words.errors import Refused

_KINDS = ("message/delivery-status", "message/global-delivery-status")
#: One block about the way of the letter, and one for each reader; ours have one reader.
_BLOCKS = 10
_BETWEEN_BLOCKS = re.compile(r"\n[ \t]*\n")


def report_of(raw: bytes) -> Failure | None:
    """What is said of a letter that will not arrive; None where it may, or nothing of the kind is said."""
    head, body = opened(raw)
    try:
        told = [text for kind in _KINDS for text in texts_of(head, body, kind)]
    except Refused:
        return None
    blocks = [
        behead(block.encode())[0] for text in told for block in _BETWEEN_BLOCKS.split(text, _BLOCKS)[:_BLOCKS]
    ]
    acted = [block for block in blocks if block.first("action")]
    if acted:
        return next((failure(block.first("status")) for block in acted if _has_failed(block)), None)
    return failure("") if head.first("x-failed-recipients") else None


def _has_failed(block: Head) -> bool:
    return block.first("action").lower().startswith(("fail", "error"))
