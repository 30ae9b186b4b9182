"""A player's simple settings as data: their forms, orders, export and database rights come from this table.

`docs/how-to/player-setting.md` shows how to add one.
"""

from __future__ import annotations

from typing import NamedTuple


class Setting(NamedTuple):
    """One choice that a player makes for all of their games."""

    name: str  # its form's field, and how its texts begin in `templates/en/sentences.toml`
    column: str  # where the table of players keeps it, with its default
    choices: dict[str, object]  # what a form or an order may say, and what is stored for it
    section: str = ""  # where the settings page shows its form; without one, the page has its own for it
    has_links: bool = False  # whether the page's own template says what it means, with links
    page: str = ""  # its form's address, if that isn't its name
    order: str = ""  # the order word before a choice, if emails may set it
    hint: str = ""  # if the order word is its own: what we say when no choice stands behind it
    in_help: tuple[str, ...] = ()  # the choices for which "help all" has a row

    def text_key(self, choice: str = "") -> str:
        """Return the name of its text, or of a choice's text."""
        return f"{self.name}_{choice}".rstrip("_").replace(" ", "_")

    def choice_of(self, stored: object) -> str:
        """Return the choice that a stored value stands for; nothing before the player has chosen."""
        return next((choice for choice, value in self.choices.items() if value == stored), "")


#: All simple settings, in the order in which the settings page and "help all" show them.
SETTINGS = (
    Setting(
        name="file",
        column="slip_file",
        choices={"plain": False, "json": True},
        section="notifications",
        page="mail/file",
        order="mail",
        in_help=("json",),
    ),
    Setting(
        name="checkpoints",
        column="checkpoint",
        choices={"no checkpoints": False, "checkpoints": True},
        section="notifications",
        has_links=True,
        page="mail/checkpoints",
        order="mail",
        in_help=("checkpoints",),
    ),
    Setting(name="men", column="men", choices={"glyphs": "glyphs", "letters": "letters"}, page="pages"),
    Setting(name="tries", column="tells_tries", choices={"told": True, "untold": False}, section="games"),
    Setting(
        name="publish",
        column="publishes",
        choices={"no": "no", "yes": "yes", "name": "name"},
        section="games",
        has_links=True,
        order="publish",
        hint='After "publish" write "yes" to use a pen name, "name" to use your own name, or "no".',
        in_help=("yes", "name"),
    ),
    Setting(
        name="page",
        column="hidden",
        choices={"on": False, "off": True},
        section="page",
        has_links=True,
        order="page",
        in_help=("off",),
    ),
)


def find_by_order(word: str, choice: str) -> Setting | None:
    """Return the setting that an order such as `mail json` is about."""
    return next((each for each in SETTINGS if each.order == word and choice in each.choices), None)
