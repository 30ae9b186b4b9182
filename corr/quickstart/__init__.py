"""`corr quickstart`: what a machine needs to become a house, written into one folder."""
