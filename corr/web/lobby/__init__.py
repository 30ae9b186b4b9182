"""The pages on which two people start a game."""
