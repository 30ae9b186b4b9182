"""Whether a record is right: its seals, its rules, and the letters that were sent."""
