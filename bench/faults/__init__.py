"""Plays games by mail while everything around the house breaks, then counts what went wrong."""
