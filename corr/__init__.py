"""Kriegspiel by mail: an umpire who is never wrong and never writes to the wrong player."""
