"""How two people start a game: challenges, their answers, and emails to the site."""
