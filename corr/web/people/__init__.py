"""The pages of a player's own affairs: coming in, settings, browsers, passkeys."""
