"""What may pass from the umpire to a player: five vocabularies that import nothing else."""
