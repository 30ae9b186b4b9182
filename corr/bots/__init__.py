"""How bots think: each knows only the slips of its own seat."""
