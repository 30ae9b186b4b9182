"""Webhooks and other notifications: what a call says, where it may go, and how it gets there."""
