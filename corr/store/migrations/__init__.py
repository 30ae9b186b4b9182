"""The history of the tables: those of the first release, then one file for each change."""
