"""A simulated season of ratings and events, and the calculations by which it is checked."""
