"""How a player is called elsewhere: what a call says, where it may go, and its way there."""
