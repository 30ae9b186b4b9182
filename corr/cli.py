"""Defines the `corr` command: lists its subcommands, and imports each only when it runs."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from corr.words.errors import CorrError


class LazyCommand(click.Command):
    """A placeholder for a subcommand: shows its help, and imports its module when run."""

    def __init__(self, name: str, place: str, line: str) -> None:
        """Name the command; `place` is its `module:name` in `corr.commands`, `line` its help."""
        super().__init__(name, help=line)
        self._place = place

    def loaded(self) -> click.Command:
        """Import the command's module, and return the real command to run."""
        module, _, name = self._place.partition(":")
        command: click.Command = getattr(import_module(f"corr.commands.{module}"), name)
        return command


class CommandGroup(click.Group):
    """A group of lazy subcommands: lists them, loads the called one, prints its CorrError."""

    def __init__(self, name: str, line: str, *stands: click.Command) -> None:
        super().__init__(name, help=line, commands=stands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the subcommand as click does, and load it if it is lazy."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.loaded() if isinstance(command, LazyCommand) else command, rest

    def invoke(self, ctx: click.Context) -> Any:  # click's own signature
        """Run the subcommand; a CorrError ends it with a message instead of a traceback."""
        try:
            return super().invoke(ctx)
        except CorrError as error:
            raise click.ClickException(str(error)) from error


_DB = CommandGroup(
    "db",
    "Create, update or delete the database's tables.",
    LazyCommand("upgrade", "database:upgrade", "Create the tables, or update them to this version."),
    LazyCommand("downgrade", "database:downgrade", "Return the tables to a REVISION, or delete them all."),
    LazyCommand("grant", "database:grant", "Give a PostgreSQL ROLE the rights that the pages need."),
)

_PLAYER = CommandGroup(
    "player",
    "Manage players: names, addresses, passkeys.",
    LazyCommand("add", "players:add", "Create a player, or give a player one more ADDRESS."),
    LazyCommand("list", "players:print_all", "List all players with their addresses."),
    LazyCommand("export", "players:export", "Print everything we keep about a player, as JSON."),
    LazyCommand(
        "lost-passkeys", "players:lost_passkeys", "Remove all passkeys of an admin who has lost them."
    ),
    LazyCommand("forget", "players:forget", "Delete a player's name, addresses and emails."),
)

_SEAT = CommandGroup(
    "seat",
    "Manage players' seats in games.",
    LazyCommand("rekey", "games:rekey", "Give one SIDE of a GAME a new reply address."),
)

_LETTER = CommandGroup(
    "letter",
    "Read an email as corr does, or resend undelivered emails.",
    LazyCommand("read", "parse_email:read", "Print, as JSON, how corr reads the email in FILE."),
    LazyCommand("resend", "operations:resend", "Send all undelivered emails again."),
)

_COMMANDS = CommandGroup(
    "corr",
    "Run a site for Kriegspiel and other hidden-information chess by email.",
    _DB,
    _PLAYER,
    _SEAT,
    _LETTER,
    LazyCommand("backup", "database:backup", "Copy the whole database into a new FILE."),
    LazyCommand("restored", "database:restored", "Tell corr that you restored its database from a backup."),
    LazyCommand(
        "doctor", "doctor:doctor", "Check everything this site needs, and say how to fix what is wrong."
    ),
    LazyCommand("challenge", "games:challenge", "Propose a game to two addresses."),
    LazyCommand("hours", "operations:hours", "Show whether time-outs count, and when the server was down."),
    LazyCommand("pgn", "games:pgn", "Print a finished game as PGN."),
    LazyCommand("record", "games:record", "Print the record of a finished GAME as one SIDE gets it."),
    LazyCommand("verify", "verify:verify", "Check the record of a game in FILE."),
    LazyCommand("export", "games:export", "Print the games that both players publish, under CC0."),
    LazyCommand("umpire", "umpire:umpire", "Umpire a game of a VARIANT for another program."),
    LazyCommand("deliver", "deliver:deliver", "Accept one email from standard input."),
    LazyCommand("listen", "mail_servers:listen", "Accept email over SMTP and LMTP."),
    LazyCommand("fetch", "mail_servers:fetch", "Fetch email over IMAP from the mailboxes in CORR_IMAP_URL."),
    LazyCommand("process", "process:process", "Run one of the Procfile's processes."),
    LazyCommand("quickstart", "quickstart:quickstart", "Write all files this machine needs to run corr."),
    LazyCommand("demo", "demo:demo", "Run a whole site on this computer, with mailboxes to try it."),
)

main = click.version_option(package_name="corr")(_COMMANDS)

if __name__ == "__main__":
    main()
