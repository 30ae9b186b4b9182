"""Defines the simple player settings, for forms, orders and exports; see docs/how-to/player-setting.md."""

from __future__ import annotations

from typing import NamedTuple


class Setting(NamedTuple):
    """One setting of a player for all games, and where pages and emails offer it."""

    name: str  # its form's field, and how its texts begin in `templates/en/messages.toml`
    column: str  # where the table of players keeps it, with its default
    choices: dict[str, object]  # what a form or an order may say, and what is stored for it
    section: str  # profile, games, notifications or appearance: the part of the settings page that has it
    has_links: bool = False  # whether the page's own template says what it means, with links
    order: str = ""  # the order word before a choice, if emails may set it
    hint: str = ""  # our answer to the order word without a known choice; empty if settings share the word
    switch: str = ""  # the name of the player's switch that it is, if it has no column of its own
    in_help: tuple[str, ...] = ()  # the choices for which "help all" has a row

    def text_key(self, choice: str = "") -> str:
        """Return the key in `messages.toml` of this setting's text, or of a choice's text."""
        return f"{self.name}_{choice}".rstrip("_").replace(" ", "_")

    def choice_of(self, stored: object) -> str:
        """Return the choice for a column's stored value; empty if nothing is chosen yet."""
        return next((choice for choice, value in self.choices.items() if value == stored), "")


#: All simple settings, in the order in which the settings page and "help all" show them.
SETTINGS = (
    Setting(
        name="answers",
        column="switched",
        choices={"answers": True, "no answers": False},
        section="notifications",
        order="mail",
        switch="answers",
        in_help=("no answers",),
    ),
    Setting(
        name="file",
        column="slip_file",
        choices={"plain": False, "json": True},
        section="notifications",
        order="mail",
        in_help=("json",),
    ),
    Setting(
        name="checkpoints",
        column="checkpoint",
        choices={"no checkpoints": False, "checkpoints": True},
        section="notifications",
        has_links=True,
        order="mail",
        in_help=("checkpoints",),
    ),
    Setting(
        name="men",
        column="men",
        choices={"glyphs": "glyphs", "simple": "simple", "letters": "letters"},
        section="appearance",
    ),
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
        section="profile",
        has_links=True,
        order="page",
        in_help=("off",),
    ),
)


def find_by_order(word: str, choice: str) -> Setting | None:
    """Return the setting that an email order such as `mail json` changes, or None."""
    return next((each for each in SETTINGS if each.order == word and choice in each.choices), None)
