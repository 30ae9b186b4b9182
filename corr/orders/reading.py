"""Parses all lines of an email before any order acts: into its orders, or the one unclear line that stops it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from corr.orders import unclear_lines
from corr.orders.commands import Trait, has_trait
from corr.orders.conflicts import (
    BoardOrder,
    GivenOrder,
    find_conflict,
    join_acts,
    join_orders,
    remove_repeats,
)
from corr.orders.line_parser import (
    CODE,
    NO_CODE_HINT,
    NO_GAMES,
    UNFINISHED,
    ParsedLine,
    count_characters,
    parse_line,
    unknown_game_hint,
    which_game_hint,
)
from corr.orders.scanner import fold
from corr.orders.unclear_lines import UnclearLine
from corr.words.orders import Order, StandingOrders

_CONTINUATION = re.compile(r"[,;](?: ?\w|$)|/(?: ?(?:yes|no) ?:|$)|(?:yes|no) ?:|else\b", re.IGNORECASE)
_OTHER_BRANCH = re.compile(r"(?:/ ?)?(?:yes|no) ?:|else\b", re.IGNORECASE)
_GLIMPSE = re.compile(r"if [a-h][1-8] ?=", re.IGNORECASE)
_PLACED_PIECES = re.compile(r"(?:-? ?[kqrbnp]? ?[a-h][1-8],?(?: |$))+", re.IGNORECASE)
_BARE_COMMAND = re.compile(rf"(?:{CODE} ?: ?)?(?:deploy|ghost)", re.IGNORECASE)
_WORD_AND_COLON = re.compile(r"([a-z0-9]{1,10}) ?: ?(.+)", re.IGNORECASE)
_HEAD = re.compile(rf"(?:{CODE} ?: ?)?(?:\d{{1,3}} ?\.+ ?)?(\w+)", re.IGNORECASE)
#: A line that turns what follows it into a question, a doubt or somebody's words, or says no to it.
_LEADS_ON = re.compile(
    r"(?:\b(?:not|never|no|should|would|could|might|if|whether|what|why|how|than|or)\b|n't\b)[^.,!?;)]*$"
    r"|\b(?:wrote|writes|said|says|played|plays|schrieb|\xe9crit|escribi\xf3|scritto|schreef|skrev|instead of) ?:?$",
    re.IGNORECASE,
)
#: The same with its verb at the end, which speaks of an order below an empty line too.
_LEADS_FAR = re.compile(
    r"(?:\b(?:not|never|should|would|could|might|if)\b|n't\b)[^.!?]*\b(?:play|move|try|be|was) ?:?$"
    r"|\b(?:whether|if|than|(?:nobody|who|did i|do you) (?:plays?|played|means?)) ?:?$",
    re.IGNORECASE,
)
#: What takes an order back, wherever else it stands in the email.
_TAKES_BACK = re.compile(
    r"\b(?:wrong|other) game\b|\b(?:don't|do not) (?:play|send|make|move|do|try|use)\b|\bnot yet\b"
    r"|\b(?:ignore|disregard|forget|undo|cancel|scratch) (?:it|that|this|my|the|what)\b"
    r"(?! (?:typos?|spelling|autocorrect|brevity|signature|footer|disclaimer)\b)|\bnever ?mind\b"
    r"|\b(?:kidding|joking)\b|\bsecond thoughts?\b|\bchanged? my mind\b|\b(?:oh|no|but),? wait\b|\bwait,? no\b"
    r"|\btak(?:e|ing) (?:it|that|this|my \w+) back\b",
    re.IGNORECASE,
)
#: What a mail server writes below every email of a firm, which asks strangers to disregard the email.
_DISCLAIMER = re.compile(
    r"\b(?:intended|named) (?:recipient|addressee)|\bnot the addressee\b|\bconfidential|\bprivileged\b"
    r"|\byou (?:have |may have )?receive[ds]?\b.*\b(?:error|mistake|mistakenly|erroneously)\b",
    re.IGNORECASE,
)
_LONG_LINE, _LEADING, _TAKEN_BACK = 50, 100, 1_000
_ACTS = 10  # the number of acts kept from an email that tries nothing, for proposals
#: After this many unclear lines or different moves nothing is tried, so the rest of the email isn't parsed.
_MOST_UNCLEAR = 50


@dataclass(frozen=True, slots=True)
class ParsedEmail:
    """What an email says: its orders, or the unclear line that stops it; and the ignored prose."""

    orders: tuple[Order, ...]
    puzzled: UnclearLine | None
    ignored: tuple[str, ...]
    coded: tuple[tuple[str, tuple[Order, ...]], ...] = ()  # orders by game, for an email to several games
    dropped: bool = False  # whether an unclear line kept orders from being carried out
    agreed: bool = False  # whether its writer only said yes to the order that we had proposed

    @property
    def says_something(self) -> bool:
        """Whether the email holds any order or unclear line."""
        return bool(self.orders or self.coded or self.puzzled)


@dataclass(frozen=True, slots=True)
class Passage:
    """A line, or several that belong together, with its place in the email."""

    raw: str
    line: ParsedLine
    first: int
    end: int


def parse_lines(lines: Sequence[str], move_number: int | None = None) -> ParsedEmail:
    """Parse an email to one game; if a line is unclear, the result has no orders."""
    return _combine_passages([_refuse_code(each) for each in _find_passages(lines, move_number)])


def parse_game_lines(lines: Sequence[str], games: Mapping[str, int]) -> ParsedEmail:
    """Parse an email that may be for several games, given each game's code and move number."""
    passages = _find_passages(lines, None, games)
    is_for_games = bool(games) or any(each.line.code for each in passages)
    return _combine_passages([_require_code(each, games) for each in passages] if is_for_games else passages)


def _find_passages(
    lines: Sequence[str], move_number: int | None, games: Mapping[str, int] = NO_GAMES
) -> list[Passage]:
    """Parse an email into passages; an order that may be part of a sentence is unclear."""
    passages = list(_passages(lines, move_number, games))
    if any(_TAKES_BACK.search(text[:_TAKEN_BACK]) for text in _find_prose(passages)):
        return [
            _puzzling(each, unclear_lines.TAKEN_BACK_HINT)
            if any(map(_is_for_game, each.line.orders))
            else each
            for each in passages
        ]
    return [
        _not_in_a_sentence(*three)
        for three in zip([None, *passages], passages, [*passages[1:], None], strict=False)
    ]


def _find_prose(passages: Sequence[Passage]) -> Iterator[str]:
    """Yield the lines of prose in paragraphs that are no disclaimer."""
    paragraphs: list[list[Passage]] = []
    for each in passages:
        if each.line.kind != "prose":
            continue
        if paragraphs and paragraphs[-1][-1].end == each.first:
            paragraphs[-1].append(each)
        else:
            paragraphs.append([each])
    for paragraph in paragraphs:
        texts = [each.line.text for each in paragraph]
        if not _DISCLAIMER.search(" ".join(texts)[:_TAKEN_BACK]):
            yield from texts


def _is_for_game(order: Order) -> bool:
    """Whether an order can change a game: a doubt whether it was meant as an order stops the email."""
    return isinstance(order, BoardOrder | StandingOrders) or has_trait(order, Trait.TELLTALE)


def _combine_passages(passages: list[Passage]) -> ParsedEmail:
    """Combine an email's passages into its orders, or the first unclear line or conflict."""
    ignored = tuple(each.raw for each in passages if each.line.kind == "prose")
    given: dict[str, list[GivenOrder]] = {"": []}
    for each in passages:
        given.setdefault(each.line.code, []).extend(GivenOrder(order, each.raw) for order in each.line.orders)
    given = {code: remove_repeats(orders) for code, orders in given.items()}
    puzzled = next(filter(None, (*map(_puzzle, passages), *map(find_conflict, given.values()))), None)
    if puzzled:
        acts = tuple(str(each.order) for each in given[""] if isinstance(each.order, BoardOrder))
        ahead = any(isinstance(each.order, StandingOrders) for each in given[""])
        alone = not ahead and sum(bool(each.line.why) for each in passages) < 2
        dropped = any(given.values())
        return ParsedEmail((), replace(puzzled, acts=acts[:_ACTS], alone=alone), ignored, dropped=dropped)
    orders = {code: join_orders(orders) for code, orders in given.items()}
    return ParsedEmail(orders.pop(""), None, ignored, tuple(orders.items()))


def _puzzle(passage: Passage) -> UnclearLine | None:
    """Return why a passage is unclear, and where its parsing stopped if cleaning kept its length."""
    line = passage.line
    if not line.why:
        return None
    is_as_written = count_characters(passage.raw.removesuffix(".")) == count_characters(line.text)
    return UnclearLine(passage.raw, line.why, line.read if is_as_written else 0)


def _refuse_code(passage: Passage) -> Passage:
    """Mark a passage as unclear if it has a game's code in an email to one game."""
    return _puzzling(passage, NO_CODE_HINT) if passage.line.code else passage


def _require_code(passage: Passage, games: Mapping[str, int]) -> Passage:
    """Mark a passage as unclear if it needs a game's code and has no valid one."""
    line = passage.line
    code = line.code or _perhaps_a_code(line)
    if code and code not in games:
        return _puzzling(passage, unknown_game_hint(code, games))
    if games and not line.code and not all(has_trait(order, Trait.SITE) for order in line.orders):
        return _puzzling(passage, which_game_hint(games))
    return passage


def _perhaps_a_code(line: ParsedLine) -> str:
    """Return the word before a colon and an order, probably a mistyped game code; else empty."""
    named = _WORD_AND_COLON.match(line.text) if line.kind == "prose" else None
    return named[1].lower() if named and parse_line(named[2]).kind != "prose" else ""


def _puzzling(passage: Passage, why: str) -> Passage:
    """Return a passage marked as unclear for this reason."""
    return replace(passage, line=ParsedLine(passage.line.text, why=why))


def find_first_order(lines: Sequence[str]) -> str | None:
    """Return the first line with an order, as written; None if there is none."""
    return next((each.raw for each in _passages(lines, None) if each.line.orders), None)


def parse_order(line: str) -> Order | UnclearLine:
    """Parse one line of the web page into its single order, or say why it isn't one."""
    found = _refuse_code(Passage(line, parse_line(fold(line)), 0, 1)).line
    given = remove_repeats(GivenOrder(order, line.strip()) for order in found.orders)
    puzzled = find_conflict(given)
    orders = join_acts(join_orders(given))
    if puzzled or len(orders) != 1:
        why = unclear_lines.ONE_ORDER_HINT if orders else found.why or unclear_lines.NO_ORDER_HINT
        acts = tuple(str(each.order) for each in given if isinstance(each.order, BoardOrder))
        return replace(puzzled or UnclearLine(line.strip(), why), acts=acts)
    return orders[0]


def _passages(
    lines: Sequence[str], move_number: int | None, games: Mapping[str, int] = NO_GAMES
) -> Iterator[Passage]:
    """Yield an email's passages, rejoining wrapped lines, until too many are unclear."""
    texts, understood = [line and fold(line) for line in lines], dict[str, ParsedLine]()
    first, stopping = 0, set[str]()
    while first < len(texts) and len(stopping) < _MOST_UNCLEAR:
        end = first + 1
        if texts[first] and not texts[first].startswith("|"):
            line = understood.get(texts[first]) or parse_line(texts[first], move_number, games)
            understood[texts[first]] = line
            if line.orders or line.is_open or _BARE_COMMAND.fullmatch(texts[first]):
                end = _end_of_order(texts, first)
            elif line.why:
                end = _end_of_branches(texts, first)
            if end > first + 1:
                line = _parse_joined(texts[first:end], move_number, games)
            acts = (str(order) for order in line.orders if isinstance(order, BoardOrder) and not games)
            stopping.update([f"line {first}"] if line.why else acts)
            yield Passage(" ".join(each.strip() for each in lines[first:end]), line, first, end)
        first = end


def _end_of_order(texts: list[str], first: int) -> int:
    """Return the index after the last line of an order that goes over several lines."""
    head = _head(texts[first])
    end = first + 1
    while end < len(texts) and _is_continued(head, texts[end - 1], texts[end]):
        end += 1
    return end


def _end_of_branches(texts: list[str], first: int) -> int:
    """Return the index after an unclear line and the lines with its other branches."""
    end = first + 1
    while end < len(texts) and _OTHER_BRANCH.match(texts[end]):
        end += 1
    return end


def _is_continued(head: str, previous: str, following: str) -> bool:
    """Whether the following line continues an order whose first word is `head`."""
    if not following or following.startswith("|") or head == "note":
        return False
    return (
        previous.endswith(UNFINISHED)
        or bool(_CONTINUATION.match(following))
        or (head in ("deploy", "ghost") and bool(_PLACED_PIECES.fullmatch(following)))
        or (head == "sense" and bool(_GLIMPSE.match(following)))
    )


def _parse_joined(texts: list[str], move_number: int | None, games: Mapping[str, int]) -> ParsedLine:
    """Parse several lines as one, which is unclear unless they make an order."""
    line = parse_line(_join(texts), move_number, games)
    return line if line.orders or line.why else replace(line, why=unclear_lines.NOT_ALONE_HINT)


def _join(texts: list[str]) -> str:
    """Join lines into one, with a semicolon before each "if" that lacks one."""
    pieces = texts[:1]
    for before, text in pairwise(texts):
        if _GLIMPSE.match(text) and not before.endswith(";"):
            pieces.append(";")
        pieces.append(text)
    return " ".join(pieces)


def _head(text: str) -> str:
    """Return the first word of a line after any code and move number, in lower case."""
    found = _HEAD.match(text)
    return found[1].lower() if found else ""


def _not_in_a_sentence(above: Passage | None, passage: Passage, below: Passage | None) -> Passage:
    """Mark an order as unclear if an email program may have cut it out of a sentence."""
    if not passage.line.orders:
        return passage
    goes_on = (
        below is not None
        and below.line.kind == "prose"
        and (below.line.text[:1].islower() or below.line.text.startswith("?"))
        and (below.first == passage.end or below.line.text.endswith("?"))
    )
    if goes_on or (above is not None and above.line.kind == "prose" and _leads_on(above, passage)):
        return replace(passage, line=ParsedLine(passage.line.text, why=unclear_lines.WRAPPED_HINT))
    return passage


def _leads_on(above: Passage, passage: Passage) -> bool:
    """Whether a line of prose goes on in the order below it, or speaks of it."""
    text = above.line.text
    is_close = above.end == passage.first
    goes_on = is_close and (len(above.raw) >= _LONG_LINE or bool(_LEADS_ON.search(text)))
    return goes_on or bool(_LEADS_FAR.search(text[-_LEADING:]))
