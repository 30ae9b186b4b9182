"""Bots at their tables: each reads its own seat's slips and writes into the inbox like anyone."""
