"""The pages on which two people come to a game."""
