"""Plays games by email while everything around the server breaks, then counts what went wrong."""
