"""Rates each rated game once, and can take it back."""
