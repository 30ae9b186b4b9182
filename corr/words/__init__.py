"""What may pass from the umpire to a player: the vocabularies that import nothing else."""
