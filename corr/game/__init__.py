"""What is public about a match, whatever the variant: its state, its clock, its offers. Pure."""
