"""Who players are: names, addresses, what they have set, and at which browsers they are let in."""
