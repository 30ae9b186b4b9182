"""The history of the tables, one file for each change."""
