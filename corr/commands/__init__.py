"""The commands of `corr`; each module is loaded when its command runs."""
