"""A player's own pages: signing in, settings, devices, passkeys."""
