"""Every variant has all files and entries that docs/how-to/variant.md asks for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from corr.demo.past_games import PAST_GAMES
from corr.rules.variants import UMPIRES
from corr.text.messages import template_folder
from corr.words.view import VariantInfo
from tests.support.gallery import PLAYED

ROOT = Path(__file__).parents[3]
README, VARIANTS = (ROOT / "README.md").read_text(), (ROOT / "docs/variants.md").read_text()
NEEDED: dict[str, Callable[[VariantInfo], bool]] = {
    "pictures in templates/en/pictures/KEY.toml, with the next place": lambda card: (
        template_folder() / "pictures" / f"{card.key}.toml"
    ).is_file(),
    "rulings in tests/unit/rules/KEY.cases": lambda card: (ROOT / "tests/unit/rules" / f"{card.key}.cases").is_file(),
    "scenes in PLAYED of tests/support/gallery.py": lambda card: card.key in PLAYED,
    "emails in tests/gallery/KEY": lambda card: (ROOT / "tests/gallery" / card.key).is_dir(),
    "a game in PAST_GAMES of corr/demo/past_games.py": lambda card: card.key in PAST_GAMES,
    "a line in README.md": lambda card: f" {card.name.split()[0]}" in README,
    "a paragraph in docs/variants.md": lambda card: f"- **{card.name.split()[0]}" in VARIANTS,
}  # fmt: skip


def test_no_variant_lacks_a_file_or_entry() -> None:
    cards = [umpire.card for umpire in UMPIRES.values()]

    assert [
        f"{card.name} lacks {what}" for card in cards for what, has in NEEDED.items() if not has(card)
    ] == []
