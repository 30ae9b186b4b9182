"""Templates and sentences: how they are found, filled in and made readable."""
