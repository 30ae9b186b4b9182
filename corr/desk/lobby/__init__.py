"""How two people come to a game: challenges, their answers, and what a letter to the site asks for."""
