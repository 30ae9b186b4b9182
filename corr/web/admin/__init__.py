"""The operators' pages, and the figures for monitoring."""
