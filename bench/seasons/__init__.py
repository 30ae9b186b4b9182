"""A simulated season of ratings and events, and the reckonings by which it is looked over."""
