"""House players: each thinks over what its seat was handed, and over nothing else."""
