"""What a rated game makes of its players' ratings, once, and how it is taken back."""
