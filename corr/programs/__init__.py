"""House players at their tables: each is handed its own seat's slips, and writes into the inbox like anybody."""
