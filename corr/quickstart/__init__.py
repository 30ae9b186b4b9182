"""`corr quickstart`: writes all files for a server into one folder."""
