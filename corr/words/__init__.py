"""The words that may cross the screen between two players: five vocabularies that import nothing else."""
