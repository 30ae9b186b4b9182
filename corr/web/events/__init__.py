"""The pages of events: what you can enter, and the standings."""
