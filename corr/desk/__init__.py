"""What the house does, each thing in one transaction, room by room."""
