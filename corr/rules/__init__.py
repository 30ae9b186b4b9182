"""The rules: what every umpire does, what he tells once more when a game is over, and the variants."""
