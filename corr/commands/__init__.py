"""What each command of `corr` does, loaded when it is called."""
