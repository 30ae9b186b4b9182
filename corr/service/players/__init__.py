"""Players: names, addresses, settings and signed-in devices."""
