"""The database: its tables, and what is written into them once."""
