"""A player with two games at once, who has asked for the list of them."""

from __future__ import annotations

from email.message import EmailMessage

from tests.support.table import ANN, BEN, FAY, Table, text_of, unwrap


class TwoGames:
    """Ann plays classic with Ben and Wild 16 with Fay, and has asked for the list of her games."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.classic = table.challenge(ANN, BEN, "classic")
        self.wild = table.challenge(FAY, ANN, "wild16")
        for player, code in ((ANN, self.classic), (BEN, self.classic), (FAY, self.wild), (ANN, self.wild)):
            table.reply(player, "accept", to=self.last_email(player, code))
        table.write_to_site(ANN, "games")
        self.listed = table.last_email(ANN)

    def last_email(self, player: str, code: str) -> EmailMessage:
        """The newest email to a player about a game."""
        return [each for each in self.table.emails_to(player) if code in str(each["Subject"])][-1]

    def last_text(self, player: str, code: str) -> str:
        return unwrap(text_of(self.last_email(player, code)))

    def count(self, player: str) -> int:
        return len(self.table.emails_to(player))
