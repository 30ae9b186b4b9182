"""The pages of events: what can be entered, and how each stands."""
