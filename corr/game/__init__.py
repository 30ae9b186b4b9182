"""What is public about a match, whatever the variant."""
