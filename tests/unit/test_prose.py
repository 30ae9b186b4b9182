"""`scripts/prose`: what it finds, and that pages and emails are easy to read."""

from __future__ import annotations

import re
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest
import textstat

ROOT = Path(__file__).parents[2]
UNCLEAR = (
    (
        "Whoever has never played writes the one word `tutorial` to the umpire, and is taught in two "
        "short lessons and a whole game."
    ),
    "Where you are let in",
    "Your ways to be told",
    "What is kept of you · What the house has signed",
    "The house",
    (
        "Listed is whose rating is known to within 110 points, who has met five others in rated games of "
        "the variant, and was over with one within 90 days."
    ),
    "A game either player would rather not is not.",
    'All the other words are in the answer to "help".',
    (
        "Please do not forward this letter: whoever has it may write to the umpire in your place. If "
        'somebody has it already, reply with the two words "new address", and it is good for nothing any '
        "more."
    ),
    "What stood behind it was not tried.",
    "There are two acts in the letter, and a turn has only one.",
    "These lines of yours were left alone, since they are no orders",
    "Pip had moved before this came, and you could not know of it, so nothing was tried.",
    "For the next lesson the men stand otherwise.",
    "You are reminded 1d before your time is over, in each game, as far as it has so much.",
    "No reminder comes from 22 to 7 o'clock in UTC: what would fall into these hours comes before them.",
    "Ben is told that you would like another game. It begins when the same word comes from there.",
    (
        "This word is about no single game… write it to the address from which this letter comes, in a "
        "letter that answers none."
    ),
    "Letters that are ready to be sent:",
    "Plain are only Celery's farewell and the sentence with which a process ends that cannot start.",
    "A large house takes some minutes to change them",
    "Who minds that adds `delay 2-8h`.",
    "a game of which either player would rather not is not",
    "Where the man in your hand could go, by his pattern and past your own men",
    "px: Make the one capture by a pawn that is counted",
    "Your opponent hears each refusal, and whether you could have known it, and never the move",
    "Your browser says America/New York: are times to be told so?",
    "Such a game is in no rating",
    "Your challenge is on its way, if letters may go there",
    "Games that are still played are nobody's to see",
    "e2e4 your move",
    '"How long letters are kept." `keeping.py`',
    (
        '"Letters that wait to be read: whoever has written is heard before anything of theirs comes due '
        'by itself." `unheard.py`'
    ),
    '"A game is credited what the house stood still: no time of its turn ran meanwhile." `crediting.py`',
    '"Which move somebody has made whom nobody saw, and how likely each is." `guessing.py`',
    (
        '"Settle the time of a turn for which a bank is charged; when a letter about it that was late '
        'was handed over."'
    ),
    '"Once a day, for who would have it so: one letter about all their games, in place of one for each turn."',
)
PLAIN = (
    "New to Kriegspiel? Email the single word `tutorial` for two short lessons and a guided game.",
    "Signed-in devices",
    "Notifications",
    "Privacy · Transparency log",
    "Admin",
    (
        "To be listed you need a settled rating (±110 or less), five different opponents and a "
        "rated game in the last 90 days."
    ),
    "Games that a player has opted out of aren't shown.",
    'Reply "help" for everything else.',
    (
        "Don't forward this email: anyone who has it can move for you. If someone else has seen it, reply "
        '"new address" to stop them.'
    ),
    "The rest of your list wasn't needed.",
    "Your email has two moves; a turn has room for one.",
    "I didn't act on these lines",
    "Pip moved before your email arrived, so I did nothing. Here is the new board.",
    "For the next lesson the board has been set up afresh.",
    "You'll be reminded one day before each deadline.",
    "No reminders between 22:00 and 07:00 UTC. Any due during those hours come earlier.",
    'Ben has been asked. The game starts when Ben replies "again" too.',
    "Done. (Do it: a word about the site works wherever it is written.)",
    "One-tap replies:",
    "Two lines aren't JSON: Celery's goodbye, and the error of a process that can't start.",
    "Migrating a large database takes minutes.",
    "If that bothers you, add `delay 2-8h`.",
    "A game is listed only if both players agree.",
    "Show where a piece could move",
    "Make the only pawn capture",
    "Your opponent hears each refusal and its type, never the move.",
    "Show times in New York time?",
    "Unrated",
    "Challenge sent to Ben.",
    "Games in progress are private.",
    "e2e4 played",
)
LONG = "We " + "wait and " * 17 + "go."
FILES_WITH_FAULTS = {
    "page.html": "<p>\n{% if a %}Short.{% else %}<b>So much</b> of it.{% endif %}</p>",
    "hint.html": '<button title="As far as it goes">Go</button>',
    "macro.html": '{{ deed("stop", "Stop whoever plays", b) }}',
    "email.txt": "Hello {{ name }}!\n\nYour letter is here.",
    "words.toml": '[errors]\nnone = "There are no letters."',
    "errors.py": 'raise Refused(f"Whoever wrote {name} is not here.")',
    "command.py": '@click.command()\ndef run() -> None:\n    """Start the house."""',
    "install.sh": 'say "the house is at work"',
    "guide.md": "Write to us, likewise\nin `code`.",
}


def load_script() -> ModuleType:
    loader = SourceFileLoader("prose", str(ROOT / "scripts/prose"))
    spec = spec_from_loader("prose", loader)
    assert spec
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


PROSE = load_script()


@pytest.mark.parametrize("sentence", [*UNCLEAR, LONG])
def test_an_unclear_sentence_is_found(sentence: str) -> None:
    assert list(PROSE.faults(sentence))


#: All pages of the docs but the API's, which is full of names.
PAGES = [page for page in PROSE.listed() if page.suffix == ".md" and page.stem != "api"]


@pytest.mark.parametrize("sentence", PLAIN)
def test_a_plain_sentence_is_left_alone(sentence: str) -> None:
    assert list(PROSE.faults(sentence)) == []


@pytest.mark.parametrize(("name", "source"), list(FILES_WITH_FAULTS.items()), ids=list(FILES_WITH_FAULTS))
def test_faults_are_found_in_every_kind_of_file(tmp_path: Path, name: str, source: str) -> None:
    (tmp_path / name).write_text(source)

    assert [fault for text in PROSE.texts(tmp_path / name) for fault in PROSE.faults(text)]


def test_every_allowed_phrase_is_still_needed() -> None:
    read = "\n".join(text for path in PROSE.listed() for text in PROSE.texts(path)).casefold()

    assert [phrase for phrase in PROSE.ALLOWED if phrase.casefold() not in read] == []


def test_pages_and_emails_are_easy_to_read() -> None:
    """Flesch's reading ease counts syllables and words: 60 is plain English, 30 a scientific paper."""
    templates = [path for path in PROSE.listed() if path.is_relative_to(ROOT / "templates")]
    found = (re.findall(r"[^.!?]+[.!?]", text) for path in templates for text in PROSE.texts(path))
    sentences = [" ".join(each.split()).replace("…", "it") for several in found for each in several]

    assert len(sentences) > 1000
    assert textstat.flesch_reading_ease(" ".join(sentences)) >= 60


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_of_the_docs_is_easy_to_read(page: Path) -> None:
    paragraphs = [" ".join(each.split()).replace("…", "it") for each in PROSE.texts(page)]

    assert textstat.flesch_reading_ease(" ".join(each for each in paragraphs if "." in each)) >= 60
