"""Kriegspiel by email: the umpire is never wrong and never writes to the wrong player."""
