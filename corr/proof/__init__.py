"""Checks a record: its seals, its rules, and the emails that were sent."""
