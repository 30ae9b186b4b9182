"""Boards and finished games as pictures."""
