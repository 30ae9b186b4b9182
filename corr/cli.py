"""The `corr` command: where its commands stand, and what one line tells of each. They load what they need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from corr.words.errors import CorrError


class Title(click.Command):
    """A command as its shelf shows it, before it is loaded."""

    def __init__(self, name: str, place: str, line: str) -> None:
        """The command at a `module:name` of `corr.commands`."""
        super().__init__(name, help=line)
        self._place = place

    def loaded(self) -> click.Command:
        """The command itself."""
        module, _, name = self._place.partition(":")
        command: click.Command = getattr(import_module(f"corr.commands.{module}"), name)
        return command


class CommandGroup(click.Group):
    """Shows the titles of its commands, and loads the one that is called; ends in a sentence where it is refused."""

    def __init__(self, name: str, line: str, *stands: click.Command) -> None:
        super().__init__(name, help=line, commands=stands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.loaded() if isinstance(command, Title) else command, rest

    def invoke(self, ctx: click.Context) -> Any:  # click's own signature
        try:
            return super().invoke(ctx)
        except CorrError as error:
            raise click.ClickException(str(error)) from error


_DB = CommandGroup(
    "db",
    "The database's tables.",
    Title("upgrade", "database:upgrade", "Make the tables, or bring them to the newest version."),
    Title("downgrade", "database:downgrade", "Take the tables back to a REVISION, or away."),
    Title("grant", "database:grant", "Let a PostgreSQL ROLE do what the pages need, and read no truth."),
)

_PLAYER = CommandGroup(
    "player",
    "Players: names, and the addresses at which they read letters.",
    Title(
        "add",
        "players:add",
        "Make a player, or give the player of a NAME one more ADDRESS. You vouch that it is theirs.",
    ),
    Title(
        "list",
        "players:print_all",
        "Print all players: name, addresses, whose programs some are, how many games, tutorials left out.",
    ),
    Title("export", "players:export", "Print as JSON what is kept of a player, for that player to read."),
    Title(
        "lost-passkeys",
        "players:lost_passkeys",
        "Take all passkeys of an operator away who cannot show one any more. A letter says so for each.",
    ),
    Title(
        "forget",
        "players:forget",
        "Take a player's name, addresses and letters out of all that is kept."
        " Games and what the umpire said stay.",
    ),
)

_SEAT = CommandGroup(
    "seat",
    "Players' places in games.",
    Title(
        "rekey",
        "games:rekey",
        "Make the addresses of a SIDE of a GAME anew, where somebody else knows one; its player gets a letter.",
    ),
)

_LETTER = CommandGroup(
    "letter",
    "Letters as the house reads them.",
    Title("read", "letter:read", "Print as JSON what a letter in FILE says; `-` is standard input."),
    Title("resend", "outbox:resend", "Try again to send the letters that were given up."),
)

_COMMANDS = CommandGroup(
    "corr",
    "Kriegspiel and its relatives by mail.",
    _DB,
    _PLAYER,
    _SEAT,
    _LETTER,
    Title("backup", "database:backup", "Copy the whole database into a new FILE, while the house works."),
    Title(
        "restored",
        "database:restored",
        "Say, once, that the database was restored from a copy, before anything else is started.",
    ),
    Title(
        "doctor",
        "doctor:doctor",
        "Look at everything that this house needs, and say what is wrong and what to do.",
    ),
    Title(
        "challenge",
        "games:challenge",
        "Propose a game to two addresses; it begins when both have accepted by letter.",
    ),
    Title(
        "hours",
        "hours:hours",
        "Tell whether flags may fall and when the house stood still; what a sweep AT a moment would do.",
    ),
    Title(
        "pgn",
        "games:pgn",
        "Print the finished game of a CODE as a PGN file, in UTF-8: every move, and what the umpire said of it.",
    ),
    Title(
        "record",
        "games:record",
        "Print the record of a finished GAME as a SIDE gets it: each turn, and the salts that hid it until the end.",
    ),
    Title(
        "verify",
        "verify:verify",
        "Check the record of a game in FILE: its seals, the rules, and the seals in your letters in MBOX files.",
    ),
    Title(
        "export",
        "games:export",
        "Print the finished games that both players let everybody have, under CC0: the earliest first.",
    ),
    Title(
        "umpire",
        "umpire:umpire",
        "The umpire of a VARIANT for programs: one order a line in, one JSON object a line out.",
    ),
    Title("deliver", "inbox:deliver", "Take in one letter from standard input, for a mail server's pipe."),
    Title(
        "listen",
        "listen:listen",
        "Take in letters over SMTP, and over LMTP where CORR_LMTP_LISTEN names a place.",
    ),
    Title(
        "fetch",
        "fetch:fetch",
        "Take letters out of the mailboxes that CORR_IMAP_URL names, over IMAP.",
    ),
    Title(
        "process",
        "process:process",
        "Become the process of a NAME: a line of the Procfile, for a service manager.",
    ),
    Title(
        "quickstart",
        "quickstart:quickstart",
        "Write into one folder what this machine needs to be the house of a mail DOMAIN, and tell what DNS needs.",
    ),
    Title("demo", "demo:demo", "Run everything in one process, with a page of mailboxes."),
)

main = click.version_option(package_name="corr")(_COMMANDS)

if __name__ == "__main__":
    main()
