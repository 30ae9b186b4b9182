"""The rules: what all umpires share, the retelling of finished games, and the variants."""
